"""What is asked of a remote engine, what is made of its answers, and how it fails."""

from __future__ import annotations

import asyncio
import shutil
import ssl
import subprocess
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import pytest
from http_server import MARKERS, Cut, Hang, HttpServer, going_on, said, said_by_vllm

from sidecar.engine.messages import Completion, Request, Segment
from sidecar.errors import EngineError, EngineGone
from sidecar.remote.breaker import Breaker
from sidecar.remote.client import RemoteClient
from sidecar.remote.spec import RemoteSpec

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from sidecar.engine.interface import EngineState

PRE, SUF, MID = (MARKERS[f"<|fim_{name}|>"] for name in ("prefix", "suffix", "middle"))


def a_request(typed: str = "", **fields: Any) -> Request:
    segments = (Segment("prefix", "a"), Segment("suffix", "z"), Segment("typed", typed))
    return Request("doc", segments, **fields)


def measured(body: Any) -> list[Any] | None:
    """Return the answer to the request with which a server is measured."""
    if body.get("n_predict") == 8 or (body["max_tokens"] if "max_tokens" in body else 0) == 8:
        return said("x") if "n_predict" in body else said_by_vllm("x")
    return None


@asynccontextmanager
async def client_of(server: HttpServer, **fields: Any) -> AsyncIterator[RemoteClient]:
    say = server.say
    server.say = lambda body: measured(body) or say(body)
    states: list[EngineState] = []
    spec = RemoteSpec(server.url, key=server.key, **fields)
    client = RemoteClient(spec, states.append, Breaker())
    await client.start()
    assert [state.phase for state in states] == ["starting", "ready"]
    try:
        yield client
    finally:
        await client.close()


async def test_llama_server_is_given_ids_and_ends_as_the_engine_does() -> None:
    async with (
        HttpServer(say=lambda body: said("f", "o", end="word", cached=20)) as server,
        client_of(server) as client,
    ):
        heard: list[str] = []
        completion = await client.complete(a_request("fo"), heard.append)
        body = server.asked("/completion")[-1].body
    # The last two tokens, here bytes, are taken back, and given again.
    assert body["prompt"] == [PRE, ord("a"), SUF, ord("z"), MID]
    assert body["grammar"] == 'root ::= "fo" .*'
    assert (body["stop"], body["n_predict"], body["cache_prompt"]) == (["\n"], 48, True)
    assert server.broken_off == 0
    assert completion.text == ""
    stats = completion.stats
    assert (stats.stop, stats.evaluated, stats.reused) == ("newline", 7, 20)


async def test_text_grows_without_what_was_typed() -> None:
    async with (
        HttpServer(say=lambda body: said("o", "ob", "är", end="word")) as server,
        client_of(server) as client,
    ):
        heard: list[str] = []
        completion = await client.complete(a_request("x.foo"), heard.append)
    assert (heard, completion.text) == (["b", "bär"], "bär")
    assert completion.stats.generated == 6
    assert completion.stats.healed_bytes == 2
    assert completion.stats.visible_ms is not None


async def test_vllm_is_given_ids_and_a_regular_expression() -> None:
    async with (
        HttpServer("vllm", say=lambda body: said_by_vllm("f", "(self", reason="\n")) as server,
        client_of(server) as client,
    ):
        completion = await client.complete(a_request("f("))
        body = server.asked("/v1/completions")[-1].body
        assert client.state.info is not None
        assert client.state.info.layout == "psm"
    assert body["prompt"] == [PRE, ord("a"), SUF, ord("z"), MID]
    assert body["structured_outputs"] == {"regex": r"f\((.|\n)*"}
    assert body["stop_token_ids"] == sorted(MARKERS.values())
    assert (completion.text, completion.stats.stop) == ("self", "newline")
    assert (completion.stats.evaluated, completion.stats.reused) == (3, 6)


@pytest.mark.parametrize(
    ("version", "key"), [("0.10.2", "guided_regex"), ("1.0", "structured_outputs")]
)
async def test_versions_of_vllm_name_the_expression_differently(version: str, key: str) -> None:
    async with (
        HttpServer("vllm", say=lambda body: said_by_vllm("fo"), version=version) as server,
        client_of(server) as client,
    ):
        await client.complete(a_request("fo"))
        assert key in server.asked("/v1/completions")[-1].body


