"""The handshake, and the ways in which a session ends."""

from __future__ import annotations

import asyncio
import os
import sys

import pytest
from lsp_client import LspClient, LspError

from sidecar import __version__

pytestmark = pytest.mark.lsp


async def test_what_the_server_says_it_can_do(client: LspClient) -> None:
    assert await client.initialize() == {
        "capabilities": {
            "positionEncoding": "utf-16",
            "textDocumentSync": {"openClose": True, "change": 2, "save": True},
            "notebookDocumentSync": {"notebookSelector": [{"notebook": "*"}], "save": True},
            "inlineCompletionProvider": {},
            "executeCommandProvider": {"commands": ["sidecar.accept", "sidecar.restartEngine"]},
            "workspace": {"workspaceFolders": {"supported": True, "changeNotifications": True}},
        },
        "serverInfo": {"name": "sidecar", "version": __version__},
    }
    assert await client.shutdown() == 0


async def test_the_encoding_is_negotiated_and_used(client: LspClient) -> None:
    general = {"positionEncodings": ["utf-8", "utf-16"]}
    result = await client.initialize(capabilities={"general": general})
    assert result["capabilities"]["positionEncoding"] == "utf-8"
    uri = "file:///w/a.py"
    client.open(uri, "\N{GRINNING FACE}b")
    client.change(uri, 2, edit(0, 4, 0, 5, "c"))
    status = await client.request("sidecar/status", {"textDocument": {"uri": uri}})
    assert status["positionEncoding"] == "utf-8"
    assert status["document"]["utf16Units"] == 3
    card = await client.request(
        "sidecar/contextCard",
        {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 5}},
    )
    assert [part["part"] for part in card["parts"]] == ["typed"]


async def test_nothing_comes_before_and_no_second_initialize(client: LspClient) -> None:
    with pytest.raises(LspError) as caught:
        await client.request("sidecar/status")
    assert caught.value.code == -32002
    client.notify("textDocument/didOpen", {})
    await client.initialize()
    with pytest.raises(LspError) as caught:
        await client.request("initialize", {"processId": None, "capabilities": {}})
    assert caught.value.code == -32600


async def test_after_shutdown_requests_are_refused_and_exit_is_clean(client: LspClient) -> None:
    await client.initialize()
    await client.request("shutdown")
    with pytest.raises(LspError) as caught:
        await client.request("sidecar/status")
    assert caught.value.code == -32600
    client.notify("exit")
    assert await asyncio.wait_for(client.process.wait(), 30) == 0


async def test_exit_without_shutdown_is_a_failure(client: LspClient) -> None:
    await client.initialize()
    client.notify("exit")
    assert await asyncio.wait_for(client.process.wait(), 30) == 1


@pytest.mark.parametrize("initialized", [False, True])
async def test_the_server_ends_when_its_input_does(client: LspClient, initialized: bool) -> None:
    if initialized:
        await client.initialize()
    assert client.process.stdin is not None
    client.process.stdin.close()
    assert await asyncio.wait_for(client.process.wait(), 30) == 1


@pytest.mark.skipif(os.name != "posix", reason="only POSIX can ask for a process harmlessly")
async def test_the_server_ends_with_the_editor_even_if_its_input_stays_open(
    no_model: dict[str, str],
) -> None:
    editor = await asyncio.create_subprocess_exec(sys.executable, "-c", "input()", stdin=-1)
    async with LspClient(environment=no_model) as client:
        await client.initialize(processId=editor.pid)
        await client.request("sidecar/status")
        editor.kill()
        await editor.wait()
        assert await asyncio.wait_for(client.process.wait(), 30) == 1
    assert editor.stdin is not None
    editor.stdin.close()


async def test_what_others_print_cannot_break_the_protocol(no_model: dict[str, str]) -> None:
    script = """
import os, subprocess, sys, threading, time
from sidecar.cli.main import main
def noise():
    while True:
        print("stray", flush=True)
        os.write(1, b"stray")
        subprocess.run(["echo", "stray"])
        time.sleep(0.01)
import sidecar.server.main as server
claim = server.claim_stdio
def claim_and_make_noise():
    streams = claim()
    threading.Thread(target=noise, daemon=True).start()
    return streams
server.claim_stdio = claim_and_make_noise
sys.exit(main(["--stdio"]))
"""
    command = [sys.executable, "-c", script]
    async with LspClient(command=command, environment=no_model) as client:
        await client.initialize()
        for _ in range(20):
            await client.request("sidecar/status")
            await asyncio.sleep(0.01)
        assert await client.shutdown() == 0
    assert client.strays == b""
    assert client.stderr.count(b"stray") > 20


async def test_before_initialize_too_nothing_strange_ends_the_server(client: LspClient) -> None:
    for strange, code in ((b"[" * 200_000, -32700), (b"null", -32600)):
        client.notifications.clear()
        client.send_raw(b"Content-Length: %d\r\n\r\n%s" % (len(strange), strange))
        assert (await client.seen("error"))["code"] == code
    await client.initialize()


async def test_input_that_is_no_protocol_is_told_in_one_line(client: LspClient) -> None:
    client.send_raw(b"hello\n")
    assert client.process.stdin is not None
    assert client.process.stderr is not None
    client.process.stdin.close()
    assert await asyncio.wait_for(client.process.wait(), 30) == 1
    said = (await client.process.stderr.read()).decode()
    assert said.startswith("sidecar: something that is no message came in; ")
    assert said.count("\n") == 1


async def test_messages_that_are_none_are_answered(client: LspClient) -> None:
    await client.initialize()
    client.send_raw(b"Content-Length: 3\r\n\r\n{x}")
    await client.seen("error", lambda error: error["code"] == -32700)
    for strange, code in (
        (b"[" * 200_000, -32700),
        (b"null", -32600),
        (b"5", -32600),
        (b"[1, 2]", -32600),
        (b'{"jsonrpc": "2.0", "id": []}', -32600),
        (b'{"jsonrpc": "2.0", "method": []}', -32600),
    ):
        client.notifications.clear()
        client.send_raw(b"Content-Length: %d\r\n\r\n%s" % (len(strange), strange))
        assert (await client.seen("error"))["code"] == code
    for method, params, code in (
        ("textDocument/hover", {}, -32601),
        ("textDocument/inlineCompletion", {"position": {"line": "x"}}, -32602),
        ("sidecar/contextCard", None, -32602),
        ("workspace/executeCommand", {"command": "sidecar.nothing"}, -32602),
    ):
        with pytest.raises(LspError) as caught:
            await client.request(method, params)
        assert caught.value.code == code
    client.notify("$/unknown", {})
    client.notify("textDocument/didChange", {"contentChanges": 3})
    client.notify("$/cancelRequest", {"id": 999})
    await client.request("sidecar/status")


def edit(
    line: int, character: int, end_line: int, end_character: int, text: str
) -> dict[str, object]:
    start = {"line": line, "character": character}
    end = {"line": end_line, "character": end_character}
    return {"range": {"start": start, "end": end}, "text": text}
