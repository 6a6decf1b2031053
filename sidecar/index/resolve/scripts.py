"""Find Lua modules and the files that shell scripts source.

Pure functions of the tree. May import this package.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sidecar.index.resolve.paths import NOWHERE, Answer, ancestors, file_key, folder_of, join

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sidecar.index.resolve.tree import Tree
    from sidecar.syntax.imports import Import

__all__ = ["BashResolver", "LuaResolver"]

#: `$(dirname "$0")/a.sh`, `${BASH_SOURCE%/*}/a.sh`: what a script computes is its own folder.
_COMPUTED = re.compile(r"^.*[)}$`\"][^/]*/|^\$\w+/")


class LuaResolver:
    """Resolves `require "a.b"` over the folders around a file, and `lua`, `src`, `lib` in them."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree

    def answer(self, item: Import, importer: str) -> Answer:
        """Return the file that is required."""
        module = item.module.removesuffix(".lua").replace(".", "/").strip("/")
        if not module:
            return NOWHERE
        paths = (
            f"{base}{end}"
            for outer in ancestors(folder_of(importer))
            for inner in ("", "lua", "src", "lib")
            if (base := join(outer, f"{inner}/{module}"))
            for end in (".lua", "/init.lua")
        )
        return _first(paths, self._tree)


class BashResolver:
    """Resolves `source` and `.` by path, from the script's folder or one around it."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree

    def answer(self, item: Import, importer: str) -> Answer:
        """Return the file that is sourced."""
        relative = _COMPUTED.sub("", item.module).strip("\"'")
        if not relative or relative.startswith("/") or "$" in relative:
            return NOWHERE
        folders = ancestors(folder_of(importer))
        return _first((path for f in folders if (path := join(f, relative))), self._tree)


def _first(paths: Iterable[str], tree: Tree) -> Answer:
    keys = set()
    for path in paths:
        keys.add(file_key(path))
        if path in tree.files:
            return Answer((path,), frozenset(keys))
    return Answer((), frozenset(keys))
