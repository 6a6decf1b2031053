"""After a restart of editor, front and engine the first suggestion needs no cold prompt."""

from __future__ import annotations

import asyncio
import os
import tempfile
from contextlib import AsyncExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psutil
import pytest
from lsp_work import indexed, started, write

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lsp_client import LspClient

pytestmark = [
    pytest.mark.engine,
    pytest.mark.lsp,
    pytest.mark.skipif(os.name != "posix", reason="SIGTERM is POSIX"),
]

TOOLS = "".join(
    f"def load_{name}(limit: int, number: int) -> list[str]:\n"
    f'    """Load {name} up to a limit."""\n    return []\n\n\n'
    for name in ("orders", "refunds", "totals")
)
LINES = "".join(f"    order_{n} = load_orders(limit, {n})\n" for n in range(8))
CODE = f"from tools import load_orders, load_refunds\n\n\ndef show(limit):\n{LINES}"


@pytest.fixture
def environment(runtime_dir: Path, tmp_path: Path) -> Iterator[dict[str, str]]:
    """One user's machine, on which no other test is."""
    folder = tempfile.mkdtemp(dir=runtime_dir)
    yield {
        "SIDECAR_RUNTIME_DIR": folder,
        "SIDECAR_LANES_DIR": str(tmp_path / "lanes"),
        "SIDECAR_CACHE_DIR": str(tmp_path / "cache"),
    }
    for process in psutil.process_iter():
        try:
            if process.environ().get("SIDECAR_RUNTIME_DIR") == folder:
                process.kill()
        except (psutil.Error, OSError):
            continue


async def session(
    stack: AsyncExitStack, environment: dict[str, str], root: Path, model: Path, keep: int
) -> LspClient:
    settings = {
        "model": {"path": str(model)},
        "engine": {"keepLanesMb": keep, "contextTokens": 2048},
        "completion": {"maxTokens": 4, "speculate": False, "timeLimitMs": 60000},
        # Fixed, since the speed that is measured at each start says otherwise how much is shown.
        "context": {"sources": ["definitions"], "headTokens": 256},
    }
    client = await started(stack, environment, root, initializationOptions={"settings": settings})
    await indexed(client)
    await client.ready()
    return client


async def stats_of(client: LspClient, uri: str, line: int, character: int) -> dict[str, Any]:
    token = f"{line}:{character}"
    _, answer = client.complete(uri, line, character, streamToken=token)
    await asyncio.wait_for(answer, 100)
    done = await client.seen(
        "sidecar/inlineCompletionProgress", lambda p: p["streamToken"] == token and p["done"]
    )
    stats: dict[str, Any] = done["stats"]
    return stats


async def end(client: LspClient) -> None:
    """End the editor, and then the engine as a system that shuts down does."""
    pid = (await client.request("sidecar/status"))["engine"]["pid"]
    await client.shutdown()
    engine = psutil.Process(pid)
    engine.terminate()
    await asyncio.to_thread(engine.wait, 60)


async def test_the_first_suggestion_in_the_last_file_evaluates_a_tenth_of_its_prompt(
    environment: dict[str, str], tmp_path: Path, model_path: Path
) -> None:
    """Evaluates some 600 tokens, half of them where lanes are no longer kept."""
    root = tmp_path / "project"
    write(root / "tools.py", TOOLS)
    write(root / "show.py", CODE)
    uri = (root / "show.py").as_uri()
    lanes = Path(environment["SIDECAR_LANES_DIR"])
    typed = "    refunds = load_refunds(limit)\n" * 5 + "    print(ref"
    lines = CODE.split("\n")
    async with AsyncExitStack() as stack:
        client = await session(stack, environment, root, model_path, 64)
        client.open(uri, CODE)
        first = await stats_of(client, uri, len(lines) - 1, 0)
        assert first["evaluated"] > 100
        # What is typed moves no anchor here; a front that starts there chooses another one.
        place = {"line": len(lines) - 1, "character": 0}
        client.change(uri, 2, {"range": {"start": place, "end": place}, "text": typed})
        text = CODE + typed
        line, character = text.count("\n"), len(text.rpartition("\n")[2])
        last = await stats_of(client, uri, line, character)
        assert last["reused"] > 100
        write(root / "show.py", text)
        await end(client)
    kept = [lanes / name for name in os.listdir(lanes)]
    assert {path.suffix for path in kept} == {".lane", ".places"}
    assert all(path.stat().st_mode & 0o077 == 0 for path in (lanes, *kept))
    # The last session is one that may keep nothing, and finds nothing.
    for keep in (64, 0):
        async with AsyncExitStack() as stack:
            client = await session(stack, environment, root, model_path, keep)
            client.open(uri, text)
            again = await stats_of(client, uri, line, character)
            prompt = again["evaluated"] + again["reused"]
            if keep:
                assert prompt == last["evaluated"] + last["reused"]
                assert again["evaluated"] <= prompt / 10
            else:
                assert again["evaluated"] > prompt / 2
            await end(client)
    assert os.listdir(lanes) == []
