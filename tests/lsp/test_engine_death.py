"""A front outlives its engine: empty answers, a new engine, and an end to trying."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import tempfile
from typing import TYPE_CHECKING

import psutil
import pytest
from lsp_client import LspClient

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = [
    pytest.mark.engine,
    pytest.mark.lsp,
    pytest.mark.slow,
    pytest.mark.skipif(os.name != "posix", reason="SIGKILL is POSIX"),
]

URI = "file:///w/a.py"
CODE = "def add(a, b):\n    return "


@pytest.fixture(scope="module")
def own_engine(runtime_dir: Path, model_path: Path) -> Iterator[dict[str, str]]:
    """An environment whose engine only the tests here use, and that leaves none behind."""
    folder = tempfile.mkdtemp(dir=runtime_dir)
    yield {"SIDECAR_RUNTIME_DIR": folder}
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error, OSError):
            if process.environ().get("SIDECAR_RUNTIME_DIR") == folder:
                process.kill()


async def engine_pid(client: LspClient) -> int | None:
    pid: int | None = (await client.request("sidecar/status"))["engine"]["pid"]
    return pid


async def test_a_kill_in_the_middle_gives_an_empty_answer_and_then_a_new_engine(
    own_engine: dict[str, str],
) -> None:
    async with LspClient(environment=own_engine) as client:
        await client.initialize()
        await client.ready()
        first = await engine_pid(client)
        assert first is not None
        settings = {
            "sidecar": {"completion": {"multiline": True, "maxTokens": 512, "stream": "words"}}
        }
        client.notify("workspace/didChangeConfiguration", {"settings": settings})
        client.open(URI, "# Print the numbers from one to a hundred, one a line.\nprint(1)\nprint(")
        _, answer = client.complete(URI, 2, 6, streamToken="s")
        await client.seen("sidecar/inlineCompletionProgress", lambda p: p["text"] and not p["done"])
        os.kill(first, signal.SIGKILL)
        assert await asyncio.wait_for(answer, 60) is None
        # The very next request waits for the new engine instead of being lost.
        client.open(URI, CODE)
        _, answer = client.complete(URI, 1, 11)
        assert (await asyncio.wait_for(answer, 60))["items"]
        second = await engine_pid(client)
        assert second not in (None, first)
        counters = (await client.request("sidecar/stats"))["counters"]
        assert counters["engine.deaths"] == 1
        assert counters["completion.empty.engine_gone"] == 1
        assert await client.shutdown() == 0


async def test_an_engine_that_keeps_dying_is_given_up_with_a_reason_and_can_be_revived(
    own_engine: dict[str, str],
) -> None:
    async with LspClient(environment=own_engine) as client:
        await client.initialize()
        killed: set[int] = set()
        async with asyncio.timeout(100):
            while len(killed) < 4:
                pid = await engine_pid(client)
                if pid is not None and pid not in killed:
                    os.kill(pid, signal.SIGKILL)
                    killed.add(pid)
                await asyncio.sleep(0.02)
        status = await client.seen("didChangeStatus", lambda s: s["kind"] == "Error")
        assert "died 4 times in a row" in status["message"]
        message = await client.seen("window/showMessage")
        assert "sidecar doctor" in message["message"]
        client.open(URI, CODE)
        _, answer = client.complete(URI, 1, 11)
        assert await asyncio.wait_for(answer, 60) is None
        assert await engine_pid(client) is None
        client.notifications["didChangeStatus"].clear()
        await client.request("workspace/executeCommand", {"command": "sidecar.restartEngine"})
        await client.ready()
        _, answer = client.complete(URI, 1, 11)
        assert (await asyncio.wait_for(answer, 60))["items"]
        assert await client.shutdown() == 0


async def test_the_user_can_end_an_engine_that_hangs(own_engine: dict[str, str]) -> None:
    async with LspClient(environment=own_engine) as client:
        await client.initialize()
        await client.ready()
        first = await engine_pid(client)
        assert first is not None
        os.kill(first, signal.SIGSTOP)
        client.open(URI, CODE)
        _, answer = client.complete(URI, 1, 11)
        await client.request("sidecar/stats")
        assert not answer.done()
        await client.request("workspace/executeCommand", {"command": "sidecar.restartEngine"})
        assert await asyncio.wait_for(answer, 60) is None
        client.notifications["didChangeStatus"].clear()
        await client.ready()
        assert await engine_pid(client) not in (None, first)
        assert await client.shutdown() == 0
