"""What project files say about where modules are: tsconfig.json, go.mod, Cargo.toml and others.

A file that cannot be understood says nothing and is counted; it never raises. Does no I/O. May
import this package.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeVar

from sidecar.index.resolve.manifests import (
    Composer,
    Crate,
    GoModule,
    Includes,
    Package,
    TsConfig,
    read_composer,
    read_crate,
    read_flags,
    read_go_module,
    read_package,
    read_tsconfig,
)
from sidecar.index.resolve.paths import folder_of

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["JAVASCRIPT", "Manifest", "Projects", "languages_of"]

_M = TypeVar("_M", Composer, Crate, GoModule, Includes, Package, TsConfig)

Manifest = Composer | Crate | GoModule | Includes | Package | TsConfig

JAVASCRIPT: Final = frozenset({"javascript", "typescript", "tsx"})

#: A longer project file is data that a program wrote.
_MOST_CHARACTERS = 4_000_000

_READERS: Final[dict[str, tuple[frozenset[str], Callable[[str, str], Manifest]]]] = {
    "package.json": (JAVASCRIPT, read_package),
    "tsconfig.json": (JAVASCRIPT, read_tsconfig),
    "go.mod": (frozenset({"go"}), read_go_module),
    "Cargo.toml": (frozenset({"rust"}), read_crate),
    "composer.json": (frozenset({"php"}), read_composer),
    "compile_flags.txt": (frozenset({"c", "cpp"}), read_flags),
}
_CSHARP: Final = frozenset({"csharp"})


def languages_of(path: str) -> frozenset[str]:
    """Return the languages whose imports a project file is about; none for any other file."""
    if path.endswith(".csproj"):
        return _CSHARP
    found = _READERS.get(_kind(path))
    return found[0] if found else frozenset()


def _kind(path: str) -> str:
    name = path.rpartition("/")[2]
    # `tsconfig.app.json` and `tsconfig.base.json` are what other ones extend or refer to.
    if name.endswith(".json") and name.startswith(("tsconfig", "jsconfig")):
        return "tsconfig.json"
    return name


class Projects:
    """The project files of a workspace, as far as they could be understood.

    Attributes:
        bad: Project files that could not be used.
        version: Counts changes.
    """

    def __init__(self) -> None:
        self.bad: set[str] = set()
        self.version = 0
        self._manifests: dict[str, Manifest] = {}
        #: Paths of C# projects: their names say enough.
        self._csharp: set[str] = set()

    @staticmethod
    def wants(path: str) -> bool:
        """Tell whether `configure` has a use for the text of this file."""
        return _kind(path) in _READERS

    def configure(self, path: str, text: str) -> bool:
        """Take in a project file; False, and nothing known of it, where that is not possible."""
        self.forget(path)
        found = _READERS.get(_kind(path))
        if found is None:
            return False
        try:
            if len(text) > _MOST_CHARACTERS:
                raise ValueError("too long for a project file")
            self._manifests[path] = found[1](folder_of(path), text.removeprefix("\ufeff"))
        except (ValueError, TypeError, AttributeError, KeyError, RecursionError):
            # People and tools write these: any shape may stand where an object is expected.
            self.bad.add(path)
            return False
        return True

    def forget(self, path: str) -> None:
        """Leave out what a project file said."""
        self.version += 1
        self._manifests.pop(path, None)
        self.bad.discard(path)

    def add(self, path: str) -> None:
        """Hear of a path, whose name alone may say something."""
        if path.endswith(".csproj"):
            self.version += 1
            self._csharp.add(path)

    def remove(self, path: str) -> None:
        """Hear that a path is gone."""
        self._csharp.discard(path)
        if path in self._manifests or path in self.bad or path.endswith(".csproj"):
            self.forget(path)

    def get(self, path: str) -> Manifest | None:
        """Return what one project file says."""
        return self._manifests.get(path)

    def of(self, kind: type[_M]) -> list[_M]:
        """Return all project files of a kind, by path."""
        return [m for _, m in sorted(self._manifests.items()) if isinstance(m, kind)]

    def csharp(self) -> list[str]:
        """Return the paths of the C# projects."""
        return sorted(self._csharp)
