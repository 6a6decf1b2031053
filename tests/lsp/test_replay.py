"""A session is recorded as it was, and played again it comes to the same answers."""

from __future__ import annotations

import asyncio
import json
import os
import stat
import sys
from typing import TYPE_CHECKING, Any

import pytest
from lsp_client import LspClient, LspError
from lsp_work import indexed, write

from sidecar.server.recording import read_recording

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.lsp

SHAPES = """\
import math


class Circle:
    def __init__(self, radius: float) -> None:
        self.radius = radius

    def area(self) -> float:
        return math.pi * self.radius ** 2
"""
APP = """\
from shapes import Circle


def total(circles: list[Circle]) -> float:
    result = 0.0
    for circle in circles:
        
    return result
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "work"
    write(folder / "shapes.py", SHAPES)
    write(folder / "app.py", APP)
    return folder


async def begin(
    client: LspClient, root: Path, settings: dict[str, Any], warming: str = "off"
) -> None:
    # Some editors send every default.
    told = {"completion": {"maxTokens": 12}, "context": {"shortFirst": True}}
    client.on_request("workspace/configuration", lambda _: [told])
    await client.initialize(
        warming=warming,
        workspaceFolders=[{"uri": root.as_uri(), "name": "work"}],
        capabilities={"workspace": {"configuration": True}},
        initializationOptions={"settings": settings},
    )
    await indexed(client)


async def replayed(file: Path, environment: dict[str, str] | None = None) -> dict[str, Any]:
    """Play a recording as somebody does at a terminal."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "sidecar", "replay", str(file), "--json", "--longest-pause", "0.3"),
        env={**os.environ, **(environment or {})},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    said, complaint = await process.communicate()
    assert process.returncode in (0, 1), complaint.decode()
    report: dict[str, Any] = json.loads(said)
    assert process.returncode == bool(report["different"])
    assert report["requests"] == report["equal"] + len(report["different"])
    return report


async def test_what_the_index_answers_comes_again_and_what_changed_is_shown(
    root: Path, tmp_path: Path, no_model: dict[str, str]
) -> None:
    file = tmp_path / "session.jsonl"
    uri = (root / "app.py").as_uri()
    async with LspClient("--record", str(file), environment=no_model) as client:
        await begin(client, root, {})
        client.open(uri, APP)
        assert (await client.request("sidecar/symbols", {"query": "Circle"}))["symbols"]
        await client.request("sidecar/deps", {"path": str(root / "app.py")})
        with pytest.raises(LspError):
            await client.request("no/such")
        _, answer = client.complete(uri, 6, 8)
        assert await answer is None
        await client.request("sidecar/stats")
        assert await client.shutdown() == 0
    assert b"this session is recorded" in client.stderr
    if os.name == "posix":
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
    entries = read_recording(file)
    (noted,) = (one.message for one in entries if "context.shortFirst" in one.message)
    assert noted == {"context.shortFirst": False, "remembered_places": False}
    methods = [one.message.get("method") for one in entries if one.side == "client"]
    assert methods[0] == "initialize" and methods[-1] == "exit"

    report = await replayed(file, no_model)
    assert report["different"] == []
    # The handshake, symbols, imports, the refusal, and the empty suggestion.
    assert report["requests"] == 5
    assert set(report["left_out"]) == {"accounts"}
    assert set(report["timing_ms"]["sidecar/symbols"]) == {"recorded", "replayed"}

    write(root / "shapes.py", SHAPES.replace("Circle", "Disc"))
    report = await replayed(file, no_model)
    assert "sidecar/symbols" in [one["method"] for one in report["different"]]
    (one,) = (one for one in report["different"] if one["method"] == "sidecar/symbols")
    assert [symbol["name"] for symbol in one["expected"]["symbols"]] == ["Circle"]
    assert "Circle" not in [symbol["name"] for symbol in one["got"]["symbols"]]


async def test_whoever_gives_a_recording_sends_no_code_away_and_writes_no_file(
    root: Path, tmp_path: Path, no_model: dict[str, str]
) -> None:
    file, log = tmp_path / "session.jsonl", tmp_path / "log"
    remote = "http://127.0.0.1:9"
    async with LspClient("--record", str(file), environment=no_model) as client:
        settings = {"engine": {"remote": remote}, "log": {"file": str(log)}}
        await begin(client, root, settings)
        assert await client.shutdown() == 0
    log.unlink()
    await replayed(file, no_model)
    assert not log.exists()


@pytest.mark.engine
async def test_an_editing_session_comes_to_the_same_answers_twice(
    root: Path, tmp_path: Path, model_path: Path
) -> None:
    """Evaluates some 800 tokens, three times; a part of them ahead, as by default."""
    file = tmp_path / "session.jsonl"
    app, shapes = (root / "app.py").as_uri(), (root / "shapes.py").as_uri()
    async with LspClient("--record", str(file)) as client:
        await begin(client, root, {}, warming="always")
        await client.ready()
        client.open(app, APP)
        version, line, column = 1, 6, 8
        identities = []
        refused = 0

        async def typed(text: str, *, wait: bool = True) -> dict[str, Any] | None:
            nonlocal version, column, refused
            last = None
            for letter in text:
                version += 1
                client.change(app, version, edit(line, column, column, letter))
                column += 1
                number, answer = client.complete(app, line, column, streamToken=str(version))
                if not wait:
                    # Faster than the model: each key cancels the request before.
                    client.notify("$/cancelRequest", {"id": number})
                    # Unless it was known, and so answered before it was cancelled.
                    try:
                        await answer
                    except LspError:
                        refused += 1
                    continue
                result = await asyncio.wait_for(answer, 60)
                if result:
                    identities.extend(result["items"][0]["command"]["arguments"])
                    last = result["items"][0]
            return last

        await typed("resul")
        # What nobody expects, so that it is certainly asked for.
        await typed("ts.ad", wait=False)
        assert refused
        item = await typed("d(c")
        assert item is not None
        # Accepted, taken back, and typed on.
        version += 1
        whole = {"start": item["range"]["start"], "end": item["range"]["end"]}
        client.change(app, version, {"range": whole, "text": item["insertText"]})
        await client.request(
            "workspace/executeCommand",
            {"command": "sidecar.accept", "arguments": [identities[-1]]},
        )
        version += 1
        end = len(item["insertText"])
        client.change(app, version, edit(line, column, end, ""))
        await typed("ir")
        # Another file, and back, where a request is overtaken by a newer one.
        client.open(shapes, SHAPES)
        client.notify("textDocument/didFocus", {"textDocument": {"uri": shapes}})
        _, elsewhere = client.complete(shapes, 8, 25)
        await asyncio.wait_for(elsewhere, 60)
        version += 1
        client.change(app, version, edit(line, column, column, "q"))
        _, first = client.complete(app, line, column + 1)
        _, second = client.complete(app, line, column + 1)
        await asyncio.wait_for(asyncio.gather(first, second), 60)
        assert await client.shutdown() == 0

    for _ in range(2):
        report = await replayed(file)
        assert report["different"] == []
        assert report["left_out"]["cancelled"] >= refused
        assert report["left_out"]["overtaken"] == 1
        times = report["timing_ms"]["textDocument/inlineCompletion"]
        assert times["recorded"] and times["replayed"]
        assert "short" not in report["left_out"]
        assert report["requests"] >= len("resuld(cir")


def edit(line: int, start: int, end: int, text: str) -> dict[str, Any]:
    place = {
        "start": {"line": line, "character": start},
        "end": {"line": line, "character": end},
    }
    return {"range": place, "text": text}
