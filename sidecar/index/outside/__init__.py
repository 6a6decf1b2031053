"""Where imports lead that leave the workspace: installed packages, type declarations, modules.

Looks at the disk, with a few probes for each import, in folders of three kinds alone:
`site-packages` of environments, `node_modules`, and the module cache and the library of Go. What
links lead to lies in such a folder too, or is not found. Must never run a program, walk a tree, or
raise. May import `resolve`, and `repository` and `secrets` of `files`, of `index`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from sidecar.index.outside.go import GoOutside
from sidecar.index.outside.javascript import JavaScriptOutside
from sidecar.index.outside.python import PythonOutside
from sidecar.index.resolve.projects import JAVASCRIPT

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Outside"]

#: No module has a longer name; a longer one is data.
_MOST_CHARACTERS = 512


class _Finder(Protocol):
    def find(self, module: str, name: str, importer: str) -> tuple[str, ...]: ...


class Outside:
    """Finds what the files of one root import from outside of it.

    What it learns of environments and packages it remembers: make another one when these may have
    changed.

    Args:
        root: Absolute path of the root.
        environment: The variables of the process, which name environments and caches.
    """

    def __init__(self, root: str, environment: Mapping[str, str]) -> None:
        javascript = JavaScriptOutside(root)
        self._by_language: dict[str, _Finder] = {
            "python": PythonOutside(root, environment),
            **dict.fromkeys(sorted(JAVASCRIPT), javascript),
            "go": GoOutside(root, environment),
        }

    def knows(self, language: str) -> bool:
        """Tell whether anything can be found for a language."""
        return language in self._by_language

    def find(self, language: str, module: str, name: str, importer: str) -> tuple[str, ...]:
        """Return the absolute real paths of the files that an import means, best first.

        Args:
            language: The importer's language.
            module: The module as it is written.
            name: What is imported of it.
            importer: The importing file: relative to the root, or absolute if it is outside too.
        """
        finder = self._by_language.get(language)
        odd = not module.isprintable() or len(module) + len(name) > _MOST_CHARACTERS
        if finder is None or not module or odd:
            return ()
        return finder.find(module, name, importer)
