"""A small language server client over two pipes, which knows when each byte arrived.

A benchmark's times must be the editor's, so messages are stamped where the operating system hands
over the bytes, not where a library has finished with them. Must never interpret a message beyond
its envelope. May import `errors`.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections import deque
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING, Any

from sidecar.errors import SidecarError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

__all__ = ["Answer", "Frames", "LspClient"]

_END_SECONDS = 5.0
_STDERR_LINES = 20


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a request.

    Args:
        result: What the server returned; None when it refused.
        error: The error object of a refusal.
        at: `perf_counter` when its last byte arrived.
    """

    result: Any
    error: dict[str, Any] | None
    at: float


class Frames:
    """Cuts a stream of bytes into messages: a header with the length, then JSON."""

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._size: int | None = None

    def feed(self, data: bytes) -> list[Any]:
        """Take bytes and return the messages that are complete now.

        Raises:
            ValueError: A header has no length, or a body is no JSON.
        """
        self._buffer += data
        messages: list[Any] = []
        while True:
            if self._size is None:
                end = self._buffer.find(b"\r\n\r\n")
                if end < 0:
                    return messages
                self._size = _length(bytes(self._buffer[:end]))
                del self._buffer[: end + 4]
            if len(self._buffer) < self._size:
                return messages
            body = bytes(self._buffer[: self._size])
            del self._buffer[: self._size]
            self._size = None
            messages.append(json.loads(body))


class LspClient:
    """One server process and the conversation with it.

    Args:
        command: Starts the server.
        configuration: Answers `workspace/configuration`, by section.
        environment: The server's environment; this process's when None.
        reply: Answers all that the server asks, in place of `configuration`.
    """

    def __init__(
        self,
        command: Sequence[str],
        configuration: Mapping[str, Any] | None = None,
        environment: Mapping[str, str] | None = None,
        reply: Callable[[str, Any], Any] | None = None,
    ) -> None:
        self._command = list(command)
        self._configuration = dict(configuration or {})
        self._environment = dict(environment) if environment is not None else None
        self._reply = reply or self._told
        self._transport: asyncio.SubprocessTransport | None = None
        self._pending: dict[int, asyncio.Future[Answer]] = {}
        self._listeners: dict[str, list[Callable[[Any, float], None]]] = {}
        self._numbers = 0
        self._frames = Frames()
        self._stderr: deque[str] = deque(maxlen=_STDERR_LINES)
        self._ended: asyncio.Future[None] | None = None

    @property
    def pid(self) -> int:
        """The server's process."""
        return self._connected().get_pid()

    @property
    def stderr(self) -> list[str]:
        """The last lines that the server wrote to standard error."""
        return list(self._stderr)

    async def start(self) -> None:
        """Start the server's process."""
        loop = asyncio.get_running_loop()
        self._ended = loop.create_future()
        self._transport, _ = await loop.subprocess_exec(
            lambda: _Pipes(self), *self._command, env=self._environment
        )

    def listen(self, method: str, listener: Callable[[Any, float], None]) -> None:
        """Call `listener` with the parameters of each such notification and its arrival."""
        self._listeners.setdefault(method, []).append(listener)

    def notify(self, method: str, params: object) -> None:
        """Send a notification."""
        self._send({"method": method, "params": params})

    def begin(self, method: str, params: object) -> tuple[int, asyncio.Future[Answer]]:
        """Send a request; return its number, and where its answer will be."""
        self._numbers += 1
        number = self._numbers
        future: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._pending[number] = future
        self._send({"id": number, "method": method, "params": params})
        return number, future

    async def request(self, method: str, params: object) -> Any:
        """Send a request and return its result.

        Raises:
            SidecarError: The server refused, or ended.
        """
        _, future = self.begin(method, params)
        answer = await future
        if answer.error is not None:
            raise SidecarError(
                f"the server refused {method} ({answer.error.get('message')})",
                "run `sidecar doctor`",
            )
        return answer.result

    def cancel(self, number: int) -> None:
        """Ask the server to give up a request; it answers all the same."""
        self.notify("$/cancelRequest", {"id": number})

    async def close(self) -> None:
        """Say goodbye as an editor does, and end the process if it stays."""
        if self._transport is None or self._ended is None:
            return
        with contextlib.suppress(SidecarError, TimeoutError):
            async with asyncio.timeout(_END_SECONDS):
                await self.request("shutdown", None)
                self.notify("exit", None)
                await asyncio.shield(self._ended)
        if not self._ended.done():
            self._transport.kill()
            await self._ended
        self._transport.close()

    def _connected(self) -> asyncio.SubprocessTransport:
        if self._transport is None:
            raise SidecarError("the server was not started", "start it first")
        return self._transport

    def _send(self, message: dict[str, Any]) -> None:
        if self._ended is None or self._ended.done():
            raise self._gone()
        pipe = self._connected().get_pipe_transport(0)
        assert isinstance(pipe, asyncio.WriteTransport)
        body = json.dumps({"jsonrpc": "2.0", **message}, separators=(",", ":")).encode("ascii")
        pipe.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))

    def received(self, data: bytes, at: float) -> None:
        """Take bytes of the server's standard output; called by the pipes."""
        for message in self._frames.feed(data):
            method, number = message.get("method"), message.get("id")
            if method is None:
                self._answered(number, Answer(message.get("result"), message.get("error"), at))
            elif number is None:
                for listener in self._listeners.get(method, ()):
                    listener(message.get("params"), at)
            else:
                self._send({"id": number, "result": self._reply(method, message.get("params"))})

    def complained(self, data: bytes) -> None:
        """Take bytes of the server's standard error; called by the pipes."""
        self._stderr.extend(data.decode(errors="replace").splitlines())

    def ended(self) -> None:
        """Note that the server has ended; called by the pipes."""
        if self._ended is not None and not self._ended.done():
            self._ended.set_result(None)
        for future in self._pending.values():
            if not future.done():
                future.set_exception(self._gone())
                # Who no longer waits for an answer must not be told that there is none.
                future.exception()

    def _answered(self, number: Any, answer: Answer) -> None:
        future = self._pending.pop(number, None)
        if future is not None and not future.done():
            future.set_result(answer)

    def _told(self, method: str, params: Any) -> Any:
        """Answer what a server asks: settings, and a friendly nothing to all else."""
        if method == "workspace/configuration":
            return [self._configuration.get(item.get("section")) for item in params["items"]]
        return None

    def _gone(self) -> SidecarError:
        said = f" ({self._stderr[-1]})" if self._stderr else ""
        return SidecarError(f"the server has ended{said}", "run `sidecar doctor`")


class _Pipes(asyncio.SubprocessProtocol):
    """Hands the bytes of a process to the client, stamped."""

    def __init__(self, client: LspClient) -> None:
        self._client = client

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        at = perf_counter()
        if fd == 1:
            self._client.received(data, at)
        else:
            self._client.complained(data)

    def process_exited(self) -> None:
        self._client.ended()


def _length(header: bytes) -> int:
    for line in header.split(b"\r\n"):
        name, _, value = line.partition(b":")
        if name.strip().lower() == b"content-length":
            return int(value)
    raise ValueError("a message without a length")
