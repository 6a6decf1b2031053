"""Complaint 22: the CPU is busy when nobody types, and toggling makes it slower each time.

continuedev/continue#1622, #7372, #3616.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import psutil
import pytest
from lsp_client import LspClient

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.lsp

URI = "file:///w/a.py"
SECONDS = 2.0


@pytest.mark.engine
async def test_nothing_computes_while_nobody_types(model_path: object) -> None:
    """Evaluates some 20 tokens; what is compared is CPU time, which a busy machine does not add."""
    async with LspClient() as client:
        await client.initialize()
        await client.ready()
        client.open(URI, "def add(a, b):\n    return ")
        _, answer = client.complete(URI, 1, 11)
        assert await asyncio.wait_for(answer, 60)
        # What is shown is followed by one guess, of what comes after it.
        async with asyncio.timeout(60):
            counters: dict[str, int] = {}
            while not counters.get("speculation.answered"):
                await asyncio.sleep(0.02)
                counters = (await client.request("sidecar/stats"))["counters"]
        engine = (await client.request("sidecar/status"))["engine"]["pid"]
        processes = [psutil.Process(pid) for pid in (client.process.pid, engine)]
        before = [sum(process.cpu_times()[:2]) for process in processes]
        await asyncio.sleep(SECONDS)
        after = [sum(process.cpu_times()[:2]) for process in processes]
        for start, end in zip(before, after, strict=True):
            assert end - start <= 0.05 * SECONDS


async def test_toggling_leaves_nothing_behind(no_model: dict[str, str]) -> None:
    async with LspClient(environment=no_model) as client:
        await client.initialize()
        client.open(URI, "x = ")
        process = psutil.Process(client.process.pid)
        held = []
        for round_number in range(60):
            settings = {"sidecar": {"completion": {"enabled": bool(round_number % 2)}}}
            client.notify("workspace/didChangeConfiguration", {"settings": settings})
            _, answer = client.complete(URI, 0, 4)
            assert await answer is None
            held.append((process.num_threads(), process.num_fds()))
        assert max(held[20:]) <= max(held[:20])
        counters = (await client.request("sidecar/stats"))["counters"]
        # Each request was handled once.
        assert counters["completion.empty.disabled"] == 30
        assert counters["completion.empty.engine_not_ready"] == 30
        assert len(client.notifications["window/logMessage"]) <= 70


async def test_an_index_that_is_complete_costs_nothing(
    tmp_path: Path, no_model: dict[str, str]
) -> None:
    root = tmp_path / "work"
    root.mkdir()
    for number in range(50):
        (root / f"module_{number}.py").write_text(f"def function_{number}(): ...\n")
    async with LspClient(environment=no_model) as client:
        await client.initialize(rootUri=root.as_uri())
        client.open((root / "module_1.py").as_uri(), "def function_1(): ...\n")
        index: dict[str, Any] = {"roots": []}
        while not index["roots"] or index["roots"][0]["firstSeconds"] is None:
            await asyncio.sleep(0.05)
            index = (await client.request("sidecar/status"))["index"]
        # What was written a moment ago is looked at once more, until its time can be relied on.
        await asyncio.sleep(4.0)
        indexer = psutil.Process(index["pid"])
        processes = [psutil.Process(client.process.pid), indexer, *indexer.children(recursive=True)]
        before = [sum(process.cpu_times()[:2]) for process in processes]
        await asyncio.sleep(SECONDS)
        after = [sum(process.cpu_times()[:2]) for process in processes]
        for start, end in zip(before, after, strict=True):
            assert end - start <= 0.05 * SECONDS
