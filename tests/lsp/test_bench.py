"""The benchmarks from end to end, as small as they go: what they report, never how fast.

Each evaluates a few hundred tokens with the real model.
"""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

import psutil
import pytest
from bench_runs import GROUP, bench

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

pytestmark = [pytest.mark.engine, pytest.mark.lsp, pytest.mark.slow]

LINE = '    total = combine(first["one"], second)'


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """A file with two functions whose lines are worth typing."""
    head = "".join(f"a_{n} = {n}\n" for n in range(58))
    body = "def run(first, second):\n    check(first)\n" + f"{LINE}\n" * 2 + "    return total\n"
    path = tmp_path / "source.py"
    path.write_text(head + body + "\n\n" + "z = 1\n" * 30)
    return path


def check_keys(keys: dict[str, Any], n: int) -> None:
    assert keys["n"] == n
    for name in ("evaluated", "passes", "ttft_ms", "visible_ms", "overhead_ms"):
        assert keys[name].keys() == GROUP
        assert all(value >= 0 for value in keys[name].values())
    assert 0 <= keys["share_zero_pass"] <= 1


@pytest.mark.parametrize("options", [(), ("--autoclose",)])
def test_typing(source: Path, model_path: Path, options: Sequence[str]) -> None:
    summary, told = bench(
        *("typing", source, "--lines", 2, "--keys", 3 if not options else 26),
        *("--before-lines", 8, "--after-lines", 4, "--json", "--model", model_path),
        *options,
    )
    assert "lines: 2 of 2" in told
    assert summary["peer"] is None
    ours = summary["ours"]
    assert ours["refused"] == 0
    check_keys(ours["first_key"], 2)
    check_keys(ours["later_keys"], 2 * (2 if not options else 25))
    # A new line is a new prompt; a key behind it costs what was typed, closers or not.
    assert ours["first_key"]["evaluated"]["mean"] > 20
    assert ours["later_keys"]["evaluated"]["mean"] <= 3
    assert summary["one_token_ms"] > 0
    assert summary["ratios"]["visible_p50_to_one_token"] > 0


def test_infilling_goes_on_where_it_stopped(tmp_path: Path, model_path: Path) -> None:
    data = tmp_path / "data.jsonl"
    with data.open("w") as file:
        for name in ("add", "sub"):
            row = {
                "task_id": name,
                "prompt": f"def {name}(left, right):\n",
                "canonical_solution": "    return left + right\n",
                "suffix": "\n\nx = 1\n",
            }
            file.write(json.dumps(row) + "\n")
    kept = tmp_path / "run.jsonl"
    common = ("infilling", data, "--json", "--resume", kept, "--model", model_path)
    one, _ = bench(*common, "--limit", 1)
    before = kept.read_text()
    two, _ = bench(*common, "--limit", 2)
    assert kept.read_text().startswith(before)
    assert [result["n"] for result in one["results"]] == [1] * 4
    assert [(result["layout"], result["heal"]) for result in two["results"]] == [
        ("plain", False),
        ("plain", True),
        ("anchored", False),
        ("anchored", True),
    ]
    for result in two["results"]:
        assert result["n"] == 2
        assert 0 <= result["exact_match"] <= 1
        assert 0 <= result["edit_similarity"] <= 1
    # A key in the usual layout costs the suffix, in ours the key.
    assert two["results"][3]["evaluated"] <= 3
    low, high = two["difference"]["ci95"]
    assert low <= two["difference"]["exact_match"] <= high

    _, told = bench(*common, "--limit", 2, "--seed", 4, code=2)
    assert "is not of this run" in told


def test_one_variant_of_a_folder_of_code(tmp_path: Path, model_path: Path) -> None:
    lines = "".join(f"    value_{n} = combine(argument, {n})\n" for n in range(9))
    (tmp_path / "a.py").write_text(f"def build(argument):\n{lines}    return value_3\n")
    summary, _ = bench(
        *("infilling", tmp_path, "--layout", "anchored", "--heal", "--limit", 1),
        *("--json", "--model", model_path),
    )
    ((result),) = summary["results"]
    assert (result["layout"], result["heal"], result["n"]) == ("anchored", True, 1)
    assert summary["difference"] is None


def test_cancelling(model_path: Path) -> None:
    summary, _ = bench(*("cancel", "--rounds", 1, "--tokens", 250, "--json", "--model", model_path))
    (only,) = summary["rounds"]
    assert summary["n"] == 1, only
    assert only["decodes_after"] == 0
    assert only["finished_tokens"] < only["prompt_tokens"]
    # What was finished is not evaluated again.
    assert only["reused_tokens"] >= only["finished_tokens"]
    assert only["evaluated_tokens"] == only["prompt_tokens"] - only["reused_tokens"]


def test_a_model_that_is_not_there_is_told(source: Path) -> None:
    _, told = bench("typing", source, "--model", "/nonexistent/model.gguf", code=2)
    assert told.count("\n") == 1
    assert told.startswith("sidecar: ")
    assert "; " in told


def test_an_interrupt_leaves_no_server(source: Path, model_path: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "sidecar", "bench", "typing", source, "--model", model_path],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    started: list[psutil.Process] = []
    while not started and process.poll() is None:
        started = psutil.Process(process.pid).children()
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=30)
    assert process.returncode == 130, told
    assert "Traceback" not in told
    gone, left = psutil.wait_procs(started, timeout=30)
    assert gone and not left
