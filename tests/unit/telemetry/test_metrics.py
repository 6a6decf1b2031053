"""Counters, histograms and their percentile groups."""

from __future__ import annotations

import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sidecar.telemetry import Metrics, percentile, percentile_group
from sidecar.telemetry.metrics import HISTOGRAM_VALUES

values = st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=50)


@given(values)
def test_percentiles_agree_with_the_standard_library(numbers: list[float]) -> None:
    cuts = statistics.quantiles(numbers, n=20, method="inclusive")
    ordered = sorted(numbers)
    assert percentile(ordered, 0.5) == pytest.approx(cuts[9], abs=1e-6)
    assert percentile(ordered, 0.95) == pytest.approx(cuts[18], abs=1e-6)


def test_a_group_of_one_and_of_none() -> None:
    assert percentile_group([3.0]) == {"mean": 3.0, "p50": 3.0, "p90": 3.0, "p95": 3.0}
    assert percentile_group([]) is None


def test_a_snapshot_holds_what_was_counted_and_observed() -> None:
    metrics = Metrics()
    metrics.count("requests")
    metrics.count("tokens", 3)
    with pytest.raises(RuntimeError), metrics.span("work_ms"):
        raise RuntimeError
    snapshot = metrics.snapshot()
    assert snapshot["counters"] == {"requests": 1, "tokens": 3}
    assert list(snapshot["histograms"]) == ["work_ms"]  # type: ignore[call-overload]


def test_a_histogram_keeps_its_newest_values_only() -> None:
    metrics = Metrics()
    for number in range(3 * HISTOGRAM_VALUES):
        metrics.observe("x", number)
    group = metrics.snapshot()["histograms"]["x"]  # type: ignore[index]
    assert group["mean"] > 2 * HISTOGRAM_VALUES
