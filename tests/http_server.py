"""A small real HTTP server that speaks as llama-server or vLLM does, or fails as one may.

It has no model. Each byte is a token, but for the markers of a template; what it generates is what
a test tells it to say.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    import ssl
    from collections.abc import Callable, Sequence

MARKERS = {
    "<|fim_prefix|>": 1001,
    "<|fim_suffix|>": 1002,
    "<|fim_middle|>": 1003,
    "<|repo_name|>": 1004,
    "<|file_sep|>": 1005,
    "<|fim_pad|>": 1006,
}
_TEXTS = {number: text for text, number in MARKERS.items()}


class Hang:
    """Says nothing more, and keeps the connection open."""


class Cut:
    """Ends the connection at once."""


@dataclass
class Seen:
    """One request as it came."""

    method: str
    path: str
    headers: dict[str, str]
    body: Any
    connection: int


@dataclass
class HttpServer:
    """A server of one kind.

    Args:
        kind: `llama` or `vllm`.
        say: Returns, for the body of a completion, the steps of the answer: an event, raw bytes, a
            `Hang`, a `Cut`, or a status with a body for a refusal.
        slots: How many requests it says to work on at once.
        key: The key that it wants.
        version: vLLM's version.
        context: Tokens of a prompt and what follows it.
        status: What every request is answered with, unless that is 200.
        port: Where it listens; any when 0.
        tls: Its certificate, if it has one.
    """

    kind: str = "llama"
    say: Callable[[Any], Sequence[Any]] = lambda body: []
    slots: int = 4
    key: str = ""
    version: str = "0.12.0"
    context: int = 4096
    status: int = 200
    port: int = 0
    tls: ssl.SSLContext | None = None
    seen: list[Seen] = field(default_factory=list)
    connections: int = 0
    broken_off: int = 0

    async def __aenter__(self) -> Self:
        await self.open()
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.close()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    async def open(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()
        self._writers: set[asyncio.StreamWriter] = set()
        self._server = await asyncio.start_server(
            self._accept, "127.0.0.1", self.port, ssl=self.tls
        )
        self.port = self._server.sockets[0].getsockname()[1]

    async def close(self) -> None:
        self._server.close()
        for writer in self._writers:
            writer.transport.abort()
        await asyncio.gather(*self._tasks)

    def asked(self, path: str) -> list[Seen]:
        return [one for one in self.seen if one.path == path]

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        self._writers.add(writer)
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
            await self._serve(reader, writer, self.connections)
        self._tasks.discard(task)
        self._writers.discard(writer)
        writer.close()

    async def _serve(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, number: int
    ) -> None:
        while True:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
            method, path, _ = head[0].split(" ")
            headers = {
                name.lower(): value
                for name, _, value in (line.partition(": ") for line in head[1:] if line)
            }
            read = await reader.readexactly(int(headers.get("content-length", 0)))
            body = json.loads(read) if read else None
            self.seen.append(Seen(method, path, headers, body, number))
            if not await self._answer(path, headers, body, reader, writer):
                return

    async def _answer(
        self,
        path: str,
        headers: dict[str, str],
        body: Any,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
    ) -> bool:
        if self.key and headers.get("authorization") != f"Bearer {self.key}":
            return _whole(writer, 401, {"error": {"message": "Invalid API Key"}})
        if self.status != 200:
            return _whole(writer, self.status, {"error": {"message": "Loading model"}})
        if path == "/v1/models":
            owner = "llamacpp" if self.kind == "llama" else "vllm"
            model = {"id": "team/coder", "owned_by": owner, "max_model_len": self.context}
            return _whole(writer, 200, {"object": "list", "data": [model]})
        if path == "/props" and self.kind == "llama":
            settings = {"n_ctx": self.context}
            told = {"default_generation_settings": settings, "total_slots": self.slots}
            return _whole(writer, 200, {**told, "model_path": "/models/coder.gguf"})
        if path == "/version" and self.kind == "vllm":
            return _whole(writer, 200, {"version": self.version})
        if path == "/tokenize":
            return _whole(writer, 200, self._tokens(body))
        if path == ("/completion" if self.kind == "llama" else "/v1/completions"):
            return await self._say(body, reader, writer)
        return _whole(writer, 404, {"error": {"message": "File Not Found"}})

    def _tokens(self, body: Any) -> Any:
        if self.kind == "vllm":
            numbers = tokenize(body["prompt"], markers=True)
            return {"tokens": numbers, "token_strs": [_name(number) for number in numbers]}
        content = body["content"]
        if isinstance(content, list):
            found: list[int] = []
            for part in content:
                found += [part] if isinstance(part, int) else tokenize(part, markers=False)
            return {"tokens": found}
        numbers = tokenize(content, markers=body["parse_special"])
        return {"tokens": [{"id": number, "piece": _llama_piece(number)} for number in numbers]}

    async def _say(
        self, body: Any, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> bool:
        begun = False
        for step in self.say(body):
            if isinstance(step, tuple):
                return _whole(writer, *step)
            if not begun:
                begun = True
                writer.write(
                    b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
                    b"Transfer-Encoding: chunked\r\n\r\n"
                )
            if isinstance(step, Cut):
                return False
            if isinstance(step, Hang):
                await writer.drain()
                # The client's end of the connection is all that can still come.
                assert await reader.read(1) == b""
                self.broken_off += 1
                return False
            data = step if isinstance(step, bytes) else b"data: %s\n\n" % json.dumps(step).encode()
            writer.write(b"%x\r\n%s\r\n" % (len(data), data))
            await writer.drain()
        if not begun:
            return _whole(writer, 500, {"error": {"message": "nothing to say"}})
        writer.write(b"0\r\n\r\n")
        return True


def said(*parts: str, end: str = "eos", cached: int = 0) -> list[Any]:
    """Return the events with which llama-server says some parts, and ends."""
    events: list[Any] = [
        {"content": part, "tokens": list(part.encode()), "stop": False} for part in parts
    ]
    timings = {"prompt_n": 7, "cache_n": cached, "prompt_ms": 3.5}
    last = {"content": "", "tokens": [], "stop": True, "stop_type": end, "timings": timings}
    return [*events, {**last, "tokens_predicted": len("".join(parts).encode())}]


def going_on(*parts: str, end: str = "word") -> Callable[[Any], list[Any]]:
    """Return what gives a llama-server's answer: what was taken back, then some parts."""

    def say(body: Any) -> list[Any]:
        literal = re.fullmatch(r"root ::= (.*) \.\*", body.get("grammar", 'root ::= "" .*'))
        assert literal is not None
        return said(json.loads(literal[1]), *parts, end=end)

    return say


