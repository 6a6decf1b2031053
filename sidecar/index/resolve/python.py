"""Find Python modules: packages, relative imports, src layouts, namespace packages, stubs.

Pure functions of the tree. May import this package.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from sidecar.index.resolve.paths import (
    NOWHERE,
    Answer,
    ancestors,
    file_key,
    folder_of,
    join,
    nearest,
)

if TYPE_CHECKING:
    from sidecar.index.resolve.tree import Tree
    from sidecar.syntax.imports import Import

__all__ = ["PythonResolver"]

#: A package comes before a module of the same name, and source before stubs.
_ENDINGS = ("/__init__.py", ".py", "/__init__.pyi", ".pyi")


class PythonResolver:
    """Resolves imports as an interpreter would that is started in the importer's project.

    A folder is where absolute names begin when it lies around the importer and is not a package
    itself, and so is a `src` in it; the nearest wins, which is right in repositories of many
    projects. Otherwise a package of that name anywhere else will do, also the nearest.
    """

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._roots: dict[str, list[str]] = {}
        self._version = -1

    def answer(self, item: Import, importer: str) -> Answer:
        """Return where an import leads."""
        dotted = item.module.lstrip(".")
        level = len(item.module) - len(dotted)
        folder = folder_of(importer)
        tail = dotted.replace(".", "/")
        # `from a.b import c` means the module a/b/c where there is one, else what a/b defines.
        tails = [_under(tail, item.name), tail] if item.name not in ("", "*") else [tail]
        if level:
            base = join(folder, "../" * (level - 1))
            if base is None:
                return NOWHERE
            # What stands for the workspace itself, which has no name, is its own `__init__`.
            paths = [_under(base, tail) or "__init__" for tail in tails]
            return Answer(self._first("", paths), frozenset(_keys(paths)))
        # A file of that name has no name of its own: its key would be that of each folder.
        if not tail or tail == "__init__":
            return NOWHERE
        keys = frozenset(_keys(tails))
        # Most names are from outside of the workspace, where no file at all is called so.
        named = self._tree.named
        tails = [tail for tail in tails if any(key in named for key in _keys([tail]))]
        if not tails:
            return Answer((), keys)
        for root in self._roots_of(folder):
            if found := self._first(root, tails):
                return Answer(found, keys)
        if tail.partition("/")[0] in sys.stdlib_module_names:
            return Answer((), keys)
        return self._anywhere(tails, keys, importer)

    def _first(self, root: str, paths: list[str]) -> tuple[str, ...]:
        files = self._tree.files
        for path in paths:
            stem = root + path
            for ending in _ENDINGS:
                if (found := stem + ending) in files:
                    return (found,)
        return ()

    def _roots_of(self, folder: str) -> list[str]:
        """Return where absolute names may begin for the files of a folder, as prefixes."""
        if self._version != self._tree.version:
            self._version = self._tree.version
            self._roots.clear()
        roots = self._roots.get(folder)
        if roots is None:
            roots = self._roots[folder] = []
            for around in ancestors(folder):
                if not around or not self._is_package(around):
                    prefix = f"{around}/" if around else ""
                    roots += (prefix, f"{prefix}src/")
        return roots

    def _is_package(self, folder: str) -> bool:
        files = self._tree.files
        return f"{folder}/__init__.py" in files or f"{folder}/__init__.pyi" in files

    def _anywhere(self, tails: list[str], keys: frozenset[str], importer: str) -> Answer:
        roots: set[str] = set()
        for tail in tails:
            found = []
            # The name of a lone module is too common to be looked for everywhere.
            for ending in _ENDINGS if "/" in tail else ("/__init__.py", "/__init__.pyi"):
                for path in self._tree.ending(tail + ending):
                    root = path[: -len(tail + ending) - 1]
                    roots.add(root)
                    if not root or not self._is_package(root):
                        found.append(path)
                if found:
                    break
            if found:
                return Answer((nearest(found, importer)[0],), keys | _keys(list(roots)))
        return Answer((), keys | _keys(list(roots)) if roots else keys)


def _under(base: str, tail: str) -> str:
    return f"{base}/{tail}" if base and tail else base or tail


def _keys(paths: list[str]) -> set[str]:
    """Return the keys of all files that paths without an ending may mean."""
    keys = set()
    for path in paths:
        last = path.rpartition("/")[2]
        if "." in last or last == "__init__":
            keys.add(file_key(path + ".py"))
            keys.add(file_key(path + "/__init__.py"))
        else:
            keys.add(last)
    return keys
