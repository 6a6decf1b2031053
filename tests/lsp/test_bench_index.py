"""`sidecar bench index`: the contract, from real fronts on a small tree; no number is judged."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.lsp


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    root = tmp_path / "tree"
    for number in range(60):
        folder = root / f"package_{number % 4}"
        folder.mkdir(parents=True, exist_ok=True)
        lines = [f"from package_{n}.module_{n} import function_{n}_0" for n in range(3)]
        for part in range(30):
            lines += [f"def function_{number}_{part}(value):", f"    return value + {part}", ""]
        (folder / f"module_{number}.py").write_text("\n".join(lines) + "\n")
    # A file of which the grammar makes one error: what is added to it is not found by name.
    (root / "damaged.py").write_text("(bar.\n" * 20)
    (root / ".env").write_text("TOKEN=1\n")
    return root


def test_the_contract(tree: Path) -> None:
    before = sorted((path, path.stat().st_mtime_ns) for path in tree.rglob("*"))
    done = subprocess.run(
        [
            *(sys.executable, "-m", "sidecar", "bench", "index", str(tree), "--json"),
            *("--rounds", "2", "--editors", "2", "--starts", "1", "--seconds", "1"),
        ],
        capture_output=True,
        text=True,
        check=False,
        timeout=110,
    )
    assert done.returncode == 0, done.stderr
    said: dict[str, Any] = json.loads(done.stdout)
    # Ours are among them: two edited ones, three of the chain, and what makes them a package.
    assert said["files"] == 67
    assert said["symbols"] > 60 * 30
    for key in (
        *("first_index_s", "bare_parse_s", "restart_s", "lookups_per_s", "rss_mb_per_100k"),
        *("db_bytes_per_100k", "ratio_to_bare_parse", "reader_lookups_per_s"),
    ):
        assert said[key] > 0, key
    assert said["visible_ms"].keys() == {"body", "interface", "concurrent"}
    for group in (*said["visible_ms"].values(), said["watcher_ms"]):
        assert group.keys() == {"mean", "p50", "p90", "p95"}
    assert {"ctags_s", "imports_known_ms"} <= said.keys()
    assert said["switch"]["files"] == 66 and said["switch"]["keys"] > 0
    assert said["switch"]["unknown"] == [] and said["switch"]["known_s"] > 0
    # The tree itself was not touched.
    assert sorted((path, path.stat().st_mtime_ns) for path in tree.rglob("*")) == before
