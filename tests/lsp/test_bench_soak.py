"""Long runs from end to end, as short as they go: what they report, never how fast or how much."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from bench_runs import GROUP, bench

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [pytest.mark.engine, pytest.mark.lsp, pytest.mark.slow]

LINE = '    total = combine(first["one"], second)'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two files with functions whose lines are worth typing."""
    for name in ("one", "two"):
        # Lines near the margins are not typed; empty ones are few tokens to evaluate.
        head = "".join(f"{name}_{n} = {n}\n" for n in range(8)) + "\n" * 50
        body = f"def run_{name}(first, second):\n    check(first)\n" + f"{LINE}\n" * 6
        (tmp_path / f"{name}.py").write_text(head + body + "\n" * 26 + "z = 1\n" * 6)
    return tmp_path


def test_a_short_soak_ends_what_it_started_and_loses_nothing(
    folder: Path, model_path: Path
) -> None:
    before = {path: path.read_text() for path in folder.iterdir()}
    summary, told = bench(*("soak", folder, "--duration", "6s", "--json", "--model", model_path))
    assert "working, seconds: 6 of 6" in told
    assert summary["found"] == []
    assert set(summary["not_judged"]) == {"memory", "speed"}
    assert summary["seconds"] >= 6
    assert summary["files"] == 2
    assert summary["requests"] > 0
    assert summary["visible_over_one_token"].keys() == {"second_quarter", "last_quarter"}
    assert 1 <= summary["restarts"] == len(summary["disturbances"]) <= 8
    assert {"front", "engine"} <= summary["pss_mb"].keys()
    assert all(start > 0 and end > 0 for start, end in summary["pss_mb"].values())
    assert summary["lanes"]["lost"] == 0
    assert 0 < summary["lanes"]["most_cells"] <= summary["lanes"]["cells"]
    # It worked in a copy.
    assert {path: path.read_text() for path in folder.iterdir()} == before


def test_two_fronts_and_a_long_prompt(folder: Path, model_path: Path) -> None:
    summary, _ = bench(
        *("fronts", folder, "--lines", 1, "--keys", 2, "--tokens", 150, "--json"),
        *("--patience", "30s"),
        *("--model", model_path),
    )
    assert summary["alone"]["n"] == 2
    for who in ("first", "second"):
        assert summary[who]["n"] >= 2
        assert summary[who]["visible_ms"].keys() == GROUP
    assert summary["together"]["n"] == summary["first"]["n"] + summary["second"]["n"]
    assert summary["ratios"]["p95"] > 0
    warming = summary["warming"]
    assert warming["ended"] in {"", "warmed", "held", "no_room", "cancelled", "failed"}
    assert warming["finished"] == (warming["ended"] == "warmed")
    assert 0 <= warming["held"] <= 1


def test_what_cannot_be_worked_in_is_told(tmp_path: Path) -> None:
    _, told = bench("soak", tmp_path, "--duration", "30x", code=2)
    assert "write it as 90s, 30m or 1h30m" in told
    for name in ("soak", "fronts"):
        _, told = bench(name, tmp_path, code=2)
        assert told.count("\n") == 1
        assert "has no file with lines to type again" in told
