"""Messages on the wire: headers as clients write them, and streams that are no protocol."""

from __future__ import annotations

import asyncio
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sidecar.server.framing import END, FramingError, frame, read_message


def stream(*data: bytes) -> asyncio.StreamReader:
    reader = asyncio.StreamReader()
    for piece in data:
        reader.feed_data(piece)
    reader.feed_eof()
    return reader


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(st.characters()),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)


@given(json_values, st.integers(1, 40))
@settings(deadline=None)
def test_what_is_framed_is_read_whatever_the_pieces(value: object, size: int) -> None:
    data = frame(value)

    async def read() -> object:
        pieces = [data[at : at + size] for at in range(0, len(data), size)]
        return await read_message(stream(*pieces))

    assert asyncio.run(read()) == value


def test_lone_surrogates_survive() -> None:
    assert json.loads(frame("\ud83d").partition(b"\r\n\r\n")[2]) == "\ud83d"


@pytest.mark.parametrize(
    "header",
    [
        b"Content-Length: 2\r\n",
        b"content-length:2\r\n",
        b"Content-Type: application/vscode-jsonrpc; charset=utf-8\r\nContent-Length: 2\r\n",
        b"Content-Length: 2\r\nContent-Type: x\r\n",
    ],
)
async def test_headers_as_clients_write_them(header: bytes) -> None:
    assert await read_message(stream(header + b"\r\n", b"[]")) == []


@pytest.mark.parametrize("cut", [b"", b"Content-Le", b"Content-Length: 5\r\n\r\n[1"])
async def test_a_stream_that_ends_ends_quietly(cut: bytes) -> None:
    assert await read_message(stream(cut)) is END


@pytest.mark.parametrize(
    "data",
    [
        b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"Content-Length: many\r\n\r\n",
        b"Content-Length: 999999999\r\n\r\n",
        b"x" * 100_000,
        b"hello\n",
    ],
)
async def test_what_is_no_protocol_is_refused(data: bytes) -> None:
    with pytest.raises(FramingError):
        await read_message(stream(data))


async def test_a_body_that_is_not_json_does_not_end_the_stream() -> None:
    reader = stream(b"Content-Length: 3\r\n\r\n{x}", frame([1]))
    with pytest.raises(json.JSONDecodeError):
        await read_message(reader)
    assert await read_message(reader) == [1]


@pytest.mark.parametrize(
    ("sent", "read"),
    [
        (b"\xff", "?"),
        (b"a\xfe\xffb", "a??b"),
        ("長".encode()[:2] + b"x", "??x"),
        ("é".encode() + b"\xe9", "é?"),
        (b"\\ud83d\xff", "\ud83d?"),
    ],
)
async def test_bytes_that_are_no_text_are_a_character_each(sent: bytes, read: str) -> None:
    body = b'["%s"]' % sent
    reader = stream(b"Content-Length: %d\r\n\r\n%s" % (len(body), body), frame(None))
    assert await read_message(reader) == [read]
    assert await read_message(reader) is None


@pytest.mark.parametrize("depth", [101, 900, 200_000])
async def test_a_body_nested_too_deeply_is_no_message(depth: int) -> None:
    body = b"[" * depth + b"]" * depth
    reader = stream(b"Content-Length: %d\r\n\r\n%s" % (len(body), body), frame(None))
    with pytest.raises(ValueError, match="deeply"):
        await read_message(reader)
    assert await read_message(reader) is None
