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
from typing import TYPE_CHECKING, Final
from zlib import crc32

from sidecar.text import encode_utf8

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["NEARLY", "RUN", "WINDOW", "nearly_in"]

#: Identifiers that are hashed together, and hashes of which the least is kept.
RUN: Final = 3
WINDOW: Final = 4
#: Part of a text's fingerprints that has to stand in another text for the two to say the same.
NEARLY: Final = 0.8
#: Characters of a text that are looked at; nothing that is shown is as long.
_MOST: Final = 100_000
#: Texts with fewer runs are compared by lines: they have too few fingerprints.
_FEWEST: Final = 3

#: Texts that are remembered: twice as many as are compared for a prompt at most, some 8 KB each.
#: What was shown while somebody typed is another text at each key, and of no use later.
_KEPT: Final = 256

_IDENTIFIER: Final = re.compile(rb"[A-Za-z_$\x80-\xff][\w$\x80-\xff]*")
#: What stands at the end of a line that begins a body, or in place of one.
_OPENING: Final = " \t.{}:;"
_BASE: Final = 1_000_003
_MASK: Final = (1 << 61) - 1


def nearly_in(text: str, others: Iterable[str], part: float = NEARLY) -> int:
    """Return the number of the first text that says nearly all that one says, or -1.

    Args:
        text: The text that may say nothing new.
        others: What is shown already.
        part: How much of it has to stand in one of them.
    """
    few = len(_runs(text)) < _FEWEST
    have = _lines(text) if few else _fingerprints(text)
    if not have:
        return -1
    need = part * len(have)
    shown_of = _lines if few else _run_set
    for number, other in enumerate(others):
        if len(have & shown_of(other)) >= need:
            return number
    return -1


@lru_cache(_KEPT)
def _runs(text: str) -> tuple[int, ...]:
    """Return the hashes of all runs of identifiers of a text, in its order."""
    words = list(map(crc32, _IDENTIFIER.findall(encode_utf8(text[:_MOST]))))
    # A rolling hash (Karp and Rabin), written out: for so short a run this is fewer steps than
    # to take one word out and another one in.
    return tuple(
        [
            ((first * _BASE + second) * _BASE + third) & _MASK
            for first, second, third in zip(words, words[1:], words[2:], strict=False)
        ]
    )


@lru_cache(_KEPT)
def _run_set(text: str) -> frozenset[int]:
    return frozenset(_runs(text))


@lru_cache(_KEPT)
def _fingerprints(text: str) -> frozenset[int]:
    """Return the least hash of each window; all hashes of a text that has hardly more."""
    runs = _runs(text)
    if len(runs) <= WINDOW:
        return frozenset(runs)
    return frozenset(map(min, *(runs[start:] for start in range(WINDOW))))


@lru_cache(_KEPT)
def _lines(text: str) -> frozenset[str]:
    """Return the lines of a text without what surrounds a body."""
    lines = {line.strip().rstrip(_OPENING) for line in text[:_MOST].splitlines()}
    lines.discard("")
    return frozenset(lines)
