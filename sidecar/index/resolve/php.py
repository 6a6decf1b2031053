"""Find PHP classes by the namespaces of composer.json, and files that are included.

Pure functions of the tree. May import this package.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sidecar.index.resolve.manifests import Composer
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
    from collections.abc import Iterator

    from sidecar.index.resolve.tree import Tree
    from sidecar.syntax.imports import Import

__all__ = ["PhpResolver"]

_FILES = (".php", ".inc", ".phtml")


class PhpResolver:
    """Resolves `use` by PSR-4, else by the path's end; include and require by path."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._version = -1
        self._composers: list[Composer] = []

    def answer(self, item: Import, importer: str) -> Answer:
        """Return where an import leads."""
        if item.module.endswith(_FILES):
            return self._included(item.module, importer)
        parts = [part for part in item.module.split("\\") if part]
        if item.name not in ("", "*"):
            parts += [part for part in item.name.split("\\") if part]
        if not parts:
            return NOWHERE
        keys = set()
        for path in self._classes(parts, importer):
            keys.add(file_key(path))
            if path in self._tree.files:
                return Answer((path,), frozenset(keys))
        # Without composer.json, folders still follow namespaces, often after the first part.
        for count in (0, 1):
            if len(parts) - count < 2:
                break
            suffix = "/".join(parts[count:]) + ".php"
            keys.add(file_key(suffix))
            if found := nearest(self._tree.ending(suffix), importer):
                return Answer((found[0],), frozenset(keys))
        return Answer((), frozenset(keys))

    def _classes(self, parts: list[str], importer: str) -> Iterator[str]:
        projects = self._tree.projects
        if self._version != projects.version:
            self._version = projects.version
            self._composers = projects.of(Composer)
        name = "\\".join(parts)
        found = [
            (-len(prefix), path)
            for composer in self._composers
            for prefix, folder in composer.prefixes
            if not prefix or name.startswith(prefix + "\\")
            if (path := join(folder, name[len(prefix) :].replace("\\", "/") + ".php"))
        ]
        for length in sorted({length for length, _ in found}):
            yield from nearest([path for size, path in found if size == length], importer)

    def _included(self, module: str, importer: str) -> Answer:
        # `__DIR__ . "/a.php"` leaves "/a.php".
        relative = module.lstrip("/")
        keys = set()
        for folder in ancestors(folder_of(importer)):
            path = join(folder, relative)
            if path:
                keys.add(file_key(path))
                if path in self._tree.files:
                    return Answer((path,), frozenset(keys))
        return Answer((), frozenset(keys))
