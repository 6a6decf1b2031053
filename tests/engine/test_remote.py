"""A real llama-server as the engine: the same prompts, the same text, and its cache used alike.

Runs where `scripts/peer --build-only` has built one for this user.
"""

from __future__ import annotations

import asyncio
import socket
import subprocess
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
import pytest_asyncio

from sidecar.engine.messages import Request, Segment
from sidecar.remote.breaker import Breaker
from sidecar.remote.client import RemoteClient
from sidecar.remote.spec import RemoteSpec
from sidecar.settings import cache_dir

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from pathlib import Path

    from sidecar.engine.inference import Inference
    from sidecar.engine.messages import Completion
    from sidecar.engine.spec import EngineSpec

# All tests share a connection, for which a vocabulary is read, and the loop that it belongs to.
pytestmark = pytest.mark.asyncio(loop_scope="module")

LONG = "\n".join(f"value_{n} = compute({n})" for n in range(300)) + "\n"
MARKER = "<|fim_middle|>"


@pytest.fixture(scope="module")
def url(model_path: Path, engine_spec: EngineSpec) -> Iterator[str]:
    built = sorted(
        (cache_dir() / "peer").glob("*/llama-server"), key=lambda path: path.stat().st_mtime
    )
    if not built:
        pytest.skip("no llama-server is built here: run `scripts/peer --build-only`")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [built[-1], "-m", model_path, "--host", "127.0.0.1", "--port", port]
    options = ["-c", 4096, "-np", 1, "-t", engine_spec.threads, "-b", 64, "-ub", 64]
    options += ["--api-key", "k3y"]
    process = subprocess.Popen(
        [str(part) for part in (*command, *options)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    yield f"http://127.0.0.1:{port}"
    process.kill()
    process.wait()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def client(url: str) -> AsyncIterator[RemoteClient]:
    spec = RemoteSpec(url, key="k3y", first_token_s=60.0)
    async with asyncio.timeout(100):
        while True:
            client = RemoteClient(spec, None, Breaker())
            try:
                await client.start()
                break
            except Exception:
                # Until the model is loaded it is refused with 503.
                await asyncio.sleep(0.2)
    yield client
    await client.close()


def a_request(typed: str, prefix: str = "import os\n\n", **options: object) -> Request:
    segments = (Segment("prefix", prefix), Segment("suffix", "\n"), Segment("typed", typed))
    return replace(Request("d", segments, max_tokens=8), **options)


def here(inference: Inference, request: Request) -> Completion:
    return inference.run(request, 0.0, lambda: False, lambda text: None)


HARD = (
    a_request(f"x = '{MARKER}'\ny = {MARKER}"),
    a_request("def fo", f"# {MARKER} café ☃ \u2028 \x00\n"),
    a_request("é", "    \t\n\n"),
    a_request(""),
    a_request("return sel", layout="plain"),
    Request(
        "d",
        (
            Segment("repo", "project"),
            Segment("repo", f"a/{MARKER}.py\nimport b\n"),
            Segment("outline", "b.py\nclass B: ...\n"),
            Segment("prefix", "x\n" * 50),
            Segment("suffix", "y\n"),
            Segment("typed", "    z = 1\n    total_cou"),
        ),
    ),
)


async def test_a_server_is_recognised(client: RemoteClient) -> None:
    info = await client.ready()
    assert (info.layout, info.lanes, info.context_tokens) == ("psm", 1, 4096)
    assert info.prompt_tokens_per_s > 0
    assert "llama-server" in info.description
    assert client.state.phase == "ready"


async def test_prompts_are_token_for_token_the_engine_s(
    client: RemoteClient, inference: Inference
) -> None:
    vocabulary = client._vocabulary
    assert vocabulary is not None
    assert vocabulary.template == inference.template
    for request in HARD:
        for room in (4000, 120):
            mine = await vocabulary.assemble(request, room)
            assert mine == inference.assembler.assemble(request, room)


@pytest.mark.parametrize(
    "typed", ["os.path.jo", "for n in ran", "def add(a, b):\n    return a", 'print("a']
)
async def test_the_text_is_the_engine_s(
    client: RemoteClient, inference: Inference, typed: str
) -> None:
    request = a_request(typed)
    heard: list[str] = []
    there = await client.complete(request, heard.append)
    expected = here(inference, request)
    assert there.text == expected.text
    assert there.stats.stop == expected.stats.stop
    assert there.stats.healed_bytes == expected.stats.healed_bytes > 0
    assert heard == sorted(heard, key=len)
    assert there.text.startswith(heard[-1] if heard else "")


@pytest.mark.parametrize(
    "typed", ["re.sub(r'\\\\d", "\tx", "naïve_ca", "# ☃\u200b", "s = '\x7f", 'a["b']
)
async def test_whatever_was_taken_back_can_be_asked_for(client: RemoteClient, typed: str) -> None:
    completion = await client.complete(a_request(typed))
    assert completion.stats.healed_bytes > 0
    assert completion.stats.generated > 0


async def test_keys_and_warming_find_the_prompt_in_the_server_s_cache(
    client: RemoteClient,
) -> None:
    prefix = LONG[:800]
    warmed = await client.complete(a_request("", prefix, max_tokens=0, priority="warming"))
    assert (warmed.text, warmed.stats.stop) == ("", "warmed")
    assert warmed.stats.evaluated > 200
    for typed in ("t", "to", "total = ", "total = co"):
        stats = (await client.complete(a_request(typed, prefix))).stats
        assert stats.evaluated <= 8
        assert stats.reused > 200
    again = await client.complete(a_request("", prefix, max_tokens=0, priority="warming"))
    assert again.stats.stop == "held"


async def test_a_cancelled_prompt_is_given_up_and_the_next_is_answered(
    client: RemoteClient,
) -> None:
    task = asyncio.create_task(client.complete(a_request("x", LONG[-1500:])))
    await asyncio.sleep(0.3)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    connection = client._connection
    assert connection is not None
    async with asyncio.timeout(60):
        while (await connection.get("/slots"))[0]["is_processing"]:  # noqa: ASYNC110
            await asyncio.sleep(0.02)
    assert (await client.complete(a_request("os.path.jo"))).text.startswith("in")
