"""Ghost text end to end: a real server, the real engine and the real model."""

from __future__ import annotations

import asyncio
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest
import pytest_asyncio
from lsp_client import LspClient, LspError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

pytestmark = [pytest.mark.engine, pytest.mark.lsp]

URI = "file:///w/shapes.py"
CODE = """\
import math


class Circle:
    def __init__(self, radius):
        self.radius = radius

    def area(self):
        return math.pi * self.radius ** 2

    def circumference(self):
        return |

    def scale(self, factor):
        self.radius *= factor
"""


@pytest_asyncio.fixture
async def ready(model_path: Path) -> AsyncIterator[LspClient]:
    """A server whose model is loaded."""
    async with LspClient() as client:
        await client.initialize()
        await client.ready()
        yield client


def place(marked: str) -> tuple[str, int, int]:
    """Return a text without its `|`, and the line and column where that stood."""
    before, _, after = marked.partition("|")
    line = before.count("\n")
    return before + after, line, len(before) - (before.rfind("\n") + 1)


async def suggest(client: LspClient, marked: str, **more: Any) -> dict[str, Any] | None:
    """Open a document and complete at its `|`; returns the item."""
    text, line, character = place(marked)
    client.open(URI, text)
    _, answer = client.complete(URI, line, character, **more)
    result = await asyncio.wait_for(answer, 60)
    return result["items"][0] if result else None


def accepted(marked: str, item: dict[str, Any]) -> str:
    """Apply an item as an editor does."""
    text, *_ = place(marked)
    lines = text.split("\n")
    start, end = item["range"]["start"], item["range"]["end"]
    assert start["line"] == end["line"]
    line = lines[start["line"]]
    lines[start["line"]] = (
        line[: start["character"]] + item["insertText"] + line[end["character"] :]
    )
    return "\n".join(lines)


async def test_ghost_text_end_to_end(ready: LspClient) -> None:
    item = await suggest(ready, CODE)
    assert item is not None
    assert item["insertText"].startswith("        return ")
    assert "self.radius" in item["insertText"]
    assert "\n" not in item["insertText"]
    compile(accepted(CODE, item), "shapes.py", "exec")
    assert item["command"]["command"] == "sidecar.accept"


async def test_a_key_along_the_suggestion_evaluates_nothing(ready: LspClient) -> None:
    item = await suggest(ready, CODE)
    assert item is not None
    _, line, character = place(CODE)
    typed = item["insertText"][character : character + 4]
    for number, key in enumerate(typed):
        here = {"line": line, "character": character + number}
        ready.change(URI, 2 + number, {"range": {"start": here, "end": here}, "text": key})
        token = f"key {number}"
        _, answer = ready.complete(URI, line, character + number + 1, streamToken=token)
        result = await asyncio.wait_for(answer, 60)
        assert result["items"][0]["insertText"] == item["insertText"]
        done = await ready.seen(
            "sidecar/inlineCompletionProgress",
            lambda p, token=token: p["streamToken"] == token and p["done"],
        )
        assert done["stats"]["evaluated"] <= 3


async def test_streamed_text_only_grows_and_ends_as_the_answer(ready: LspClient) -> None:
    item = await suggest(ready, CODE, streamToken="s")
    assert item is not None
    pieces = ready.notifications["sidecar/inlineCompletionProgress"]
    assert all(piece["streamToken"] == "s" for piece in pieces)
    assert [piece["done"] for piece in pieces] == [False] * (len(pieces) - 1) + [True]
    texts = [piece["text"] for piece in pieces]
    assert all(longer.startswith(text) for text, longer in pairwise(texts[:-1]))
    assert texts[-1] == item["insertText"]
    assert pieces[-1]["range"] == item["range"]
    assert pieces[-1]["stats"]["visible_ms"] >= 0


async def test_crlf_stays_crlf(ready: LspClient) -> None:
    unix = await suggest(ready, CODE)
    ready.notify("textDocument/didClose", {"textDocument": {"uri": URI}})
    dos = await suggest(ready, CODE.replace("\n", "\r\n"))
    assert dos == unix or (unix and dos and dos["insertText"] == unix["insertText"])
    settings = {"sidecar": {"completion": {"multiline": True, "maxTokens": 64}}}
    ready.notify("workspace/didChangeConfiguration", {"settings": settings})
    body = "def fibonacci(n):\r\n    |\r\n\r\n\r\nprint(fibonacci(10))\r\n"
    item = await suggest(ready, body)
    assert item is not None
    text = item["insertText"]
    assert "\r\n" in text
    assert text.count("\n") == text.count("\r\n") == text.count("\r")


async def test_the_newest_request_wins_and_the_older_is_answered_with_nothing(
    ready: LspClient,
) -> None:
    text, line, character = place(CODE)
    ready.open(URI, text * 8)
    answers = [ready.complete(URI, line, character)[1] for _ in range(3)]
    older = await asyncio.wait_for(asyncio.gather(*answers[:2]), 60)
    assert older == [None, None]
    assert (await asyncio.wait_for(answers[2], 60))["items"]
    counters = (await ready.request("sidecar/stats"))["counters"]
    assert counters["completion.empty.superseded"] == 2


async def test_a_cancelled_request_is_answered_as_cancelled(ready: LspClient) -> None:
    text, line, character = place(CODE)
    ready.open(URI, text.replace("math", "cmath") * 8)
    number, answer = ready.complete(URI, line, character)
    ready.notify("$/cancelRequest", {"id": number})
    with pytest.raises(LspError) as caught:
        await asyncio.wait_for(answer, 60)
    assert caught.value.code == -32800
    # The document is served as before.
    _, answer = ready.complete(URI, line, character)
    assert (await asyncio.wait_for(answer, 60))["items"]


