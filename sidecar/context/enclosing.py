"""The function and the type around a cursor, as the index knows them.

Must never do I/O. May import `index`'s answers, and `context`'s values.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sidecar.context.resolving import TYPES
from sidecar.context.selecting import FUNCTIONS

if TYPE_CHECKING:
    from sidecar.context.snapshot import Place, Snapshot
    from sidecar.index.query.answers import Definition

__all__ = ["Enclosing", "enclosing"]


class Enclosing(NamedTuple):
    """What stands around a cursor.

    Args:
        function: The outermost function around it that is no member of another, or None.
        type: The innermost type around it, or the one that the function belongs to; or None.
    """

    function: Definition | None
    type: Definition | None


def enclosing(place: Place, snapshot: Snapshot) -> Enclosing:
    """Return what stands around a cursor.

    A cursor on a blank line below a body that ends without a bracket is still inside.
    """
    buffer = place.document.buffer
    cursor = line = buffer.line_at(place.cursor)
    column = place.cursor - buffer.line_start(line)
    before = buffer.line(line)[:column]
    if before.strip():
        column = len(before) - len(before.lstrip())
    while line and not buffer.line(line).strip():
        line -= 1
    symbols = snapshot.index.symbols(place.path)
    function: Definition | None = None
    type_: Definition | None = None
    for item in symbols:
        first, last = item.place.first_line, item.place.last_line
        if not first <= line:
            # They come in the order of the text.
            break
        if last < line or (last < cursor and not column):
            continue
        if last < cursor and column <= _width(buffer.line(first)):
            continue
        if item.symbol.kind in TYPES:
            type_, function = item, None
        elif item.symbol.kind in FUNCTIONS and function is None:
            function = item
    if type_ is None and function is not None and function.symbol.owner:
        owner = function.symbol.owner
        type_ = next(
            (item for item in symbols if item.symbol.name == owner and item.symbol.kind in TYPES),
            None,
        ) or next(
            iter(snapshot.index.definitions(owner, place.path, 1, types_only=True)),
            None,
        )
    return Enclosing(function, type_)


def _width(line: str) -> int:
    return len(line) - len(line.lstrip())
