"""Chunks take no longer than their budget at the measured speed."""

from __future__ import annotations

import pytest

from sidecar.engine.pace import Batches, Pace


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
    assert pace.chunk(512, interruptible=False) == expected


@pytest.mark.parametrize(
    ("per_token_ms", "left", "expected"),
    [
        (1.0, 900, 271),
        (10.0, 900, 64),
        (10.0, 129, 64),
        (10.0, 128, 128),
        (10.0, 65, 65),
        (10.0, 3, 3),
    ],
    ids=["300 ms", "a tile", "a tile, and 65 are left", "two tiles", "a tile and one", "the rest"],
)
def test_chunks_that_can_be_stopped_fill_a_tile(
    per_token_ms: float, left: int, expected: int
) -> None:
    pace = Pace()
    pace.note(1, 0.030)
    pace.note(16, 0.030 + 15 * per_token_ms / 1000)
    assert pace.chunk(left, interruptible=True) == expected
    assert pace.chunk(left, interruptible=True, background=True) == expected


def test_the_chunk_follows_the_speed() -> None:
    pace = Pace()
    for tokens, seconds in ((1, 0.03), (16, 0.15)):
        pace.note(tokens, seconds)
    before = pace.chunk(512, interruptible=False)
    for _ in range(20):
        pace.note(16, 0.45)
    slower = pace.chunk(512, interruptible=False)
    assert slower < before
    spent = pace.one_token_ms + (slower - 1) * pace.per_token_ms
    assert spent <= 100 or slower == 8


def test_batches_cost_multiples_of_one_token() -> None:
    batches = Batches()
    batches.note(4, 1.0)
    assert batches.of(4) == 4.0, "nothing is known before one token is"
    for tokens, seconds in ((1, 0.05), (2, 0.08), (4, 0.12), (8, 0.21)):
        batches.note(tokens, seconds)
    costs = [round(batches.of(tokens), 2) for tokens in (1, 2, 3, 4, 6, 8, 16)]
    assert costs == [1.0, 1.6, 2.0, 2.4, 3.3, 4.2, 8.4]


def test_load_on_the_machine_leaves_the_ratio() -> None:
    batches = Batches()
    for slower in (1, 10):
        for _ in range(20):
            batches.note(1, 0.05 * slower)
            batches.note(4, 0.12 * slower)
    assert batches.of(4) == pytest.approx(2.4, rel=0.1)


def test_one_bad_moment_counts_little() -> None:
    batches = Batches()
    for tokens, seconds in ((1, 0.05), (4, 0.12), (4, 12.0)):
        batches.note(tokens, seconds)
    assert batches.of(4) < 2.8
    batches.note(8, 12.0)
    assert batches.of(8) == 8.0


def test_costs_that_nobody_measured_for_long_are_stale() -> None:
    batches = Batches()
    batches.note(1, 0.05)
    assert not batches.stale
    for _ in range(300):
        batches.note(1, 0.05)
    assert batches.stale
    batches.note(2, 0.08)
    assert not batches.stale


def test_prompts_measure_one_token_for_batches_too() -> None:
    pace = Pace()
    pace.note(1, 0.05)
    pace.batches.note(2, 0.08)
    assert pace.batches.of(2) == pytest.approx(1.6)


def test_chunks_in_the_background_shrink_while_they_are_lost() -> None:
    pace = Pace()
    pace.note(1, 0.030)
    pace.note(16, 0.030 + 15 * 0.010)

    def sizes() -> tuple[int, int]:
        return (
            pace.chunk(512, interruptible=True, background=True),
            pace.chunk(512, interruptible=True),
        )

    seen = [sizes()]
    for _ in range(7):
        pace.lost()
        seen.append(sizes())
    assert [size for size, _ in seen] == [64, 32, 16, 8, 8, 8, 8, 8]
    assert {waited for _, waited in seen} == {64}, "who waits is not concerned"
    # As often as it was of use to halve them, it is of use to double them.
    for _ in range(3 * 2):
        pace.finished()
    assert sizes() == (64, 64)
