"""Who asks for suggestions gets an alternative, who types gets one item: the real model."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
from lsp_client import LspClient

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [pytest.mark.engine, pytest.mark.lsp]

URI = "file:///w/numbers.py"
CODE = "def largest(numbers):\n    best = numbers[0]\n    for number in numbers:\n        "


async def items(client: LspClient, kind: int) -> list[dict[str, Any]]:
    _, answer = client.complete(URI, 3, 8, context={"triggerKind": kind})
    result = await asyncio.wait_for(answer, 60)
    return result["items"] if result else []


async def test_an_alternative_has_more_lines_and_costs_no_prompt(model_path: Path) -> None:
    async with LspClient() as client:
        settings = {"settings": {"completion": {"multiline": False}}}
        await client.initialize(initializationOptions=settings)
        await client.ready()
        client.open(URI, CODE)
        (shown,) = await items(client, 2)
        first, other = await items(client, 1)
        assert first["insertText"] == shown["insertText"]
        assert "\n" not in first["insertText"]
        assert other["insertText"].count("\n") >= 1
        assert other["range"] == first["range"]
        # Each can be accepted.
        assert first["command"]["arguments"] != other["command"]["arguments"]
        status = await client.request("sidecar/contextCard", place())
        assert status["stats"]["evaluated"] <= 2
        changed = {"sidecar": {"completion": {"multiline": True}}}
        client.notify("workspace/didChangeConfiguration", {"settings": changed})
        first, other = await items(client, 1)
        assert first["insertText"].count("\n") >= 1
        assert "\n" not in other["insertText"]


async def test_a_key_while_the_alternative_is_made_ends_it_and_not_the_newer_request(
    model_path: Path,
) -> None:
    async with LspClient() as client:
        await client.initialize()
        await client.ready()
        client.open(URI, CODE)
        asked = asyncio.create_task(items(client, 1))
        await asyncio.sleep(0)
        here = {"line": 3, "character": 8}
        client.change(URI, 2, {"range": {"start": here, "end": here}, "text": "i"})
        _, newer = client.complete(URI, 3, 9)
        assert len(await asked) <= 1
        assert (await asyncio.wait_for(newer, 60))["items"]


def place() -> dict[str, Any]:
    return {"textDocument": {"uri": URI}, "position": {"line": 3, "character": 8}}
