"""Plays an editor to a real `sidecar --stdio`: opens, types, asks for ghost text, cancels.

Times are the editor's: from just before the change is written to the arrival of the bytes that show
something. May import `bench/lsp.py` and the engine's messages.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING, Any

from sidecar.bench.lsp import LspClient
from sidecar.engine.messages import Stats
from sidecar.errors import EngineError, SidecarError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from sidecar.bench.lsp import Answer

__all__ = ["Editor", "Pending", "Seen", "columns"]

_PROGRESS = "sidecar/inlineCompletionProgress"
_COMPLETION = "textDocument/inlineCompletion"
_READY_SECONDS = 180.0
_ANSWER_SECONDS = 300.0


@dataclass(frozen=True, slots=True)
class Seen:
    """What an editor saw of one request.

    Args:
        text: The suggestion beyond what stands before the cursor; empty if there is none.
        visible_ms: Until the first of it arrived, or until the answer if nothing did.
        answered_ms: Until the answer arrived.
        shown_early: Whether something arrived before the answer.
        stats: The engine's account; None if the engine was not asked.
        cancelled: Whether the server answered that the request was cancelled.
        identity: Names the suggestion when it is accepted; empty if there is none.
    """

    text: str
    visible_ms: float
    answered_ms: float
    shown_early: bool
    stats: Stats | None
    cancelled: bool
    identity: str = ""


class Pending:
    """A request under way, and what has arrived of it."""

    def __init__(
        self,
        number: int,
        future: asyncio.Future[Answer],
        typed: str,
        on_text: Callable[[str, float], None] | None = None,
    ) -> None:
        self.number = number
        self._future = future
        self._typed = typed
        self._on_text = on_text
        self._first: float | None = None
        self._stats: Stats | None = None

    def progressed(self, params: Mapping[str, Any], at: float) -> None:
        """Take a piece of the answer."""
        if params["done"]:
            stats = params.get("stats")
            self._stats = Stats(**stats) if stats else None
        elif beyond := _beyond(params["text"], self._typed):
            if self._first is None:
                self._first = at
            if self._on_text is not None:
                self._on_text(beyond, at)

    async def seen(self, since: float) -> Seen:
        """Wait for the answer.

        Args:
            since: `perf_counter` from which times are counted.

        Raises:
            SidecarError: The server refused, or ended.
        """
        async with asyncio.timeout(_ANSWER_SECONDS):
            answer = await self._future
        cancelled = answer.error is not None and answer.error.get("code") == _CANCELLED
        if answer.error is not None and not cancelled:
            raise SidecarError(
                f"the server refused to complete ({answer.error.get('message')})",
                "run `sidecar doctor`",
            )
        items = (answer.result or {}).get("items", [])
        text = _beyond(items[0]["insertText"], self._typed) if items else ""
        first = answer.at if self._first is None else self._first
        return Seen(
            text=text,
            visible_ms=(first - since) * 1000.0,
            answered_ms=(answer.at - since) * 1000.0,
            shown_early=self._first is not None,
            stats=self._stats,
            cancelled=cancelled,
            identity=items[0]["command"]["arguments"][0] if items else "",
        )


class Editor:
    """One editor with a server of its own.

    Args:
        settings: The user's settings, under `sidecar`.
        root: The folder that is open in it, if one is.
        environment: Variables of the server's environment besides those of this process.
    """

    def __init__(
        self,
        settings: Mapping[str, Any],
        *,
        root: Path | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self._settings = dict(settings)
        self._root = root
        command = [sys.executable, "-m", "sidecar", "--stdio"]
        self._client = LspClient(
            command, {"sidecar": self._settings}, {**os.environ, **(environment or {})}
        )
        self._client.listen(_PROGRESS, self._progressed)
        self._versions: dict[str, int] = {}
        self._pending: dict[str, Pending] = {}
        self._tokens = 0

    @property
    def pid(self) -> int:
        """The server's process."""
        return self._client.pid

    async def __aenter__(self) -> Editor:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._client.close()

    async def start(self) -> None:
        """Start the server and wait until its model is loaded.

        Raises:
            SidecarError: There is no model, or the engine does not start.
        """
        await self._client.start()
        await self._client.request(
            "initialize",
            {
                "processId": os.getpid(),
                "clientInfo": {"name": "sidecar bench"},
                "rootUri": None if self._root is None else self._root.as_uri(),
                "initializationOptions": {"settings": self._settings},
                "capabilities": {
                    "general": {"positionEncodings": ["utf-16"]},
                    "workspace": {"configuration": True},
                    "textDocument": {"inlineCompletion": {}},
                },
            },
        )
        self._client.notify("initialized", {})
        await self._until_ready()

    def open(self, uri: str, language: str, text: str) -> None:
        """Open a document."""
        self._versions[uri] = 1
        item = {"uri": uri, "languageId": language, "version": 1, "text": text}
        self._client.notify("textDocument/didOpen", {"textDocument": item})

    def change(self, uri: str, line: int, start: int, end: int, text: str) -> None:
        """Replace what stands between two columns (UTF-16) of a line."""
        self._versions[uri] += 1
        change = {
            "range": {
                "start": {"line": line, "character": start},
                "end": {"line": line, "character": end},
            },
            "text": text,
        }
        self._client.notify(
            "textDocument/didChange",
            {
                "textDocument": {"uri": uri, "version": self._versions[uri]},
                "contentChanges": [change],
            },
        )

    def close(self, uri: str) -> None:
        """Close a document."""
        del self._versions[uri]
        self._client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})

    def save(self, uri: str) -> None:
        """Tell that a document was saved."""
        self._client.notify("textDocument/didSave", {"textDocument": {"uri": uri}})

    def focus(self, uri: str, line: int, column: int) -> None:
        """Tell that the user looks at a document, and where the cursor stands in it."""
        self._client.notify("textDocument/didFocus", _place(uri, line, column))

    def move(self, uri: str, line: int, column: int) -> None:
        """Tell that the cursor stands somewhere, without an edit."""
        self._client.notify("sidecar/didMoveCursor", _place(uri, line, column))

    def accept(self, identity: str) -> None:
        """Tell that a suggestion was accepted; its text is a change like any other."""
        command = {"command": "sidecar.accept", "arguments": [identity]}
        self._client.begin("workspace/executeCommand", command)

    def complete(
        self,
        uri: str,
        line: int,
        before: str,
        on_text: Callable[[str, float], None] | None = None,
    ) -> Pending:
        """Ask for ghost text.

        Args:
            uri: The document.
            line: The cursor's line.
            before: The line up to the cursor.
            on_text: Called with what is shown so far beyond it, and its arrival, as it grows.
        """
        self._tokens += 1
        token = f"bench-{self._tokens}"
        number, future = self._client.begin(
            _COMPLETION,
            {
                "textDocument": {"uri": uri},
                "position": {"line": line, "character": columns(before)},
                "context": {"triggerKind": 2},
                "streamToken": token,
            },
        )
        pending = self._pending[token] = Pending(number, future, before, on_text)
        future.add_done_callback(lambda _: self._pending.pop(token, None))
        return pending

    def cancel(self, pending: Pending) -> None:
        """Give a request up, as editors do when the user types on."""
        self._client.cancel(pending.number)

    async def status(self) -> dict[str, Any]:
        """Ask the server how things are."""
        status: dict[str, Any] = await self._client.request("sidecar/status", {})
        return status

    async def stats(self) -> dict[str, Any]:
        """Ask the server what it counted."""
        stats: dict[str, Any] = await self._client.request("sidecar/stats", {})
        return stats

    async def until_indexed(self) -> None:
        """Wait until the folder's files are known, if they are indexed."""
        started = perf_counter()
        while perf_counter() - started < _READY_SECONDS:
            index = (await self.status())["index"]
            roots = index["roots"]
            if index["failure"] or all(
                root["firstSeconds"] is not None and root["phase"] == "idle" for root in roots
            ):
                return
            await asyncio.sleep(0.1)

    async def restart_engine(self) -> None:
        """Have the engine's process ended, and another one started, as a user does."""
        command = {"command": "sidecar.restartEngine"}
        await self._client.request("workspace/executeCommand", command)

    async def stop(self, *, kill: bool = False) -> None:
        """End the server: as an editor does when it ends, or by force."""
        if kill:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, getattr(signal, "SIGKILL", signal.SIGTERM))
        await self._client.close()

    async def _until_ready(self) -> None:
        started = perf_counter()
        while True:
            engine = (await self.status())["engine"]
            if engine["phase"] == "ready":
                return
            if engine["phase"] in ("failed", "no-model"):
                raise EngineError(engine["message"], engine["fix"])
            if perf_counter() - started > _READY_SECONDS:
                raise EngineError(
                    f"the model was not loaded within {_READY_SECONDS:.0f} s",
                    "run `sidecar doctor`",
                )
            await asyncio.sleep(0.1)

    def _progressed(self, params: Any, at: float) -> None:
        pending = self._pending.get(params["streamToken"])
        # What the index offers until then is not the model's.
        if pending is not None and params.get("source") != "index":
            pending.progressed(params, at)


#: What a server answers to a request that its client gave up.
_CANCELLED = -32800


def columns(text: str) -> int:
    """Count a text in UTF-16 units, as editors do."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def _place(uri: str, line: int, column: int) -> dict[str, Any]:
    return {"textDocument": {"uri": uri}, "position": {"line": line, "character": column}}


def _beyond(text: str, typed: str) -> str:
    """Return what a suggestion, which begins with the text of the line, adds to it."""
    return text[len(typed) :] if text.startswith(typed) else text
