"""The engine as a process: started once, shared, left alone, killed, and told wrong things."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from sidecar.engine.client import EngineClient
from sidecar.engine.messages import Request, Segment, pack
from sidecar.engine.spec import EngineSpec, Meeting
from sidecar.errors import EngineError, EngineGone, ModelError
from sidecar.settings.paths import runtime_dir

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from sidecar.engine.messages import Completion

LONG = "\n".join(f"value_{n} = compute({n})" for n in range(18)) + "\n"


def request(prefix: str = "import os\n", typed: str = "os.pa", **options: object) -> Request:
    segments = (Segment("prefix", prefix), Segment("suffix", "\n"), Segment("typed", typed))
    return replace(Request("d", segments, max_tokens=4), **options)


async def until_decoding(client: EngineClient, before: int) -> None:
    """Wait until the first pass of a prompt is finished, which takes two at least."""
    async with asyncio.timeout(60):
        while (await client.status())["decode_calls"] <= before:  # noqa: ASYNC110
            await asyncio.sleep(0.01)


async def until_idle(client: EngineClient, fronts: int = 100) -> None:
    async with asyncio.timeout(60):
        while (status := await client.status())["busy"] or status["fronts"] > fronts:  # noqa: ASYNC110
            await asyncio.sleep(0.01)  # The engine tells no one when it rests.


@pytest.fixture
async def client(engine_spec: EngineSpec) -> AsyncIterator[EngineClient]:
    client = EngineClient(replace(engine_spec, identity="process", idle_seconds=60))
    await client.start()
    await client.ready()
    yield client
    await client.close()


async def test_completes_and_counts_through_the_socket(client: EngineClient) -> None:
    texts: list[str] = []
    completion = await client.complete(request(), texts.append)
    assert completion.text.startswith("th")
    assert completion.text.startswith(texts[0] if texts else "")
    assert await client.count(["import os\n", ""]) == [3, 0]
    assert client.state.phase == "ready"


async def test_fronts_that_agree_share_one_engine(client: EngineClient) -> None:
    other = EngineClient(client.spec)
    await other.start()
    await other.ready()
    assert other.state.pid == client.state.pid
    await other.close()


async def test_many_fronts_at_once_start_one_engine(engine_spec: EngineSpec) -> None:
    spec = replace(engine_spec, identity="race", idle_seconds=1)
    fronts = [EngineClient(spec) for _ in range(5)]
    await asyncio.gather(*(front.start() for front in fronts))
    await asyncio.gather(*(front.ready() for front in fronts))
    assert len({front.state.pid for front in fronts}) == 1
    for front in fronts:
        await front.close()


async def test_a_killed_engine_fails_the_request_and_the_next_start_serves(
    client: EngineClient,
) -> None:
    await client.complete(request())
    first = client.state.pid
    running = asyncio.create_task(client.complete(request(LONG)))
    await asyncio.sleep(0.05)
    os.kill(first, signal.SIGKILL)
    with pytest.raises(EngineGone):
        await running
    assert client.state.phase == "stopped"
    await client.start()
    await client.ready()
    assert client.state.pid != first
    assert (await client.complete(request())).text.startswith("th")


async def test_the_engine_survives_a_front_that_dies_mid_request(client: EngineClient) -> None:
    script = (
        "import asyncio, os, sys\n"
        "from sidecar.engine.client import EngineClient\n"
        "from sidecar.engine.messages import Request, Segment\n"
        "from sidecar.engine.spec import EngineSpec\n"
        "async def main():\n"
        "    client = EngineClient(EngineSpec.from_json(sys.argv[1]))\n"
        "    await client.start()\n"
        "    await client.ready()\n"
        "    text = sys.argv[2]\n"
        "    segments = (Segment('prefix', text),)\n"
        "    task = asyncio.create_task(client.complete(Request('d', segments)))\n"
        "    await asyncio.sleep(0.3)\n"
        "    os._exit(7)\n"
        "asyncio.run(main())\n"
    )
    child = await asyncio.create_subprocess_exec(
        sys.executable, "-c", script, client.spec.to_json(), LONG
    )
    assert await child.wait() == 7
    await until_idle(client, fronts=1)
    assert (await client.complete(request())).text.startswith("th")


async def test_cancelling_the_task_frees_the_engine(client: EngineClient) -> None:
    before = (await client.status())["decode_calls"]
    running = asyncio.create_task(client.complete(request("# other\n" + LONG)))
    await until_decoding(client, before)
    running.cancel()
    with suppress(asyncio.CancelledError):
        await running
    await until_idle(client)
    again = await client.complete(request("# other\n" + LONG))
    # A chunk, which is of eight tokens at least; others hold the first one too.
    assert again.stats.reused >= 8


async def test_what_was_done_until_a_cancel_is_told_and_kept(client: EngineClient) -> None:
    told: asyncio.Future[Completion] = asyncio.get_running_loop().create_future()
    warming = request("# warmed\n" + LONG, max_tokens=0, priority="warming")
    before = (await client.status())["decode_calls"]
    running = asyncio.create_task(client.complete(warming, on_cancelled=told.set_result))
    await until_decoding(client, before)
    running.cancel()
    with suppress(asyncio.CancelledError):
        await running
    stats = (await asyncio.wait_for(told, 60)).stats
    assert stats.stop == "cancelled"
    assert stats.evaluated > 0
    again = await client.complete(request("# warmed\n" + LONG))
    assert again.stats.reused >= stats.evaluated


async def test_what_was_done_is_told_when_a_cancel_comes_with_the_answer(
    client: EngineClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[Completion] = []
    running = asyncio.create_task(client.complete(request(), on_cancelled=told.append))
    receive = client._receive

    def and_cancel(kind: str, body: Any) -> None:
        receive(kind, body)
        if kind == "done":
            running.cancel()

    monkeypatch.setattr(client, "_receive", and_cancel)
    with pytest.raises(asyncio.CancelledError):
        await asyncio.wait_for(running, 60)
    assert [one.text[:2] for one in told] == ["th"]
    assert not client._cancelled
    assert not client._pending


async def test_an_unused_engine_ends_and_takes_its_socket_along(engine_spec: EngineSpec) -> None:
    client = EngineClient(replace(engine_spec, identity="idle", idle_seconds=1))
    await client.start()
    await client.ready()
    socket = Meeting(runtime_dir(), client.spec.key()).socket
    assert socket.stat().st_mode & 0o077 == 0, "only the user may connect"
    await client.close()
    async with asyncio.timeout(30):
        while socket.exists():  # noqa: ASYNC110 - another process removes it.
            await asyncio.sleep(0.05)


async def test_nonsense_ends_only_the_connection_it_came_from(client: EngineClient) -> None:
    path = Meeting(runtime_dir(), client.spec.key()).socket
    for nonsense in (b"\xc1\xc1\xc1", b"GET / HTTP/1.1\r\n\r\n", pack("complete", {"id": 1})):
        reader, writer = await asyncio.open_unix_connection(path)
        writer.write(nonsense)
        async with asyncio.timeout(20):
            while await reader.read(4096):
                pass
        writer.close()
        await writer.wait_closed()
    assert (await client.complete(request())).text.startswith("th")


async def test_a_second_engine_that_races_for_the_lock_says_so(client: EngineClient) -> None:
    child = subprocess.run(  # noqa: ASYNC221 - nothing else runs on this loop.
        [sys.executable, "-m", "sidecar.engine", "--spec", client.spec.to_json()],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert child.returncode == 1
    assert child.stderr.startswith("sidecar: another engine already serves this model")
    assert child.stderr.count("\n") == 1


async def test_a_socket_path_that_is_too_long_is_told(
    engine_spec: EngineSpec, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    deep = tmp_path / ("d" * 100)
    monkeypatch.setenv("SIDECAR_RUNTIME_DIR", str(deep))
    with pytest.raises(EngineError, match=r"longer than 103 bytes; set SIDECAR_RUNTIME_DIR"):
        await EngineClient(engine_spec).start()


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"just text\n", r"cannot load broken\.gguf"),
        (b"GGUF\x03\x00\x00\x00", r"cannot load broken\.gguf"),
    ],
    ids=["text", "cut short"],
)
async def test_a_broken_model_is_told_to_every_front(
    engine_spec: EngineSpec, tmp_path: Path, content: bytes, reason: str
) -> None:
    path = tmp_path / "broken.gguf"
    path.write_bytes(content)
    client = EngineClient(replace(engine_spec, model_path=path, identity=repr(content)))
    await client.start()
    with pytest.raises(ModelError, match=reason):
        await client.ready()
    with pytest.raises(EngineError, match=reason):
        await client.complete(request())
    await client.close()


def test_describe_tells_the_build() -> None:
    child = subprocess.run(
        [sys.executable, "-m", "sidecar.engine", "--describe"],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    described = json.loads(child.stdout)
    assert described["llama_cpp"] == "0.3.36"
    assert isinstance(described["gpu_offload"], bool)
    assert any(device["kind"] == "cpu" for device in described["devices"])
