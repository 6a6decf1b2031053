"""What the lines of a file need of other files of its tree, by an index of the tree.

Made to be right where it says something, not to find all: a name that could as well be another one
is left out. May import `syntax` and `index`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from sidecar.index.storage.externals import is_external
from sidecar.index.storage.rows import folder_of
from sidecar.syntax import Languages
from sidecar.syntax.uses import uses_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sidecar.index.query.answers import Definition, Imported
    from sidecar.index.query.reader import Reader
    from sidecar.syntax.parse import Parsed
    from sidecar.syntax.uses import Use

__all__ = ["NEEDS", "Need", "needs_of"]

#: A call of an imported name; a member of a type that is declared elsewhere; an argument of a call
#: of something declared elsewhere, or the name it is given by; and what is read from a module.
NEEDS: Final = ("call", "member", "argument", "keyword", "chain")

#: Languages in which the files of a folder see each other without an import.
_SHARED_FOLDERS = frozenset({"go", "java", "kotlin", "csharp", "swift"})
#: Members that the types of any language's own library have: they tell nothing of a type here.
_EVERYWHERE = frozenset(
    "add all any append apply call catch clear close concat contains copy count create data"
    " decode delete empty encode end entries error every extend filter find first flush"
    " forEach format get has id includes index indexOf info insert is_empty items iter"
    " iterator join keys kind last len length lower map match message name new next open parse"
    " path pop pos push put read reduce remove replace reset result return reverse run seek"
    " send set setdefault shift size slice some sort split start startswith state status stop"
    " strip success text then throw toString trim type unwrap update upper url value values"
    " version warning write".split()
)
#: What members of the type around are read from.
_ITSELF = frozenset({"self", "this", "cls", "$this"})
#: A member that more files than this declare could be any of them, and so could a short one.
_MOST_DECLARERS = 2
_TELLING = 8
#: What else a class takes arguments by.
_CONSTRUCTORS = frozenset({"__init__", "__new__", "constructor", "new", "init"})
_NAME = re.compile(r"[^\W\d][\w$]*")


class Need(NamedTuple):
    """A place in a file that depends on another one.

    Args:
        kind: One of `NEEDS`.
        start: Where the dependent name or argument begins, in bytes.
        end: Where it ends.
        member: Whether a dot stands before it.
        file: The other file.
    """

    kind: str
    start: int
    end: int
    member: bool
    file: str


class _Bound(NamedTuple):
    """What a name of a file stands for: a declaration elsewhere, or a file as a module."""

    file: str
    declared: Definition | None


def needs_of(reader: Reader, path: str, parsed: Parsed) -> list[Need]:
    """Return what a file needs of others, in the order of the text.

    Args:
        reader: The index of the tree.
        path: The file.
        parsed: The file, parsed.
    """
    names = _Names(reader, path)
    return [need for use in uses_of(parsed) for need in names.needs(use)]


class _Names:
    """What the names in a file stand for."""

    def __init__(self, reader: Reader, path: str) -> None:
        self._reader = reader
        self._path = path
        self._own = {item.symbol.name for item in reader.symbols(path)}
        self._related = set(reader.imported_files(path))
        self._bound: dict[str, _Bound] = {}
        #: What stands for something outside of the tree.
        self._foreign: set[str] = set()
        for item in reader.imports(path):
            self._bind(item)
        language = Languages.load().find("", path)
        #: What types of this file have from bases elsewhere.
        self._inherited: dict[str, tuple[str, _Bound]] = {
            item.symbol.name: ("member", _Bound(item.path, item))
            for own in reader.symbols(path)
            if own.symbol.bases
            for item in reader.members(own.symbol.name, path)
            if self._elsewhere(item.path)
        }
        self._shares = language is not None and language.name in _SHARED_FOLDERS

    def needs(self, use: Use) -> Iterator[Need]:
        """Give what one use of a name needs."""
        found = self._member(use) if use.member else self._called(use)
        if found is None:
            return
        kind, bound = found
        yield Need(kind, use.start, use.end, use.member, bound.file)
        if use.arguments and bound.declared is not None:
            known = self._parameters(bound.declared)
            for argument in use.arguments:
                if not argument.keyword:
                    yield Need("argument", argument.start, argument.end, False, bound.file)
                elif argument.keyword in known:
                    end = argument.start + len(argument.keyword.encode())
                    yield Need("keyword", argument.start, end, False, bound.file)

    def _called(self, use: Use) -> tuple[str, _Bound] | None:
        bound = self._bound.get(use.name)
        if bound is None and self._shares and use.name not in self._own:
            bound = self._beside(use.name)
        # A module cannot be called, but what an index does not know may be.
        return None if bound is None or bound.declared is None else ("call", bound)

    def _member(self, use: Use) -> tuple[str, _Bound] | None:
        receiver = self._bound.get(use.receiver)
        if receiver is not None and receiver.declared is None:
            declared = self._top(receiver.file, use.name)
            return None if declared is None else ("chain", _Bound(declared.path, declared))
        if receiver is not None and receiver.declared is not None:
            members = self._reader.members(receiver.declared.symbol.name, receiver.file)
            for item in members:
                if item.symbol.name == use.name and self._elsewhere(item.path):
                    return "member", _Bound(item.path, item)
            return None
        name = use.name
        if name in self._own or name in _EVERYWHERE or name.startswith("__") or len(name) < 3:
            return None
        if use.receiver in _ITSELF:
            return self._inherited.get(name)
        if use.receiver.split(".")[0] in self._foreign:
            return None
        return self._by_name(name)

    def _by_name(self, name: str) -> tuple[str, _Bound] | None:
        """Return the one type that a member could be of."""
        found = self._reader.definitions(name, self._path, 20)
        members = [d for d in found if d.container and self._elsewhere(d.path)]
        files = {d.path for d in members}
        related = [d for d in members if d.path in self._related]
        if not members or len(files) > _MOST_DECLARERS or len(found) > len(members):
            return None
        if not related and (len(files) > 1 or len(name) < _TELLING):
            return None
        declared = (related or members)[0]
        return "member", _Bound(declared.path, declared)

    def _beside(self, name: str) -> _Bound | None:
        here = folder_of(self._path)
        for item in self._reader.definitions(name, self._path, 5):
            outer = item.symbol.container < 0 and not item.symbol.owner
            if outer and self._elsewhere(item.path) and folder_of(item.path) == here:
                return _Bound(item.path, item)
        return None

    def _bind(self, item: Imported) -> None:
        file = item.definer or item.target
        if file is None or not self._elsewhere(file):
            self._foreign.update(_locals(item))
            return
        if item.name == "*" and not item.alias:
            for declared in self._reader.symbols(item.target or file):
                if declared.symbol.container < 0 and declared.symbol.name not in self._own:
                    bound = _Bound(declared.path, declared)
                    self._bound.setdefault(declared.symbol.name, bound)
            return
        for local in _locals(item):
            if item.name in ("", "*"):
                self._bound[local] = _Bound(item.target or file, None)
            else:
                self._bound[local] = _Bound(file, self._top(file, item.name))

    def _top(self, file: str, name: str) -> Definition | None:
        """Return what a file declares or passes on by a name."""
        for item in self._reader.symbols(file):
            if item.symbol.name == name and item.symbol.container < 0:
                return item
        for passed in self._reader.imports(file):
            if name == (passed.alias or passed.name) and self._elsewhere(passed.definer):
                for item in self._reader.symbols(passed.definer or ""):
                    if item.symbol.name == passed.name and item.symbol.container < 0:
                        return item
        return None

    def _parameters(self, declared: Definition) -> set[str]:
        """Return the names by which a function or a class may take arguments."""
        signatures = [declared.symbol.signature]
        if declared.symbol.kind not in ("function", "method"):
            for item in self._reader.members(declared.symbol.name, declared.path):
                if item.symbol.name in _CONSTRUCTORS:
                    signatures.append(item.symbol.signature)
                elif item.symbol.kind == "field":
                    signatures.append(item.symbol.name)
        return {name for signature in signatures for name in _NAME.findall(signature)}

    def _elsewhere(self, file: str | None) -> bool:
        return file is not None and file != self._path and not is_external(file)


def _locals(item: Imported) -> tuple[str, ...]:
    """Return what an import may be called in its file."""
    if item.alias:
        return (item.alias,)
    if item.name not in ("", "*"):
        return (item.name,)
    words = [word for word in re.split(r"[./:\\]+", item.module) if word]
    return (item.module, *words[-1:])
