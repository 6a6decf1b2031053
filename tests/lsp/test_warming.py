"""Prompts that are evaluated before somebody asks: a real server, the real engine and model."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
import pytest_asyncio
from lsp_client import LspClient

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

pytestmark = [pytest.mark.engine, pytest.mark.lsp]

URI = "file:///w/orders.py"
OTHER = "file:///w/totals.py"


def code(name: str) -> str:
    steps = "".join(f"    {name}_{n} = load_{name}(limit, {n})\n" for n in range(16))
    return (
        f"import json\n\n\ndef {name}(limit):\n{steps}\n\ndef last_{name}(limit):\n    return 1\n"
    )


@pytest_asyncio.fixture
async def ready(model_path: Path) -> AsyncIterator[LspClient]:
    """A server that warms, and whose model is loaded."""
    async with LspClient() as client:
        await client.initialize(warming="always")
        await client.ready()
        yield client


async def counted(client: LspClient) -> dict[str, int]:
    counters: dict[str, int] = (await client.request("sidecar/stats"))["counters"]
    return {
        name.removeprefix("warming."): number
        for name, number in counters.items()
        if name.startswith("warming.")
    }


async def until_finished(client: LspClient, least: int) -> dict[str, int]:
    """Wait until so many warm-ups have evaluated all of their prompts."""
    async with asyncio.timeout(110):
        while (told := await counted(client)).get("finished", 0) < least:  # noqa: ASYNC110
            await asyncio.sleep(0.02)
    return told


async def stats_of(client: LspClient, uri: str, line: int, character: int) -> dict[str, Any]:
    """Ask for a suggestion, and return what it cost."""
    token = f"{uri}:{line}:{character}"
    _, answer = client.complete(uri, line, character, streamToken=token)
    await asyncio.wait_for(answer, 60)
    done = await client.seen(
        "sidecar/inlineCompletionProgress", lambda p: p["streamToken"] == token and p["done"]
    )
    stats: dict[str, Any] = done["stats"]
    return stats


def at(uri: str, line: int, character: int) -> dict[str, Any]:
    return {"textDocument": {"uri": uri}, "position": {"line": line, "character": character}}


def type_text(client: LspClient, uri: str, version: int, line: int, column: int, text: str) -> None:
    place = {"line": line, "character": column}
    client.change(uri, version, {"range": {"start": place, "end": place}, "text": text})


async def test_where_the_cursor_rests_the_first_key_evaluates_what_was_typed(
    ready: LspClient,
) -> None:
    ready.open(URI, code("order"))
    ready.notify("textDocument/didFocus", at(URI, 0, 11))
    await until_finished(ready, 1)
    end = len("    order_9 = load_order(limit, 9)")
    ready.notify("sidecar/didMoveCursor", at(URI, 13, end))
    told = await until_finished(ready, 2)
    assert told["tokens"] > 200
    type_text(ready, URI, 2, 13, end, ".")
    stats = await stats_of(ready, URI, 13, end + 1)
    assert stats["evaluated"] <= 3
    assert stats["reused"] > 100
    assert (await counted(ready))["hits.cursor"] == 1


async def test_where_the_cursor_rests_at_the_end_of_a_line_the_next_one_is_known(
    ready: LspClient,
) -> None:
    lines = code("order").split("\n")
    del lines[14]
    ready.open(URI, "\n".join(lines))
    end = len("    order_9 = load_order(limit, 9)")
    ready.notify("sidecar/didMoveCursor", at(URI, 13, end))
    async with asyncio.timeout(110):
        while not await speculated(ready):  # noqa: ASYNC110
            await asyncio.sleep(0.02)
    type_text(ready, URI, 2, 13, end, "\n    ")
    stats = await stats_of(ready, URI, 14, 4)
    assert stats["evaluated"] + stats["reused"] == 0, "the engine was not asked"


async def test_where_more_of_the_line_would_be_suggested_a_new_one_is_known_as_well(
    ready: LspClient,
) -> None:
    lines = code("order").split("\n")
    lines[13] = "    order_9 ="
    ready.open(URI, "\n".join(lines))
    end = len(lines[13])
    ready.notify("sidecar/didMoveCursor", at(URI, 13, end))
    async with asyncio.timeout(110):
        while await speculated(ready) < 2:  # noqa: ASYNC110
            await asyncio.sleep(0.02)
    # Right there and right behind the break: what the model says does not matter.
    more = await stats_of(ready, URI, 13, end)
    type_text(ready, URI, 2, 13, end, "\n")
    below = await stats_of(ready, URI, 14, 0)
    for stats in (more, below):
        assert stats["evaluated"] + stats["reused"] == 0, "the engine was not asked"


async def speculated(client: LspClient) -> int:
    counters: dict[str, int] = (await client.request("sidecar/stats"))["counters"]
    return counters.get("speculation.answered", 0)


async def test_two_files_stay_warm_while_one_switches_between_them(ready: LspClient) -> None:
    texts = {URI: code("order"), OTHER: code("total")}
    for number, (uri, text) in enumerate(texts.items(), 1):
        ready.open(uri, text)
        ready.notify("textDocument/didFocus", at(uri, 6, len(text.split("\n")[6])))
        await until_finished(ready, number)
    for version in (2, 3):
        for uri, text in texts.items():
            column = len(text.split("\n")[6]) + version - 2
            type_text(ready, uri, version, 6, column, "#")
            assert (await stats_of(ready, uri, 6, column + 1))["evaluated"] <= 3
    told = await counted(ready)
    assert told["hits"] == 2
    assert "failed" not in told
