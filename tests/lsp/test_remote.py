"""A front whose engine is a server elsewhere, over stdio: nothing of it comes from a workspace."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from typing import TYPE_CHECKING, Any

import pytest
from http_server import MARKERS, HttpServer, going_on, said
from lsp_client import LspClient

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.lsp

URI = "file:///w/a.py"
CODE = "def add(a, b):\n    return "


def options(url: str) -> dict[str, Any]:
    return {"settings": {"engine": {"remote": url}}}


async def ready(client: LspClient) -> dict[str, Any]:
    status: dict[str, Any] = await client.seen(
        "didChangeStatus", lambda status: status["message"].endswith("is sent there")
    )
    return status


async def test_a_server_completes_where_no_model_is(no_model: dict[str, str]) -> None:
    environment = {**no_model, "SIDECAR_REMOTE_KEY": "k3y"}
    async with (
        HttpServer(say=going_on("a", " + b"), key="k3y") as server,
        LspClient(environment=environment) as client,
    ):
        await client.initialize(initializationOptions=options(f"{server.url}/v1"))
        assert f"127.0.0.1:{server.port}" in (await ready(client))["message"]
        client.open(URI, CODE)
        _, answer = client.complete(URI, 1, 11, streamToken="s")
        (item,) = (await asyncio.wait_for(answer, 20))["items"]
        assert item["insertText"] == "    return a + b"
        # Warming is off here, so that this is the first that was sent of the document.
        body = next(one.body for one in server.asked("/completion") if one.body["n_predict"] == 48)
        assert body["prompt"].count(MARKERS["<|fim_prefix|>"]) == 1
        assert body["grammar"] == 'root ::= "n " .*'
        # The last bytes were taken back.
        assert bytes(token for token in body["prompt"] if token < 256) == CODE[:-2].encode()
        engine = (await client.request("sidecar/status"))["engine"]
        assert (engine["pid"], engine["process"]["server"]) == (None, "llama-server")
        told = json.dumps([engine, dict(client.notifications)])
        assert await client.shutdown() == 0
    assert "k3y" not in told
    assert b"k3y" not in client.stderr


async def test_a_workspace_cannot_send_code_anywhere(no_model: dict[str, str]) -> None:
    async with HttpServer() as server, LspClient(environment=no_model) as client:
        client.on_request("workspace/configuration", lambda _: [{"engine": {"remote": server.url}}])
        capabilities = {"workspace": {"configuration": True}}
        await client.initialize(capabilities=capabilities)
        message = await client.seen(
            "window/showMessage", lambda told: "engine.remote" in told["message"]
        )
        assert "is not taken from a workspace" in message["message"]
        client.open(URI, CODE)
        _, answer = client.complete(URI, 1, 11)
        assert await asyncio.wait_for(answer, 20) is None
        await client.seen("didChangeStatus", lambda status: status["kind"] != "Normal")
        assert (await client.request("sidecar/status"))["engine"]["phase"] == "no-model"
        assert await client.shutdown() == 0
    assert server.connections == 0


@pytest.mark.engine
async def test_when_the_server_goes_this_machine_completes(model_path: object) -> None:
    async with LspClient() as client:
        async with HttpServer(say=going_on("there")) as server:
            await client.initialize(initializationOptions=options(server.url))
            await ready(client)
            client.open(URI, CODE)
            _, answer = client.complete(URI, 1, 11)
            (item,) = (await asyncio.wait_for(answer, 20))["items"]
            assert item["insertText"] == "    return there"
        client.change(URI, 2, {"text": CODE + "a +"})
        # Whatever is asked meanwhile is answered, with nothing if need be.
        _, answer = client.complete(URI, 1, 14)
        await asyncio.wait_for(answer, 20)
        await client.seen("window/showMessage", lambda told: "meanwhile" in told["message"])
        await client.ready()
        # What the server had said of this place is not offered any more.
        client.change(URI, 3, {"text": CODE})
        _, answer = client.complete(URI, 1, 11)
        made = await asyncio.wait_for(answer, 60)
        counters = (await client.request("sidecar/stats"))["counters"]
        assert made is not None, counters
        assert made["items"][0]["insertText"].startswith("    return a")
        assert (counters["remote.met"], counters["remote.lost"]) == (1, 1)
        assert await client.shutdown() == 0


async def test_one_suggestion_in_the_shell(tmp_path: Path, no_model: dict[str, str]) -> None:
    file = tmp_path / "a.py"
    file.write_text(CODE)
    async with HttpServer(say=going_on("a", " + b")) as server:

        async def complete(url: str) -> tuple[int | None, bytes, bytes]:
            process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "sidecar", "complete", f"{file}:2:12", "--json"),
                *("--remote", url),
                env={**os.environ, **no_model},
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
            )
            out, err = await asyncio.wait_for(process.communicate(), 30)
            return process.returncode, out, err

        code, out, _ = await complete(server.url)
        made = json.loads(out)
        assert (code, made["text"], made["stats"]["stop"]) == (0, "a + b", "newline")
        assert made["model"] == f"coder at 127.0.0.1:{server.port}"
        code, out, err = await complete("http://gpu.example.com:8000")
        assert (code, out, err.count(b"\n")) == (2, b"", 1)
        assert b"in clear text; use https" in err
    code, out, err = await complete(server.url)
    assert (code, out, err.count(b"\n")) == (1, b"", 1)
    assert b"cannot be reached" in err and b"leave out --remote" in err


async def test_the_doctor_looks_at_a_server(no_model: dict[str, str]) -> None:
    async with HttpServer(say=lambda body: said("x")) as server:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "sidecar", "doctor", "--json", "--remote", server.url),
            env={**os.environ, **no_model},
            stdout=asyncio.subprocess.PIPE,
        )
        out, _ = await asyncio.wait_for(process.communicate(), 60)
    checks = {check["name"]: check for check in json.loads(out)["checks"]}
    assert checks["remote"]["ok"]
    assert "coder, llama-server at 127.0.0.1" in checks["remote"]["detail"]
    assert not checks["model"]["ok"]
