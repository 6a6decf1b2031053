"""Lines are shared out so that no front finds what another one evaluated, and ratios are right."""

from __future__ import annotations

from pathlib import Path

import pytest

from sidecar.bench.editor import Seen
from sidecar.bench.fronts import (
    FrontsPlan,
    Together,
    Warmed,
    excerpt,
    excerpts,
    share_out,
    summarize,
)
from sidecar.bench.routine import Source
from sidecar.bench.typist import Key
from sidecar.engine.messages import Stats
from sidecar.errors import UsageError

LINES = tuple(f"value_{n} = combine(first, second)" for n in range(200))
SOURCE = Source(Path("/w/a.py"), "python", LINES, tuple(range(60, 180)))


def key(visible_ms: float, *, first: bool = False, one_token_ms: float = 0.0) -> Key:
    stats = Stats(one_token_ms=one_token_ms, queue_ms=1.0)
    return Key(0.0, first, Seen("x", visible_ms, visible_ms + 5, True, stats, False))


def test_no_line_is_typed_twice() -> None:
    plan = FrontsPlan(Path("/w"), [SOURCE, SOURCE], lines=10, keys=3)
    parts = share_out(plan)
    assert [len(part) for part in parts] == [10, 115, 115]
    places = [(visit.file, visit.number) for part in parts for visit in part]
    assert len(set(places)) == 240
    assert share_out(plan) == parts
    with pytest.raises(UsageError, match="240 lines that are worth typing, not 300"):
        share_out(FrontsPlan(Path("/w"), [SOURCE, SOURCE], lines=100))


def test_excerpts_show_the_same_line() -> None:
    cut, number = excerpt(SOURCE, 100)
    assert cut.lines[number] == LINES[100]
    assert cut.lines == LINES[60:121]
    assert cut.path.suffix == ".py"
    _, _, second = share_out(FrontsPlan(Path("/w"), [SOURCE], lines=4, keys=3))
    files, visits = excerpts([SOURCE], second)
    assert len({source.path for source in files}) == len(files) == len(visits)
    for before, after in zip(second, visits, strict=True):
        assert files[after.file].lines[after.number] == LINES[before.number]
        assert after.presses == before.presses


def test_ratios() -> None:
    alone = [key(10.0, first=True, one_token_ms=40.0), key(10.0), key(10.0, one_token_ms=60.0)]
    seen = Together(alone, [key(15.0)] * 2, [key(25.0)] * 2, Warmed(3900, "warmed", 40.0, 1.0))
    summary = summarize(seen)
    assert summary["one_token_ms"] == 50.0
    assert summary["alone"]["n"] == 3
    assert summary["alone"]["first_key_visible_ms"]["p95"] == 10.0
    assert summary["together"]["n"] == 4
    assert summary["ratios"] == {"p50": 2.0, "p95": 2.5}
    warming = {"tokens": 3900, "ended": "warmed", "finished": True, "seconds": 40.0, "held": 1.0}
    assert summary["warming"] == warming


def test_nothing_seen_has_no_ratio() -> None:
    summary = summarize(Together([], [], [], Warmed(0, "", 180.0)))
    assert summary["ratios"] == {"p50": None, "p95": None}
    assert summary["one_token_ms"] is None
    assert not summary["warming"]["finished"]
