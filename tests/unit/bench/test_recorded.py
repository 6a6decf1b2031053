"""Which answers of a recorded session can come again, and what of them."""

from __future__ import annotations

from typing import Any

import pytest

from sidecar.bench.recorded import comparable, identities_of, session_of
from sidecar.server.recording import Entry, Side

INLINE = "textDocument/inlineCompletion"
ITEM = {"insertText": "x", "command": {"command": "sidecar.accept", "arguments": ["7"]}}


def ask(number: int, method: str = INLINE, uri: str = "file:///a") -> tuple[Side, dict[str, Any]]:
    return "client", {"id": number, "method": method, "params": {"textDocument": {"uri": uri}}}


def tell(method: str, **params: Any) -> tuple[Side, dict[str, Any]]:
    return "client", {"method": method, "params": params}


def answer(number: int, **more: Any) -> tuple[Side, dict[str, Any]]:
    return "server", {"id": number, **(more or {"result": None})}


def status(message: str, kind: str = "Normal") -> tuple[Side, dict[str, Any]]:
    params = {"kind": kind, "message": message, "busy": False}
    return "server", {"method": "didChangeStatus", "params": params}


READY = status("qwen is ready")
SHORT: tuple[Side, dict[str, Any]] = ("note", {"answering": "file:///a", "clock": "short"})
ASKED: tuple[Side, dict[str, Any]] = ("note", {"answering": "file:///a", "origin": "engine"})
CLOSE = tell("textDocument/didClose", textDocument={"uri": "file:///a"})


@pytest.mark.parametrize(
    ("said", "left_out"),
    [
        ([READY, ask(1), answer(1)], [""]),
        ([ask(1), answer(1)], [""]),
        ([ask(1), answer(1), READY, ask(2), answer(2)], ["early", ""]),
        ([READY, ask(1), answer(1), status("it died"), ask(2), answer(2)], ["", "early"]),
        ([READY, ask(1), ask(2), answer(1), answer(2)], ["overtaken", ""]),
        ([READY, ask(1), ask(2, uri="file:///b"), answer(2), answer(1)], ["", ""]),
        ([READY, ask(1), CLOSE, answer(1)], ["overtaken"]),
        ([READY, ask(1), answer(1), CLOSE], [""]),
        ([READY, ask(1), tell("$/cancelRequest", id=1), answer(1)], ["cancelled"]),
        ([READY, ask(1), answer(1), tell("$/cancelRequest", id=1)], [""]),
        ([READY, ask(1), answer(1, error={"code": -32800})], ["cancelled"]),
        ([READY, ask(1), SHORT, answer(1), ask(2), answer(2)], ["short", ""]),
        ([READY, ask(1, uri="file:///b"), SHORT, answer(1)], [""]),
        ([READY, ask(1), ASKED, answer(1)], [""]),
        # The older one has an answer of its own, which says nothing of the newer one.
        ([READY, ask(1), ask(2), SHORT, answer(1), ASKED, answer(2)], ["overtaken", ""]),
        ([READY, ask(1)], ["unanswered"]),
        ([READY, ask(1, "sidecar/stats"), answer(1)], ["accounts"]),
        ([READY, ask(1, "shutdown"), answer(1)], []),
        ([READY, ask(1, "sidecar/deps"), ask(2), answer(1), answer(2)], ["", ""]),
    ],
)
def test_what_is_compared(said: list[tuple[Side, dict[str, Any]]], left_out: list[str]) -> None:
    entries = [Entry(10.0 * at, *one) for at, one in enumerate(said)]
    session = session_of(entries)
    assert [asked.left_out for asked in session.asked.values()] == left_out


def test_what_the_client_answered_and_the_server_noted() -> None:
    session = session_of(
        [
            Entry(0, "server", {"id": "s1", "method": "workspace/configuration"}),
            Entry(1, "client", {"id": "s1", "result": [{"log": {}}]}),
            Entry(2, "client", {"id": "s9", "result": "to nothing that was asked"}),
            Entry(3, "note", {"prompt_tokens_per_s": 300.0}),
            Entry(4, "note", {"prompt_tokens_per_s": 200.0}),
        ]
    )
    assert session.replies == {"workspace/configuration": [[{"log": {}}]]}
    assert session.prompt_tokens_per_s == 300.0


def test_names_given_in_passing_are_not_compared() -> None:
    result = {"items": [ITEM]}
    assert comparable(INLINE, {"result": result}) == {"items": [{"insertText": "x"}]}
    assert comparable("sidecar/deps", {"result": {**result, "generation": 3}}) == result
    assert comparable(INLINE, {"error": {"code": 5, "message": "m"}}) == {"error": 5}
    assert identities_of({"result": {"items": [ITEM, {}, ITEM]}}) == ["7", "7"]
    assert identities_of({"result": None}) == identities_of({"error": {}}) == []
