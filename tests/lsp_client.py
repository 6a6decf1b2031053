"""A small LSP client that speaks to a real `sidecar --stdio`, and keeps the text as editors do."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import sys
from collections import defaultdict
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

SECONDS = 30.0


class LspError(Exception):
    """The server answered with an error."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(code, message)
        self.code = code


class LspClient:
    """One connection; use it as an async context manager."""

    def __init__(
        self,
        *arguments: str,
        environment: dict[str, str] | None = None,
        command: list[str] | None = None,
    ) -> None:
        self._command = command or [sys.executable, "-m", "sidecar", "--stdio", *arguments]
        self._environment = {**os.environ, **(environment or {})}
        self._numbers = 0
        self._pending: dict[object, asyncio.Future[Any]] = {}
        self._handlers: dict[str, Callable[[Any], Any]] = {}
        self.notifications: defaultdict[str, list[Any]] = defaultdict(list)
        self._arrived = asyncio.Event()
        self.process: asyncio.subprocess.Process
        self.strays = b""

    async def __aenter__(self) -> LspClient:
        self.process = await asyncio.create_subprocess_exec(
            *self._command,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env=self._environment,
            limit=1 << 26,
        )
        self._reading = asyncio.create_task(self._read())
        return self

    async def __aexit__(self, *_: object) -> None:
        if self.process.returncode is None:
            self.process.kill()
        await self.process.wait()
        self._reading.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._reading
        # The transport of a killed process is closed by the loop's next steps.
        for stream in (self.process.stdin,):
            if stream is not None:
                stream.close()
        assert self.process.stderr is not None
        self.stderr = await self.process.stderr.read()

    def on_request(self, method: str, handler: Callable[[Any], Any]) -> None:
        """Answer the server's requests of a method."""
        self._handlers[method] = handler

    def notify(self, method: str, params: Any = None) -> None:
        """Send a notification."""
        self._send({"jsonrpc": "2.0", "method": method, "params": params})

    def start(self, method: str, params: Any = None) -> tuple[int, asyncio.Future[Any]]:
        """Send a request and return its number and its answer to come."""
        self._numbers += 1
        future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._pending[self._numbers] = future
        self._send({"jsonrpc": "2.0", "id": self._numbers, "method": method, "params": params})
        return self._numbers, future

    async def request(self, method: str, params: Any = None) -> Any:
        """Send a request and return its answer; raises LspError when that is an error."""
        _, future = self.start(method, params)
        async with asyncio.timeout(SECONDS):
            return await future

    async def initialize(self, *, warming: str = "off", **changes: Any) -> dict[str, Any]:
        """Do the handshake, and return what the server can do.

        Nothing is evaluated before it is asked for, nor kept from the test before, unless a test
        wants that: most count what is evaluated.
        """
        options = changes.get("initializationOptions", {"settings": {}})
        settings = options.get("settings") if isinstance(options, dict) else None
        if isinstance(settings, dict) and "sidecar" not in settings:
            engine = {"warming": warming, "keepLanesMb": 0, **settings.get("engine", {})}
            settings = {**settings, "engine": engine}
            changes["initializationOptions"] = {**options, "settings": settings}
        params: dict[str, Any] = {
            "processId": os.getpid(),
            "rootUri": None,
            "capabilities": {"general": {"positionEncodings": ["utf-16"]}},
            **changes,
        }
        result: dict[str, Any] = await self.request("initialize", params)
        self.notify("initialized", {})
        return result

    def open(self, uri: str, text: str, language: str = "python") -> None:
        """Open a document."""
        item = {"uri": uri, "languageId": language, "version": 1, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": item})

    def change(self, uri: str, version: int, *changes: dict[str, Any]) -> None:
        """Send changes of a document."""
        document = {"uri": uri, "version": version}
        self.notify(
            "textDocument/didChange", {"textDocument": document, "contentChanges": list(changes)}
        )

    def complete(
        self, uri: str, line: int, character: int, **more: Any
    ) -> tuple[int, asyncio.Future[Any]]:
        """Start an inline completion."""
        return self.start(
            "textDocument/inlineCompletion",
            {
                "textDocument": {"uri": uri},
                "position": {"line": line, "character": character},
                "context": {"triggerKind": 2},
                **more,
            },
        )

    async def seen(
        self, method: str, accept: Callable[[Any], bool] = lambda _: True, seconds: float = SECONDS
    ) -> Any:
        """Wait for a notification, also one that has come already."""
        async with asyncio.timeout(seconds):
            while True:
                for params in self.notifications[method]:
                    if accept(params):
                        return params
                self._arrived.clear()
                await self._arrived.wait()

    async def ready(self) -> None:
        """Wait until the model is loaded."""
        await self.seen("didChangeStatus", lambda s: s["message"].endswith("is ready"))

    async def engine(self) -> dict[str, Any]:
        """What the engine's process tells of itself, as soon as it comes to answer."""
        async with asyncio.timeout(SECONDS):
            while True:
                status = (await self.request("sidecar/status"))["engine"]["process"]
                # While it works on all processors it may be late.
                if status is not None:
                    return dict(status)

    async def shutdown(self) -> int:
        """End the session as an editor does, and return the exit code."""
        await self.request("shutdown")
        self.notify("exit")
        async with asyncio.timeout(SECONDS):
            return await self.process.wait()

    def send_raw(self, data: bytes) -> None:
        """Write bytes as they are."""
        assert self.process.stdin is not None
        self.process.stdin.write(data)

    def _send(self, message: dict[str, Any]) -> None:
        body = json.dumps(message).encode()
        self.send_raw(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))

    async def _read(self) -> None:
        async for message in self._messages():
            if "method" not in message:
                future = self._pending.pop(message["id"], None)
                if future is not None and not future.done():
                    self._resolve(future, message)
                elif message["id"] is None:
                    self.notifications["error"].append(message["error"])
                    self._arrived.set()
            elif "id" in message:
                handler = self._handlers.get(message["method"], lambda _: None)
                result = handler(message["params"])
                self._send({"jsonrpc": "2.0", "id": message["id"], "result": result})
                self.notifications[message["method"]].append(message["params"])
                self._arrived.set()
            else:
                self.notifications[message["method"]].append(message["params"])
                self._arrived.set()
        for future in self._pending.values():
            if not future.done():
                future.set_exception(ConnectionError("the server has ended"))

    def _resolve(self, future: asyncio.Future[Any], message: dict[str, Any]) -> None:
        error = message.get("error")
        if error is not None:
            future.set_exception(LspError(error["code"], error["message"]))
        else:
            future.set_result(message["result"])

    async def _messages(self) -> AsyncIterator[dict[str, Any]]:
        assert self.process.stdout is not None
        while True:
            try:
                header = await self.process.stdout.readuntil(b"\r\n\r\n")
            except asyncio.IncompleteReadError as error:
                self.strays += error.partial
                return
            name, _, length = header.strip().partition(b": ")
            # Anything else on standard output would not be the protocol.
            assert name == b"Content-Length", header
            yield json.loads(await self.process.stdout.readexactly(int(length)))
