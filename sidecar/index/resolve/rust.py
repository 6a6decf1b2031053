"""Find Rust modules: `mod`, `use` of crate, self and super, and other crates of the workspace.

Modules that a #[path] attribute puts elsewhere stay names. Pure functions of the tree. May import
this package.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sidecar.index.resolve.manifests import Crate
from sidecar.index.resolve.paths import NOWHERE, Answer, ancestors, file_key, folder_of, nearest

if TYPE_CHECKING:
    from sidecar.index.resolve.tree import Tree
    from sidecar.syntax.imports import Import

__all__ = ["RustResolver"]

_CRATE_FILES = ("lib.rs", "main.rs", "mod.rs")
_STANDARD = frozenset({"std", "core", "alloc", "proc_macro", "test"})
#: Files directly in these folders are crates of their own, whose modules lie beside them.
_CRATE_FOLDERS = frozenset({"bin", "tests", "benches", "examples"})


class RustResolver:
    """Resolves paths of modules and items to the file that holds the module."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._version = -1
        self._crates: dict[str, list[str]] = {}

    def answer(self, item: Import, importer: str) -> Answer:
        """Return where a `mod` or `use` leads: to the file of the longest path of modules."""
        projects = self._tree.projects
        if self._version != projects.version:
            self._version = projects.version
            self._crates.clear()
            for crate in projects.of(Crate):
                if crate.name:
                    self._crates.setdefault(crate.name, []).append(crate.root)
        parts = [part for part in item.module.strip(":").split("::") if part]
        if item.name not in ("", "*", "self"):
            parts += [part for part in item.name.split("::") if part]
        if not parts:
            return NOWHERE
        own = _module_folder(importer)
        first = parts[0]
        if first == "crate":
            root = self._crate_file(importer)
            return self._walk(folder_of(root), parts[1:], (root, _sibling(root, "main.rs")))
        if first in ("self", "super"):
            while parts and parts[0] in ("self", "super"):
                if parts.pop(0) == "super":
                    if not own:
                        return NOWHERE
                    own = folder_of(own)
            last = () if first == "self" else _files_of(own)
            return self._walk(own, parts, last)
        # A path may begin with a module beside or with a crate; what is nearer is meant.
        near = self._walk(own, parts, ())
        if near.targets or first in _STANDARD:
            return near
        keys = near.keys
        for root in nearest(self._crates.get(first, ()), importer):
            found = self._walk(folder_of(root), parts[1:], (root, _sibling(root, "main.rs")))
            keys |= found.keys
            if found.targets:
                return Answer(found.targets, keys)
        return Answer((), keys)

    def _walk(self, folder: str, parts: list[str], last: tuple[str, ...]) -> Answer:
        """Return the file of the longest path of modules below a folder, or one of the last."""
        files = self._tree.files
        keys = {file_key(path) for path in last}
        found: tuple[str, ...] = ()
        for count in range(len(parts), 0, -1):
            path = "/".join([folder, *parts[:count]] if folder else parts[:count])
            for candidate in (f"{path}.rs", f"{path}/mod.rs"):
                keys.add(file_key(candidate))
                if candidate in files and not found:
                    found = (candidate,)
        for candidate in last:
            if candidate in files and not found:
                found = (candidate,)
        return Answer(found, frozenset(keys))

    def _crate_file(self, importer: str) -> str:
        """Return the file that an importer's crate begins with, whether or not it exists."""
        folder, _, name = importer.rpartition("/")
        if folder.rpartition("/")[2] in _CRATE_FOLDERS and name != "mod.rs":
            return importer
        for around in ancestors(folder):
            found = self._tree.projects.get(f"{around}/Cargo.toml" if around else "Cargo.toml")
            if isinstance(found, Crate) and found.name:
                return found.root
        # Without Cargo.toml the nearest `src` tells.
        for around in ancestors(folder):
            if around.rpartition("/")[2] == "src":
                return f"{around}/lib.rs"
        return f"{folder}/lib.rs" if folder else "lib.rs"


def _sibling(path: str, name: str) -> str:
    folder = folder_of(path)
    return f"{folder}/{name}" if folder else name


def _module_folder(path: str) -> str:
    """Return the folder that holds the modules inside a file."""
    folder, _, name = path.rpartition("/")
    stem = name.removesuffix(".rs")
    if name in _CRATE_FILES or folder.rpartition("/")[2] in _CRATE_FOLDERS or name == "build.rs":
        return folder
    return f"{folder}/{stem}" if folder else stem


def _files_of(folder: str) -> tuple[str, ...]:
    """Return the files that may hold the module whose inner modules lie in a folder."""
    names = tuple(f"{folder}/{name}" if folder else name for name in ("mod.rs", *_CRATE_FILES[:2]))
    return (*names[:1], f"{folder}.rs", *names[1:]) if folder else names
