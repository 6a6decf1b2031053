"""Finds strings that a program joins: adjacent ones, and those with an operator between them.

Pure and linear. May import nothing of sidecar.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["joined_strings"]

#: From the end of a string to the start of the next. The quote comes first: a search for one of a
#: few characters is fast.
_JOINT = re.compile(
    r"[\"'`](?<=[\w.=/+-][\"'`])\s{0,40}+(?:[+.&\\]\s{0,40}+)?[rbfu]?[\"'`](?=[\w.=/+-])"
)
#: A piece in front of the first joint, or behind the last one.
_PIECE = re.compile(r"[\w.=/+-]{1,300}+")
_REACH = 300
_OTHER = re.compile(r"[^\w.=/+-]")


def joined_strings(text: str) -> Iterator[list[tuple[int, int]]]:
    """Yield chains of two and more strings without blanks: where their insides start and end."""
    chain: list[tuple[int, int]] = []
    for joint in _JOINT.finditer(text):
        if chain and _OTHER.search(text, chain[-1][0], joint.start()) is None:
            chain[-1] = chain[-1][0], joint.start()
        else:
            if chain:
                yield _ended(text, chain)
            low = max(joint.start() - _REACH, chain[-1][0] if chain else 0)
            before = text[low : joint.start()]
            chain = [(joint.start() - len(before) + _start(before), joint.start())]
        chain.append((joint.end(), joint.end()))
    if chain:
        yield _ended(text, chain)


def _start(before: str) -> int:
    """Return where the piece begins that a text ends with."""
    last = _PIECE.match(before[::-1])
    return len(before) - (last.end() if last else 0)


def _ended(text: str, chain: list[tuple[int, int]]) -> list[tuple[int, int]]:
    start = chain[-1][0]
    last = _PIECE.match(text, start)
    return [*chain[:-1], (start, last.end() if last else start)]
