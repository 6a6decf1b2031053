"""Finds the type declarations of packages in `node_modules`: their own, else those of `@types`.

May import `probe`, and `resolve` and `files` of `index`.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from sidecar.index.files.repository import read_regular
from sidecar.index.outside.probe import first_file, surrounding
from sidecar.index.resolve.javascript import candidates, entries_of
from sidecar.index.resolve.manifests import Package, read_package
from sidecar.index.resolve.paths import folder_of, join

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["JavaScriptOutside"]

#: Only these tell types; what is compiled or bundled is nobody's declaration.
_DECLARATIONS = (".d.ts", ".d.mts", ".d.cts", ".ts", ".tsx", ".mts", ".cts")
_INSIDE = ("node_modules",)
#: A package that maps its files one by one may have very many; the first few lead somewhere.
_MOST_ENTRIES = 64


class JavaScriptOutside:
    """Looks into `node_modules` from the importer's folder upwards, as Node.js does.

    Args:
        root: Absolute path of the root.
    """

    def __init__(self, root: str) -> None:
        self._root = root
        self._packages: dict[str, Package | None] = {}

    def find(self, module: str, name: str, importer: str) -> tuple[str, ...]:
        """Return the file of declarations that is meant; see `Outside.find`."""
        del name
        specifier = module.partition("?")[0]
        external = os.path.isabs(importer)
        folder = folder_of(importer if external else f"{self._root}/{importer}")
        if specifier.startswith((".", "/", "#")):
            base = join(folder, specifier) if external and specifier[0] == "." else None
            found = None if base is None else self._first(base)
            return (found,) if found else ()
        specifier, colon, _ = specifier.removeprefix("node:").partition(":")
        parts = specifier.split("/")
        taken = 2 if specifier.startswith("@") else 1
        # What has a colon is an address, and what leads upwards is no package.
        if colon or len(parts) < taken or not all(parts) or ".." in parts:
            return ()
        package, inner = "/".join(parts[:taken]), "/".join(parts[taken:])
        types = package.removeprefix("@").replace("/", "__")
        for around in surrounding(folder):
            if around.rpartition("/")[2] == "node_modules":
                continue
            modules = f"{around.rstrip('/')}/node_modules"
            if not os.path.isdir(modules):
                continue
            for place in (f"{modules}/{package}", f"{modules}/@types/{types}"):
                if found := self._of_package(place, inner):
                    return (found,)
            # Modules of Node.js itself are declared by one package.
            if found := self._first(f"{modules}/@types/node/{specifier}"):
                return (found,)
        return ()

    def _of_package(self, place: str, inner: str) -> str | None:
        package = self._package(place)
        if package is None:
            return None
        for number, base in enumerate(entries_of(package, inner)):
            if number == _MOST_ENTRIES:
                break
            if found := self._first(base):
                return found
        return None

    def _first(self, base: str) -> str | None:
        return first_file(_declared(base), _INSIDE)

    def _package(self, place: str) -> Package | None:
        if place not in self._packages:
            text = read_regular(f"{place}/package.json")
            try:
                found = None if text is None else read_package(place, text.decode(errors="replace"))
            except (ValueError, TypeError, AttributeError, KeyError, RecursionError):
                # Anything may stand there.
                found = None
            self._packages[place] = found
        return self._packages[place]


def _declared(base: str) -> Iterator[str]:
    for path in candidates(base, typed=True):
        if path.endswith(_DECLARATIONS):
            yield path
