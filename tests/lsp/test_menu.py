"""The completion menu's one entry, for editors without inline completions."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
from lsp_client import LspClient

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.lsp

URI = "file:///w/shapes.py"
CODE = """\
import math


class Circle:
    def __init__(self, radius):
        self.radius = radius

    def area(self):
        return math.pi * self.ra"""
PLACE = {"line": 8, "character": 32}
ASKED = {"textDocument": {"uri": URI}, "position": PLACE}
WANTED = {"completion": {"fallback": True}}


async def test_there_is_no_menu_where_nobody_wants_one(client: LspClient) -> None:
    result = await client.initialize(initializationOptions={"settings": {}})
    assert "completionProvider" not in result["capabilities"]
    client.open(URI, CODE)
    assert await client.request("textDocument/completion", ASKED) is None
    stats = await client.request("sidecar/stats")
    assert stats["counters"]["completion.empty.no_menu"] == 1


async def test_without_a_model_the_menu_is_empty_and_asked_for_again(client: LspClient) -> None:
    result = await client.initialize(initializationOptions={"settings": WANTED})
    assert result["capabilities"]["completionProvider"] == {"triggerCharacters": [".", "("]}
    empty = {"isIncomplete": True, "items": []}
    assert await client.request("textDocument/completion", ASKED) is None
    client.open(URI, CODE)
    assert await client.request("textDocument/completion", ASKED) == empty


@pytest.mark.engine
async def test_the_menu_offers_what_ghost_text_would_show(model_path: Path) -> None:
    """Evaluates some 80 tokens."""
    settings = {**WANTED, "completion": {**WANTED["completion"], "multiline": False}}
    async with LspClient() as client:
        await client.initialize(initializationOptions={"settings": settings})
        await client.ready()
        client.open(URI, CODE)
        _, answer = client.complete(URI, PLACE["line"], PLACE["character"])
        (item,) = (await asyncio.wait_for(answer, 60))["items"]
        menu: dict[str, Any] = await client.request("textDocument/completion", ASKED)
        assert menu["isIncomplete"]
        (entry,) = menu["items"]
        line = CODE.splitlines()[PLACE["line"]]
        start = entry["textEdit"]["range"]["start"]["character"]
        assert entry["textEdit"]["range"]["end"] == item["range"]["end"]
        assert line[:start] + entry["textEdit"]["newText"] == item["insertText"]
        assert entry["label"].startswith("ra")
        # It is accepted as ghost text is.
        command = {name: entry["command"][name] for name in ("command", "arguments")}
        await client.request("workspace/executeCommand", command)
        stats = await client.request("sidecar/stats")
        assert stats["counters"]["feedback.accepted_characters"] == len(item["insertText"]) - len(
            line
        )
