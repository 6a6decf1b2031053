"""`bench quality` and `bench context` from end to end, as small as they go.

The first evaluates a few hundred tokens with the real model.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from bench_runs import GROUP, bench

if TYPE_CHECKING:
    from pathlib import Path

VARIANT = {
    *("name", "exact_match", "edit_similarity", "identifier_match", "parses"),
    *("show_rate", "precision_shown", "delta", "ci95"),
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "shop"
    root.mkdir()
    (root / "prices.py").write_text("def gross_price(net):\n    return net * 119 / 100\n")
    (root / "orders.py").write_text(
        "from prices import gross_price\n\n\n"
        "def total(order):\n    return gross_price(order.net)\n\n\n"
        "def shipping(parcel):\n    return gross_price(parcel.weight * 3)\n"
    )
    return root


@pytest.mark.engine
@pytest.mark.slow
def test_quality_goes_on_where_it_stopped(project: Path, model_path: Path) -> None:
    kept = project.parent / "run.jsonl"
    arguments = (
        *("quality", project, "--limit", 2, "--seed", 4, "--json", "--model", model_path),
        *("--variants", "full", "current-file", "ring", "whole-file", "--without", "outline"),
        *("--choose-threshold", "--resume", kept),
    )
    summary, told = bench(*arguments)
    assert "quality, answers: 10 of 10" in told
    assert summary["n"] == 2
    names = [variant["name"] for variant in summary["variants"]]
    assert names == ["full", "current-file", "ring", "whole-file", "without:outline"]
    for variant in summary["variants"]:
        assert variant.keys() >= VARIANT
        assert 0 <= variant["exact_match"] <= 1
        assert variant["prompt_tokens"]["mean"] > 20
        low, high = variant["ci95"]
        assert low <= variant["delta"] <= high
    full, alone = summary["variants"][:2]
    assert full["delta"] == 0
    assert alone["placed"] == {}
    lines = kept.read_text().splitlines()
    again, _ = bench(*arguments)
    assert again == summary
    # Nothing was asked again.
    assert kept.read_text().splitlines() == lines


def test_tasks_are_listed_without_a_model(project: Path) -> None:
    listed, _ = bench("quality", project, "--limit", 9, "--tasks", "--json")
    assert sorted(task["name"] for task in listed["tasks"]) == [
        "shop/orders.py:5",
        "shop/orders.py:9",
    ]
    assert {task["needs"] for task in listed["tasks"]} == {"prices.py"}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("quality", "missing"), "is not a folder"),
        (("quality", ".", "--without", "others"), "no source of context named 'others'"),
        (("quality", ".", "--variants", "best"), "no variant 'best'"),
        (("quality", ".", "."), "the same name"),
        (("context", "missing"), "is not a folder"),
        (("context", ".", "--sources", "others"), "no source of context named 'others'"),
        (("context", "."), "no two files"),
    ],
)
def test_what_cannot_be_measured_is_told(
    project: Path, arguments: tuple[str, ...], said: str
) -> None:
    paths = {".": project, "missing": project / "missing"}
    _, told = bench(*(paths.get(word, word) for word in arguments), code=2)
    assert said in told
    assert told.count("\n") <= 2


def test_context(project: Path) -> None:
    for name in ("one", "two"):
        code = "".join(
            f"def {name}_{n}(net):\n    return gross_price(net)\n\n\n" for n in range(40)
        )
        (project / f"{name}.py").write_text(f"from prices import gross_price\n\n\n{code}")
    summary, told = bench("context", project, "--files", 1, "--moves", 4, "--json")
    assert "contexts, moves: 11 of 11" in told
    assert summary["n"] == 11
    assert summary["tokens_ratio"].keys() == GROUP
    assert summary["build_ms"].keys() == GROUP
    for key in (
        "head_unchanged_within_file",
        "prompt_unchanged_within_file",
        "prompt_unchanged_switch_back",
    ):
        assert 0 <= summary[key] <= 1
