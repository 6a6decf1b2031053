"""Where a request's time went: the engine's stages are placed where they must have been."""

from __future__ import annotations

import json
from itertools import pairwise
from time import perf_counter
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sidecar.completion.counting import count
from sidecar.completion.outcome import Outcome
from sidecar.completion.stages import facts_of, place_engine
from sidecar.engine.messages import Stats
from sidecar.telemetry import Metrics
from sidecar.telemetry.trace import Trace

if TYPE_CHECKING:
    from pathlib import Path

NAMES = ["send", "queue", "prompt evaluation", "first token", "generation"]


class Told(Metrics):
    """Keeps what is placed."""

    def __init__(self) -> None:
        super().__init__()
        self.spans: list[tuple[str, float, float]] = []

    def placed(self, name: str, started: float, ended: float, /, **facts: Any) -> None:
        self.spans.append((name, started, ended))


def test_stages_end_where_the_answer_came() -> None:
    told = Told()
    stats = Stats(queue_ms=10, prompt_ms=200, first_token_ms=250, total_ms=400)
    place_engine(stats, 100.0, 100.5, told)
    assert [name for name, _, _ in told.spans] == NAMES
    ends = [ended for _, _, ended in told.spans]
    assert ends == pytest.approx([100.1, 100.11, 100.31, 100.35, 100.5])


def test_an_answer_that_was_cut_short_tells_no_times() -> None:
    told = Told()
    place_engine(Stats(stop="newline"), 100.0, 100.5, told)
    assert told.spans == []


times = st.floats(0, 500)


@given(times, times, times, times)
def test_whatever_an_account_says_stages_follow_each_other_within_the_wait(
    queue: float, prompt: float, first: float, total: float
) -> None:
    told = Told()
    stats = Stats(queue_ms=queue, prompt_ms=prompt, first_token_ms=first, total_ms=total)
    place_engine(stats, 100.0, 100.2, told)
    assert all(100.0 <= started <= ended <= 100.2 for _, started, ended in told.spans)
    assert all(one[2] == other[1] for one, other in pairwise(told.spans))


def test_facts_are_words_and_numbers() -> None:
    stats = Stats(evaluated=3, reused=97, generated=5, passes=1, stop="newline")
    assert facts_of(Outcome(reason="gate")) == {"outcome": "gate"}
    assert facts_of(Outcome(reason="blank", stats=stats))["reused"] == 97
    assert "reused" not in facts_of(Outcome(stats=stats, origin="cache"))


def test_what_is_counted_of_an_answer() -> None:
    metrics = Metrics()
    stats = Stats(
        evaluated=5,
        reused=95,
        generated=5,
        queue_ms=1,
        prompt_ms=50,
        first_token_ms=60,
        total_ms=100,
    )
    count(Outcome(stats=stats), metrics)
    count(Outcome(stats=stats, origin="joined"), metrics)
    count(Outcome(stats=stats, origin="cache"), metrics)
    observed = metrics.observed()
    assert observed.counters["prompt.evaluated"] == 10
    assert observed.counters["prompt.reused"] == 190
    assert observed.histograms["completion.prompt_evaluated_share"] == (0.05, 0.05)
    assert observed.histograms["completion.per_token_ms"] == (10.0,)
    assert observed.histograms["completion.prompt_time_share"] == (0.5,)
    assert observed.histograms["completion.queue_ms"] == (1,)


def test_placed_stages_stand_in_the_trace(tmp_path: Path) -> None:
    path = tmp_path / "trace.json"
    trace = Trace(path, "front")
    metrics = Metrics(trace)
    asked = perf_counter()
    place_engine(Stats(first_token_ms=1, total_ms=2), asked, asked + 0.01, metrics)
    trace.close()
    spans = [event for event in json.loads(path.read_text()) if event["ph"] == "X"]
    assert [span["name"] for span in spans] == NAMES
    assert metrics.observed().histograms == {}, "only what was measured here is observed"
