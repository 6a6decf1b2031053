"""Which lane a prompt gets, and what others lose by it; nothing is computed here."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import pytest

from sidecar.engine.keeping import expendable
from sidecar.engine.lane import ROWS, ROWS_LEFT
from sidecar.engine.lanes import Lanes, common_prefix
from sidecar.engine.pace import Pace

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sidecar.engine.lane import Lane
    from sidecar.engine.model import Model

LANES = 8


class Held:
    """Stands for a model: knows no more than how much each sequence holds."""

    def __init__(self) -> None:
        self.options = SimpleNamespace(lanes=LANES, context_tokens=100_000, gpu_layers=0)
        self.lengths = [0] * LANES

    def truncate(self, number: int, length: int) -> bool:
        self.lengths[number] = min(self.lengths[number], length)
        return True

    def fork(self, source: int, target: int, length: int) -> None:
        self.lengths[target] = length

    def length(self, number: int) -> int:
        return self.lengths[number]

    def decode_rows(self, number: int, tokens: Sequence[int], position: int, rows: int) -> Any:
        self.lengths[number] = position + len(tokens)
        return np.zeros((rows, 4), dtype=np.float32)


class Desk:
    def __init__(self) -> None:
        self.now = 1000.0
        self.lanes = Lanes(cast("Model", Held()), Pace(), clock=lambda: self.now)
        self.evaluated = 0

    def wants(self, name: int, size: int, *, guessed: bool = False) -> Lane:
        """Evaluate a prompt that shares nothing with others, for who waits or for a guess."""
        return self._filled(
            self.lanes.choose([name] * size, guessed=guessed), name, size, interactive=not guessed
        )

    def warms(self, name: int, size: int) -> Lane | None:
        lane = self.lanes.spare([name] * size)
        return lane and self._filled(lane, name, size, interactive=False)

    def says(self, lane: Lane, tokens: int) -> None:
        boundary = len(lane.tokens) - 1
        for _ in range(tokens):
            self.lanes.extend(lane, [lane.tokens[-1]], boundary)

    def _filled(self, lane: Lane, name: int, size: int, *, interactive: bool) -> Lane:
        self.lanes.truncate(lane, common_prefix(lane.tokens, [name] * size))
        missing = size - len(lane.tokens)
        if interactive:
            lane.cursor = size - 1
        if missing > 0:
            self.evaluated += missing
            self.lanes.extend(lane, [name] * missing, size - 1)
        return lane


@pytest.fixture
def desk() -> Desk:
    return Desk()


def test_of_two_who_type_beside_long_prompts_none_takes_the_other_ones_lane(desk: Desk) -> None:
    for name in range(LANES - 1):
        desk.wants(name, 1000)
    desk.now += 60.0
    for name in (100, 101):
        desk.wants(name, 100)
    desk.evaluated = 0
    for name in (100, 101) * 10:
        desk.now += 0.2
        desk.wants(name, 100)
    assert desk.evaluated == 0
    # Where all are typed in, somebody has to give way.
    for name in range(200, 200 + LANES):
        desk.wants(name, 100)
    assert desk.evaluated == 100 * LANES


def test_what_nobody_comes_back_to_is_given_up_for_much_less_that_is_used(desk: Desk) -> None:
    for name in range(LANES - 1):
        desk.wants(name, 1000)
    desk.evaluated = 0
    for name in (100, 101) * 30:
        desk.now += 10.0
        desk.wants(name, 100)
    assert desk.evaluated <= 1000 + 2 * 100


def test_what_is_said_where_a_cursor_rests_makes_no_lane_one_that_was_typed_in(desk: Desk) -> None:
    typed = desk.wants(0, 1000)
    desk.now += 60.0
    for name in range(1, 2 * LANES):
        desk.now += 0.3
        lane = desk.warms(name, 1000)
        assert lane is not None, "there is room, however many places were rested at"
        desk.says(desk.wants(name, 1000, guessed=True), 20)
        assert not lane.served
    assert typed not in expendable(desk.lanes.all, desk.now)
    assert len(typed.tokens) == 1000


@pytest.mark.parametrize(
    ("seconds", "guessed", "left"),
    [(0.5, False, ROWS), (60.0, True, ROWS), (60.0, False, ROWS_LEFT)],
    ids=["both are typed in", "the other one is a guess", "one is left"],
)
def test_a_lane_keeps_its_rows_until_somebody_types_elsewhere_instead(
    desk: Desk, seconds: float, *, guessed: bool, left: int
) -> None:
    lane = desk.wants(1, 100)
    desk.says(lane, ROWS - 1)
    desk.now += seconds
    desk.wants(2, 100, guessed=guessed)
    assert len(lane.positions_with_rows()) == left


def test_where_a_lane_had_its_cursor_before_does_not_matter(desk: Desk) -> None:
    for name in range(LANES):
        desk.wants(name, 1000)
    desk.now += 60.0
    lane = desk.warms(50, 900)
    assert lane is not None
    desk.says(desk.wants(50, 900, guessed=True), ROWS)
    desk.wants(51, 100)
    # The next key there needs the row after the prompt.
    assert lane.positions_with_rows() == list(range(899, 899 + ROWS_LEFT))


def test_two_places_that_share_a_large_head_keep_a_lane_each(desk: Desk) -> None:
    head, window = [1] * 2048, 352
    made = []
    for place in (2, 3):
        prompt = [*head, *[place] * window]
        lane = desk.lanes.choose(prompt)
        desk.lanes.truncate(lane, common_prefix(lane.tokens, prompt))
        desk.lanes.extend(lane, prompt[len(lane.tokens) :], len(prompt) - 1)
        lane.name(place, len(prompt))
        made.append(lane)
    assert made[0] is not made[1]
    assert sorted(desk.lanes.places()) == [2, 3]
    assert desk.lanes.cells_used() == 2048 + 2 * window
    assert desk.lanes.choose([*head, *[2] * window, 9]) is made[0]
    desk.lanes.clear(made[0])
    assert desk.lanes.places() == (3,)
