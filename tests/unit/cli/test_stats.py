"""`sidecar stats`: what it says of nothing, of servers, and of engines of all kinds."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from sidecar.cli.main import main
from sidecar.cli.stats_report import Seen, report
from sidecar.engine.launch import observe
from sidecar.telemetry import Metrics
from sidecar.telemetry.posting import Posted, Poster, posted

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SIDECAR_RUNTIME_DIR", str(tmp_path))
    tmp_path.chmod(0o700)
    return tmp_path


def front(name: str = "Neovim") -> Posted:
    metrics = Metrics()
    for counter, number in (
        ("completion.offered", 1200),
        ("completion.empty.superseded", 30),
        ("completion.empty.inside_word", 40),
        ("cache.hit", 60),
        ("cache.miss", 40),
        ("prompt.evaluated", 100),
        ("prompt.reused", 9900),
        ("warming.hits", 1),
        ("warming.hits.blank_line", 1),
        ("warming.held_back.busy", 2),
    ):
        metrics.count(counter, number)
    for evaluated in (0, 1, 2, 900):
        metrics.observe("completion.evaluated", evaluated)
        metrics.observe("completion.visible_ms", 1.5)
    facts = {"client": name, "started": 0.0}
    return Posted(4711, facts, 7300.0, metrics.observed())


ENGINE: dict[str, Any] = {
    "engine": "0123456789ab",
    "phase": "ready",
    "info": {"prompt_tokens_per_s": 312.4, "one_token_ms": 25.25},
    "pid": 4712,
    "model": "code.gguf",
    "fronts": 1,
    "busy": True,
    "queue": {"interactive": 0, "speculative": 1, "warming": 0},
    "lanes": [1000, 0],
    "lane_details": [
        {"tokens": 1000, "rows": 12, "holds": "typed", "idle_s": 1.0},
        {"tokens": 0, "rows": 0, "holds": "nothing", "idle_s": None},
    ],
    "cells_used": 1000,
    "cells": 8000,
    "cell_bytes": 12288,
    "rows": 12,
    "row_bytes": 600_000,
    "counters": {"requests.warming": 3, "evaluated.warming": 700, "prompt.evaluated": 700},
}


def said(*lines: str, seen: Seen) -> None:
    """Check that lines are in a report, whatever stands between the words."""
    found = [" ".join(line.split()) for line in report(seen)]
    assert [line for line in lines if line not in found] == [], "\n".join(found)


def test_servers_are_told_by_theme() -> None:
    said(
        "1 server: Neovim (4711, 2 h 01 min); 0 engines",
        "answered 1,200 accepted 0",
        "answered with nothing 70 inside word 40, superseded 30",
        "known before 60.0 % of the rest 0.0 % joined what was being generated",
        "first new text p50 1.5 p90 1.5 p95 1.5",
        "evaluated tokens 100 reused 9,900; 1.0 % evaluated",
        "requests 4 of which 75.0 % evaluated at most 3 tokens",
        "warm-ups come to 100.0 % of 0 places: blank line 100.0 %",
        "their tokens used - of 0 evaluated; held back 2 times",
        seen=Seen([front()], [], 7300.0),
    )


def test_engines_are_told_with_their_lanes() -> None:
    said(
        "0 servers; 1 engine",
        "engine 4712: code.gguf",
        "at work yes waiting: interactive 0, speculative 1, warming 0",
        "servers 1 reads 312 tokens/s, one token in 25.2 ms",
        "cells 1,000 of 8,000: 12.3 MB of 98.3 MB",
        "lanes 2 1,000 typed 0 nothing",
        "rows of logits 12 7.2 MB",
        "requests 3 interactive 0, speculative 0, warming 3",
        seen=Seen([], [ENGINE], 0.0),
    )


@pytest.mark.parametrize(
    ("engine", "line"),
    [
        ({"engine": "0123", "phase": "silent"}, "engine 0123: unknown model does not answer"),
        ({**ENGINE, "phase": "loading"}, "engine 4712: code.gguf is loading"),
        ({**ENGINE, "phase": "ready"}, "engine 4712: code.gguf is of another version, and tells"),
    ],
)
def test_an_engine_that_tells_less(engine: dict[str, Any], line: str) -> None:
    engine = {name: value for name, value in engine.items() if name != "lane_details"}
    assert report(Seen([], [engine], 0.0))[-1].startswith(line)


def test_what_a_client_calls_itself_does_not_reach_the_terminal() -> None:
    assert "\x1b" not in "".join(report(Seen([front("a\x1b[2J")], [], 0.0)))


def test_a_server_that_counted_nothing_yet() -> None:
    empty = Posted(1, {}, 0.0, Metrics().observed())
    said("answered 0 accepted 0", "nothing yet", seen=Seen([empty], [], 0.0))


def test_where_nothing_runs(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["stats"]) == 0
    assert "no server and no engine" in capsys.readouterr().out
    assert main(["stats", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["counters"], found["histograms"], found["fronts"]) == ({}, {}, [])
    # An engine that was killed leaves its socket.
    (folder / "0123456789ab.sock").touch()
    assert main(["stats", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["engines"] == []


def test_wrong_usage_is_one_line(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["stats", "--json", "--watch"]) == 2
    assert main(["--trace", str(folder / "t"), "stats"]) == 2
    assert main(["--trace", str(folder / "no" / "t"), "--stdio"]) == 2
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 3
    assert "writes no trace" in said[1]
    assert not (folder / "t").exists()


async def test_the_contract_of_servers_together_and_each(folder: Path) -> None:
    metrics = [Metrics(), Metrics()]
    posters = [Poster(folder, one, lambda: {"client": "vi"}) for one in metrics]
    for one in metrics:
        one.count("completion.offered", 2)
        one.observe("request_ms", 4.0)
    tasks = [asyncio.create_task(poster.keep()) for poster in posters]
    async with asyncio.timeout(30):
        while len(posted(folder)) < 2:  # noqa: ASYNC110 - files tell nobody.
            await asyncio.sleep(0.01)
    command = [sys.executable, "-m", "sidecar", "stats"]
    child = await asyncio.to_thread(
        subprocess.run, [*command, "--json"], capture_output=True, check=True, timeout=60
    )
    found = json.loads(child.stdout)
    assert found["counters"] == {"completion.offered": 4}
    assert found["histograms"]["request_ms"] == {"mean": 4.0, "p50": 4.0, "p90": 4.0, "p95": 4.0}
    assert [one["client"] for one in found["fronts"]] == ["vi", "vi"]
    assert [one["counters"] for one in found["fronts"]] == [{"completion.offered": 2}] * 2
    # Piped, it goes on, line by line and without a terminal's codes.
    watching = await asyncio.create_subprocess_exec(
        *command, "--watch", stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert watching.stdout is not None
    looks, lines = 0, b""
    async with asyncio.timeout(60):
        while looks < 2:
            line = await watching.stdout.readline()
            looks += line.startswith(b"2 servers: vi")
            lines += line
    watching.terminate()
    await watching.communicate()
    assert b"\x1b" not in lines
    for poster, task in zip(posters, tasks, strict=True):
        poster.close()
        task.cancel()
    await asyncio.wait(tasks)
    assert os.listdir(folder) == []


async def test_an_engine_that_hangs_is_named(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sidecar.engine.launch._LOOK_SECONDS", 0.05)
    silent = asyncio.Event()

    async def accept(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await silent.wait()
        writer.close()

    server = await asyncio.start_unix_server(accept, folder / "0123456789ab.sock")
    assert await observe(folder) == [{"engine": "0123456789ab", "phase": "silent"}]
    silent.set()
    server.close()
    await server.wait_closed()


def test_a_draft_model_is_told_of_where_there_is_one() -> None:
    told = {"pays": True, "worth": 1.27, "problem": ""}
    counters = {**ENGINE["counters"], "draft.model_tokens": 200}
    engine = {
        **ENGINE,
        "counters": counters,
        "rates": {"draft_model": 0.75},
        "draft_model": told,
    }
    line = "draft model's tokens 200 75.0 % accepted; used: 1.27 x as fast lately"
    said(line, seen=Seen((), [engine], 7300.0))
    engine["draft_model"] = {"pays": False, "worth": None, "problem": "the draft model failed"}
    line = "draft model's tokens 200 75.0 % accepted; not used: the draft model failed"
    said(line, seen=Seen((), [engine], 7300.0))
