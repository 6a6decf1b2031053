from __future__ import annotations

import math

import numpy as np
import pytest

from sidecar.engine.lane import ROWS, ROWS_LEFT, Lane, Row

LOGITS = [2.0, 0.0, 1.0, -1000.0, 2.0]


@pytest.mark.parametrize(
    ("token", "allowed"),
    [(0, None), (3, None), (1, [1, 2]), (2, [1, 2]), (2, [2]), (1, [1, 3])],
)
def test_log_probabilities_are_among_what_may_stand_there(
    token: int, allowed: list[int] | None
) -> None:
    row = Row(np.array(LOGITS, dtype=np.float32))
    others = LOGITS if allowed is None else [LOGITS[index] for index in allowed]
    expected = LOGITS[token] - math.log(sum(math.exp(value) for value in others))
    ids = None if allowed is None else np.array(allowed)
    # The second time what was summed up is remembered.
    for _ in range(2):
        assert row.log_probability(token, ids) == pytest.approx(expected, abs=1e-4)


def test_the_best_is_among_what_is_allowed() -> None:
    row = Row(np.array(LOGITS, dtype=np.float32))
    assert row.best(None) == 0
    assert row.best(np.array([1, 2, 3])) == 2


def test_a_lane_that_is_left_keeps_the_rows_around_its_cursor() -> None:
    lane = Lane(0)
    for position in range(ROWS):
        lane.remember(position, np.zeros(4, dtype=np.float32), 0)
    lane.cursor = 20
    lane.leave()
    assert lane.positions_with_rows() == list(range(16, 16 + ROWS_LEFT))
    lane.leave()
    assert len(lane.positions_with_rows()) == ROWS_LEFT
