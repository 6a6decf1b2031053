"""Which lanes may be given up for work in the background, and what they hold of the KV cache.

Pure functions of lanes; must never change one. May import nothing of llama.cpp.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sidecar.engine.lane import Lane

__all__ = [
    "EXPIRY_SECONDS",
    "cells_used",
    "common_prefix",
    "expendable",
    "expired",
    "goes_on",
    "least_worth",
    "oldest",
    "room_in_background",
    "typed_in",
    "untyped",
]

#: A lane that nobody used for so long is given up: its rows and cells serve others better.
EXPIRY_SECONDS: Final = 600.0
#: Work in the background leaves this share of the cells free, so that a prompt which somebody waits
#: for finds room without pushing anything out.
_RESERVE: Final = 0.2
#: A lane is used in place when this share of it is kept; else its head is forked and the lane
#: stays for its anchor. Where that has a name, no more than so many tokens of it are given up: of
#: two places that share a large head, each would have its window evaluated again and again.
_SHARE_IN_PLACE: Final = 0.75
_LOST_IN_PLACE: Final = 128
#: Whoever typed in a lane so lately is still typing there.
_TYPING_SECONDS: Final = 5.0


def cells_used(held: Iterable[Iterable[int]]) -> int:
    """Count the cells that some lanes hold together; what they share counts once."""
    return len(set[int]().union(*held))


def expired(lanes: Sequence[Lane], now: float) -> list[Lane]:
    """List the lanes that nobody used for `EXPIRY_SECONDS`."""
    return [lane for lane in lanes if lane.tokens and now - lane.touched > EXPIRY_SECONDS]


def expendable(lanes: Sequence[Lane], now: float) -> list[Lane]:
    """List the lanes that work in the background may take, the least worth first.

    Never the one that was typed in last, nor one in which somebody is typing. Empty ones come
    first; then, where half of the lanes were warmed and not used since, the least worth of those:
    guesses must not push out all that was certain.

    Args:
        lanes: All lanes.
        now: The time on their clock.
    """
    last = max(lane.served for lane in lanes)
    free = [
        lane
        for lane in lanes
        if not lane.served or (lane.served != last and not typed_in(lane, now))
    ]
    guesses = [lane for lane in free if lane.tokens and not lane.served]
    crowded = len(guesses) >= max(1, len(lanes) // 2)
    return sorted(
        free, key=lambda lane: (bool(lane.tokens), not crowded or lane.served > 0, *_worth(lane))
    )


def goes_on(lane: Lane, shared: int, prompt: int | None = None) -> bool:
    """Tell whether a lane goes on with another prompt, rather than being given up for it.

    Args:
        lane: The lane.
        shared: Tokens that both have.
        prompt: Tokens of the prompt, where a short one may take the lane of a longer one.
    """
    size = len(lane.tokens)
    lost = max(lane.places.values(), default=0) - shared
    share = _SHARE_IN_PLACE * (size if prompt is None else min(size, prompt))
    return shared >= share and lost <= _LOST_IN_PLACE


def typed_in(lane: Lane, now: float) -> bool:
    """Tell whether somebody is typing in a lane."""
    return lane.served > 0 and now - lane.touched < _TYPING_SECONDS


def untyped(lanes: Sequence[Lane], now: float) -> list[Lane]:
    """List the lanes in which nobody is typing."""
    return [lane for lane in lanes if not typed_in(lane, now)]


def least_worth(lanes: Sequence[Lane]) -> Lane | None:
    """Return the lane to take for another prompt: one never used costs nothing."""
    return min(lanes, key=lambda lane: (bool(lane.tokens), *_worth(lane)), default=None)


def oldest(lanes: Sequence[Lane], now: float) -> Lane:
    """Return the lane to clear where cells are short: never one that is typed in, if possible."""
    return min(lanes, key=lambda lane: (typed_in(lane, now), lane.used))


def _worth(lane: Lane) -> tuple[int, int]:
    return lane.worth, lane.used


def room_in_background(cells: int) -> int:
    """Return how many of all cells may be in use once work in the background is done."""
    return int(cells * (1.0 - _RESERVE))


def common_prefix(left: Sequence[int], right: Sequence[int]) -> int:
    """Count the equal tokens at the start of two lists, by bisection over slices compared in C."""
    low, high = 0, min(len(left), len(right))
    if left[:high] == right[:high]:
        return high
    while high - low > 1:
        middle = (low + high) // 2
        if left[low:middle] == right[low:middle]:
            low = middle
        else:
            high = middle
    return low
