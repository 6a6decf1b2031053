"""Intervals of paired differences."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sidecar.bench.statistics import mean, paired_interval, paired_ratio


def test_nothing_has_no_interval() -> None:
    assert paired_interval([], seed=1) == (0.0, 0.0)
    assert mean([]) == 0.0


def test_what_never_differs_has_an_interval_of_a_point() -> None:
    assert paired_interval([1.0] * 20, seed=1) == (1.0, 1.0)


def test_the_interval_is_that_of_theory_where_there_is_one() -> None:
    # 100 pairs, half of them 1: the mean's standard error is 0.05.
    low, high = paired_interval([0.0, 1.0] * 50, seed=7)
    assert low == pytest.approx(0.5 - 1.96 * 0.05, abs=0.015)
    assert high == pytest.approx(0.5 + 1.96 * 0.05, abs=0.015)


def test_the_same_seed_gives_the_same_interval() -> None:
    values = [0.0, 1.0, -1.0, 1.0, 1.0, 0.0]
    assert paired_interval(values, seed=1) == paired_interval(values, seed=1)


@settings(deadline=None, max_examples=20)
@given(st.lists(st.sampled_from([-1.0, 0.0, 1.0]), min_size=1, max_size=20))
def test_the_interval_holds_the_mean(values: list[float]) -> None:
    low, high = paired_interval(values, seed=3)
    assert min(values) <= low <= mean(values) <= high <= max(values)


def test_ratios_of_hits() -> None:
    assert paired_ratio([], seed=1) == (0.0, 0.0, 0.0)
    assert paired_ratio([(1.0, 0.0)], seed=1) == (0.0, 0.0, 0.0)
    assert paired_ratio([(1.0, 1.0), (0.0, 0.0)] * 9, seed=1) == (1.0, 1.0, 1.0)
    pairs = [(1.0, 1.0)] * 40 + [(0.0, 1.0)] * 4 + [(1.0, 0.0)] * 6 + [(0.0, 0.0)] * 50
    ratio, low, high = paired_ratio(pairs, seed=1)
    assert ratio == pytest.approx(46 / 44)
    # The difference's standard error is a little over 3 tasks of 44.
    assert low == pytest.approx(ratio - 2 * 0.072, abs=0.03)
    assert high == pytest.approx(ratio + 2 * 0.072, abs=0.03)
