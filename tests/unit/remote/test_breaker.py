"""When a server that failed is left alone, and for how long."""

from __future__ import annotations

from sidecar.remote.breaker import MOST_FAILURES, RESTS, Breaker


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def test_failures_in_a_row_open_it_and_answers_forgive() -> None:
    breaker = Breaker(Clock())
    for _ in range(5):
        for _ in range(MOST_FAILURES - 1):
            breaker.failed()
        breaker.succeeded()
    assert not breaker.open
    for _ in range(MOST_FAILURES):
        breaker.failed()
    assert breaker.open
    assert breaker.rest == RESTS[0]


def test_it_rests_longer_each_time_until_an_answer() -> None:
    clock = Clock()
    breaker = Breaker(clock)
    breaker.trip()
    for rest in (*RESTS[1:], RESTS[-1]):
        clock.now += breaker.rest
        assert not breaker.open
        # It is tried once.
        breaker.failed()
        assert breaker.rest == rest
    breaker.succeeded()
    assert (breaker.open, breaker.rest) == (False, 0.0)
    breaker.failed()
    assert not breaker.open
