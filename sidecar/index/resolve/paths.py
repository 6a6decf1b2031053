"""Words about workspace-relative POSIX paths: folders, keys, and which of several is nearest.

A file's *keys* are the few words under which an import that could mean it is stored, so that the
creation of the file finds those imports. Pure functions; may import nothing of sidecar.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = [
    "MOST_TARGETS",
    "NOWHERE",
    "Answer",
    "ancestors",
    "file_key",
    "folder_key",
    "folder_of",
    "join",
    "keys_of_path",
    "nearest",
]

#: An import of a whole package names at most so many of its files.
MOST_TARGETS = 64

#: Deeper trees exist to make us slow: only the innermost of their folders are looked at.
_MOST_ANCESTORS = 64

#: Files that stand for the folder around them, so their key is the folder's name.
_FOLDER_FILES = frozenset(
    "__init__.py __init__.pyi mod.rs lib.rs main.rs init.lua"
    " index.ts index.tsx index.mts index.cts index.js index.jsx index.mjs index.cjs"
    " index.d.ts index.d.mts index.d.cts".split()
)


class Answer(NamedTuple):
    """Where an import leads, and what could change that.

    Args:
        targets: The files that are meant, best first; empty when the import stays a name.
        keys: Keys of all paths whose creation or deletion could change the targets.
    """

    targets: tuple[str, ...]
    keys: frozenset[str]


NOWHERE = Answer((), frozenset())


def folder_of(path: str) -> str:
    """Return the folder that holds a path, "" for the workspace itself."""
    return path.rpartition("/")[0]


def file_key(path: str) -> str:
    """Return the key of a file: its stem, or the folder's where the file stands for it."""
    folder, _, name = path.rpartition("/")
    if folder and name in _FOLDER_FILES:
        name = folder.rpartition("/")[2]
    # A name may begin with a dot, and what follows the next one is an ending ("a.d.ts").
    end = name.find(".", 1)
    return name if end < 0 else name[:end]


def folder_key(folder: str) -> str:
    """Return the key of what a folder holds; the slash keeps it apart from those of files."""
    # C# folders are often named by whole namespaces, of which the last part is enough.
    return folder.rpartition("/")[2].rpartition(".")[2] + "/"


def keys_of_path(path: str) -> tuple[str, str]:
    """Return the keys of the imports that the creation or deletion of a path concerns."""
    return file_key(path), folder_key(folder_of(path))


def ancestors(folder: str) -> list[str]:
    """Return a folder and those around it, innermost first, "" last."""
    found = [folder]
    while folder:
        folder = folder.rpartition("/")[0] if len(found) < _MOST_ANCESTORS else ""
        found.append(folder)
    return found


def join(folder: str, relative: str) -> str | None:
    """Return a relative path as seen from a folder; None where it leaves the workspace."""
    parts = folder.split("/") if folder else []
    for part in relative.split("/"):
        if part == "..":
            if not parts:
                return None
            parts.pop()
        elif part and part != ".":
            parts.append(part)
    return "/".join(parts)


def nearest(paths: Iterable[str], importer: str) -> list[str]:
    """Sort paths by the folders that they share with the importer, then shallow ones first."""
    own = importer.split("/")

    def order(path: str) -> tuple[int, int, str]:
        parts = path.split("/")
        shared = 0
        for mine, other in zip(own, parts, strict=False):
            if mine != other:
                break
            shared += 1
        return -shared, len(parts), path

    found = list(paths)
    return sorted(found, key=order) if len(found) > 1 else found
