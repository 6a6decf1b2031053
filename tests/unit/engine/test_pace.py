"""Chunks take no longer than their budget at the measured speed."""

from __future__ import annotations

import pytest

from sidecar.engine.pace import Pace


@pytest.mark.parametrize(
    ("one_token_ms", "per_token_ms", "expected"),
    [
        (30.0, 7.0, 11),
        (30.0, 0.5, 141),
        (50.0, 30.0, 8),
        (200.0, 7.0, 8),
    ],
    ids=["two cores", "a GPU", "the floor", "one token is over budget"],
)
def test_chunk(one_token_ms: float, per_token_ms: float, expected: int) -> None:
    pace = Pace()
    pace.note(1, one_token_ms / 1000)
    pace.note(16, (one_token_ms + 15 * per_token_ms) / 1000)
    assert pace.chunk() == expected


def test_chunks_grow_for_whoever_keeps_waiting() -> None:
    pace = Pace()
    pace.note(1, 0.030)
    pace.note(16, 0.030 + 15 * 0.007)
    assert pace.chunk(waited_ms=900) == 11
    assert pace.chunk(waited_ms=1100) == 68


def test_the_chunk_follows_the_speed() -> None:
    pace = Pace()
    for tokens, seconds in ((1, 0.03), (16, 0.15)):
        pace.note(tokens, seconds)
    before = pace.chunk()
    for _ in range(20):
        pace.note(16, 0.45)
    slower = pace.chunk()
    assert slower < before
    spent = pace.one_token_ms + (slower - 1) * pace.per_token_ms
    assert spent <= 100 or slower == 8
