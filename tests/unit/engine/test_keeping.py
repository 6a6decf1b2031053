"""Which lanes work in the background may take, and what lanes hold together."""

from __future__ import annotations

import pytest

from sidecar.engine.keeping import (
    EXPIRY_SECONDS,
    cells_used,
    expendable,
    expired,
    room_in_background,
)
from sidecar.engine.lane import Lane

NOW = 1000.0


def lane(number: int, kind: str, used: int, ago: float) -> Lane:
    """Make a lane: `empty`, `typed` in by somebody, or a `guess`."""
    made = Lane(number)
    if kind == "empty":
        return made
    made.tokens, made.cells = [1, 2, 3], [number * 10 + n for n in range(3)]
    made.used, made.touched = used, NOW - ago
    made.served = used if kind == "typed" else 0
    return made


@pytest.mark.parametrize(
    ("lanes", "expected"),
    [
        ((("typed", 1, 60.0),), []),
        ((("empty", 0, 0.0), ("typed", 1, 60.0)), [0]),
        ((("typed", 2, 60.0), ("typed", 1, 90.0), ("empty", 0, 0.0)), [2, 1]),
        ((("typed", 2, 60.0), ("typed", 3, 50.0), ("typed", 1, 90.0)), [2, 0]),
        ((("typed", 2, 1.0), ("typed", 3, 0.5), ("typed", 1, 4.0)), []),
        ((("typed", 4, 60.0), ("typed", 1, 90.0), ("guess", 2, 9.0), ("empty", 0, 0.0)), [3, 1, 2]),
        ((("typed", 4, 60.0), ("typed", 1, 90.0), ("guess", 2, 9.0), ("guess", 3, 1.0)), [2, 3, 1]),
        ((("guess", 2, 1.0), ("guess", 1, 1.0)), [1, 0]),
    ],
    ids=[
        "the only one",
        "an empty one",
        "empty ones, then the one used least lately",
        "never the one typed in last",
        "nor where others are typing",
        "a few guesses are worth as much as old lanes",
        "half of the lanes are guesses",
        "nobody typed yet",
    ],
)
def test_what_may_be_given_up(
    lanes: tuple[tuple[str, int, float], ...], expected: list[int]
) -> None:
    made = [lane(number, *each) for number, each in enumerate(lanes)]
    assert [each.number for each in expendable(made, NOW)] == expected


def test_lanes_expire() -> None:
    old, young = lane(0, "typed", 1, EXPIRY_SECONDS + 1), lane(1, "guess", 2, EXPIRY_SECONDS - 1)
    assert expired([old, young, lane(2, "empty", 0, 0)], NOW) == [old]


def test_cells_that_are_shared_count_once() -> None:
    assert cells_used([[1, 2, 3], [1, 2, 9], []]) == 4
    assert cells_used([]) == 0
    assert room_in_background(1000) == 800
