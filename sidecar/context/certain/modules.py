"""Which modules of a workspace an import may name.

Must never do I/O. May import `context`.
"""

from __future__ import annotations

from bisect import bisect_left
from itertools import islice
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sidecar.context.snapshot import Snapshot
    from sidecar.index.query.answers import Imported

__all__ = ["folders_of", "module_file", "modules_in"]

_ENDINGS: Final = (".py", ".pyi")
#: Files of a folder that are looked at for whether one of them is a module.
_GLANCE: Final = 64


def modules_in(folder: str, snapshot: Snapshot) -> set[str]:
    """Return what modules and packages lie in a folder.

    Args:
        folder: The folder, with a slash at its end; nothing for the workspace itself.
        snapshot: What is known of the workspace.
    """
    paths = snapshot.index.paths()
    found = set()
    at = bisect_left(paths, folder)
    while at < len(paths) and paths[at].startswith(folder):
        name, slash, _ = paths[at][len(folder) :].partition("/")
        if not slash:
            stem, dot, ending = name.partition(".")
            if f"{dot}{ending}" in _ENDINGS and not stem.startswith("__"):
                found.add(stem)
            at += 1
            continue
        # Behind the slash comes the zero.
        after = bisect_left(paths, f"{folder}{name}0", at)
        if any(path.endswith(_ENDINGS) for path in islice(paths, at, min(after, at + _GLANCE))):
            found.add(name)
        at = after
    return {name for name in found if name.isidentifier()}


def folders_of(module: str, path: str, snapshot: Snapshot) -> list[str]:
    """Return the folders that a package may be, each with a slash at its end.

    Args:
        module: Its name as it is written, with a dot at its end or only dots.
        path: The file that imports it.
        snapshot: What is known of the workspace.
    """
    names = module.lstrip(".")
    up = len(module) - len(names)
    inner = names.replace(".", "/")
    if up:
        parts = path.split("/")[:-1]
        if up - 1 > len(parts):
            return []
        kept = parts[: len(parts) - (up - 1)]
        starts = ["".join(f"{part}/" for part in kept)]
    else:
        starts = _starts(path, snapshot.index.imports(path))
    paths = snapshot.index.paths()
    folders = [f"{start}{inner}" for start in starts]
    return [folder for folder in folders if _holds(paths, folder)]


def module_file(module: str, path: str, snapshot: Snapshot) -> str | None:
    """Return the file that a module is, if there is exactly one.

    Args:
        module: Its name as it is written.
        path: The file that imports it.
        snapshot: What is known of the workspace.
    """
    for item in snapshot.index.imports(path):
        if item.module == module and item.target is not None:
            return item.target
    known = snapshot.index.paths()
    found = set()
    if module.strip("."):
        package, _, name = module.rpartition(".")
        above = f"{package}." if package.strip(".") else "." * (len(module) - len(name))
        for folder in folders_of(above, path, snapshot):
            found |= {f"{folder}{name}.py", f"{folder}{name}/__init__.py"}
    else:
        found = {f"{folder}__init__.py" for folder in folders_of(module, path, snapshot)}
    there = [file for file in sorted(found) if _is_in(known, file)]
    return there[0] if len(there) == 1 else None


def _starts(path: str, imports: Sequence[Imported]) -> list[str]:
    """Return where modules that a file names in full may begin: as others of its imports do."""
    starts = {"", "src/"}
    for item in imports:
        if item.target is not None and not item.module.startswith("."):
            inner = item.module.replace(".", "/")
            for end in (f"{inner}.py", f"{inner}/__init__.py"):
                if item.target == end or item.target.endswith(f"/{end}"):
                    starts.add(item.target.removesuffix(end))
    return sorted(starts)


def _holds(paths: Sequence[str], folder: str) -> bool:
    at = bisect_left(paths, folder)
    return at < len(paths) and paths[at].startswith(folder)


def _is_in(paths: Sequence[str], path: str) -> bool:
    at = bisect_left(paths, path)
    return at < len(paths) and paths[at] == path
