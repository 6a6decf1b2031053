"""The benchmarks' own LSP client: framing, answers to a server's questions, and its death."""

from __future__ import annotations

import json
import sys
from time import perf_counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sidecar.bench.lsp import Frames, LspClient
from sidecar.errors import SidecarError

#: A server that asks for settings when asked to echo, and echoes both.
SERVER = r"""
import json, sys

def send(message):
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    sys.stdout.buffer.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
    sys.stdout.buffer.flush()

def read():
    size = 0
    while (line := sys.stdin.buffer.readline().strip()):
        size = int(line.split(b":")[1])
    return json.loads(sys.stdin.buffer.read(size)) if size else None

sys.stderr.write("hello\n")
while (message := read()) is not None:
    method, number = message.get("method"), message.get("id")
    if method == "exit":
        break
    if method == "die":
        sys.stderr.write("I die\n")
        sys.exit(3)
    if method == "refuse":
        send({"id": number, "error": {"code": -32803, "message": "no"}})
    elif method == "echo":
        items = [{"section": "sidecar"}, {"section": "other"}]
        send({"id": "q", "method": "workspace/configuration", "params": {"items": items}})
        told = read()
        send({"method": "told", "params": told["result"]})
        send({"id": number, "result": message["params"]})
    elif number is not None:
        send({"id": number, "result": None})
"""


def framed(message: Any) -> bytes:
    body = json.dumps(message).encode()
    return b"Content-Length: %d\r\nContent-Type: x\r\n\r\n%s" % (len(body), body)


@settings(deadline=None)
@given(
    st.lists(st.dictionaries(st.text(max_size=5), st.text(max_size=9)), min_size=1, max_size=4),
    st.integers(1, 40),
)
def test_messages_are_found_however_they_are_cut(messages: list[Any], size: int) -> None:
    stream = b"".join(framed(message) for message in messages)
    frames = Frames()
    found = []
    for start in range(0, len(stream), size):
        found += frames.feed(stream[start : start + size])
    assert found == messages


def test_a_message_without_a_length_is_refused() -> None:
    with pytest.raises(ValueError, match="length"):
        Frames().feed(b"Content-Type: x\r\n\r\n{}")


async def test_a_conversation() -> None:
    client = LspClient([sys.executable, "-c", SERVER], {"sidecar": {"a": 1}})
    await client.start()
    heard: list[tuple[Any, float]] = []
    client.listen("told", lambda params, at: heard.append((params, at)))
    since = perf_counter()
    assert await client.request("echo", {"x": "é😀"}) == {"x": "é😀"}
    ((told, at),) = heard
    assert told == [{"a": 1}, None]
    assert since < at < perf_counter()
    with pytest.raises(SidecarError, match=r"refused refuse \(no\)"):
        await client.request("refuse", None)
    await client.close()


async def test_a_server_that_dies_ends_what_waits_for_it() -> None:
    client = LspClient([sys.executable, "-c", SERVER])
    await client.start()
    with pytest.raises(SidecarError, match="the server has ended"):
        await client.request("die", None)
    with pytest.raises(SidecarError, match="the server has ended"):
        await client.request("echo", None)
    assert client.stderr[0] == "hello"
    await client.close()
