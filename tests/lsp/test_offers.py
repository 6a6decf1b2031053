"""What is certain comes first where the model is slow, over a real server, engine and model."""

from __future__ import annotations

import asyncio
import json
import os
import stat
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, Any

import pytest
from lsp_work import indexed, started, write

if TYPE_CHECKING:
    from pathlib import Path

    from lsp_client import LspClient

pytestmark = [pytest.mark.engine, pytest.mark.lsp]

ORDERS = "class Order:\n    def cancel_all(self) -> None: ...\n"
HEAD = "from orders import Order\n\n\ndef stop(order: Order) -> None:\n    x = order."
TYPED = HEAD.rpartition("\n")[2]


async def streamed(client: LspClient, uri: str, text: str, token: str) -> list[dict[str, Any]]:
    """Return the pieces of a suggestion at the end of a text, with the answer as the last."""
    line = text.count("\n")
    _, answer = client.complete(uri, line, len(text.rpartition("\n")[2]), streamToken=token)
    result = await asyncio.wait_for(answer, 60)
    pieces = [
        piece
        for piece in client.notifications["sidecar/inlineCompletionProgress"]
        if piece["streamToken"] == token
    ]
    assert pieces[-1]["done"]
    said = result["items"][0]["insertText"] if result else ""
    assert pieces[-1]["text"] == said
    return pieces


async def test_speeds_are_remembered_and_a_slow_model_is_preceded_by_what_is_certain(
    tmp_path: Path, model_path: Path
) -> None:
    """Evaluates some 80 tokens; how slow the model is stands in a file."""
    root, cache = tmp_path / "work", tmp_path / "cache"
    write(root / "orders.py", ORDERS)
    write(root / "app.py", HEAD.rpartition("    x")[0] + "    pass\n")
    write(root / "other.py", "print(1)\n")
    cache.mkdir()
    environment = {"SIDECAR_CACHE_DIR": str(cache)}
    settings = {
        "model": {"path": str(model_path)},
        "completion": {"timeLimitMs": 60000, "maxTokens": 8, "speculate": False},
        "context": {"sources": []},
    }
    options = {"initializationOptions": {"settings": settings}}
    kept = cache / "speeds.json"
    other = (root / "other.py").as_uri()
    numbers = "".join(f"print({number})\n" for number in range(8))

    async with AsyncExitStack() as stack:
        client = await started(stack, environment, root, **options)
        await client.ready()
        client.open(other, numbers)
        pieces = await streamed(client, other, numbers, "quick")
        assert not any("source" in piece for piece in pieces)
        assert await client.shutdown() == 0
    entries = json.loads(await asyncio.to_thread(kept.read_text))
    if os.name == "posix":
        assert stat.S_IMODE(os.stat(kept).st_mode) == 0o600
    (name,) = entries
    assert 0 < entries[name]["prompt_ms"] < 1000
    entries[name]["prompt_ms"] = 5000.0
    await asyncio.to_thread(kept.write_text, json.dumps(entries))

    async with AsyncExitStack() as stack:
        client = await started(stack, environment, root, **options)
        await client.ready()
        await indexed(client)
        client.open(other, numbers)
        await streamed(client, other, numbers, "slow")
        app = (root / "app.py").as_uri()
        client.open(app, HEAD + "can")
        first, *later = await streamed(client, app, HEAD + "can", "offered")
        assert first["source"] == "index" and not first["done"]
        assert first["text"] == f"{TYPED}cancel_all"
        place = {"line": 4, "character": len(TYPED) + 3}
        assert first["range"] == {"start": {"line": 4, "character": 0}, "end": place}
        assert not any("source" in piece for piece in later)
        counters = (await client.request("sidecar/stats"))["counters"]
        assert counters["offers.shown"] == 1
        # Without the setting there is none.
        off = {"sidecar": {"completion": {"offers": False, "maxTokens": 8}}}
        client.notify("workspace/didChangeConfiguration", {"settings": off})
        client.open(f"{app}2.py", HEAD + "can")
        pieces = await streamed(client, f"{app}2.py", HEAD + "can", "off")
        assert not any("source" in piece for piece in pieces)
