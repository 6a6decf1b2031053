"""Walks go where they say, and shares of prompts are counted from their beginnings."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from sidecar.bench.context_walk import Move, WalkPlan, summarize, walk
from sidecar.bench.quality_tasks import indexed
from sidecar.errors import UsageError
from sidecar.settings import load

if TYPE_CHECKING:
    from pathlib import Path

CODE = "import os\n\n\n" + "".join(
    f"def function_{n}(value):\n    result = value + {n}\n    return os.fspath(result)\n\n\n"
    for n in range(60)
)
SETTINGS, _ = load({"context": {"sources": ["outline"], "headTokens": 4000}})


async def test_a_walk_of_two_files(tmp_path: Path) -> None:
    root = tmp_path / "tree"
    root.mkdir()
    for name in ("a.py", "b.py", "short.py"):
        (root / name).write_text(CODE if name != "short.py" else "x = 1\n")
    with indexed(root, tmp_path) as tree:
        heard: list[tuple[int, int]] = []
        plan = WalkPlan(files=5, moves=6, seed=2, edits=2)
        moves = await walk(tree, plan, SETTINGS, lambda *done: heard.append(done))
        again = await walk(tree, plan, SETTINGS)
    kinds = ["first", *["within"] * 6, "other", "back", "edited", "edited"]
    assert [move.kind for move in moves] == kinds
    assert heard[-1] == (11, 11)
    assert moves[0].build_ms is None
    # Where one goes to, and what is shown there, does not depend on the clock.
    assert [move._replace(build_ms=None) for move in moves] == [
        move._replace(build_ms=None) for move in again
    ]
    # A line more, but the same file as to what its bodies hold.
    assert [move.head for move in moves[9:]] in ([1.0, 1.0], [None, 1.0], [None, None])
    for move in moves[1:7] + moves[8:9]:
        assert move.head in (None, 1.0) or not move.moved
        assert 0.5 < move.whole <= 1.0
    assert all(move.files_tokens == move.file_tokens for move in moves)


async def test_a_project_of_one_file_is_refused(tmp_path: Path) -> None:
    root = tmp_path / "tree"
    root.mkdir()
    (root / "a.py").write_text(CODE)
    with indexed(root, tmp_path) as tree, pytest.raises(UsageError, match="no two files"):
        await walk(tree, WalkPlan(), SETTINGS)


def test_a_summary_has_the_keys_of_the_contract() -> None:
    def move(kind: str, head: float | None, whole: float, *, moved: bool = True) -> Move:
        return Move(kind, None if kind == "first" else 4.0, moved, 500, 1_000, 2_000, head, whole)

    summary = summarize(
        [
            move("first", None, 0.0),
            move("within", 1.0, 0.6),
            move("within", 0.8, 0.4),
            # Where the anchor serves still, nothing was made anew.
            move("within", 1.0, 1.0, moved=False),
            move("other", None, 0.0),
            move("back", 0.9, 0.7),
            # What is shown after an edit is another text, and counts for its time alone.
            move("edited", 0.0, 0.0)._replace(build_ms=6.0),
        ]
    )
    assert summary["n"] == 7
    assert summary["build_after_edit_ms"]["p95"] == 6.0
    assert summary["tokens_ratio"]["mean"] == 0.25
    assert summary["tokens_ratio_current_file"]["mean"] == 0.5
    assert summary["build_ms"]["p95"] == 4.0
    assert summary["head_unchanged_within_file"] == pytest.approx(0.9)
    assert summary["prompt_unchanged_within_file"] == pytest.approx(0.5)
    assert summary["prompt_unchanged_switch_back"] == pytest.approx(0.7)
