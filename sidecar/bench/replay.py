"""Plays a recorded session to a fresh server and a fresh engine, and compares what they answer.

Order is kept as it was heard: what the client said after an answer had come is said after that
answer has come again. Pauses are kept, since servers work in them. Files are read from the disk as
they are now; nothing is written there. A recording may come from somebody else: whatever it says,
no code is sent to another machine, and no log is written. May import `server`'s recordings and
handshake, `settings`, `completion` and this package.
"""

from __future__ import annotations

import asyncio
import copy
import os
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

from sidecar.bench.lsp import LspClient
from sidecar.bench.recorded import (
    ACCEPT,
    ACCOUNTS,
    How,
    comparable,
    identities_of,
    is_ready,
    session_of,
)
from sidecar.bench.statistics import percentile_group
from sidecar.completion.contexts import head_tokens
from sidecar.errors import SidecarError
from sidecar.server.handshake import client_of
from sidecar.server.recording import read_recording
from sidecar.settings import load

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sidecar.bench.lsp import Answer
    from sidecar.bench.recorded import Session
    from sidecar.server.recording import Entry

__all__ = ["ReplayOptions", "replay"]

_ANSWER_SECONDS = 180.0
_READY_SECONDS = 600.0
_INDEX_SECONDS = 600.0
_FOLDERS_SECONDS = 5.0
_LOOK_SECONDS = 0.05
#: No suggestion is cut by the clock.
_LONGEST_MS = 60000
_SETTLED = ("idle", "failed")
#: After these the index has something to read, and answers may show it.
_TEACHING = (
    "initialized",
    "textDocument/didOpen",
    "textDocument/didSave",
    "workspace/didChangeWatchedFiles",
    "workspace/didChangeWorkspaceFolders",
)


@dataclass(frozen=True, slots=True)
class ReplayOptions:
    """How a session is played.

    Args:
        longest_pause_s: Pauses between two messages of the client are no longer than this.
    """

    longest_pause_s: float = 2.0


async def replay(session: Session, options: ReplayOptions) -> dict[str, Any]:
    """Play a session, and return what was the same, in the contract's shape.

    Raises:
        SidecarError: The server ended, or has no engine where the recorded one had.
    """
    with tempfile.TemporaryDirectory(prefix="sidecar-replay-") as folder:
        # Only a session that is recorded is one like it, and tells how its answers came about.
        file = Path(folder) / "replay.jsonl"
        player = _Player(session, options, file)
        await player.play()
        now = session_of(read_recording(file))
    return player.report({number: asked.how for number, asked in now.asked.items()})


