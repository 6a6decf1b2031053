"""What the opened file imports, found before the workspace is walked.

Looks only into the few folders where an import's own words could lead, so that its cost does not
depend on the size of the tree. A guess for the order of work: what is missed is found by the walk.
Must never write. May import `ignore` of `index.files`, and `links` of this package.
"""

from __future__ import annotations

import os
import re
from itertools import islice
from typing import TYPE_CHECKING

from sidecar.index.upkeep.links import Linker

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sidecar.index.files.ignore import Ignore

__all__ = ["imported_files", "samples"]

#: Folders looked into for one file.
_MOST_FOLDERS = 400
#: Files whose endings are counted, and endings that are common.
_MOST_LOOKED_AT = 5_000
_ENDINGS = 3
#: What separates the parts of a module's name in any language.
_PARTS = re.compile(r"[./\\:]+")
#: Folders that sources stand in without being part of a module's name.
_SOURCES = ("", "src", "lib", "include", "packages", "app")


def samples(paths: Iterable[str]) -> list[str]:
    """Return one file for each of the commonest endings."""
    by_ending: dict[str, list[str]] = {}
    for path in islice(paths, _MOST_LOOKED_AT):
        by_ending.setdefault(os.path.splitext(path)[1], []).append(path)
    common = sorted(by_ending.values(), key=len, reverse=True)
    return [same[0] for same in common[:_ENDINGS]]


def imported_files(
    root: str,
    path: str,
    language: str,
    imports: Sequence[tuple[str, str, str]],
    ignore: Ignore,
) -> list[str]:
    """Return files that a file imports, in the order of its imports.

    Args:
        root: Absolute path of the root.
        path: The file, relative to the root.
        language: Its language's name.
        imports: What it imports: module, name and alias.
        ignore: Tells what is left out.
    """
    linker = Linker(root)
    linker.replace(_near(root, path, imports))
    found = linker.links(path, language, imports)
    targets = dict.fromkeys(target for targets in found.targets for target in targets)
    targets.pop(path, None)
    return [target for target in targets if ignore.skip(target) is None]


def _near(root: str, path: str, imports: Iterable[tuple[str, str, str]]) -> Iterator[str]:
    """Yield the files of the folders around a file and of those that its imports may name."""
    above = [""]
    for part in path.split("/")[:-1]:
        above.append(f"{above[-1]}{part}/")
    starts = dict.fromkeys(reversed(above))
    starts.update((f"{source}/", None) for source in _SOURCES if source)
    looked: set[str] = set()
    for folder in starts:
        yield from _files(root, folder, looked)
    for module, name, _ in imports:
        # A name may be a folder as well: `from importlib import resources`.
        parts = [part for part in _PARTS.split(f"{module}/{name}") if part]
        for start in starts:
            folder = start
            for part in parts:
                folder = f"{folder}{part}/"
                if len(looked) > _MOST_FOLDERS or not os.path.isdir(f"{root}/{folder}"):
                    break
                yield from _files(root, folder, looked)


def _files(root: str, folder: str, looked: set[str]) -> Iterator[str]:
    if folder in looked:
        return
    looked.add(folder)
    try:
        with os.scandir(f"{root}/{folder}") as entries:
            yield from [folder + e.name for e in entries if e.is_file(follow_symlinks=False)]
    except (OSError, ValueError):
        return
