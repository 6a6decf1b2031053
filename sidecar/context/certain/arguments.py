"""Names of arguments that a call at a cursor may still be given.

Must never do I/O. May import `context` and `syntax`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from sidecar.context.certain.cursor import opened_at
from sidecar.context.certain.members import all_members
from sidecar.context.certain.names import defines
from sidecar.context.inference import Inference
from sidecar.context.types import TYPES
from sidecar.syntax.chains import expression_start, read_chain
from sidecar.syntax.receivers import Receivers
from sidecar.syntax.typetext import split

if TYPE_CHECKING:
    from sidecar.context.certain.cursor import Cursor
    from sidecar.context.snapshot import Place, Snapshot
    from sidecar.index.query.answers import Definition
    from sidecar.syntax.chains import Chain

__all__ = ["possible"]

_ALONE: Final = re.compile(r"\s*\w*\Z")
_GIVEN: Final = re.compile(r"(\w+)\s*=(?!=)")
_PARAMETER: Final = re.compile(r"(\w+)\s*(?:[:=]|\Z)")
#: A decorated class is often made otherwise than it looks.
_DATACLASS: Final = re.compile(r"@(?:dataclasses\.)?dataclass\b")


def possible(cursor: Cursor, place: Place, snapshot: Snapshot) -> set[str] | None:
    """Return what arguments may be named at a cursor, with what stands behind their names.

    Returns:
        Nothing if none may, or there is no call; None if there is one, and it is not known what it
        takes.
    """
    sign = cursor.language.form.named
    before = cursor.before[: len(cursor.before) - len(cursor.typed)]
    opened = opened_at(before)
    if opened is None or not sign:
        return set()
    begun = split(before[opened + 1 :])
    if not _ALONE.match(begun[-1]):
        # Behind an operator stands a value.
        return set()
    start = expression_start(before, opened)
    chain = read_chain(before[start:opened].strip())
    if not chain or chain[-1].kind not in ("name", "member"):
        # Brackets around a value.
        return set()
    if defines(before[before.rfind("\n", 0, start) + 1 : start]):
        return None
    at = cursor.place - len((before[start:] + cursor.typed).encode("utf-8", "replace"))
    taken = _taken(chain, at, cursor, place, snapshot)
    if taken is None:
        return None
    given = set(_GIVEN.findall(before[opened:] + cursor.after))
    return {f"{name}{sign}" for name in taken if name not in given}


def _taken(
    chain: Chain, at: int, cursor: Cursor, place: Place, snapshot: Snapshot
) -> list[str] | None:
    """Return the names of what is taken by what is called, if that is known."""
    receivers = Receivers(cursor.parsed, cursor.place)
    inference = Inference(place.path, receivers, snapshot.index)
    name = chain[-1].name
    if len(chain) > 1:
        value = inference.value_of(chain[:-1], at, thorough=False)
        if value is None or value.kind not in ("instance", "class", "module"):
            return None
        if value.kind == "module":
            found = inference.types.exported(name, value.path)
        else:
            declared = inference.values.declaration(value)
            found = None if declared is None else inference.types.members(declared).get(name)
    else:
        binding = receivers.binding(name, at)
        if binding is not None and binding.kind != "none":
            return None
        meant = inference.types.meaning(name, place.path, loose=False)
        if isinstance(meant, str):
            return None
        found = meant or inference.types.exported(name, place.path)
    if found is None:
        return None
    if found.symbol.kind in TYPES:
        return _of_constructor(found, inference, snapshot)
    if len(_overloads(found, snapshot)) != 1:
        return None
    return _parameters(found, is_method=found.symbol.kind == "method")


def _of_constructor(
    declared: Definition, inference: Inference, snapshot: Snapshot
) -> list[str] | None:
    """Return what a class is made of: what its constructor takes."""
    members = all_members(declared, inference, snapshot)
    own = [] if members is None else [item for item in members if item.symbol.name == "__init__"]
    if len(own) == 1:
        return _parameters(own[0], is_method=True)
    if own or members is None or not _DATACLASS.search(declared.symbol.signature):
        return None
    if any(base != "object" for base in declared.symbol.bases):
        return None
    fields = [item for item in members if item.symbol.kind == "field"]
    if any(not item.symbol.type or "(" in item.symbol.signature for item in fields):
        # Some of them may not be taken.
        return None
    return [item.symbol.name for item in fields if "ClassVar" not in item.symbol.type]


def _overloads(found: Definition, snapshot: Snapshot) -> list[Definition]:
    """Return the declarations in a file that have the same name in the same place."""
    return [
        item
        for item in snapshot.index.symbols(found.path)
        if (item.symbol.name, item.container) == (found.symbol.name, found.container)
    ]


def _parameters(declared: Definition, *, is_method: bool) -> list[str] | None:
    """Return the names of parameters that may be named in a call."""
    signature = declared.symbol.signature
    at = signature.find(declared.symbol.name + "(")
    if at < 0:
        return None
    start = end = at + len(declared.symbol.name) + 1
    depth = 1
    while depth and end < len(signature):
        depth += (signature[end] in "([{") - (signature[end] in ")]}")
        end += 1
    if depth:
        return None
    names: list[str] = []
    parts = split(signature[start : end - 1])
    for number, part in enumerate(parts):
        if part == "/":
            names.clear()
        elif part.startswith("**"):
            # Whatever it takes is passed on.
            return None
        elif not part.startswith("*") and (found := _PARAMETER.match(part)):
            static = "staticmethod" in signature[:at]
            if number or not is_method or static:
                names.append(found[1])
    return names
