"""What a long run comes to, and what is said to be wrong with it."""

from __future__ import annotations

from typing import Any

import pytest

from sidecar.bench.footprint import Footprint
from sidecar.bench.soak_account import (
    KINDS,
    Course,
    Disturbance,
    Sample,
    Timed,
    quarter,
    schedule,
    summarize,
)

HOUR = 3600.0


def sample(at: float, engine: float = 800.0, **changed: Any) -> Sample:
    footprints = {
        "front": Footprint(90.0, 80.0, 30),
        "engine": Footprint(engine, engine - 500.0, 20),
    }
    usual: dict[str, Any] = {
        "footprints": footprints,
        "lanes": (100, 200, 0, 0),
        "cells": 300,
        "lost": 0,
        "fronts": 1,
        "waiting": False,
    }
    return Sample(at, **{**usual, **changed})


def course(**changed: Any) -> Course:
    """A run in which nothing is wrong."""
    made = Course(HOUR, lanes=4, cells=8192, seconds=HOUR + 2, requests=5000)
    made.samples = [sample(5.0 * number) for number in range(721)]
    made.keys = [Timed(0.5 * number, 100.0, 50.0) for number in range(7200)]
    made.disturbances = [Disturbance(one.at, one.kind, 3.0) for one in schedule(HOUR)]
    made.quiet = sample(HOUR + 3)
    for name, value in changed.items():
        setattr(made, name, value)
    return made


def found(**changed: Any) -> list[str]:
    said: list[str] = summarize(course(**changed), "pss")["found"]
    return said


def test_a_run_in_which_nothing_is_wrong() -> None:
    summary = summarize(course(), "pss")
    assert summary["found"] == []
    assert summary["not_judged"] == {}
    assert summary["pss_mb"] == {"front": [90.0, 90.0], "engine": [800.0, 800.0]}
    assert summary["pss_mb_by_quarter"]["front"] == [90.0] * 4
    assert summary["private_mb"]["engine"] == [300.0, 300.0]
    assert summary["open_files"]["front"] == [30, 30]
    assert summary["visible_over_one_token"] == {"second_quarter": 2.0, "last_quarter": 2.0}
    assert summary["quarters"]["last_quarter"]["n"] == 1800
    assert summary["lanes"] == {"all": 4, "used": 2, "cells": 8192, "most_cells": 300, "lost": 0}
    assert summary["restarts"] == len(schedule(HOUR))


@pytest.mark.parametrize("seconds", [20.0, 1800.0, 1e6])
def test_servers_are_disturbed_at_the_beginning_only(seconds: float) -> None:
    planned = schedule(seconds)
    assert {one.kind for one in planned} == set(KINDS)
    assert planned[0].at == 0.0
    assert planned[-1].at < seconds / 8
    assert planned == sorted(planned, key=lambda one: one.at)
    assert len(planned) <= 80


@pytest.mark.parametrize(("at", "number"), [(0, 0), (24.9, 0), (25, 1), (99.9, 3), (130, 3)])
def test_quarters(at: float, number: int) -> None:
    assert quarter(at, 100.0) == number


def test_memory_that_grew_is_found() -> None:
    grown = [sample(5.0 * number, 800.0 + number * 0.1) for number in range(721)]
    (said,) = found(samples=grown)
    assert said == "the PSS of the engine grew from 835.0 to 871.0 MB"
    # Less than that is noise, and less memory is no leak.
    assert not found(samples=[sample(5.0 * n, 800.0 + n * 0.05) for n in range(721)])
    assert not found(samples=[sample(5.0 * n, 800.0 - n * 0.2) for n in range(721)])


def test_memory_of_the_warm_up_does_not_count() -> None:
    assert not found(samples=[sample(5.0 * n, min(400.0 + n * 1.2, 800.0)) for n in range(721)])


def test_open_files_that_stay_are_found() -> None:
    leaking = {"front": Footprint(90.0, 80.0, 60)}
    samples = [*course().samples[:-60], *(sample(n, footprints=leaking) for n in range(3400, 3600))]
    assert found(samples=samples) == ["the front had 30 open files, and 60 in the end"]


def test_keys_that_became_slower_are_found() -> None:
    slower = [Timed(0.5 * n, 100.0 if n < 5400 else 120.0, 50.0) for n in range(7200)]
    assert found(keys=slower) == ["p95 became 2.40 times a pass of one token, from 2.00 times"]
    # The machine itself became slower, which a pass of one token shows as well.
    machine = [Timed(0.5 * n, *((100.0, 50.0) if n < 5400 else (120.0, 60.0))) for n in range(7200)]
    assert not found(keys=machine)


def test_short_runs_judge_neither_memory_nor_speed() -> None:
    short = course(seconds=300.0)
    short.wanted_s = 300.0
    short.samples = [sample(n, 800.0 + n) for n in range(300)]
    summary = summarize(short, "pss")
    assert summary["found"] == []
    assert set(summary["not_judged"]) == {"memory", "speed"}
    assert summarize(course(keys=course().keys[:3700]), "rss")["not_judged"].keys() == {"speed"}


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"quiet": sample(HOUR, lost=2)}, "2 lanes held something else than they said"),
        ({"quiet": sample(HOUR, lanes=(1, 2, 3))}, "the engine did not always have its 4 lanes"),
        ({"quiet": sample(HOUR, cells=9000)}, "lanes counted 9000 cells where there are 8192"),
        ({"quiet": None}, "the engine still worked long after the last key"),
        ({"quiet": sample(HOUR, fronts=3)}, "the engine counted 3 fronts where there was one"),
        ({"left_over": ["indexer"]}, "indexer had not ended with its editor"),
        ({"died": ["the engine ended by itself at 7 s"]}, "the engine ended by itself at 7 s"),
        (
            {"disturbances": [Disturbance(7.0, "engine killed")]},
            "no suggestion for a minute after engine killed at 7 s",
        ),
    ],
)
def test_what_must_never_be_is_found(changed: dict[str, Any], said: str) -> None:
    assert found(**changed) == [said]


def test_a_run_that_saw_nothing_says_so() -> None:
    summary = summarize(Course(10.0, lanes=4, cells=8192), "rss")
    assert summary["pss_mb"] == {}
    assert summary["visible_over_one_token"] == {"second_quarter": None, "last_quarter": None}
    assert summary["found"] == ["the engine still worked long after the last key"]
