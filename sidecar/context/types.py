"""Where types are declared as they are meant in a file, and what members they have.

Must never do I/O. May import `syntax` and `index/query/answers.py`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from sidecar.context import wellknown
from sidecar.syntax.typetext import TypeText, read_type, split

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sidecar.context.snapshot import Index
    from sidecar.index.query.answers import Definition

__all__ = ["ASSIGNED", "TYPES", "Types", "holds_many", "last_name", "type_head", "type_parameters"]

#: Aliases and wrappers that are followed for one type.
_DEEPEST: Final = 6
#: Members of a type and its bases that are looked at.
_MOST_MEMBERS: Final = 120
#: Kinds of declarations that values are instances of.
TYPES: Final = frozenset({"class", "struct", "interface", "enum", "type"})
_LOOSE: Final = frozenset({"function", "constant", "variable"})
#: What stands before the value of a declaration.
ASSIGNED: Final = re.compile(r"(?<![=!<>:])(?::=|=)(?![=>])\s*")
_LAST: Final = re.compile(r"([^\W\d][\w$]*)\W*\Z")
_GENERIC: Final = re.compile(r"\b(?:Generic|Protocol)\[([^\]]*)\]")
#: Names of type parameters, which a class of that name somewhere else does not explain.
_PARAMETER: Final = re.compile(r"[A-Z]\d?\Z")


class Types:
    """Finds declarations of types, each question asked once.

    Args:
        index: The index.
    """

    def __init__(self, index: Index) -> None:
        self._index = index
        self._declared: dict[tuple[str, str], Definition | None] = {}
        self._members: dict[tuple[str, str], dict[str, Definition]] = {}

    def find(self, type_: TypeText, path: str) -> Definition | None:
        """Return the declaration of a type as it is meant in a file."""
        key = type_.qualified or type_.name, path
        if key not in self._declared:
            self._declared[key] = None
            self._declared[key] = self._find(type_, path, _DEEPEST)
        return self._declared[key]

    def members(self, declared: Definition) -> dict[str, Definition]:
        """Return the members of a type by name: its own, then those of its bases."""
        key = declared.path, declared.symbol.name
        if key not in self._members:
            found: dict[str, Definition] = {}
            for member in self.all_members(declared):
                found.setdefault(member.symbol.name, member)
            self._members[key] = found
        return self._members[key]

    def all_members(self, declared: Definition) -> Sequence[Definition]:
        """Return the members of a type, overloads and all, but of the largest types."""
        return self._index.members(declared.symbol.name, declared.path, _MOST_MEMBERS)

    def exported(self, name: str, *paths: str | None) -> Definition | None:
        """Return what the first of some files that does declares by a name."""
        for path in dict.fromkeys(paths):
            if path is None:
                continue
            # Those of the file itself come first; mostly it is one.
            own = list(self._index.definitions(name, path, 1))
            if own and own[0].path == path and not _is_outer(own[0]):
                own = list(self._index.definitions(name, path, 6))
            own = [item for item in own if item.path == path]
            for found in own:
                if _is_outer(found):
                    return found
            for found in own:
                if found.symbol.kind in TYPES:
                    return found
        return None

    def in_module(self, path: str, name: str, called: str = "") -> Definition | None:
        """Return what a module gives by a name: declared in it, passed on, or in its package.

        Args:
            path: The file that the module is, or one of them.
            name: The name.
            called: What the module is called, where it is no file.
        """
        if (found := self.exported(name, path)) is not None:
            return found
        folder = path.rpartition("/")[0]
        for item in self._index.imports(path):
            if name == (item.alias or item.name) and (
                found := self.exported(item.name, item.definer, item.target)
            ):
                return found
        # A package is a folder in some languages, and a namespace in others.
        for found in self._index.definitions(name, path, 6):
            if found.symbol.container < 0 and found.path.rpartition("/")[0] == folder:
                return found
        return next(
            (
                found
                for found in self._index.definitions(name, path, 2, types_only=True)
                if found.container == called
            ),
            None,
        )

    def meaning(self, name: str, path: str, *, loose: bool = True) -> Definition | str | None:
        """Return what a name means outside of all functions of a file: a module is its file.

        Args:
            name: The name.
            path: The file.
            loose: Whether to look for what is not imported as well.
        """
        # A later import hides an earlier one.
        for item in reversed(self._index.imports(path)):
            if item.name in ("", "*"):
                if name != (item.alias or (not item.name and last_name(item.module))):
                    continue
            elif name != (item.alias or item.name):
                continue
            elif (found := self.exported(item.name, item.definer, item.target)) is not None:
                return found
            if item.target is None and item.definer is None:
                return None
            if item.name in ("", "*") and item.target is not None:
                # What Java or PHP import is a type by the name of its file.
                own = self.exported(name, item.target)
                return item.target if own is None or own.symbol.kind not in TYPES else own
            if item.definer is None and item.target is not None:
                return item.target
            if item.is_module:
                return item.definer
        loose = loose and name not in wellknown.BUILT_IN
        for found in self._index.definitions(name, path, 4) if loose else ():
            kind = found.symbol.kind
            if kind in TYPES:
                return found
            loose = found.symbol.container < 0 and not found.symbol.owner
            if loose and kind in _LOOSE and self._is_near(found.path, path):
                return found
        return None

    def imports(self, name: str, path: str) -> bool:
        """Tell whether a file imports something by a name."""
        return any(
            name == (item.alias or item.name or last_name(item.module))
            for item in self._index.imports(path)
        )

    def _is_near(self, path: str, here: str) -> bool:
        same_folder = path.rpartition("/")[0] == here.rpartition("/")[0]
        return same_folder or path in self._index.imported_files(here)

    def own(self, type_: TypeText, path: str) -> Definition | None:
        """Return the declaration of a type that a file has or imports, by the name of a library's.

        What is called as many libraries call something may be the workspace's own.
        """
        key = "own " + (type_.qualified or type_.name), path
        if key not in self._declared:
            found = self._named(type_, path, loose=False)
            self._declared[key] = found
        return self._declared[key]

    def _find(self, type_: TypeText, path: str, depth: int) -> Definition | None:
        wraps = type_.name in wellknown.SAME_TYPES and type_.args
        if wraps or holds_many(type_):
            found = self.own(type_, path)
            if found is not None or not wraps:
                return found
            inner = read_type(type_.args[0])
            return None if inner is None or not depth else self._find(inner, path, depth - 1)
        found = self._named(type_, path)
        if _PARAMETER.match(type_.name) and found is not None and found.path != path:
            return None
        if found is not None and found.symbol.kind == "type" and depth and not self.members(found):
            # Another name of a type.
            assigned = ASSIGNED.search(found.symbol.signature)
            meant = read_type(found.symbol.signature[assigned.end() :]) if assigned else None
            if meant is not None and meant.name != type_.name:
                return self._find(meant, found.path, depth - 1)
        return found

    def _named(self, type_: TypeText, path: str, *, loose: bool = True) -> Definition | None:
        parts = [part for part in re.split(r"[^\w$]+", type_.qualified) if part]
        first = parts[0] if parts else type_.name
        targets: list[str] = []
        for item in reversed(self._index.imports(path)):
            if item.name in ("", "*"):
                if first == (item.alias or last_name(item.module)):
                    if item.target is None:
                        # A library's, unless the file declares one of that name itself.
                        found = self.exported(type_.name, path)
                        return found if len(parts) < 2 else None
                    targets.append(item.target)
            elif first == (item.alias or item.name):
                wanted = item.name if len(parts) < 2 else type_.name
                if found := self.exported(wanted, item.definer, item.target):
                    return found if found.symbol.kind in TYPES else None
                if item.target is None and item.definer is None:
                    return None
                targets += [file for file in (item.definer, item.target) if file]
        for target in targets:
            if found := self.in_module(target, type_.name):
                return found if found.symbol.kind in TYPES else None
        if type_.name in wellknown.BUILT_IN:
            return None
        if not loose:
            found = self.exported(type_.name, path)
            return found if found is not None and found.symbol.kind in TYPES else None
        for found in self._index.definitions(type_.name, path, 3, types_only=True):
            if found.symbol.kind in TYPES:
                return found
        return None


def _is_outer(found: Definition) -> bool:
    return found.symbol.container < 0 and not found.symbol.owner


def last_name(module: str) -> str:
    """Return the name that a module has by itself."""
    found = _LAST.search(module)
    return found[1] if found else ""


def holds_many(type_: TypeText) -> bool:
    """Tell whether a type holds others, which it tells."""
    return bool(type_.args) and (
        type_.name in wellknown.CONTAINERS or type_.name in wellknown.MAPPINGS
    )


def type_parameters(signature: str, name: str) -> list[str]:
    """Return the names of a class's type parameters."""
    if generic := _GENERIC.search(signature):
        inner = generic[1]
    else:
        found = re.search(rf"\b{re.escape(name)}\s*([<\[])", signature)
        if found is None:
            return []
        whole = read_type(type_head(signature[found.start() :]))
        inner = ",".join(whole.args) if whole else ""
    names = (re.match(r"(?:(?:in|out|const|reified)\s+)?(\w+)", part) for part in split(inner))
    return [found[1] for found in names if found]


def type_head(text: str) -> str:
    """Return a type at the start of a text, with its arguments."""
    depth = 0
    for place, char in enumerate(text):
        if char in "<[":
            depth += 1
        elif char in ">]":
            depth -= 1
            if not depth:
                return text[: place + 1]
        elif not depth and not (char.isalnum() or char in "_$.:\\"):
            return text[:place]
    return text
