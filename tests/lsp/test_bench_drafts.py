"""`sidecar bench drafts` from end to end, as small as it goes: what it reports, never how fast."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from bench_runs import GROUP, bench

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [pytest.mark.engine, pytest.mark.lsp, pytest.mark.slow]


def test_drafts(tmp_path: Path, model_path: Path) -> None:
    fields = "".join(f"    {name}_count: int = 0\n" for name in ("file", "line", "word", "token"))
    (tmp_path / "counts.py").write_text("class Counts:\n" + fields * 8)
    summary, told = bench("drafts", tmp_path, "--limit", 2, "--json", "--model", model_path)
    assert "drafts, tasks: 2 of 2" in told
    assert summary["n"] == summary["repetitive"]["n"] + summary["rest"]["n"] == 2
    group = summary["repetitive"]
    assert group["plain_ms"].keys() == group["drafts_ms"].keys() == GROUP
    assert group["time_ratio"] > 0
    # What was chosen came along, or nothing could be said of differences.
    assert group["tokens"] > 1
    assert summary["differ_beyond_tie"] == 0
    assert summary["differ_share"] == len(summary["differ"]) / 2
