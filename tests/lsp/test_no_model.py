"""Without a model: one message that says what to do, empty answers, and recovery by itself."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path

import pytest
from lsp_client import LspClient

pytestmark = pytest.mark.lsp

URI = "file:///w/a.py"


def capable(**window: bool) -> dict[str, object]:
    return {"general": {"positionEncodings": ["utf-16"]}, "window": window}


async def test_one_message_says_what_to_do(client: LspClient) -> None:
    await client.initialize()
    message = await client.seen("window/showMessage")
    assert "no model is installed" in message["message"]
    assert "sidecar models pull" in message["message"]
    status = await client.seen("didChangeStatus", lambda s: s["kind"] == "Error")
    assert not status["busy"]
    assert status["command"]["command"] == "sidecar.restartEngine"
    client.open(URI, "x = ")
    for _ in range(3):
        _, answer = client.complete(URI, 0, 4, streamToken="t")
        assert await answer is None
    client.notify("textDocument/didFocus", {"textDocument": {"uri": URI}})
    await client.request("workspace/executeCommand", {"command": "sidecar.accept"})
    stats = await client.request("sidecar/stats")
    assert stats["counters"]["completion.empty.engine_not_ready"] == 3
    assert len(client.notifications["window/showMessage"]) == 1
    progress = client.notifications["sidecar/inlineCompletionProgress"]
    assert [(p["text"], p["done"]) for p in progress] == [("", True)] * 3
    assert "$/progress" not in client.notifications


@pytest.mark.engine
async def test_a_model_that_is_pulled_later_is_found(
    no_model: dict[str, str], model_path: Path
) -> None:
    async with LspClient(environment=no_model) as client:
        await client.initialize(capabilities=capable(workDoneProgress=True))
        await client.seen("window/showMessage")
        models = Path(no_model["SIDECAR_CACHE_DIR"]) / "models"
        models.mkdir(exist_ok=True)
        (models / model_path.name).symlink_to(model_path)
        client.open(URI, "def add(a, b):\n    return ")
        await client.request("workspace/executeCommand", {"command": "sidecar.restartEngine"})
        await client.ready()
        values = [p["value"]["kind"] for p in client.notifications["$/progress"]]
        # An engine that another test left running is ready at once, without progress.
        assert values == [] or (values[0], values[-1]) == ("begin", "end")
        _, answer = client.complete(URI, 1, 11)
        assert (await answer)["items"][0]["insertText"].startswith("    return ")
        assert await client.shutdown() == 0


async def test_a_file_that_is_no_model_is_named(
    no_model: dict[str, str], tmp_path: Path, data_dir: Path
) -> None:
    text = tmp_path / "code.gguf"
    shutil.copy(data_dir.parent / "conftest.py", text)
    async with LspClient(environment=no_model) as client:
        options = {"settings": {"model": {"path": str(text)}}}
        await client.initialize(initializationOptions=options)
        message = await client.seen("window/showMessage")
        assert "not a GGUF model" in message["message"]
        assert "conftest" not in message["message"]


async def test_logs_hold_no_code(no_model: dict[str, str], tmp_path: Path) -> None:
    file = tmp_path / "sidecar.log"
    secret = "very_secret_name"
    arguments = ("--log-level", "debug", "--log-file", str(file))
    async with LspClient(*arguments, environment=no_model) as client:
        await client.initialize()
        client.open(URI, f"{secret} = ")
        _, answer = client.complete(URI, 0, 19)
        await answer
        # Requests that fail, too.
        client.notify("textDocument/didChange", {"textDocument": secret})
        client.notify("textDocument/didOpen", {"textDocument": {"uri": URI, "text": secret}})
        for method in ("textDocument/inlineCompletion", "workspace/executeCommand", secret):
            _, future = client.start(method, {"textDocument": secret, "command": secret})
            await asyncio.wait([future])
            assert future.exception() is not None
        await client.shutdown()
    said = file.read_text() + client.stderr.decode() + str(client.notifications)
    assert "serving" in file.read_text()
    assert secret not in said


async def test_a_log_file_may_come_from_the_user_but_not_from_a_workspace(
    no_model: dict[str, str], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    ours, theirs = tmp_path / "ours.log", tmp_path / "theirs.log"
    async with LspClient(environment=no_model) as client:
        client.on_request("workspace/configuration", lambda _: [{"log": {"file": str(theirs)}}])
        await client.initialize(
            initializationOptions={"settings": {"log": {"file": str(ours)}}},
            capabilities={"workspace": {"configuration": True}},
        )
        await client.seen(
            "window/showMessage",
            lambda m: "sidecar.log.file is not taken from a workspace" in m["message"],
        )
        await client.shutdown()
    assert "serving" in ours.read_text()
    assert not theirs.exists()