async def test_nothing_is_computed_after_a_cancel_and_what_was_is_kept(ready: LspClient) -> None:
    context = {"beforeLines": 10000, "beforeTokens": 2200}
    settings = {"sidecar": {"context": context}}
    ready.notify("workspace/didChangeConfiguration", {"settings": settings})
    lines = [f"value_{number} = {number} * {number + 1}" for number in range(160)]
    ready.open(URI, "\n".join([*lines, "total = "]))
    where = (URI, len(lines), 8)
    before = await ready.engine()
    number, answer = ready.complete(*where)
    await calls(ready, before["decode_calls"] + 6)
    assert not answer.done()
    ready.notify("$/cancelRequest", {"id": number})
    with pytest.raises(LspError) as caught:
        await asyncio.wait_for(answer, 60)
    assert caught.value.code == -32800
    at_answer = await ready.engine()
    await asyncio.sleep(1.0)
    # A call is counted when it returns, so the one that was interrupted may come on top.
    after = await ready.engine()
    assert after["decode_calls"] <= at_answer["decode_calls"] + 1
    await asyncio.sleep(0.5)
    assert (await ready.engine())["decode_calls"] == after["decode_calls"]
    # The finished chunks are still there, and the same request goes on behind them.
    (lane,) = [n for n, held in enumerate(after["lanes"]) if held != before["lanes"][n]]
    assert after["lanes"][lane] > 8
    number, answer = ready.complete(*where)
    further = await calls(ready, after["decode_calls"] + 1)
    assert further["lanes"][lane] >= after["lanes"][lane]
    ready.notify("$/cancelRequest", {"id": number})
    with pytest.raises(LspError):
        await asyncio.wait_for(answer, 60)


async def calls(client: LspClient, least: int) -> dict[str, Any]:
    """Wait until the engine has called `llama_decode` so often."""
    async with asyncio.timeout(60):
        while True:
            told = await client.engine()
            if told["decode_calls"] >= least:
                return told
            await asyncio.sleep(0.01)


async def test_feedback_is_counted(ready: LspClient) -> None:
    item = await suggest(ready, CODE)
    assert item is not None
    ready.notify("textDocument/didShowCompletion", {"item": item})
    ready.notify("textDocument/didPartiallyAcceptCompletion", {"item": item, "acceptedLength": 12})
    command = item["command"]
    for _ in range(2):
        await ready.request(
            "workspace/executeCommand",
            {"command": command["command"], "arguments": command["arguments"]},
        )
    counters = (await ready.request("sidecar/stats"))["counters"]
    assert counters["feedback.shown"] == counters["feedback.partially_accepted"] == 1
    assert counters["feedback.accepted"] == 2
    shown = len(item["insertText"]) - item["range"]["end"]["character"]
    assert counters["feedback.accepted_characters"] == shown


async def test_a_selected_menu_entry_is_extended_or_nothing_is_offered(ready: LspClient) -> None:
    item = await suggest(ready, CODE)
    assert item is not None
    end = item["range"]["end"]
    word = item["insertText"][end["character"] :].split(".")[0]
    for text, offered in ((word, True), ("nothing_like_it", False)):
        info = {"range": {"start": end, "end": end}, "text": text}
        context = {"triggerKind": 2, "selectedCompletionInfo": info}
        again = await suggest(ready, CODE, context=context)
        assert (again is not None) == offered
        if again is not None:
            assert again["range"] == info["range"]


async def test_the_card_accounts_for_the_prompt(ready: LspClient) -> None:
    assert await suggest(ready, CODE)
    _, line, character = place(CODE)
    where = {"textDocument": {"uri": URI}, "position": {"line": line, "character": character}}
    card = await ready.request("sidecar/contextCard", where)
    stats = card["stats"]
    parts = {part["part"]: part for part in card["parts"]}
    assert set(parts) <= {"prefix", "suffix", "typed"}
    assert sum(part["tokens"] for part in parts.values()) == sum(stats["segment_tokens"].values())
    assert all(part["path"] == "/w/shapes.py" and part["reason"] for part in parts.values())
    assert card["unchanged_tokens"] == stats["reused"]
    # Elsewhere nothing was asked, so tokens are estimates and nothing is known of reuse.
    elsewhere = {**where, "position": {"line": 0, "character": 0}}
    card = await ready.request("sidecar/contextCard", elsewhere)
    assert card["stats"] is None and card["notes"]
    assert card["unchanged_tokens"] >= 0


async def test_status_tells_of_model_and_engine(ready: LspClient) -> None:
    status = await ready.request("sidecar/status")
    assert status["engine"]["phase"] == "ready"
    assert status["engine"]["model"] == "qwen2.5-coder-0.5b"
    assert status["engine"]["pid"] > 0
    assert status["fit"]["threads"] >= 1


@pytest.mark.parametrize(
    ("uri", "language", "reason"),
    [
        ("file:///w/.env", "dotenv", "secret_file"),
        ("file:///w/a.py", "python", "middle_of_word"),
    ],
)
async def test_where_nothing_is_asked_of_the_engine(
    ready: LspClient, uri: str, language: str, reason: str
) -> None:
    ready.open(uri, "PASSWORD=", language)
    _, answer = ready.complete(uri, 0, 4 if reason == "middle_of_word" else 9)
    assert await answer is None
    counters = (await ready.request("sidecar/stats"))["counters"]
    assert counters == {f"completion.empty.{reason}": 1}
