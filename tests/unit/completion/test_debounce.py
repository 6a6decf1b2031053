"""How long requests wait for the next key: when, how long, and when not."""

from __future__ import annotations

import pytest

from sidecar.completion.debounce import Debounce


class Desk:
    def __init__(self) -> None:
        self.now = 100.0
        self.debounce = Debounce(lambda: self.now)

    def key(self, after: float, expected_ms: float = 2000.0, uri: str = "a") -> float:
        self.now += after
        self.debounce.asked()
        return self.debounce.seconds(uri, expected_ms)

    def burst(self, gap: float, keys: int = 30) -> None:
        for _ in range(keys):
            self.key(gap)
            self.debounce.begun("a")


def test_the_first_key_after_a_pause_begins_at_once() -> None:
    desk = Desk()
    assert desk.key(5.0) == 0.0
    desk.burst(0.1)
    assert desk.key(5.0) == 0.0


def test_a_key_in_a_burst_waits_for_the_next_one() -> None:
    desk = Desk()
    desk.burst(0.1)
    assert desk.key(0.1) == pytest.approx(0.125, rel=1e-3)
    desk.debounce.begun("a")
    # Of a slower hand more, up to a share of the answer's time.
    desk.burst(0.3)
    assert desk.key(0.3) == pytest.approx(0.2, rel=1e-3)


def test_nobody_waits_whose_answer_comes_before_the_next_key() -> None:
    desk = Desk()
    desk.burst(0.3)
    assert desk.key(0.3, expected_ms=250.0) == 0.0
    assert desk.key(0.3, expected_ms=0.0) == 0.0


def test_a_burst_waits_no_longer_than_a_share_in_all() -> None:
    desk = Desk()
    desk.burst(0.1)
    waits = [desk.key(0.1) for _ in range(4)]
    # Each was cancelled by the next: the time runs from the first.
    assert waits == pytest.approx([0.125, 0.1, 0.0, 0.0], rel=1e-3)
    desk.debounce.begun("a")
    assert desk.key(0.1) == pytest.approx(0.125, rel=1e-3)
    # Of another document it begins anew.
    assert desk.key(0.1, uri="b") == pytest.approx(0.125, rel=1e-3)
