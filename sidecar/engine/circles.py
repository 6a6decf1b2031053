"""Generations that go round in circles: what was said is said again, and would be for ever.

Pure; may import nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["copy_of"]

#: Longest piece that is noticed when a generation goes round in circles.
_LONGEST_PIECE = 24
#: Copies of a piece that make a circle, and for short pieces how many tokens they must fill: rows
#: of equal numbers are code.
_COPIES = 3
_LEAST_CIRCLE = 16


def copy_of(tokens: Sequence[int]) -> int:
    """Tell how many tokens at the end only repeat those before them, 0 unless it is a circle.

    Args:
        tokens: What was generated.
    """
    for size in range(1, _LONGEST_PIECE + 1):
        copies = max(_COPIES, -(-_LEAST_CIRCLE // size))
        length = copies * size
        if length > len(tokens):
            continue
        tail = tokens[-length:]
        if tail[size:] == tail[:-size]:
            return length - size
    return 0
