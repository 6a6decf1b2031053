"""Members of what stands before the operator at a cursor, if all of them are known.

Must never do I/O. May import `context` and `syntax`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from sidecar.context import wellknown
from sidecar.context.certain.modules import modules_in
from sidecar.context.inference import Inference
from sidecar.context.types import TYPES
from sidecar.syntax.chains import member_operator
from sidecar.syntax.receivers import Receivers
from sidecar.syntax.repair import completed
from sidecar.syntax.typetext import read_type

if TYPE_CHECKING:
    from collections.abc import Collection

    from sidecar.context.certain.cursor import Cursor
    from sidecar.context.snapshot import Place, Snapshot
    from sidecar.context.values import Value
    from sidecar.index.query.answers import Definition
    from sidecar.syntax.receivers import Receiver

__all__ = ["all_members", "module_names", "possible"]

#: Bases that add nothing one would type.
_NOTHING_NEW: Final = frozenset({"object", "ABC", "Protocol", "Generic", "Any", "Object"})
#: So many members and no more are told of one type: there may be others.
_MOST: Final = 120
_MOST_BASES: Final = 24
_LONGEST_OPERATOR: Final = 2
_EITHER: Final = re.compile(r"\||\bUnion\b|\bor\b|\bif\b|\?")
_NONE: Final = re.compile(r"\|\s*(?:None|null|undefined)\b|\b(?:None|null|undefined)\s*\||\?\s*\Z")
#: What makes up members that nobody declared.
_DYNAMIC: Final = frozenset(
    {"__getattr__", "__getattribute__", "method_missing", "__get", "__call"}
)


def possible(cursor: Cursor, place: Place, snapshot: Snapshot) -> Collection[str] | None:
    """Return the names that may stand behind the member operator at a cursor.

    Returns:
        None if there is no such operator; nothing if not all names are known.
    """
    if member_operator(cursor.before) is None:
        return None
    found = _value(cursor, place, snapshot)
    if found is None:
        return ()
    value, receiver, inference = found
    if value.kind == "module":
        return module_names(value.path, snapshot)
    declared = inference.values.declaration(value)
    members = None if declared is None else all_members(declared, inference, snapshot)
    if members is None:
        return ()
    of_itself = receiver.chain[0].name in wellknown.SELF_NAMES and len(receiver.chain) == 1
    alone = len(receiver.text) + len(cursor.typed) + _LONGEST_OPERATOR
    if of_itself and len(cursor.line.strip()) <= alone:
        # What begins a statement may be about to be declared.
        return ()
    names = set()
    for member in members:
        symbol = member.symbol
        if not symbol.name.lstrip("@$").startswith(cursor.typed):
            continue
        hidden = cursor.language.form.private.search(f"{symbol.name} {symbol.signature}")
        if hidden and not of_itself and not cursor.typed.startswith("_"):
            continue
        if symbol.name.startswith("__"):
            continue
        if value.kind == "class" and symbol.kind == "field" and not _is_enum(declared):
            # Only objects have it, or the class as well: nobody can tell.
            return ()
        names.add(symbol.name.lstrip("@$"))
    return names


def all_members(
    declared: Definition, inference: Inference, snapshot: Snapshot
) -> list[Definition] | None:
    """Return the members of a type with those of its bases, or None if there may be others."""
    members = list(inference.types.all_members(declared))
    names = {member.symbol.name for member in members}
    if len(members) >= _MOST or names & _DYNAMIC:
        return None
    waiting, seen = [declared], {(declared.path, declared.symbol.name)}
    while waiting:
        type_ = waiting.pop()
        for written in type_.symbol.bases:
            base = read_type(written)
            if base is not None and base.name in _NOTHING_NEW:
                continue
            found = None if base is None else inference.types.find(base, type_.path)
            if found is None or len(seen) > _MOST_BASES:
                return None
            key = found.path, found.symbol.name
            if key in seen:
                continue
            seen.add(key)
            waiting.append(found)
            own = snapshot.index.members(found.symbol.name, found.path, _MOST, 1)
            if any(member.symbol.name not in names for member in own):
                # Two ways to find what a base is do not agree.
                return None
    return members


def module_names(path: str, snapshot: Snapshot) -> Collection[str]:
    """Return what a module gives: what it declares or imports, and what lies in its folder.

    Returns:
        Nothing if there may be more.
    """
    names = set()
    for item in snapshot.index.symbols(path):
        if item.symbol.container < 0 and not item.symbol.owner:
            names.add(item.symbol.name)
    imported = snapshot.index.imports(path)
    if names & _DYNAMIC or any(item.name == "*" for item in imported):
        return ()
    names.update(item.alias or item.name or item.module.partition(".")[0] for item in imported)
    folder, _, name = path.rpartition("/")
    if name.startswith("__init__."):
        names |= modules_in(f"{folder}/", snapshot)
    return {name for name in names if not name.startswith("__")}


def _value(
    cursor: Cursor, place: Place, snapshot: Snapshot
) -> tuple[Value, Receiver, Inference] | None:
    """Return what stands before the operator, if the file tells what that is."""
    parsed, at = cursor.parsed, cursor.place
    if parsed.grammar.bindings is None:
        return None
    for tree in (parsed, None):
        # Without the unfinished line, which may have taken down what is around it.
        tree = tree or completed(parsed, at)
        if tree is None:
            return None
        receivers = Receivers(tree, at)
        inference = Inference(place.path, receivers, snapshot.index)
        receiver = receivers.at_cursor()
        if receiver is None or not _is_told(receiver, receivers, inference, place.path):
            continue
        value = inference.value_of(receiver.chain, receiver.place, thorough=False)
        if value is not None and value.kind in ("instance", "class", "module"):
            return value, receiver, inference
    return None


def _is_told(receiver: Receiver, receivers: Receivers, inference: Inference, path: str) -> bool:
    """Tell whether the file itself tells what an expression is, rather than how things are named.

    Args:
        receiver: The expression.
        receivers: The file.
        inference: What types there are.
        path: The file.
    """
    if any(step.name in wellknown.INSTANCE_METHODS for step in receiver.chain[1:]):
        return False
    name = receiver.chain[0].name
    if name in wellknown.SELF_NAMES:
        return receivers.enclosing_class() is not None
    binding = receivers.binding(name, receiver.place)
    if binding is not None and binding.kind != "none":
        # One of several types is none that is known.
        return _EITHER.search(_NONE.sub("", binding.text)) is None
    declared = inference.types.exported(name, path)
    return inference.types.imports(name, path) or (
        binding is None and declared is not None and declared.symbol.kind in TYPES
    )


def _is_enum(declared: Definition | None) -> bool:
    return declared is not None and (
        declared.symbol.kind == "enum" or any("Enum" in base for base in declared.symbol.bases)
    )
