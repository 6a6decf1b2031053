"""What the class around the cursor has from its bases, where these are declared in other files.

May import `context`'s values and what finds and writes declarations.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from sidecar.context.enclosing import enclosing
from sidecar.context.offering import Offers
from sidecar.context.resolving import TYPES, Resolver

if TYPE_CHECKING:
    from sidecar.context.snapshot import Place, Snapshot, Snippet
    from sidecar.index.query.answers import Definition

__all__ = ["NAME", "offer"]

NAME: Final = "bases"
#: Bases that are offered, and bases of bases that are followed.
_MOST: Final = 4
_DEEPEST: Final = 4
#: A type as it is written, without what it takes.
_WRITTEN: Final = re.compile(r"(?:[\w$]+(?:\.|::|\\|->))*[\w$]+")
_JOINED: Final = re.compile(r"\.|::|\\|->")


def offer(place: Place, snapshot: Snapshot) -> list[Snippet]:
    """Return the bases of the class around the cursor, the nearest first."""
    index = snapshot.index
    offers = Offers(NAME, place, snapshot, _MOST)
    around = enclosing(place, snapshot)
    if around.type is None:
        return []
    seen: set[tuple[str, str]] = set()
    level = [around.type]
    for depth in range(_DEEPEST):
        following: list[Definition] = []
        for derived in level:
            if not derived.symbol.bases:
                continue
            resolver = Resolver(index, derived.path, place.language)
            for written in derived.symbol.bases[:_MOST]:
                found, how = _declared(resolver, written)
                if found is None or (found.path, found.symbol.name) in seen:
                    continue
                seen.add((found.path, found.symbol.name))
                following.append(found)
                of = (
                    "the class around"
                    if not depth
                    else f"{derived.symbol.name}, which that class has"
                )
                offers.add((found,), 1 / (1 + depth), f"a base of {of}, {how}")
        level = following[:_MOST]
        if not level or offers.full:
            break
    return offers.listed()


def _declared(resolver: Resolver, written: str) -> tuple[Definition | None, str]:
    """Return the type that a base means, and how it was found."""
    match = _WRITTEN.search(written)
    if match is None:
        return None, ""
    *around, name = _JOINED.split(match[0])
    found = resolver.type(name, ".".join(around))
    if found is None or found.definitions[0].symbol.kind not in TYPES:
        return None, ""
    return found.definitions[0], found.how
