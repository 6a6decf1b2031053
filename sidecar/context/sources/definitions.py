"""Declarations in other files of what is named near the cursor.

May import `context`'s values and what finds and writes declarations.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sidecar.context.names import names_near
from sidecar.context.offering import Offers, told
from sidecar.context.resolving import Resolver

if TYPE_CHECKING:
    from sidecar.context.snapshot import Place, Snapshot, Snippet

__all__ = ["NAME", "offer"]

NAME: Final = "definitions"
#: Declarations that are offered.
_MOST: Final = 8


def offer(place: Place, snapshot: Snapshot) -> list[Snippet]:
    """Return declarations of names near the cursor, found through imports and packages."""
    resolver = Resolver(snapshot.index, place.path, place.language)
    offers = Offers(NAME, place, snapshot, _MOST)
    for name in names_near(place):
        if offers.full:
            break
        # A member of a type is shown with its type, which is named before it.
        if found := resolver.find(name.name, name.qualifier):
            offers.add(found.definitions, name.weight, f"{told(name)}, {found.how}")
    return offers.listed()