@pytest.mark.parametrize("kind", ["llama", "vllm"])
async def test_code_never_becomes_a_special_token(kind: str) -> None:
    marker = "<|fim_middle|>"
    code = f"s = '{marker}'\n{marker}{marker}"
    segments = (
        Segment("repo", f"r{marker}"),
        Segment("outline", f"{marker}.py\n"),
        Segment("prefix", code),
        Segment("suffix", marker),
        Segment("typed", f"t = {marker}\nx"),
    )
    answer = said("x") if kind == "llama" else said_by_vllm("x")
    async with HttpServer(kind, say=lambda body: answer) as server, client_of(server) as client:
        await client.complete(Request("doc", segments))
        prompt = server.seen[-1].body["prompt"]
    special = [token for token in prompt if token >= 1000]
    # The template's own, each once.
    assert special == [MARKERS["<|repo_name|>"], MARKERS["<|file_sep|>"], PRE, SUF, MID]
    assert bytes(token for token in prompt if token < 256).count(marker.encode()) == 7


async def test_counting_sends_nothing() -> None:
    # Lines are counted before it is known which are shown, and before secrets are blanked.
    async with HttpServer() as server, client_of(server) as client:
        before = len(server.seen)
        assert await client.count(["password = 'hunter2'", "", "é"]) == [8, 0, 1]
        assert len(server.seen) == before


async def test_typing_inside_a_token_asks_for_one_line_of_tokens() -> None:
    async with (
        HttpServer(say=lambda body: said("fo", "o", end="word")) as server,
        client_of(server) as client,
    ):
        await client.complete(a_request("x\nfo"))
        before = len(server.asked("/tokenize"))
        await client.complete(a_request("x\nfo"))
        assert len(server.asked("/tokenize")) == before


async def test_connections_are_kept() -> None:
    async with (
        HttpServer(say=lambda body: said("x")) as server,
        client_of(server) as client,
    ):
        for _ in range(5):
            await client.complete(a_request())
        ours = {one.connection for one in server.asked("/completion")}
    assert len(ours) == 1


async def test_a_block_that_ends_ends_the_request() -> None:
    steps = [*said("a\n", "    b\n", "c\n")[:-1], Hang()]
    async with HttpServer(say=lambda body: steps) as server, client_of(server) as client:
        completion = await client.complete(
            a_request("\n    ", heal=False, multiline=True, block=True)
        )
        await until(lambda: server.broken_off == 1)
    assert (completion.text, completion.stats.stop) == ("a\n    b", "dedent")
    assert server.asked("/completion")[-1].body["stop"] == []


async def test_markers_that_a_model_says_end_its_text() -> None:
    steps = [*said("ab")[:-1], {"content": "", "tokens": [SUF], "stop": False}, Hang()]
    async with HttpServer(say=lambda body: steps) as server, client_of(server) as client:
        completion = await client.complete(a_request())
    assert (completion.text, completion.stats.stop) == ("ab", "eog")


async def test_time_is_up_at_the_next_token() -> None:
    steps = [*said("a", "b")[:-1], Hang()]
    async with HttpServer(say=lambda body: steps) as server, client_of(server) as client:
        completion = await client.complete(a_request(time_limit_ms=0.0))
    assert (completion.text, completion.stats.stop) == ("a", "time")


async def test_cancelling_closes_the_stream() -> None:
    steps = [*said("a")[:-1], Hang()]
    async with HttpServer(say=lambda body: steps) as server, client_of(server) as client:
        heard = asyncio.Event()
        ended: list[Completion] = []
        task = asyncio.create_task(
            client.complete(a_request(), lambda text: heard.set(), ended.append)
        )
        await heard.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await until(lambda: server.broken_off == 1)
        assert [one.stats.stop for one in ended] == ["cancelled"]
        assert client.connected


async def test_the_newest_request_of_a_document_ends_the_older() -> None:
    async with (
        HttpServer(say=lambda body: [*said("a")[:-1], Hang()]) as server,
        client_of(server) as client,
    ):
        heard = asyncio.Event()
        older = asyncio.create_task(client.complete(a_request(), lambda text: heard.set()))
        await heard.wait()
        newer = asyncio.create_task(client.complete(a_request()))
        assert (await older).stats.stop == "cancelled"
        newer.cancel()


