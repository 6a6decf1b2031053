"""Where a name stands by itself around a place, the nearest first.

Works on bytes alone, so that the size of a file costs next to nothing. Must never do I/O, nor know
any language by name. May import this package.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from sidecar.syntax.indents import width_at

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["places_above", "places_below"]

#: How far from its use a binding is looked for, in lines and in bytes.
_REACH_LINES: Final = 400
_REACH_BYTES: Final = 40_000
#: Places of the same letters that are looked at, mostly members and parts of longer names.
_MOST_FOUND: Final = 400
#: What makes a name a member or a part of another one, before it and after it.
_PART_BEFORE: Final = re.compile(rb"(?:[\w.$@]|->|::)\Z")
_USE_AFTER: Final = re.compile(rb"[\w$]|\s*\??\.\w|->|::")


def places_above(source: bytes, name: bytes, before: int) -> Iterator[int]:
    """Return where a name stands by itself above a place.

    Args:
        source: The code.
        name: The name.
        before: The place, in bytes.
    """
    least = max(before - _REACH_BYTES, 0)
    at, line, lines = before, before, 0
    for _ in range(_MOST_FOUND):
        at = source.rfind(name, least, at)
        if at < 0:
            return
        lines += source.count(b"\n", at, line)
        line = at
        if lines > _REACH_LINES:
            return
        if _is_alone(source, at, at + len(name)):
            yield at


def places_below(source: bytes, name: bytes, after: int) -> Iterator[int]:
    """Return where a name stands below a place, in what is around the place's own block.

    Args:
        source: The code.
        name: The name.
        after: The place, in bytes.
    """
    own = width_at(source, after)
    most = min(after + _REACH_BYTES, len(source))
    # Once a line is indented less, the block that the place stands in is left.
    left = _less(own).search(source, after, most) if own else None
    if left is None:
        return
    at = left.start()
    for _ in range(_MOST_FOUND):
        at = source.find(name, at, most)
        if at < 0:
            return
        if _is_alone(source, at, at + len(name)):
            yield at
        at += len(name)


@lru_cache(64)
def _less(width: int) -> re.Pattern[bytes]:
    """Return what finds a line that is indented less than so much, and is not blank."""
    return re.compile(rb"\n[ \t]{0,%d}\S" % (width - 1))


def _is_alone(source: bytes, start: int, end: int) -> bool:
    if _PART_BEFORE.search(source, max(start - 2, 0), start):
        return False
    return not _USE_AFTER.match(source, end, end + 40)
