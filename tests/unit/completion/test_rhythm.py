"""How long a cursor has to stay to have come to rest."""

from __future__ import annotations

from sidecar.completion.rhythm import Rhythm


def test_the_rest_follows_the_pace_within_limits() -> None:
    now = [0.0]
    rhythm = Rhythm(lambda: now[0])

    def move(gap: float) -> float:
        for _ in range(20):
            now[0] += gap
            rhythm.moved()
        return rhythm.rest

    assert rhythm.rest == 0.15
    assert move(0.03) == 0.15
    assert 0.19 < move(0.1) < 0.21
    assert move(0.4) == 0.3
    # Pauses say nothing.
    assert move(5.0) == 0.3


def test_who_moves_after_a_pause_is_there_at_once() -> None:
    now = [100.0]
    rhythm = Rhythm(lambda: now[0])
    arrivals = []
    for gap in (5.0, 0.1, 0.1, 3.0):
        now[0] += gap
        rhythm.moved()
        arrivals.append(rhythm.arrival)
    jump, first, second, again = arrivals
    assert jump == again == 0.03
    assert first == rhythm_rest(0.1) and second >= first


def rhythm_rest(gap: float) -> float:
    """How long a cursor has to stay that moved once after so long."""
    now = [100.0]
    rhythm = Rhythm(lambda: now[0])
    rhythm.moved()
    now[0] += gap
    rhythm.moved()
    return rhythm.rest