async def test_warming_evaluates_and_generates_nothing() -> None:
    async with (
        HttpServer(say=lambda body: said(end="limit", cached=0)) as server,
        client_of(server) as client,
    ):
        completion = await client.complete(a_request("x", max_tokens=0, priority="warming"))
        body = server.asked("/completion")[-1].body
    assert (body["n_predict"], "grammar" in body) == (0, False)
    assert (completion.text, completion.stats.stop, completion.stats.evaluated) == ("", "warmed", 7)


async def test_what_does_not_begin_as_typed_is_not_shown() -> None:
    async with HttpServer(say=lambda body: said("bar")) as server, client_of(server) as client:
        with pytest.raises(EngineError, match="does not begin with what was typed"):
            await client.complete(a_request("fo"))
        assert client.connected


async def test_a_prompt_without_room_is_refused_here() -> None:
    async with (
        HttpServer(say=lambda body: said("x"), context=600) as server,
        client_of(server) as client,
    ):
        with pytest.raises(EngineError, match="has room for"):
            await client.complete(a_request("x" * 700))


@pytest.mark.parametrize(
    ("steps", "says"),
    [
        ([{"no": "thing", "choices": 5, "stop_type": "eos"}], "says nothing"),
        ([b"data: {nonsense\n\n"], "no JSON"),
        ([b"data: [1]\n\n"], "no object"),
        ([b"data: " + b"x" * (2 << 20)], "too large"),
        ([{"error": {"type": "server_error", "message": "def"}}], r"failed \(server_error\)"),
        ([{"object": "error", "message": "def", "type": "a: def"}], "failed;"),
        ([{"content": "a", "tokens": [97]}], "broke off its answer"),
        ([(500, {"error": {"message": "def"}})], "answered 500;"),
        ([(404, {"error": {"type": "not_found"}})], r"answered 404 \(not_found\)"),
        ([(503, "busy")], "answered 503"),
    ],
)
async def test_a_server_that_fails_three_times_is_left_alone(steps: list[Any], says: str) -> None:
    async with HttpServer(say=lambda body: steps) as server, client_of(server) as client:
        for failures in range(3):
            assert client.connected
            with pytest.raises(EngineError, match=says) as raised:
                await client.complete(a_request())
            assert isinstance(raised.value, EngineGone) == (failures == 2)
            # What servers say may repeat what was sent.
            assert "def" not in str(raised.value)
        assert client.state.phase == "stopped"
        with pytest.raises(EngineGone):
            await client.complete(a_request())
        assert len(server.asked("/completion")) == 1 + 3


async def test_a_refused_request_is_no_failure_of_the_server() -> None:
    steps = [(400, {"error": {"type": "exceed_context_size_error"}})]
    async with HttpServer(say=lambda body: steps) as server, client_of(server) as client:
        for _ in range(5):
            with pytest.raises(EngineError, match="exceed_context_size_error"):
                await client.complete(a_request())
        assert client.connected


async def test_a_cut_connection_is_the_end_of_it() -> None:
    steps = [*said("a")[:-1], Cut()]
    async with HttpServer(say=lambda body: steps) as server, client_of(server) as client:
        with pytest.raises(EngineGone, match="broke off the connection"):
            await client.complete(a_request())
        assert client.state.phase == "stopped"


async def test_all_that_is_under_way_ends_with_the_connection() -> None:
    steps: list[Any] = [*said("a")[:-1], Hang()]
    async with HttpServer(say=lambda body: steps) as server, client_of(server) as client:
        heard = asyncio.Event()
        other = Request("other", a_request().segments)
        waiting = asyncio.create_task(client.complete(other, lambda text: heard.set()))
        await heard.wait()
        steps[-1] = Cut()
        with pytest.raises(EngineGone):
            await client.complete(a_request())
        with pytest.raises(EngineGone):
            await waiting


