"""Where a piece of a file that is shown begins and ends: at places that a reader would choose.

Pure functions of lines; must never do I/O, nor know a language. May import nothing of sidecar.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["excerpt", "starts_of", "text_of"]

#: Lines by which an edge is moved to a better place.
SLACK: Final = 3
#: Lines between two places where an excerpt may start.
STEP: Final = 10
#: Longer lines are data.
_LONGEST: Final = 400


def excerpt(
    lines: Sequence[str], first: int, last: int, most: int, slack: int = SLACK
) -> tuple[int, int]:
    """Return the lines to show of a file, the last one exclusive.

    Each edge goes to the nearest place where a block begins or ends: beside a blank line, or where
    indentation becomes less. It stays where it is if none is near.

    Args:
        lines: The file.
        first: The first line wanted.
        last: The last line wanted, exclusive.
        most: Lines that are shown at most.
        slack: How far an edge may move.
    """
    count = len(lines)
    first = max(min(first, count - 1), 0)
    last = max(min(last, count), first)
    start = _start(lines, first, range(max(first - slack, 0), min(first + slack, last - 1) + 1))
    low, high = max(last - slack, start + 1), min(last + slack, start + most, count)
    ends = range(min(low, high), high + 1)
    end = min(ends, key=lambda line: (_closes(lines, line), abs(line - last), line), default=last)
    while end > start and not lines[end - 1].strip():
        end -= 1
    while start < end and not lines[start].strip():
        start += 1
    return start, end


def starts_of(lines: Sequence[str], step: int = STEP) -> tuple[int, ...]:
    """Return lines at which excerpts of a file may start, about `step` lines apart.

    An excerpt that starts at one of them is the same one for all that is looked for near by.
    """
    starts = [0]
    while (wanted := starts[-1] + step) + SLACK < len(lines):
        starts.append(_start(lines, wanted, range(wanted - SLACK, wanted + SLACK + 1)))
    return tuple(starts)


def text_of(lines: Sequence[str], first: int, last: int) -> str:
    """Return lines as a text that ends in a line feed, or nothing if one of them is data."""
    shown = lines[first:last]
    if not shown or max(map(len, shown)) > _LONGEST:
        return ""
    return "\n".join([line.rstrip() for line in shown]) + "\n"


def _start(lines: Sequence[str], wanted: int, near: range) -> int:
    return min(near, key=lambda line: (_opens(lines, line), abs(line - wanted)), default=wanted)


def _opens(lines: Sequence[str], line: int) -> int:
    """Rate a line as the first of what is shown: 0 is best."""
    if not lines[line].strip():
        return 2
    if line == 0 or not lines[line - 1].strip():
        return 0
    return 1 if _depth(lines[line]) < _depth(lines[line - 1]) else 2


def _closes(lines: Sequence[str], line: int) -> int:
    """Rate a line as the first that is no longer shown: 0 is best."""
    if line >= len(lines) or not lines[line].strip():
        return 0
    if line and not lines[line - 1].strip():
        return 0
    return 1 if line and _depth(lines[line]) < _depth(lines[line - 1]) else 2


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip(" \t"))
