"""A trace: what is in its file at any moment, and on which track spans stand."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from sidecar.errors import UsageError
from sidecar.telemetry import Metrics
from sidecar.telemetry.trace import Trace, digest

_KILLED = """
import os, signal, sys
from pathlib import Path
from sidecar.telemetry import Metrics
from sidecar.telemetry.trace import Trace
metrics = Metrics(Trace(Path(sys.argv[1]), "child"))
for number in range(100):
    with metrics.stage("gate", number=number):
        pass
os.kill(os.getpid(), signal.SIGKILL)
"""


def events(path: Path) -> list[dict[str, Any]]:
    """Read a trace as viewers do: the last bracket may be missing."""
    text = path.read_text()
    if not text.endswith("]\n"):
        text += "]"
    found: list[dict[str, Any]] = json.loads(text)
    return found


def spans(path: Path) -> list[dict[str, Any]]:
    return [event for event in events(path) if event["ph"] == "X"]


def test_a_file_is_whole_at_any_moment_and_private(tmp_path: Path) -> None:
    path = tmp_path / "trace.json"
    path.write_text("of old")
    path.chmod(0o644)
    trace = Trace(path, "front")
    metrics = Metrics(trace)
    assert [event["args"] for event in events(path)] == [{"name": "front"}]
    with metrics.stage("gate", texts=3) as facts:
        facts["outcome"] = "offered"
    (span,) = spans(path)
    assert (span["name"], span["args"]) == ("gate", {"texts": 3, "outcome": "offered"})
    assert span["dur"] >= 0
    assert (span["pid"], span["tid"]) == (os.getpid(), 0)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    trace.close()
    assert json.loads(path.read_text())[-1] == span
    # Who is late says nothing, and fails nothing.
    with metrics.stage("late"):
        pass
    trace.close()
    assert spans(path) == [span]


def test_a_killed_process_leaves_what_it_did(tmp_path: Path) -> None:
    path = tmp_path / "trace.json"
    child = subprocess.run([sys.executable, "-c", _KILLED, path], timeout=60, check=False)
    assert child.returncode == -signal.SIGKILL
    assert [span["args"]["number"] for span in spans(path)] == list(range(100))


async def test_spans_that_overlap_stand_on_tracks_of_their_own(tmp_path: Path) -> None:
    path = tmp_path / "trace.json"
    metrics = Metrics(Trace(path, "front"))
    begun, go_on = asyncio.Event(), asyncio.Event()

    async def request(name: str) -> None:
        with metrics.stage("request", name=name), metrics.stage("inner", name=name):
            begun.set()
            await go_on.wait()

    first = asyncio.create_task(request("first"))
    await begun.wait()
    second = asyncio.create_task(request("second"))
    await asyncio.sleep(0)
    go_on.set()
    await asyncio.gather(first, second)
    await asyncio.sleep(0)
    await asyncio.create_task(request("third"))
    tracks = {(span["args"]["name"], span["name"]): span["tid"] for span in spans(path)}
    assert tracks["first", "request"] == tracks["first", "inner"]
    assert tracks["second", "request"] == tracks["second", "inner"]
    assert tracks["first", "request"] != tracks["second", "request"]
    assert tracks["third", "request"] == 1, "tracks are used again"
    named = {event["tid"] for event in events(path) if event["name"] == "thread_name"}
    assert named == set(tracks.values())


def test_a_file_that_cannot_be_written_is_said_at_once(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be written"):
        Trace(tmp_path / "no" / "trace.json", "front")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a full device")
def test_a_full_disk_ends_the_trace_and_nothing_else(caplog: pytest.LogCaptureFixture) -> None:
    metrics = Metrics(Trace(Path("/dev/full"), "front"))
    with metrics.stage("gate"):
        pass
    assert [record.message for record in caplog.records] == [
        "the trace ends here: No space left on device"
    ]
    assert list(metrics.observed().histograms) == ["stage.gate_ms"]


def test_a_digest_tells_names_apart_and_does_not_tell_them() -> None:
    assert digest("file:///a") == digest("file:///a") != digest("file:///b")
    # Names of files need not be text.
    assert len(digest("\ud800")) == 12