async def test_a_server_that_says_nothing_in_time() -> None:
    # Comments keep the line open, and are no answer.
    steps = [b": ping\n\n", Hang()]
    async with (
        HttpServer(say=lambda body: steps) as server,
        client_of(server, first_token_s=0.05) as client,
    ):
        with pytest.raises(EngineError, match="does not answer in time"):
            await client.complete(a_request())
        await until(lambda: server.broken_off == 1)


async def test_a_key_is_sent_and_never_told() -> None:
    async with HttpServer(say=lambda body: said("x"), key="s3cret") as server:
        async with client_of(server) as client:
            await client.complete(a_request())
            assert "s3cret" not in repr(client.spec)
            assert "s3cret" not in str(await client.status())
        assert all(one.headers["authorization"] == "Bearer s3cret" for one in server.seen)
        client = RemoteClient(RemoteSpec(server.url, key="wrong"), None, Breaker())
        with pytest.raises(EngineError) as raised:
            await client.start()
        assert "does not take the key" in raised.value.what
        assert f"keyring set sidecar {server.url}" in raised.value.fix
        assert "wrong" not in str(raised.value)


async def check_start(server: HttpServer, says: str, **fields: Any) -> None:
    breaker = Breaker()
    client = RemoteClient(RemoteSpec(server.url, **fields), None, breaker)
    with pytest.raises(EngineError, match=says):
        await client.start()
    assert (client.state.phase, client.connected, breaker.open) == ("failed", False, True)


async def test_servers_that_cannot_be_used() -> None:
    async with HttpServer(status=503) as server:
        await check_start(server, r"answered 503 \(Loading model\)")
    async with HttpServer(status=404) as server:
        await check_start(server, "answered 404")
    async with HttpServer(status=302) as server:
        await check_start(server, "answered 302")
    async with HttpServer("other") as server:
        server.kind = "other"
        await check_start(server, "has no model called 'big'", model="big")
    async with HttpServer() as server:
        pass
    await check_start(server, "cannot be reached")


async def test_a_template_that_the_model_does_not_know() -> None:
    template = {"order": "psm", "prefix": "<A>", "suffix": "<B>", "middle": "<C>"}
    async with HttpServer(say=lambda body: said("x")) as server:
        await check_start(server, "does not know model.template", template=template)


async def test_urgent_requests_go_first_where_there_is_one_slot() -> None:
    warmings: list[list[Any]] = [[b": evaluating\n\n", Hang()], said(end="limit")]

    def say(body: Any) -> list[Any]:
        return said("x") if body["n_predict"] else warmings.pop(0)

    async with HttpServer(say=say, slots=1) as server, client_of(server) as client:
        background = Request("w", a_request().segments, max_tokens=0, priority="warming")
        warming = asyncio.create_task(client.complete(background))
        await until(lambda: len(warmings) == 1)
        assert (await client.complete(a_request())).text == "x"
        assert (await warming).stats.stop == "warmed"
        asked = [one.body["n_predict"] for one in server.asked("/completion")[1:]]
        assert server.broken_off == 1
    assert asked == [0, 48, 0]


async def until(holds: Any) -> None:
    async with asyncio.timeout(60):
        while not holds():  # noqa: ASYNC110 - what is awaited happens in the test's server.
            await asyncio.sleep(0.005)


@pytest.fixture
def certificate(tmp_path: Path) -> tuple[Path, Path]:
    """A certificate that nobody signed, and its key."""
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("no openssl is here to make a certificate with")
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    command = [openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"]
    command += ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
    command += ["-keyout", str(key), "-out", str(certificate)]
    subprocess.run(command, check=True, capture_output=True)
    return certificate, key


async def test_only_a_server_with_a_certificate_that_is_known_is_spoken_with(
    certificate: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(*certificate)
    async with HttpServer(say=going_on("x"), key="k3y", tls=context) as server:
        url = f"https://localhost:{server.port}"
        client = RemoteClient(RemoteSpec(url, key="k3y"), None, Breaker())
        with pytest.raises(EngineError, match=r"cannot be reached \(.*certificate"):
            await client.start()
        # Neither code nor key was sent.
        assert server.seen == []
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate[0]))
        client = RemoteClient(RemoteSpec(url, key="k3y"), None, Breaker())
        await client.start()
        assert (await client.complete(a_request("fo"))).text == "x"
        await client.close()
