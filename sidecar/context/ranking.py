"""In which order candidates get room, and in which blocks of the prompt they stand.

The figures that decide are data in this one place. A source's scores mean something among
themselves only, so they are taken as parts of its best one, times the source's weight. Pure. May
import `context/snapshot.py`.
"""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from sidecar.context.snapshot import Snippet, Tier

__all__ = ["KEEP", "Ranked", "block_of", "ranked", "stillness_of"]

#: A snippet that is shown gives way to one with a score so many times as good, and to no other.
KEEP: Final = 1.5


class _Standing(NamedTuple):
    """What a source's snippets count, and where they stand.

    Args:
        block: The part of the prompt, in order; what changes more often stands later.
        weight: What its best snippet counts among those of the other sources.
    """

    block: int
    weight: float


#: Sources in the order in which new snippets of a block stand, those that change least first.
_STANDINGS: Final = {
    "notes": _Standing(0, 1.0),
    "bases": _Standing(1, 0.9),
    "definitions": _Standing(1, 1.0),
    "callees": _Standing(1, 0.7),
    "members": _Standing(1, 1.0),
    "similar": _Standing(2, 1.0),
    "edits": _Standing(3, 0.6),
    "viewed": _Standing(4, 0.4),
    "selection": _Standing(5, 1.0),
    "diagnostics": _Standing(6, 1.0),
    "scope": _Standing(7, 1.0),
}
_UNKNOWN: Final = _Standing(8, 0.5)
_STILLNESS: Final = {source: number for number, source in enumerate(_STANDINGS)}
_TIERS: Final[dict[Tier, int]] = {"core": 0, "extended": 1, "background": 2}


class Ranked(NamedTuple):
    """A candidate and when it gets room: tuples compare as they rank, the best first.

    Args:
        tier: Of the tier, 0 for core.
        worth: Its worth among all sources, negative.
        new: Whether it was not shown before.
        snippet: The candidate.
    """

    tier: int
    worth: float
    new: bool
    snippet: Snippet


def block_of(source: str) -> int:
    """Return the part of the prompt in which a source's snippets stand."""
    return _STANDINGS.get(source, _UNKNOWN).block


def stillness_of(source: str) -> int:
    """Return a number that is the higher the more often a source's snippets change."""
    return _STILLNESS.get(source, len(_STILLNESS))


def ranked(
    candidates: Iterable[Snippet], shown: Collection[str] = ()
) -> tuple[list[Ranked], list[Snippet]]:
    """Return the candidates in the order in which they get room, and those offered twice.

    Args:
        candidates: What sources offer, in any order.
        shown: Keys of what the prompt before showed.
    """
    once: dict[str, Snippet] = {}
    twice: list[Snippet] = []
    for snippet in sorted(candidates, key=_whole_order):
        if snippet.key in once:
            twice.append(snippet)
        else:
            once[snippet.key] = snippet
    best: dict[str, float] = {}
    for snippet in once.values():
        best[snippet.source] = max(best.get(snippet.source, 0.0), _score(snippet))
    found = [
        Ranked(
            _TIERS[snippet.tier], -_worth(snippet, best, shown), snippet.key not in shown, snippet
        )
        for snippet in once.values()
    ]
    # Of equals the one that is shown comes first, and of others what the key says: never what
    # came first, since sources may answer in any order.
    found.sort(key=lambda one: (one.tier, one.worth, one.new, one.snippet.key))
    return found, twice


def _worth(snippet: Snippet, best: dict[str, float], shown: Collection[str]) -> float:
    weight = _STANDINGS.get(snippet.source, _UNKNOWN).weight
    most = best[snippet.source]
    part = _score(snippet) / most if most else 1.0
    return weight * part * (KEEP if snippet.key in shown else 1.0)


def _score(snippet: Snippet) -> float:
    return max(snippet.score, 0.0) if isfinite(snippet.score) else 0.0


def _whole_order(snippet: Snippet) -> tuple[str, int, float, str, str, str, str, str]:
    """Order snippets by all that they are, those first that are the better of one key."""
    return (
        snippet.key,
        _TIERS[snippet.tier],
        -_score(snippet),
        snippet.source,
        snippet.path,
        snippet.text,
        snippet.short,
        snippet.reason,
    )
