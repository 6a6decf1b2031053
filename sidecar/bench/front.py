"""A front with an index and no model, driven as an editor does.

May import `errors` and this package.
"""

from __future__ import annotations

import asyncio
import os
import sys
from contextlib import suppress
from time import perf_counter
from typing import TYPE_CHECKING, Any

from sidecar.bench.lsp import LspClient
from sidecar.errors import SidecarError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

__all__ = ["LOOK_SECONDS", "Front"]

_READY_SECONDS = 600.0
_SEEN_SECONDS = 120.0
#: No answer takes so long.
_ANSWER_SECONDS = 60.0
#: Between two questions of one editor.
LOOK_SECONDS = 0.001


class Front:
    """One editor with a server of its own.

    Args:
        root: The workspace.
        cache: The cache directory, in which no model lies.
        watches_files: Whether the editor tells of files that change.
        look_seconds: Between two questions to what is waited for: it is found out later by so
            much, and the machine is left to those who work on it.
    """

    def __init__(
        self,
        root: Path,
        cache: Path,
        *,
        watches_files: bool = False,
        look_seconds: float = LOOK_SECONDS,
    ) -> None:
        self._root = root
        self._look_seconds = look_seconds
        self._watches_files = watches_files
        self._client = LspClient(
            [sys.executable, "-m", "sidecar", "--stdio"],
            environment={**os.environ, "SIDECAR_CACHE_DIR": str(cache)},
        )
        self._versions: dict[Path, int] = {}
        #: `perf_counter` when the handshake was over.
        self.initialized = 0.0

    async def __aenter__(self) -> Front:
        await self._client.start()
        await self._asked(
            "initialize",
            {
                "processId": os.getpid(),
                "clientInfo": {"name": "sidecar bench"},
                "rootUri": self._root.as_uri(),
                "capabilities": {
                    "workspace": {
                        "didChangeWatchedFiles": {"dynamicRegistration": self._watches_files}
                    }
                },
            },
        )
        self._client.notify("initialized", {})
        self.initialized = perf_counter()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._client.close()

    @property
    def opened(self) -> set[Path]:
        """The documents that are open."""
        return set(self._versions)

    async def index(self) -> dict[str, Any]:
        """Return where the index of the workspace stands."""
        status = (await self._asked("sidecar/status", {}))[0]["index"]
        root: dict[str, Any] = status["roots"][0] if status["roots"] else {}
        return {**root, "pid": status["pid"], "failure": status["failure"]}

    async def until(
        self, accept: Callable[[dict[str, Any]], bool], look_seconds: float = 0.02
    ) -> dict[str, Any]:
        """Wait for a state of the index.

        Raises:
            SidecarError: The index failed, or it takes too long.
        """
        started = perf_counter()
        while True:
            state = await self.index()
            if state and accept(state):
                return state
            if state["failure"] or state.get("phase") == "failed":
                raise SidecarError(
                    f"the index failed ({state['failure'] or state['notice']})",
                    "run `sidecar doctor`",
                )
            if perf_counter() - started > _READY_SECONDS:
                raise SidecarError("the index takes too long", "name a smaller folder")
            await asyncio.sleep(look_seconds)

    async def until_indexed(self) -> dict[str, Any]:
        """Wait until everything is known."""
        return await self.until(
            lambda state: state.get("firstSeconds") is not None and state["phase"] == "idle"
        )

    def open(self, path: Path, language: str) -> None:
        """Open a document as it is on disk."""
        self._versions[path] = 1
        item = {"uri": path.as_uri(), "languageId": language, "version": 1}
        item["text"] = path.read_text("utf-8", "replace")
        self._client.notify("textDocument/didOpen", {"textDocument": item})

    def change(self, path: Path, text: str) -> None:
        """Replace the text of a document."""
        self._versions[path] += 1
        document = {"uri": path.as_uri(), "version": self._versions[path]}
        self._client.notify(
            "textDocument/didChange",
            {"textDocument": document, "contentChanges": [{"text": text}]},
        )

    def save(self, path: Path, text: str) -> float:
        """Write a document's file and tell that it was saved; return when that was said."""
        path.write_text(text, "utf-8")
        at = perf_counter()
        self._client.notify("textDocument/didSave", {"textDocument": {"uri": path.as_uri()}})
        return at

    def close_document(self, path: Path) -> None:
        """Close a document."""
        self._versions.pop(path, None)
        self._client.notify("textDocument/didClose", {"textDocument": {"uri": path.as_uri()}})

    def tell_changed(self, paths: Iterable[Path]) -> None:
        """Tell that files changed, in one message."""
        changes = [{"uri": path.as_uri(), "type": 2} for path in paths]
        self._client.notify("workspace/didChangeWatchedFiles", {"changes": changes})

    async def complete(self, path: Path) -> float:
        """Ask for a completion at the start of a document; return the milliseconds it took."""
        since = perf_counter()
        _, at = await self._asked(
            "textDocument/inlineCompletion",
            {
                "textDocument": {"uri": path.as_uri()},
                "position": {"line": 0, "character": 0},
                "context": {"triggerKind": 2},
            },
        )
        return (at - since) * 1000.0

    async def symbols(self, **question: Any) -> list[dict[str, Any]]:
        """Ask for declarations."""
        found: list[dict[str, Any]] = (await self._asked("sidecar/symbols", question))[0]["symbols"]
        return found

    async def deps(self, path: Path) -> dict[str, Any] | None:
        """Ask what a file imports, and what imports it."""
        found: dict[str, Any] | None = (await self._asked("sidecar/deps", {"path": str(path)}))[0]
        return found

    async def visible(self, name: str) -> float:
        """Wait until the index itself knows a name; return when the answer was there."""
        question = {"query": name, "exact": True}
        return await self._until_answer(
            "sidecar/symbols",
            question,
            lambda said: any(symbol["source"] == "index" for symbol in said["symbols"]),
        )

    async def defined(self, path: Path, name: str, definer: str) -> float:
        """Wait until a file's import of a name leads to the file that declares it."""
        return await self._until_answer(
            "sidecar/deps",
            {"path": str(path)},
            lambda said: any(
                item["name"] == name and item["definer"] == definer for item in said["imports"]
            ),
        )

    async def imports_known(self, path: Path, targets: set[str]) -> float:
        """Wait until a file's imports lead to these files."""
        return await self._until_answer(
            "sidecar/deps",
            {"path": str(path)},
            lambda said: targets <= {item["path"] for item in said["imports"]},
        )

    async def _until_answer(
        self, method: str, question: dict[str, Any], accept: Callable[[Any], bool]
    ) -> float:
        with suppress(TimeoutError):
            async with asyncio.timeout(_SEEN_SECONDS):
                while True:
                    said, at = await self._asked(method, question)
                    if said is not None and accept(said):
                        return at
                    await asyncio.sleep(self._look_seconds)
        raise SidecarError(
            f"the index did not take in an edit ({method} of {question})", "run `sidecar doctor`"
        )

    async def _asked(self, method: str, question: dict[str, Any]) -> tuple[Any, float]:
        _, future = self._client.begin(method, question)
        try:
            async with asyncio.timeout(_ANSWER_SECONDS):
                answer = await future
        except TimeoutError:
            raise SidecarError(
                f"the server gave no answer to {method}", "run `sidecar doctor`"
            ) from None
        if answer.error is not None:
            raise SidecarError(
                f"the server refused {method} ({answer.error.get('message')})",
                "run `sidecar doctor`",
            )
        return answer.result, answer.at
