"""Finds installed packages of Python: stubs first, then what carries its types itself.

The standard library is left out: models know it by heart, and its sources tell few types. May
import `probe`, and `resolve` and `files` of `index`.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from sidecar.index.outside.probe import entries, first_file, is_within, real_folder
from sidecar.index.resolve.paths import ancestors, folder_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["PythonOutside"]

#: What people call the environment of a project.
_ENVIRONMENTS = (".venv", "venv", "env")
#: Types are what is wanted: stubs come before sources, which an interpreter never does.
_ENDINGS = ("/__init__.pyi", ".pyi", "/__init__.py", ".py")


class PythonOutside:
    """Looks into the environments around an importer, then into the one that is active.

    Args:
        root: Absolute path of the root.
        environment: The variables of the process.
    """

    def __init__(self, root: str, environment: Mapping[str, str]) -> None:
        self._root = root
        self._environment = environment
        self._sites: dict[str, list[str]] = {}
        self._active: list[str] | None = None
        self._folders: dict[str, bool] = {}

    def find(self, module: str, name: str, importer: str) -> tuple[str, ...]:
        """Return the module or submodule that is meant; see `Outside.find`."""
        dotted = module.lstrip(".")
        level = len(module) - len(dotted)
        tail = dotted.replace(".", "/")
        external = os.path.isabs(importer)
        sites = self._sites_around(importer, external=external)
        # As in the workspace: `from a.b import c` means a/b/c where there is one, else a/b.
        tails = [f"{tail}/{name}".strip("/"), tail] if name not in ("", "*") else [tail]
        if level:
            folder = folder_of(importer)
            for _ in range(level - 1):
                folder = folder_of(folder)
            if not external or not any(is_within(f"{folder}/", site) for site in sites):
                return ()
            found = first_file(
                (
                    path + ending
                    for inner in tails
                    if self._may_be(path := folder + (f"/{inner}" if inner else ""))
                    for ending in _ENDINGS
                ),
                sites,
            )
            return (found,) if found else ()
        top, _, inner = tail.partition("/")
        if not top or top in sys.stdlib_module_names:
            return ()
        for site in sites:
            found = first_file(self._candidates(site, tails), [site])
            if found is None:
                continue
            if name or not inner:
                return (found,)
            # `import a.b` makes `a` known as well.
            package = first_file(self._candidates(site, [top]), [site])
            return (found,) if package is None else (found, package)
        return ()

    def _sites_around(self, importer: str, *, external: bool) -> list[str]:
        folder = folder_of(importer)
        if external:
            # What is installed sees what is installed beside it.
            held = [site for sites in self._sites.values() for site in sites]
            return [
                s for s in dict.fromkeys([*held, *self._of_process()]) if is_within(importer, s)
            ]
        sites = self._sites.get(folder)
        if sites is None:
            found = [
                site
                for around in ancestors(folder)
                for name in _ENVIRONMENTS
                for site in _sites_of(f"{self._root}/{around}/{name}", "pyvenv.cfg")
            ]
            sites = self._sites[folder] = list(dict.fromkeys([*found, *self._of_process()]))
        return sites

    def _candidates(self, site: str, tails: list[str]) -> Iterator[str]:
        for tail in tails:
            top, slash, inner = tail.partition("/")
            for package in (f"{top}-stubs{slash}{inner}", tail):
                if self._may_be(path := f"{site}/{package}"):
                    for ending in _ENDINGS:
                        yield path + ending

    def _may_be(self, path: str) -> bool:
        """Tell whether there is a folder for a module: most names are none in a package."""
        folder = folder_of(path)
        known = self._folders.get(folder)
        if known is None:
            known = self._folders[folder] = os.path.isdir(folder)
        return known

    def _of_process(self) -> list[str]:
        if self._active is None:
            self._active = [
                site
                for variable, mark in (
                    ("VIRTUAL_ENV", "pyvenv.cfg"),
                    ("CONDA_PREFIX", "conda-meta"),
                )
                if os.path.isabs(place := self._environment.get(variable, ""))
                for site in _sites_of(place, mark)
            ]
        return self._active


def _sites_of(place: str, mark: str) -> list[str]:
    """Return the real paths of an environment's folders of packages."""
    if not os.path.exists(f"{place}/{mark}"):
        return []
    home = real_folder(place)
    if home is None:
        return []
    versions = [name for name in entries(f"{home}/lib") if name.startswith("python")]
    # "python3.9" is older than "python3.11".
    versions.sort(key=lambda name: (len(name), name), reverse=True)
    places = [f"{home}/lib/{name}/site-packages" for name in versions]
    found = [real_folder(site) for site in (*places, f"{home}/Lib/site-packages")]
    return [site for site in found if site is not None and is_within(site, home)]
