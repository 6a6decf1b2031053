"""Which lanes work in the background may take, and what lanes hold together."""

from __future__ import annotations

import pytest

from sidecar.engine.keeping import (
    EXPIRY_SECONDS,
    cells_used,
    expendable,
    expired,
    goes_on,
    oldest,
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


@pytest.mark.parametrize(
    ("held", "named", "shared", "prompt", "expected"),
    [
        (400, 0, 290, 400, False),
        (400, 0, 300, 400, True),
        (400, 390, 300, 400, True),
        (2400, 2390, 2048, 2400, False),
        (2400, 0, 2048, 2400, True),
        (2400, 2100, 2048, 2400, True),
        (2400, 2390, 2390, 2391, True),
    ],
    ids=[
        "little of it is kept",
        "most of it is",
        "little of what has a name is lost",
        "a window behind a large head would be lost",
        "nobody has a use for that",
        "what is lost was said behind it",
        "the next key",
    ],
)
def test_a_lane_is_used_in_place(
    held: int, named: int, shared: int, prompt: int, expected: bool
) -> None:
    made = Lane(0)
    made.tokens = [1] * held
    made.name(7 if named else 0, named)
    assert goes_on(made, shared, prompt) is expected


def test_names_go_with_what_they_name() -> None:
    made = Lane(0)
    made.tokens, made.cells = [1] * 10, [*range(10)]
    for name, size in ((1, 4), (2, 8), (3, 11)):
        made.name(name, size)
    assert made.places == {1: 4, 2: 8}, "not what is not there"
    made.forget_from(8)
    assert made.places == {1: 4, 2: 8}
    made.forget_from(7)
    assert made.places == {1: 4}


def test_where_cells_are_short_who_types_keeps_their_lane() -> None:
    lanes = [lane(0, "typed", 1, 0.5), lane(1, "typed", 3, 60.0), lane(2, "typed", 2, 1.0)]
    assert oldest(lanes, NOW).number == 1
    assert oldest([lanes[0], lanes[2]], NOW).number == 0
