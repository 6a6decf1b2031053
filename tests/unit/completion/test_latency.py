"""How long an answer takes, told before it begins, and what is made of that."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sidecar.completion.latency import Latency, Speeds, manner
from sidecar.engine.messages import ModelInfo, Stats

INFO = ModelInfo("a model", "psm", 4096, 4, 100.0, 40.0, 2, 0)


@pytest.mark.parametrize(
    ("expected_ms", "how"),
    [(0.0, "stream"), (199.0, "stream"), (200.0, "line"), (800.0, "line"), (801.0, "offer")],
)
def test_the_manner_follows_the_wait(expected_ms: float, how: str) -> None:
    assert manner(expected_ms) == how


def test_what_the_engine_measured_is_the_first_guess() -> None:
    assert Speeds.of(INFO) == Speeds(10.0, 40.0)
    assert Speeds.of(replace(INFO, prompt_tokens_per_s=0.0)) is None


def test_nothing_is_expected_to_take_long_while_nothing_is_known() -> None:
    latency = Latency()
    latency.learn(Stats(evaluated=400, prompt_ms=4000.0, generated=9, total_ms=9e3), moved=True)
    assert latency.expected_ms(None) == 0.0
    assert latency.learned == 0


def test_a_prompt_costs_its_tokens_and_a_pass_at_least() -> None:
    latency = Latency()
    latency.begin(Speeds(10.0, 40.0))
    # A pass that is no faster for being short, and the token that becomes visible.
    assert latency.expected_ms(1) == 80.0
    assert latency.expected_ms(20) == 240.0
    assert latency.expected_ms(0) == 40.0
    assert latency.expected_ms(None) == 3560.0
    # Of a short file there is no long one, wherever it is.
    assert latency.expected_ms(None, most=20) == 240.0


def test_answers_teach_speeds_and_the_size_of_prompts() -> None:
    latency = Latency()
    heard: list[Speeds | None] = []
    latency = Latency(lambda: heard.append(latency.speeds))
    latency.begin(Speeds(10.0, 40.0))
    stats = Stats(
        evaluated=1000,
        generated=11,
        queue_ms=5.0,
        prompt_ms=2000.0,
        first_token_ms=2020.0,
        visible_ms=2045.0,
        total_ms=2220.0,
    )
    for _ in range(60):
        latency.learn(stats, moved=True)
    speeds = latency.speeds
    assert speeds is not None
    assert speeds.prompt_ms == pytest.approx(2.0, rel=0.01)
    assert speeds.token_ms == pytest.approx(20.0, rel=0.01)
    # Two tokens are generated until something is visible.
    assert latency.expected_ms(None) == pytest.approx(2040.0, rel=0.01)
    assert heard[-1] == speeds
    assert latency.learned == len(heard)


def test_answers_that_tell_nothing_teach_nothing() -> None:
    latency = Latency()
    latency.begin(Speeds(10.0, 40.0))
    # Cut short, found in a lane, or a line of something longer that goes on.
    for stats in (Stats(stop="newline"), Stats(evaluated=3, prompt_ms=90.0, generated=2)):
        latency.learn(stats, moved=False)
    assert latency.speeds == Speeds(10.0, 40.0)
    assert latency.learned == 0
    assert latency.expected_ms(None) == 3560.0