def said_by_vllm(*parts: str, end: str = "stop", reason: str | None = None) -> list[Any]:
    """Return the events with which vLLM says some parts, and ends."""
    events: list[Any] = [
        {"choices": [{"index": 0, "text": part, "finish_reason": None}]} for part in parts
    ]
    choice = {"index": 0, "text": "", "finish_reason": end, "stop_reason": reason}
    usage = {
        "prompt_tokens": 9,
        "completion_tokens": 4,
        "prompt_tokens_details": {"cached_tokens": 6},
    }
    return [
        *events,
        {"choices": [choice]},
        {"choices": [], "usage": usage},
        b"data: [DONE]\n\n",
    ]


def tokenize(text: str, *, markers: bool) -> list[int]:
    """Return a text's bytes, and its markers as one token each."""
    if not markers:
        return list(text.encode())
    pattern = "|".join(re.escape(marker) for marker in MARKERS)
    found: list[int] = []
    for part in re.split(f"({pattern})", text):
        found += [MARKERS[part]] if part in MARKERS else list(part.encode())
    return found


def _llama_piece(number: int) -> Any:
    if number in _TEXTS:
        return _TEXTS[number]
    return chr(number) if number < 128 else [number]


def _name(number: int) -> str:
    """Return a token's name as vocabularies with letters for bytes write it."""
    if number in _TEXTS:
        return _TEXTS[number]
    shown = [*range(33, 127), *range(161, 173), *range(174, 256)]
    rest = [byte for byte in range(256) if byte not in shown]
    return chr(number) if number in shown else chr(256 + rest.index(number))


def _whole(writer: asyncio.StreamWriter, status: int, body: Any) -> bool:
    data = json.dumps(body).encode()
    writer.write(
        b"HTTP/1.1 %d X\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
        % (status, len(data), data)
    )
    return True
