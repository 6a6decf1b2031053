"""Answers that nothing was computed for, end to end: a real server, engine and model."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from lsp_client import LspClient
from lsp_work import indexed, started, until, write

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [pytest.mark.engine, pytest.mark.lsp]

URI = "file:///w/count.py"
CODE = "print(1)\nprint(2)\nprint(3)\nprint(4)\n"


async def insert(client: LspClient, version: int, line: int, character: int, text: str) -> None:
    here = {"line": line, "character": character}
    client.change(URI, version, {"range": {"start": here, "end": here}, "text": text})


async def offered(client: LspClient, line: int, character: int) -> str | None:
    """Return what is offered beyond a cursor."""
    _, answer = client.complete(URI, line, character)
    result = await asyncio.wait_for(answer, 60)
    text: str | None = result["items"][0]["insertText"][character:] if result else None
    return text


async def counters(client: LspClient) -> dict[str, int]:
    found: dict[str, int] = (await client.request("sidecar/stats"))["counters"]
    return found


async def counted(client: LspClient, name: str, value: int) -> dict[str, int]:
    """Wait until a counter has a value."""
    async with asyncio.timeout(60):
        while True:
            found = await counters(client)
            if found.get(name, 0) >= value:
                return found
            await asyncio.sleep(0.02)


async def passes(client: LspClient) -> int:
    calls: int = (await client.engine())["decode_calls"]
    return calls


async def test_a_line_typed_along_an_accept_and_the_line_after_it(model_path: Path) -> None:
    """Evaluates some 40 tokens."""
    async with LspClient() as client:
        await client.initialize()
        await client.ready()
        # However slow the machine is, lines come to their end.
        settings = {"sidecar": {"completion": {"timeLimitMs": 60000}}}
        client.notify("workspace/didChangeConfiguration", {"settings": settings})
        client.open(URI, CODE)
        assert await offered(client, 4, 0) == "print(5)"
        # The guess that follows computes; then all is there.
        await counted(client, "speculation.answered", 1)
        before = await passes(client)
        await insert(client, 2, 4, 0, "p")
        assert await offered(client, 4, 1) == "rint(5)"
        await insert(client, 3, 4, 1, "ri")
        assert await offered(client, 4, 3) == "nt(5)"
        # Undone, and typed again.
        place = {"start": {"line": 4, "character": 1}, "end": {"line": 4, "character": 3}}
        client.change(URI, 4, {"range": place, "text": ""})
        assert await offered(client, 4, 1) == "rint(5)"
        await insert(client, 5, 4, 1, "rint(5)")
        assert await offered(client, 4, 8) is None
        await insert(client, 6, 4, 8, "\n")
        assert await offered(client, 5, 0) == "print(6)"
        found = await counters(client)
        assert found["cache.hit"] == 5
        assert found["speculation.used"] == 1
        # But for the guess that follows this one.
        if found["speculation.begun"] == 1:
            assert await passes(client) == before
        assert found["completion.offered"] == 5


async def test_what_is_being_generated_goes_on_for_the_key_that_agrees(model_path: Path) -> None:
    """Evaluates some 60 tokens."""
    async with LspClient() as client:
        await client.initialize()
        await client.ready()
        completion = {"multiline": True, "timeLimitMs": 60000, "stream": "words"}
        settings = {"sidecar": {"completion": completion}}
        client.notify("workspace/didChangeConfiguration", {"settings": settings})
        text = "# The numbers from one to a hundred.\nnumbers = [1, 2, 3, 4,"
        client.open(URI, text)
        line, character = 1, len(text.split("\n")[1])
        _, older = client.complete(URI, line, character, streamToken="older")
        piece = await client.seen(
            "sidecar/inlineCompletionProgress",
            lambda p: not p["done"] and len(p["text"]) > character + 1,
        )
        key = piece["text"][character]
        await insert(client, 2, line, character, key)
        _, newer = client.complete(URI, line, character + 1, streamToken="newer")
        assert await asyncio.wait_for(older, 60) is None
        item = (await asyncio.wait_for(newer, 60))["items"][0]
        assert item["insertText"].startswith(piece["text"])
        found = await counters(client)
        assert found["generation.joined"] == 1
        assert found["completion.empty.superseded"] == 1
        texts = [
            p["text"]
            for p in client.notifications["sidecar/inlineCompletionProgress"]
            if p["streamToken"] == "newer" and not p["done"]
        ]
        assert all(longer.startswith(text) for text, longer in pairwise(texts))
        # Where tokens run out, half a word is taken back at the end.
        assert texts[-1].startswith(item["insertText"])


async def test_what_was_said_of_a_file_that_declares_other_things_now_is_asked_anew(
    tmp_path: Path, model_path: Path
) -> None:
    """Evaluates some 60 tokens."""
    root = tmp_path / "project"
    helper = root / "helper.py"
    text = "from helper import total\n\nvalues = [1, 2]\nprint(total("
    write(helper, "def total(values):\n    return sum(values)\n")
    write(root / "main.py", text)
    settings = {
        "model": {"path": str(model_path)},
        "completion": {"timeLimitMs": 60000, "speculate": False},
        "context": {"sources": ["definitions"]},
    }
    environment = {"SIDECAR_CACHE_DIR": str(tmp_path / "cache")}
    async with AsyncExitStack() as stack:
        client = await started(
            stack, environment, root, initializationOptions={"settings": settings}
        )
        await indexed(client)
        await client.ready()
        uri = (root / "main.py").as_uri()
        client.open(uri, text)

        async def ask() -> None:
            _, answer = client.complete(uri, 3, 12)
            assert (await asyncio.wait_for(answer, 60))["items"]

        await ask()
        committed = (await counters(client))["index.committed_files"]
        # What is shown of the file is not what is in it, so a body makes no difference.
        write(helper, "def total(values):\n    return 1 + sum(values)\n")
        changed = {"uri": helper.as_uri(), "type": 2}
        client.notify("workspace/didChangeWatchedFiles", {"changes": [changed]})
        await counted(client, "index.committed_files", committed + 1)
        await ask()
        found = await counters(client)
        assert (found["cache.hit"], found["cache.miss"]) == (1, 1)
        write(helper, "def total(values, start):\n    return sum(values, start)\n")
        client.notify("workspace/didChangeWatchedFiles", {"changes": [changed]})
        await until(lambda: counters(client), lambda said: said.get("cache.dropped") == 1)
        await ask()
        found = await counters(client)
        assert (found["cache.hit"], found["cache.miss"]) == (1, 2)


@pytest.mark.parametrize(
    ("edit", "fits"),
    [((0, 0, "import os\n"), False), ((4, 0, "x"), False), ((4, 0, ""), True), ((4, 0, "p"), True)],
    ids=["above", "something else was typed", "only the version", "typed along"],
)
async def test_an_answer_fits_the_text_as_it_is_by_then_or_is_none(
    model_path: Path, edit: tuple[int, int, str], fits: bool
) -> None:
    """Evaluates some 30 tokens. Both arrive at once: the request does not see what comes behind.

    Not all clients ask again after an edit, or look at versions.
    """
    async with LspClient() as client:
        await client.initialize()
        await client.ready()
        client.open(URI, CODE)
        _, answer = client.complete(URI, 4, 0)
        await insert(client, 2, *edit)
        result = await asyncio.wait_for(answer, 60)
        items = [
            (one["insertText"], one["range"]["end"]) for one in (result or {"items": ()})["items"]
        ]
        assert items == ([("print(5)", {"line": 4, "character": 0})] if fits else [])
        assert (await counters(client)).get("completion.empty.changed", 0) == (not fits)
