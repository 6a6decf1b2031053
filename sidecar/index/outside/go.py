"""Finds packages of Go: in the module cache by the versions of go.mod, and in Go's own library.

May import `probe`, and `resolve` and `files` of `index`.
"""

from __future__ import annotations

import os
import re
import sys
from typing import TYPE_CHECKING

from sidecar.index.files.repository import read_regular
from sidecar.index.outside.probe import entries, first_file, real_folder, surrounding
from sidecar.index.resolve.paths import MOST_TARGETS, folder_of

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["GoOutside"]

#: Where Go is unpacked or packaged, if nothing in the environment tells.
_ROOTS = ("/usr/local/go", "/usr/lib/go", "/usr/lib/golang", "/opt/homebrew/opt/go/libexec")
_UPPER = re.compile("[A-Z]")
#: Systems and processors that a file's name may say it is for.
_SYSTEMS = "aix android darwin dragonfly freebsd illumos ios js linux netbsd openbsd plan9 solaris"
_PROCESSORS = r"386|amd64|arm|arm64|loong64|mips\w*|ppc64\w*|riscv64|s390x|wasm"
_HERE = {"win32": "windows"}.get(sys.platform, sys.platform)
_OTHERS = "|".join(name for name in f"{_SYSTEMS} wasip1 windows".split() if name != _HERE)
#: Files for another system, or for a processor that few have.
_ELSEWHERE = re.compile(
    rf"_(?:(?:{_OTHERS})(?:_(?:{_PROCESSORS}))?"
    r"|386|arm|loong64|mips\w*|ppc64\w*|riscv64|s390x|wasm)\.go$"
)


class GoOutside:
    """Looks up import paths as `go build` does, without running it.

    Args:
        root: Absolute path of the root.
        environment: The variables of the process.
    """

    def __init__(self, root: str, environment: Mapping[str, str]) -> None:
        self._root = root
        self._environment = environment
        self._versions: dict[str, dict[str, tuple[str, str]]] = {}
        self._folders: dict[str, str | None] = {}

    def find(self, module: str, name: str, importer: str) -> tuple[str, ...]:
        """Return the files of the package that is meant; see `Outside.find`."""
        del name
        if module in ("C", "unsafe") or ".." in module.split("/") or module.startswith("/"):
            return ()
        # What is outside is not followed any further: its imports are not what one calls.
        if os.path.isabs(importer):
            return ()
        if "." in module.partition("/")[0]:
            base = self._folder("cache", *self._caches())
            place = None if base is None else self._place(base, module, folder_of(importer))
        else:
            base = self._folder("library", *(f"{root}/src" for root in self._roots()))
            place = None if base is None else f"{base}/{module}"
        if base is None or place is None:
            return ()
        names = [
            name
            for name in entries(place)
            if name.endswith(".go")
            and not name.endswith("_test.go")
            and not _ELSEWHERE.search(name)
        ]
        found = (first_file([f"{place}/{name}"], [base]) for name in names[:MOST_TARGETS])
        return tuple([path for path in found if path is not None])

    def _folder(self, kind: str, *places: str) -> str | None:
        """Return the first folder that there is, looked for once."""
        if kind not in self._folders:
            found = (real_folder(place) for place in places if os.path.isabs(place))
            self._folders[kind] = next((folder for folder in found if folder is not None), None)
        return self._folders[kind]

    def _caches(self) -> list[str]:
        home = os.path.expanduser("~")
        paths = self._environment.get("GOPATH", "").split(os.pathsep)
        own = self._environment.get("GOMODCACHE", "")
        return [own] if own else [f"{path}/pkg/mod" for path in (*paths, f"{home}/go") if path]

    def _roots(self) -> list[str]:
        # The program itself lies in the tree that it belongs to, behind a link or two.
        found = [
            os.path.dirname(os.path.dirname(os.path.realpath(f"{folder}/go")))
            for folder in self._environment.get("PATH", "").split(os.pathsep)
            if os.path.isabs(folder) and os.path.isfile(f"{folder}/go")
        ]
        return [self._environment.get("GOROOT", ""), *found[:4], *_ROOTS]

    def _place(self, cache: str, module: str, folder: str) -> str | None:
        """Return the folder of a package, by the longest path of a required module."""
        inside = f"{self._root}/{folder}".rstrip("/")
        for around in surrounding(inside):
            if around not in self._versions:
                self._versions[around] = _required(f"{around}/go.mod")
            versions = self._versions[around]
            path = module
            while path:
                if path in versions:
                    held, version = versions[path]
                    return f"{cache}/{_escaped(held)}@{_escaped(version)}{module[len(path) :]}"
                path = path.rpartition("/")[0]
            if versions or around == self._root:
                return None
        return None


def _escaped(path: str) -> str:
    """Return a path as the cache has it: it must work where file names know no case."""
    return _UPPER.sub(lambda match: "!" + match[0].lower(), path)


def _required(path: str) -> dict[str, tuple[str, str]]:
    """Return by module path what a go.mod requires: the module that stands for it, its version."""
    text = read_regular(path)
    if text is None:
        return {}
    found: dict[str, tuple[str, str]] = {}
    replaced: dict[str, tuple[str, str]] = {}
    block = ""
    for line in text.decode(errors="replace").splitlines():
        words = [word.strip('"`') for word in line.partition("//")[0].split()]
        if words[-1:] == ["("]:
            block = words[0]
            continue
        if words == [")"]:
            block = ""
            continue
        match words if block else words[1:]:
            case [path, version] if (block or words[0]) == "require":
                found[path] = path, version
            # What a folder stands for is of the workspace, or of nobody.
            case [path, *_, "=>", new, version] if (block or words[0]) == "replace":
                replaced[path] = new, version
    found.update((path, new) for path, new in replaced.items() if path in found)
    return {
        path: (held, version)
        for path, (held, version) in found.items()
        if ".." not in held and "/" not in version
    }
