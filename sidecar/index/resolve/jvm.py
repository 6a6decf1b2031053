"""Find Java and Kotlin classes: a package is a path that ends the path of its folder.

Pure functions of the tree. May import this package.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sidecar.index.resolve.paths import (
    MOST_TARGETS,
    NOWHERE,
    Answer,
    file_key,
    folder_key,
    nearest,
)

if TYPE_CHECKING:
    from sidecar.index.resolve.tree import Tree
    from sidecar.syntax.imports import Import

__all__ = ["JvmResolver"]

_ENDINGS = (".java", ".kt", ".kts")


class JvmResolver:
    """Resolves qualified names without knowing source roots, as builds keep them anywhere."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree

    def answer(self, item: Import, importer: str) -> Answer:
        """Return where an import leads: to a class's file, or to the files of a package."""
        parts = [part for part in item.module.strip(".").split(".") if part]
        whole = item.name == "*" or (bool(parts) and parts[-1] == "*")
        parts = [part for part in parts if part != "*"]
        if item.name not in ("", "*"):
            parts += item.name.split(".")
        if not parts:
            return NOWHERE
        keys: set[str] = set()
        # Members and inner classes lie in the file of the outermost class.
        for count in range(len(parts), max(len(parts) - 3, min(1, len(parts) - 1)), -1):
            found = self._class("/".join(parts[:count]), keys, importer)
            if found:
                return Answer((found,), frozenset(keys))
        package = parts if whole else parts[:-1]
        # Functions of Kotlin lie in any file of their package.
        if package and (whole or importer.endswith((".kt", ".kts"))):
            suffix = "/".join(package)
            keys.add(folder_key(suffix))
            endings = _ENDINGS if whole else _ENDINGS[1:]
            files = self._tree.package(suffix, endings, importer)
            return Answer(tuple(files[:MOST_TARGETS]), frozenset(keys))
        return Answer((), frozenset(keys))

    def _class(self, suffix: str, keys: set[str], importer: str) -> str | None:
        keys.add(file_key(suffix + ".java"))
        found = [path for ending in _ENDINGS for path in self._tree.ending(suffix + ending)]
        return nearest(found, importer)[0] if found else None
