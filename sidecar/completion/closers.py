"""Brackets and quotes that an editor closed by itself, and those that a line leaves open.

Must never look at more than it is given. Pure functions. May import `text`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sidecar.text.brackets import CLOSERS, QUOTES, Scan, scan

if TYPE_CHECKING:
    from sidecar.text import Buffer

__all__ = ["CLOSERS", "QUOTES", "Scan", "closers_after", "due_at_end", "scan"]


def due_at_end(text: str, following: str) -> tuple[str, ...]:
    """Return the closers that are due after a line's text, the innermost last.

    Inside an open string a bracket may be code, as in `f"{x`, or not, as in `":(`; what follows the
    cursor tells, since an editor closes both alike.
    """
    outer = scan(text)
    if outer.string < 0:
        return outer.open
    inner = outer.open + due_at_end(text[outer.string :], following)
    return inner if following.startswith(inner[-1]) else outer.open


def closers_after(buffer: Buffer, offset: int) -> int:
    """Count the closers right after a cursor that belong to what its line opens before it.

    They count only when nothing but closers and blanks follows: then an editor may have added them.
    """
    line = buffer.line_at(offset)
    tail = buffer.slice(offset, buffer.line_end(line)).rstrip()
    if not tail or any(character not in CLOSERS for character in tail):
        return 0
    count = 0
    for closer in reversed(due_at_end(buffer.slice(buffer.line_start(line), offset), tail)):
        if not tail.startswith(closer, count):
            break
        count += len(closer)
    return count
