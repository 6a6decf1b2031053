"""Find what Ruby requires: beside the file, or below a `lib` folder.

Pure functions of the tree. May import this package.
"""

from __future__ import annotations

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

__all__ = ["RubyResolver"]

#: Of the standard library, what gems like to name a file of their own after.
_STANDARD = frozenset(
    "base64 benchmark bigdecimal cgi csv date delegate digest erb etc fileutils find forwardable"
    " io json logger monitor net observer open3 openssl optparse ostruct pathname pp prime psych"
    " racc random rbconfig ripper securerandom set shellwords singleton socket stringio strscan"
    " tempfile time timeout tmpdir tsort uri weakref yaml zlib".split()
)


class RubyResolver:
    """Resolves `require`, `require_relative` and `load`, which look alike in what they name."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree

    def answer(self, item: Import, importer: str) -> Answer:
        """Return the file that is required."""
        module = item.module.removesuffix(".rb")
        if not module or module.startswith("/"):
            return NOWHERE
        folder = folder_of(importer)
        relative = module.startswith(".")
        standard = not relative and module.partition("/")[0] in _STANDARD
        folders = [] if standard else [folder]
        if not relative:
            for outer in ancestors(folder):
                folders += (f"{outer}/lib" if outer else "lib", outer)
            if standard:
                folders = [f for f in folders if f.rpartition("/")[2] == "lib"]
        keys = set()
        for place in folders:
            path = join(place, module)
            if path:
                keys.add(file_key(path + ".rb"))
                if f"{path}.rb" in self._tree.files:
                    return Answer((f"{path}.rb",), frozenset(keys))
        # Several gems in one repository put each other's `lib` on the load path.
        suffix = join("lib", module)
        if suffix and not relative:
            keys.add(file_key(suffix + ".rb"))
            if found := nearest(self._tree.ending(suffix + ".rb"), importer):
                return Answer((found[0],), frozenset(keys))
        return Answer((), frozenset(keys))
