"""Tells whether a text says nearly what another one says, by fingerprints of its identifiers.

Winnowing: S. Schleimer, D. S. Wilkerson, A. Aiken, "Winnowing: Local Algorithms for Document
Fingerprinting", SIGMOD 2003. Of every window of hashes of short runs of identifiers the least is
kept, so that any run of `RUN + WINDOW - 1` identifiers that two texts share gives both a common
fingerprint, wherever it stands. A text's fingerprints are looked for among all runs of the other,
so that nothing is lost at the edges of what they share.

Pure; hashes are the same in every process. May import `text`.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple
from zlib import crc32

from sidecar.text import encode_utf8

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["NEARLY", "RUN", "WINDOW", "Print", "nearly_in", "print_of"]

#: Identifiers that are hashed together, and hashes of which the least is kept.
RUN: Final = 3
WINDOW: Final = 4
#: Part of a text's fingerprints that has to stand in another text for the two to say the same.
NEARLY: Final = 0.8
#: Characters of a text that are looked at; nothing that is shown is as long.
_MOST: Final = 100_000
#: Texts with fewer runs are compared by lines: they have too few fingerprints.
_FEWEST: Final = 3

_IDENTIFIER: Final = re.compile(rb"[A-Za-z_$\x80-\xff][\w$\x80-\xff]*")
#: What stands at the end of a line that begins a body, or in place of one.
_OPENING: Final = " \t.{}:;"
_BASE: Final = 1_000_003
_MASK: Final = (1 << 61) - 1


class Print(NamedTuple):
    """What is known of a text for comparing it.

    Args:
        chosen: Its fingerprints.
        runs: The hashes of all its runs of identifiers, of which they were chosen.
        lines: Its lines without what surrounds a body, for texts with few identifiers.
    """

    chosen: frozenset[int]
    runs: frozenset[int]
    lines: frozenset[str]


@lru_cache(maxsize=1_024)
def print_of(text: str) -> Print:
    """Return what a text is compared by."""
    text = text[:_MOST]
    words = list(map(crc32, _IDENTIFIER.findall(encode_utf8(text))))
    # A rolling hash (Karp and Rabin), written out: for so short a run this is fewer steps than
    # to take one word out and another one in.
    runs = [
        ((first * _BASE + second) * _BASE + third) & _MASK
        for first, second, third in zip(words, words[1:], words[2:], strict=False)
    ]
    if len(runs) <= WINDOW:
        chosen = frozenset(runs)
    else:
        chosen = frozenset(map(min, zip(*(runs[i:] for i in range(WINDOW)), strict=False)))
    lines = {line.strip().rstrip(_OPENING) for line in text.splitlines()}
    lines.discard("")
    return Print(chosen, frozenset(runs), frozenset(lines))


def nearly_in(one: Print, others: Iterable[Print], part: float = NEARLY) -> int:
    """Return the number of the first text that says nearly all that one says, or -1.

    Args:
        one: The text that may say nothing new.
        others: What is shown already.
        part: How much of it has to stand in one of them.
    """
    few = len(one.runs) < _FEWEST
    have = one.lines if few else one.chosen
    if not have:
        return -1
    need = part * len(have)
    for number, other in enumerate(others):
        shown = other.lines if few else other.runs
        if len(have & shown) >= need:
            return number
    return -1
