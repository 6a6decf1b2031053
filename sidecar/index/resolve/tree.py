"""The files that a workspace is known to hold, and the projects that their settings describe.

Kept in memory by the indexer, changed in constant time per path. Does no I/O: texts are given to
it. May import this package.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sidecar.index.resolve.paths import file_key, folder_key, folder_of, nearest
from sidecar.index.resolve.projects import Projects

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["Tree"]


class Tree:
    """The known paths, found whole, by key, or by folder.

    Attributes:
        files: All paths.
        named: Paths by `file_key`.
        folders: The paths directly in each folder.
        folders_named: Folders that directly hold files, by `folder_key`.
        projects: What the project files say.
        version: Counts changes; answers are kept for as long as it stays.
    """

    def __init__(self, paths: Iterable[str] = ()) -> None:
        self.files: set[str] = set()
        self.named: dict[str, set[str]] = {}
        self.folders: dict[str, set[str]] = {}
        self.folders_named: dict[str, set[str]] = {}
        self.projects = Projects()
        self.version = 0
        for path in paths:
            self.add(path)

    def add(self, path: str) -> None:
        """Know a path from now on."""
        if path in self.files:
            return
        self.version += 1
        self.files.add(path)
        self.named.setdefault(file_key(path), set()).add(path)
        folder = folder_of(path)
        held = self.folders.get(folder)
        if held is None:
            self.folders[folder] = {path}
            self.folders_named.setdefault(folder_key(folder), set()).add(folder)
        else:
            held.add(path)
        self.projects.add(path)

    def remove(self, path: str) -> None:
        """Forget a path, and the project that it describes."""
        if path not in self.files:
            return
        self.version += 1
        self.files.discard(path)
        _drop(self.named, file_key(path), path)
        folder = folder_of(path)
        if _drop(self.folders, folder, path):
            _drop(self.folders_named, folder_key(folder), folder)
        self.projects.remove(path)

    def configure(self, path: str, text: str) -> bool:
        """Take in the text of a project file; False where it cannot be used."""
        self.version += 1
        return self.projects.configure(path, text)

    def forget(self, path: str) -> None:
        """Leave out what a project file said, for instance when it can no longer be read."""
        self.version += 1
        self.projects.forget(path)

    def ending(self, suffix: str) -> list[str]:
        """Return the files whose path ends with these whole parts, in no order."""
        inner = "/" + suffix
        named = self.named.get(file_key(suffix), ())
        return [path for path in named if path.endswith(inner) or path == suffix]

    def package(self, suffix: str, endings: tuple[str, ...], importer: str) -> list[str]:
        """Return the files with these endings in all folders whose path ends so, nearest first."""
        inner = "/" + suffix
        found: list[str] = []
        for folder in self.folders_named.get(folder_key(suffix), ()):
            if folder == suffix or folder.endswith(inner):
                found += [path for path in self.folders[folder] if path.endswith(endings)]
        return nearest(found, importer)


def _drop(held: dict[str, set[str]], key: str, value: str) -> bool:
    """Take a value out of a set; True when it was the last one and the set is gone."""
    values = held[key]
    values.discard(value)
    if not values:
        del held[key]
    return not values
