"""The loopback port: nobody gets in without the token, and nobody's attempt keeps others out."""

from __future__ import annotations

import asyncio
import json
import os
import re
import sys
from typing import TYPE_CHECKING, Any

import pytest
import pytest_asyncio

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

pytestmark = pytest.mark.lsp

TOKEN = re.compile(rb"listening at 127\.0\.0\.1:(\d+) with initializationOptions\.token (\S+)\n")


@pytest_asyncio.fixture
async def server(
    no_model: dict[str, str],
) -> AsyncIterator[tuple[asyncio.subprocess.Process, int, str]]:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "sidecar", "--tcp", "127.0.0.1:0"),
        stdin=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
        env={**os.environ, **no_model},
    )
    assert process.stderr is not None
    said = TOKEN.search(await asyncio.wait_for(process.stderr.readline(), 30))
    assert said is not None
    yield process, int(said[1]), said[2].decode()
    if process.returncode is None:
        process.kill()
    await process.wait()


async def ask(port: int, *messages: Any) -> tuple[list[Any], asyncio.StreamWriter]:
    """Send messages and return as many answers as come before the other side closes."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    for message in messages:
        body = message if isinstance(message, bytes) else json.dumps(message).encode()
        header = b"" if isinstance(message, bytes) else b"Content-Length: %d\r\n\r\n" % len(body)
        writer.write(header + body)
    answers = []
    try:
        async with asyncio.timeout(60):
            while True:
                header = await reader.readuntil(b"\r\n\r\n")
                size = int(header.strip().split(b": ")[1])
                answers.append(json.loads(await reader.readexactly(size)))
                if "result" in answers[-1]:
                    break
    except asyncio.IncompleteReadError:
        pass
    return answers, writer


def initialize(**options: Any) -> dict[str, Any]:
    params = {"processId": None, "capabilities": {}, "initializationOptions": options}
    return {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}


async def test_the_token_opens_and_nothing_else_does(
    server: tuple[asyncio.subprocess.Process, int, str],
) -> None:
    process, port, token = server
    for stranger in (
        initialize(),
        initialize(token=""),
        initialize(token=token[:-1]),
        initialize(token=[token]),
        b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"Content-Length: 99999999\r\n\r\n",
    ):
        answers, writer = await ask(port, stranger)
        assert [answer["error"]["code"] for answer in answers] in ([], [-32600])
        writer.close()
    answers, writer = await ask(port, initialize(token=token))
    assert "capabilities" in answers[0]["result"]
    # The server serves one editor and ends with it.
    writer.close()
    assert await asyncio.wait_for(process.wait(), 30) == 1


async def test_a_silent_stranger_does_not_keep_the_editor_out(
    server: tuple[asyncio.subprocess.Process, int, str],
) -> None:
    _, port, token = server
    _, silent = await asyncio.open_connection("127.0.0.1", port)
    answers, writer = await ask(port, initialize(token=token))
    assert "capabilities" in answers[0]["result"]
    silent.close()
    writer.close()


async def test_a_deeply_nested_stranger_harms_nobody(
    server: tuple[asyncio.subprocess.Process, int, str],
) -> None:
    _, port, token = server
    deep = b"[" * 200_000
    answers, writer = await ask(
        port, b"Content-Length: %d\r\n\r\n%s" % (len(deep), deep), initialize(token=token)
    )
    assert answers[0]["error"]["code"] == -32700
    assert "capabilities" in answers[1]["result"]
    writer.close()


async def test_a_port_that_is_taken_is_told_as_a_failure(
    server: tuple[asyncio.subprocess.Process, int, str], no_model: dict[str, str]
) -> None:
    second = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "sidecar", "--tcp", f"127.0.0.1:{server[1]}"),
        stdin=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
        env={**os.environ, **no_model},
    )
    _, said = await asyncio.wait_for(second.communicate(), 30)
    assert second.returncode == 1
    assert said.startswith(f"sidecar: 127.0.0.1:{server[1]} cannot be listened at".encode())
    assert said.count(b"\n") == 1
