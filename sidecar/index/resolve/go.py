"""Find Go packages, by go.mod: a package is the files of a folder.

Pure functions of the tree. May import this package.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sidecar.index.resolve.manifests import GoModule
from sidecar.index.resolve.paths import (
    MOST_TARGETS,
    NOWHERE,
    Answer,
    ancestors,
    folder_key,
    folder_of,
    join,
    nearest,
)

if TYPE_CHECKING:
    from sidecar.index.resolve.tree import Tree
    from sidecar.syntax.imports import Import

__all__ = ["GoResolver"]


class GoResolver:
    """Resolves import paths over all modules of the workspace, as go.work would have it."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._version = -1
        self._modules: list[GoModule] = []

    def answer(self, item: Import, importer: str) -> Answer:
        """Return where an import leads: to all files of a package but its tests."""
        projects = self._tree.projects
        if self._version != projects.version:
            self._version = projects.version
            self._modules = projects.of(GoModule)
        if not item.module or item.module == "C":
            return NOWHERE
        folder = folder_of(importer)
        keys = set()
        for place in self._places(item.module, folder):
            keys.add(folder_key(place))
            held = self._tree.folders.get(place, ())
            files = [p for p in held if p.endswith(".go") and not p.endswith("_test.go")]
            if files:
                return Answer(tuple(sorted(files)[:MOST_TARGETS]), frozenset(keys))
        return Answer((), frozenset(keys))

    def _places(self, module: str, folder: str) -> list[str]:
        """Return the folders that an import path may mean, best first."""
        if module.startswith("."):
            place = join(folder, module)
            return [] if place is None else [place]
        places: list[str] = []
        own = self._own(folder)
        if own is not None:
            places += _below(own.replaces, module)
        roots = [(m.module, m.folder) for m in self._modules if m.module]
        # The longest module path wins, as a module may stand inside another one.
        for path in sorted({path for path, _ in roots}, key=lambda path: (-len(path), path)):
            if module == path or module.startswith(path + "/"):
                folders = [folder for own_path, folder in roots if own_path == path]
                for root in nearest(folders, folder):
                    places += _below({path: root}, module)
        # The first part of what is not in the standard library is a host.
        if "." in module.partition("/")[0]:
            if own is not None:
                places += _below({"": _in(own.folder, "vendor")}, module)
            # Trees from before modules, which distributions still keep, have one `src` for all.
            for around in ancestors(folder):
                if around.rpartition("/")[2] == "src":
                    places += _below({"": around}, module)
        return places

    def _own(self, folder: str) -> GoModule | None:
        for around in ancestors(folder):
            found = self._tree.projects.get(_in(around, "go.mod"))
            if isinstance(found, GoModule):
                return found
        return None


def _in(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name


def _below(roots: dict[str, str], module: str) -> list[str]:
    found = []
    for path, root in sorted(roots.items(), key=lambda entry: -len(entry[0])):
        if not path or module == path or module.startswith(path + "/"):
            place = join(root, module[len(path) :])
            if place is not None:
                found.append(place)
    return found
