"""The scenarios of `bench typing`, as small as they go: what they report, never how fast.

Each evaluates a few hundred tokens with the real model.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from bench_runs import GROUP, bench

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [pytest.mark.engine, pytest.mark.lsp, pytest.mark.slow]


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A folder with two files that call each other's functions."""
    root = tmp_path / "package"
    root.mkdir()
    for name, other in (("orders", "totals"), ("totals", "orders")):
        lines = [f"from {other} import load_{other}", "", ""]
        for number in range(4):
            lines += [f"def {name}_{number}(limit):"]
            lines += [f"    first_{step} = load_{other}({step})" for step in range(9)]
            lines += ["    return first_1", "", ""]
        (root / f"{name}.py").write_text("\n".join(lines))
    return root


def check_groups(told: dict[str, Any], *names: str) -> None:
    for name in names:
        assert told[name].keys() == GROUP
        assert all(value >= 0 for value in told[name].values())


def test_a_session(package: Path, model_path: Path) -> None:
    before = {path.name: path.read_text() for path in package.iterdir()}
    summary, told = bench(
        *("typing", "--scenario", "session", package, "--keys", 40, "--longest-pause", 0.3),
        *("--session-files", 2, "--json", "--model", model_path),
    )
    assert "the session, blocks: " in told
    assert summary["peer"] is None
    assert summary["visits"] >= 1
    ours = summary["ours"]
    check_groups(ours, "visible_ms", "whole_ms")
    assert ours["n"] > 0
    # Every key is asked for, and so is what comes after a suggestion.
    assert ours["n"] + ours["refused"] == ours["pressed"] + ours["accepted"]
    assert ours["pressed"] <= summary["planned_keys"]
    assert ours["foreground_evaluated"] + ours["background_evaluated"] > 50
    assert 0 <= ours["share_evaluated_le_3"] <= 1
    assert 0 <= ours["share_zero_pass"] <= 1
    assert ours["cpu_s"] is None or ours["cpu_s"] > 0
    counters = ours["counters"]
    assert counters.get("cache.hit", 0) + counters.get("cache.miss", 0) > 0
    assert {path.name: path.read_text() for path in package.iterdir()} == before


def test_places(package: Path, model_path: Path) -> None:
    summary, _ = bench(
        *("typing", "--scenario", "places", package, "--rounds", 1, "--session-files", 2),
        *("--json", "--model", model_path),
    )
    ours = summary["ours"]
    assert ours["never_seen"]["n"] >= 1
    assert ours["pause_2s"]["n"] >= 1
    for kind in ("never_seen", "pause_2s", "later_keys"):
        check_groups(ours[kind], "evaluated", "visible_ms", "whole_ms")
    # Wherever one comes to, the keys behind it cost what is typed.
    assert ours["later_keys"]["evaluated"]["p50"] <= 3
    assert summary["ratios"]["pause_2s_to_later_keys"] > 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--scenario", "session", "a.py", "b.py"), "is played in one folder"),
        (("--scenario", "places", "/nonexistent/folder"), "is not a folder"),
        (("--scenario", "session", ".", "--longest-pause", "0"), "must be above 0"),
    ],
)
def test_wrong_usage_is_told(arguments: tuple[str, ...], said: str) -> None:
    _, told = bench("typing", *arguments, code=2)
    assert said in told
    assert told.count("\n") == 1
