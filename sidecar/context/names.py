"""Names near a cursor, those first that matter most for what is written there.

Pure functions of a place; must never do I/O. May import `text` and `syntax`.
"""

from __future__ import annotations

from functools import lru_cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from weakref import ref

from sidecar.syntax.mentions import mentions_in
from sidecar.text import encode_utf8

if TYPE_CHECKING:
    from sidecar.context.snapshot import Place
    from sidecar.syntax.mentions import Mention
    from sidecar.syntax.parse import Parsed

__all__ = ["Name", "names_in", "names_near"]

#: Lines that are looked at before and after the cursor's.
LINES_BEFORE: Final = 45
LINES_AFTER: Final = 15
#: Names that are returned.
_MOST: Final = 40
#: So many lines away, a name counts half.
_HALF: Final = 8.0
#: What a name is worth by what is done with it.
_WORTH: Final = {"call": 1.0, "type": 1.0, "name": 0.7, "member": 0.6}
#: What each further mention adds, up to three of them.
_AGAIN: Final = 0.1
#: Weights that are equal leave names in the order of the text.
_BY_WEIGHT: Final = attrgetter("weight")


class Name(NamedTuple):
    """A name that is used near a cursor.

    Args:
        name: The name.
        role: What is done with it where it counts most: `call`, `member` (read from something),
            `type`, or `name`.
        weight: How much it matters.
        qualifier: The names before it, joined with `.`; `?` if it is a member of something else;
            empty if nothing stands before it.
        distance: Lines from the cursor to where it counts most, negative above it.
    """

    name: str
    role: str
    weight: float
    qualifier: str
    distance: int


def names_near(place: Place) -> tuple[Name, ...]:
    """Return the names near a cursor, the weightiest first."""
    line = place.document.buffer.line_at(place.cursor)
    return names_in(place, line - LINES_BEFORE, line + LINES_AFTER, _MOST)


def names_in(place: Place, first: int, last: int, most: int) -> tuple[Name, ...]:
    """Return the names in some lines of a document, the weightiest first.

    Args:
        place: The document, and the cursor from which weights are counted.
        first: The first line.
        last: The last line, inclusive; lines that do not exist are left out.
        most: How many to return.
    """
    buffer = place.document.buffer
    cursor_line = buffer.line_at(place.cursor)
    # Most functions lie within the lines near the cursor, whose names were read already.
    near = cursor_line - LINES_BEFORE <= first and last <= cursor_line + LINES_AFTER
    opening = max(cursor_line - LINES_BEFORE if near else first, 0)
    closing = cursor_line + LINES_AFTER if near else last
    low = buffer.line_start(opening)
    high = len(buffer) if closing + 1 >= buffer.line_count else buffer.line_start(closing + 1)
    chunk = encode_utf8(buffer.slice(low, high))
    start = 0
    source = chunk
    if place.parsed is not None:
        start = len(encode_utf8(buffer.slice(0, low)))
        source = place.parsed.source
    cursor = start + len(encode_utf8(buffer.slice(low, place.cursor)))
    #: By name and qualifier: weight, role, distance, and how often.
    weights: dict[tuple[str, str], list[Any]] = {}
    line, at = opening, start
    count = source.count
    for name, where, role, qualifier in _mentions(place.parsed, source, start, start + len(chunk)):
        line += count(b"\n", at, where)
        at = where
        if not first <= line <= last:
            continue
        away = line - cursor_line
        weight = _WORTH[role] / (1 + abs(away) / _HALF)
        if cursor <= where:
            # What stands behind the cursor was not written for what comes next.
            weight /= 2
        known = weights.get((name, qualifier))
        if known is None:
            weights[name, qualifier] = [weight, role, away, 0]
        else:
            known[3] += 1
            if known[0] < weight:
                known[:3] = weight, role, away
    found = [
        Name(name, role, weight + _AGAIN * min(more, 3), qualifier, away)
        for (name, qualifier), (weight, role, away, more) in weights.items()
    ]
    found.sort(key=_BY_WEIGHT, reverse=True)
    return tuple(found[:most])


def _mentions(parsed: Parsed | None, source: bytes, start: int, end: int) -> tuple[Mention, ...]:
    """Return the names in a part of a file, which several sources ask for one after the other."""
    # What is remembered must not keep the tree of a text that is outdated.
    return _known(None if parsed is None else ref(parsed), source, start, end)


@lru_cache(2)
def _known(parsed: ref[Parsed] | None, source: bytes, start: int, end: int) -> tuple[Mention, ...]:
    return tuple(mentions_in(None if parsed is None else parsed(), source, start, end))