class _Player:
    """One run of one session."""

    def __init__(self, session: Session, options: ReplayOptions, file: Path) -> None:
        self._session = session
        self._options = options
        command = [sys.executable, "-m", "sidecar", "--stdio", "--record", str(file)]
        self._client = LspClient(command, reply=self._reply)
        self._client.listen("didChangeStatus", self._on_status)
        self._replies = {method: list(said) for method, said in session.replies.items()}
        self._ready = asyncio.Event()
        self._trouble = ""
        #: Requests of the recording: when they were sent, their numbers now, and their answers.
        self._sent: dict[object, tuple[float, int, asyncio.Future[Answer]]] = {}
        #: Names of suggestions, as they were and as they are.
        self._identities: dict[str, str] = {}
        self._taught = False
        self._folders = 0

    async def play(self) -> None:
        """Say all that the client said, each in its place."""
        await self._client.start()
        try:
            said_at, said_ms = perf_counter(), 0.0
            for entry in self._session.entries:
                if entry.side == "server":
                    await self._follow(entry)
                elif entry.side == "client" and "method" in entry.message:
                    pause = min((entry.at_ms - said_ms) / 1000, self._options.longest_pause_s)
                    await asyncio.sleep(max(pause - (perf_counter() - said_at), 0.0))
                    await self._say(entry)
                    said_at, said_ms = perf_counter(), entry.at_ms
            for number in list(self._sent):
                if self._session.asked[number].answer is not None:
                    await self._answered(number)
        finally:
            await self._client.close()

    def report(self, how: Mapping[object, How]) -> dict[str, Any]:
        """Return what was the same and what was not.

        Args:
            how: How answers came about now, by the numbers of our requests.
        """
        compared = equal = 0
        left_out: dict[str, int] = {}
        different: list[dict[str, Any]] = []
        times: dict[str, tuple[list[float], list[float]]] = {}
        for number, asked in self._session.asked.items():
            sent_at, our_number, future = self._sent[number]
            how_now = how.get(our_number, How())
            why = asked.left_out or how_now.clock
            if why or asked.answer is None:
                left_out[why] = left_out.get(why, 0) + 1
                continue
            compared += 1
            answer = future.result()
            got = comparable(asked.method, _message(answer))
            expected = comparable(asked.method, asked.answer)
            before, now = times.setdefault(asked.method, ([], []))
            before.append(asked.took_ms)
            now.append((answer.at - sent_at) * 1000)
            if got == expected:
                equal += 1
            else:
                different.append(
                    {
                        "method": asked.method,
                        "id": number,
                        "expected": expected,
                        "got": got,
                        "other": _other(asked.how, how_now),
                    }
                )
        return {
            "requests": compared,
            "equal": equal,
            "different": different,
            "left_out": left_out,
            "timing_ms": {
                method: {
                    "recorded": percentile_group(before),
                    "replayed": percentile_group(now),
                }
                for method, (before, now) in times.items()
            },
        }

    async def _follow(self, entry: Entry) -> None:
        """Wait until this server says what the recorded one said, where that matters."""
        message = entry.message
        if "method" not in message:
            if entry.number in self._sent:
                await self._answered(entry.number)
        elif is_ready(message):
            try:
                async with asyncio.timeout(_READY_SECONDS):
                    await self._ready.wait()
            except TimeoutError:
                self._trouble = self._trouble or "the model is not loaded"
            if not self._ready.is_set():
                raise SidecarError(
                    f"the recorded session had an engine, and here {self._trouble}",
                    "run `sidecar doctor`",
                )

    async def _say(self, entry: Entry) -> None:
        message = copy.deepcopy(entry.message)
        method, params, number = message["method"], message.get("params"), entry.number
        if method == "initialize" and isinstance(params, dict):
            self._initialize(params)
        if number is not None and self._taught and method not in ACCOUNTS:
            await self._until_indexed()
        self._rename(params)
        if number is None:
            if method == "$/cancelRequest" and isinstance(params, dict):
                sent = self._sent.get(params.get("id"))
                if sent is None:
                    return
                params["id"] = sent[1]
            self._client.notify(method, params)
            self._taught = self._taught or method in _TEACHING
            return
        sent_at = perf_counter()
        self._sent[number] = (sent_at, *self._client.begin(method, params))

    def _initialize(self, params: dict[str, Any]) -> None:
        """Make the recorded handshake one of ours: the editor of then has ended."""
        params["processId"] = os.getpid()
        client = client_of(params)
        settings = client.settings
        if isinstance(settings, dict):
            self._pin(settings)
        self._folders = len(client.folders) if load(settings)[0].index.enabled else 0
        options = params.get("initializationOptions")
        options = dict(options) if isinstance(options, dict) else {}
        options.pop("settings", None)
        params["initializationOptions"] = {**options, "sidecar": settings}

    def _pin(self, raw: dict[str, Any]) -> None:
        """Fix in settings what would follow from how fast this engine finds itself to be.

        What would send code away or write a file is taken out.
        """
        context = load(raw)[0].context
        window = context.before_tokens + context.after_tokens
        speed = self._session.prompt_tokens_per_s
        _group(raw, "completion")["timeLimitMs"] = _LONGEST_MS
        if speed and not context.head_tokens:
            _group(raw, "context")["headTokens"] = head_tokens(0, window, speed)
        _group(raw, "engine")["remote"] = ""
        # Nobody will come back to this engine.
        _group(raw, "engine")["idleSeconds"] = 5
        _group(raw, "log")["file"] = ""

    def _reply(self, method: str, params: Any) -> Any:
        """Answer as the client did then; when it was asked more often now, as it did last."""
        said = self._replies.get(method)
        if not said:
            return [None] * len(params["items"]) if method == "workspace/configuration" else None
        result = copy.deepcopy(said.pop(0) if len(said) > 1 else said[0])
        if method == "workspace/configuration" and isinstance(result, list):
            for settings in result:
                _unsay(settings, "completion", "timeLimitMs")
                _unsay(settings, "context", "headTokens", unless=True)
        return result

    def _rename(self, value: Any) -> None:
        """Put our names of suggestions in place of the recorded ones, anywhere in a message."""
        if isinstance(value, list):
            for part in value:
                self._rename(part)
        elif isinstance(value, dict):
            arguments = value.get("arguments")
            if value.get("command") == ACCEPT and isinstance(arguments, list):
                value["arguments"] = [self._identities.get(str(one), one) for one in arguments]
            for part in value.values():
                self._rename(part)

    async def _answered(self, number: object) -> None:
        asked, (_, _, future) = self._session.asked[number], self._sent[number]
        try:
            async with asyncio.timeout(_ANSWER_SECONDS):
                answer = await asyncio.shield(future)
        except TimeoutError:
            raise SidecarError(
                f"{asked.method} is not answered within {_ANSWER_SECONDS:.0f} seconds",
                "run `sidecar doctor`",
            ) from None
        if asked.answer is not None:
            names = identities_of(asked.answer), identities_of(_message(answer))
            self._identities.update(zip(*names, strict=False))

    async def _until_indexed(self) -> None:
        """Wait until the index knows what the disk holds, as it mostly did while one typed."""
        self._taught = False
        started = perf_counter()
        while self._folders and perf_counter() - started < _INDEX_SECONDS:
            index = (await self._client.request("sidecar/status", {}))["index"]
            roots = index["roots"]
            known = all(root["firstSeconds"] is not None for root in roots)
            idle = all(root["phase"] in _SETTLED for root in roots)
            # Some folders are refused, and none is there before the settings are.
            missing = not roots and perf_counter() - started < _FOLDERS_SECONDS
            if index["failure"] or (known and idle and not missing):
                return
            await asyncio.sleep(_LOOK_SECONDS)

    def _on_status(self, params: Any, _: float) -> None:
        if is_ready({"method": "didChangeStatus", "params": params}):
            self._ready.set()
        elif params.get("busy"):
            self._ready.clear()
        elif params.get("kind") == "Error":
            self._trouble = str(params.get("message"))
            self._ready.clear()


def _other(then: How, now: How) -> str:
    """Return what else was not the same where an answer is another one: a word, or nothing."""
    return next(
        (name for name in ("prompt", "origin") if getattr(then, name) != getattr(now, name)), ""
    )


def _unsay(raw: Any, group: str, name: str, *, unless: bool = False) -> None:
    """Take out of settings that come later what was fixed in the first ones.

    Args:
        raw: The settings.
        group: The group.
        name: The setting.
        unless: Whether it stays where it says anything but 0.
    """
    found = raw.get(group) if isinstance(raw, dict) else None
    if isinstance(found, dict) and not (unless and found.get(name)):
        found.pop(name, None)


def _group(raw: dict[str, Any], name: str) -> dict[str, Any]:
    """Return a group of settings to be changed; one that is malformed is replaced."""
    found = raw.get(name)
    if not isinstance(found, dict):
        found = raw[name] = {}
    return found


def _message(answer: Answer) -> dict[str, Any]:
    return {"error": answer.error} if answer.error is not None else {"result": answer.result}
