"""What the function around the cursor calls, and the types that this takes and gives.

May import `context`'s values and what finds and writes declarations.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from sidecar.context.enclosing import enclosing
from sidecar.context.names import LINES_AFTER, LINES_BEFORE, names_in
from sidecar.context.offering import Offers, told
from sidecar.context.resolving import TYPES, Resolver
from sidecar.context.selecting import FUNCTIONS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sidecar.context.names import Name
    from sidecar.context.snapshot import Place, Snapshot, Snippet
    from sidecar.index.query.answers import Definition

__all__ = ["NAME", "offer"]

NAME: Final = "callees"
#: Declarations that are offered.
_MOST: Final = 8
#: Names that are looked at, types that are looked for, and of how many calls.
_MOST_NAMES: Final = 40
_MOST_TYPES: Final = 4
_MOST_TYPED: Final = 6
#: Methods that are looked for by their names alone.
_MOST_UNKNOWN: Final = 6
#: What a type of a parameter is worth, compared with the call.
_TYPE_WORTH: Final = 0.5
_WORD: Final = re.compile(r"[^\W\d][\w$]*")
#: Types that no workspace declares, and words in types.
_KNOWN: Final = frozenset(
    (
        "Any Array Box Boolean Callable Callback Date Dictionary Double Err Error Exception Float"
        " Func HashMap Integer Iterable Iterator List Literal Long Map Mapping None Object Ok"
        " Option Optional Path Promise Record Result Self Sequence Set Some String Task Tuple Type"
        " Union Vec Void"
    ).split()
)


def offer(place: Place, snapshot: Snapshot) -> list[Snippet]:
    """Return what the function around the cursor calls, then the types in its signatures."""
    index = snapshot.index
    offers = Offers(NAME, place, snapshot, _MOST)
    resolver = Resolver(index, place.path, place.language)
    typed: list[tuple[Name, Definition]] = []
    names = _names(place, snapshot)
    unknown: list[Name] = []
    for name in names:
        if name.role != "call" or offers.full:
            continue
        found = resolver.find(name.name, name.qualifier)
        if found is None:
            unknown.append(name)
            continue
        offers.add(found.definitions, name.weight, f"{told(name)}, {found.how}")
        if found.definitions[0].symbol.kind in FUNCTIONS:
            typed.append((name, found.definitions[-1]))
    resolvers: dict[str, Resolver] = {}
    sought = 0
    for name, callee in typed[:_MOST_TYPED]:
        for word, role in _types(callee):
            if offers.full or sought >= _MOST_TYPES:
                break
            sought += 1
            own = resolvers.get(callee.path)
            if own is None:
                own = resolvers[callee.path] = Resolver(index, callee.path, place.language)
            type_ = own.type(word)
            if type_ is not None and type_.definitions[0].symbol.kind in TYPES:
                why = f"what {name.name} {role}, which is {told(name)}"
                offers.add(type_.definitions[:1], name.weight * _TYPE_WORTH, why)
    named = {resolver.own_name(name.name) for name in names}
    for name in unknown[:_MOST_UNKNOWN]:
        if offers.full:
            break
        found = resolver.method(name.name, name.qualifier)
        if found is None:
            continue
        first = found.definitions[0]
        # What is shown with its type is not shown once more.
        if first.container not in named and not offers.holds(first.path, first.container):
            offers.add(found.definitions, name.weight * _TYPE_WORTH, f"{told(name)}, {found.how}")
    return offers.listed()


def _names(place: Place, snapshot: Snapshot) -> Sequence[Name]:
    """Return the names in the function around the cursor, or near a cursor outside of all."""
    cursor = place.document.buffer.line_at(place.cursor)
    function = enclosing(place, snapshot).function
    first, last = cursor - LINES_BEFORE, cursor + LINES_AFTER
    if function is not None:
        # What a long function calls far away says little of what comes next.
        first = max(function.place.first_line, first)
        last = min(max(function.place.last_line, cursor), last)
    return names_in(place, first, last, _MOST_NAMES)


def _types(callee: Definition) -> Iterator[tuple[str, str]]:
    """Return the names of types in a signature, and what they are to it."""
    symbol = callee.symbol
    seen = {callee.container}
    for role, types in (
        ("takes", [type_ for _, type_ in symbol.parameters]),
        ("returns", [symbol.type]),
    ):
        for type_ in types:
            for word in _WORD.findall(type_):
                # Types of a workspace are rarely written small, and single letters are parameters.
                if word not in seen and word not in _KNOWN and word[:1].isupper() and len(word) > 1:
                    seen.add(word)
                    yield word, role
