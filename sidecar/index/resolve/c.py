"""Find what C and C++ include: beside the includer, in include folders, else by the path's end.

Pure functions of the tree. May import this package.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sidecar.index.resolve.manifests import Includes
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

__all__ = ["CResolver"]

#: Headers of the standard libraries: a file elsewhere that has the name of one is not meant.
_STANDARD = frozenset(
    f"{name}.h"
    for name in (
        "assert complex ctype dlfcn dirent errno fcntl features fenv float inttypes iso646 limits"
        " locale malloc math memory netdb poll pthread pwd regex sched semaphore setjmp signal"
        " stdalign stdarg stdatomic stdbool stddef stdint stdio stdlib stdnoreturn string strings"
        " syslog termios tgmath threads time uchar unistd utime wchar wctype windows winsock2"
    ).split()
)


class CResolver:
    """Resolves includes without the compiler's command line, which is seldom at hand."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree

    def answer(self, item: Import, importer: str) -> Answer:
        """Return the file that is included."""
        if not item.module or item.module.startswith("/"):
            return NOWHERE
        files = self._tree.files
        keys = set()
        for folder in self._folders(folder_of(importer)):
            path = join(folder, item.module)
            if path:
                keys.add(file_key(path))
                if path in files:
                    return Answer((path,), frozenset(keys))
        suffix = join("", item.module)
        # The C++ standard library's headers have no ending.
        if suffix and suffix not in _STANDARD and "." in suffix.rpartition("/")[2]:
            keys.add(file_key(suffix))
            if found := nearest(self._tree.ending(suffix), importer):
                return Answer((found[0],), frozenset(keys))
        return Answer((), frozenset(keys))

    def _folders(self, folder: str) -> Iterator[str]:
        yield folder
        around = ancestors(folder)
        for outer in around:
            flags = self._tree.projects.get(_in(outer, "compile_flags.txt"))
            if isinstance(flags, Includes):
                yield from flags.folders
        for outer in around:
            yield _in(outer, "include")
            yield outer
            yield _in(outer, "src")


def _in(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name
