"""What a server tells of itself: `sidecar/stats`, its file for `sidecar stats`, and its trace."""

from __future__ import annotations

import asyncio
import json
import os
import stat
from typing import TYPE_CHECKING, Any

import pytest
from lsp_client import LspClient

from sidecar.engine.launch import observe
from sidecar.telemetry.posting import Posted, posted

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

pytestmark = pytest.mark.lsp

URI = "file:///w/very_secret_name.py"
CODE = """\
import math


class Circle:
    def __init__(self, hidden_radius):
        self.hidden_radius = hidden_radius

    def area(self):
        return math.pi * self.hidden_radius ** 2

    def circumference(self):
        return
"""
STAGES = {
    "request",
    "gate",
    "cache",
    "anchor",
    "context",
    "count",
    "prompt",
    "engine",
    "send",
    "queue",
    "prompt evaluation",
    "first token",
    "generation",
    "finish",
}


def spans(path: Path) -> list[dict[str, Any]]:
    """Read a trace as viewers do: the last bracket may be missing."""
    text = path.read_text()
    if not text.endswith("]\n"):
        text += "]"
    events: list[dict[str, Any]] = json.loads(text)
    return [event for event in events if event["ph"] == "X"]


async def told(client: LspClient, folder: Path, seen: Callable[[Posted], bool]) -> Posted:
    """Wait until a server's file says something."""
    async with asyncio.timeout(60):
        while True:
            for front in posted(folder):
                if front.pid == client.process.pid and seen(front):
                    return front
            await asyncio.sleep(0.05)


async def test_a_server_is_found_until_it_ends(client: LspClient, runtime_dir: Path) -> None:
    await client.initialize(clientInfo={"name": "An editor"})
    front = await told(client, runtime_dir, lambda _: True)
    assert front.facts["client"] == "An editor"
    client.open(URI, CODE)
    _, answer = client.complete(URI, 11, 14)
    await answer
    front = await told(client, runtime_dir, lambda front: front.facts["documents"] == 1)
    stats = await client.request("sidecar/stats")
    assert stats["engine"] is None
    assert stats["rates"]["cache"] == 0.0
    assert set(stats) >= {"counters", "histograms"}
    assert await client.shutdown() == 0
    assert client.process.pid not in [front.pid for front in posted(runtime_dir)]


async def test_what_a_killed_server_left_is_removed(client: LspClient, runtime_dir: Path) -> None:
    await client.initialize()
    await told(client, runtime_dir, lambda _: True)
    client.process.kill()
    await client.process.wait()
    assert client.process.pid not in [front.pid for front in posted(runtime_dir)]


async def test_a_trace_that_cannot_be_written_is_said_before_anything(tmp_path: Path) -> None:
    async with LspClient("--trace", str(tmp_path / "no" / "t.json")) as client:
        assert await asyncio.wait_for(client.process.wait(), 60) == 2
    assert client.stderr.count(b"\n") == 1
    assert b"cannot be written" in client.stderr


@pytest.mark.engine
async def test_every_stage_of_a_request_is_traced_and_nothing_of_the_code(
    tmp_path: Path, model_path: Path, runtime_dir: Path
) -> None:
    path = tmp_path / "trace.json"
    async with LspClient("--trace", str(path)) as client:
        await client.initialize()
        await client.ready()
        client.open(URI, CODE)
        for _ in range(2):
            # The second is answered from the cache.
            _, answer = client.complete(URI, 11, 14)
            assert await answer
        stats = await client.request("sidecar/stats")
        front = await told(client, runtime_dir, lambda f: "cache.hit" in f.observed.counters)
        engines = await observe(runtime_dir)
        client.process.kill()
        await client.process.wait()

    engine = stats["engine"]
    assert engine["pid"] == front.facts["engine"]["pid"]
    assert engine["counters"]["requests.interactive"] >= 1
    assert set(engine["queue"]) == {"interactive", "speculative", "warming"}
    assert [lane["tokens"] for lane in engine["lane_details"]] == engine["lanes"]
    assert engine["cells_used"] <= engine["cells"]
    # Qwen2.5-Coder 0.5B: 24 layers, 2 heads of 64 for keys and values, 16 bits each.
    assert engine["cell_bytes"] == 24 * 2 * 64 * 2 * 2
    assert engine["rows"] > 0
    assert engine["pid"] in [one["pid"] for one in engines if one["phase"] == "ready"]
    histograms = stats["histograms"]
    assert {"completion.first_token_ms", "completion.per_token_ms"} <= set(histograms)
    assert stats["rates"]["cache"] == 0.5
    evaluated, reused = (front.observed.counters[f"prompt.{n}"] for n in ("evaluated", "reused"))
    assert stats["rates"]["prompt_evaluated"] == pytest.approx(evaluated / (evaluated + reused))

    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    found = spans(path)
    assert {span["name"] for span in found} >= STAGES
    requests = [span for span in found if span["name"] == "request"]
    assert [span["args"]["origin"] for span in requests] == ["engine", "cache"]
    first = requests[0]
    assert first["args"]["evaluated"] + first["args"]["reused"] == evaluated + reused
    inside = [span for span in found if span["tid"] == first["tid"] and span["ts"] >= first["ts"]]
    end = first["ts"] + first["dur"]
    inside = [span for span in inside if span["ts"] <= end]
    assert {span["name"] for span in inside} >= STAGES
    assert all(span["ts"] + span["dur"] <= end + 1 for span in inside)
    text = path.read_text()
    for secret in ("secret", "radius", "Circle", "/w/", os.sep + "w"):
        assert secret not in text
