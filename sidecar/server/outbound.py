"""Everything that is sent to the client without being asked: the only writer besides the answers.

Used on the loop's thread only. Waiting for an answer is bounded in time. May import lsprotocol and
`telemetry`.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from sidecar.server.types import DID_CHANGE_STATUS, INLINE_COMPLETION_PROGRESS
from sidecar.telemetry.logs import CodeFreeFormatter

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from sidecar.completion.status import Status
    from sidecar.server.protocol import Protocol

__all__ = ["ClientLogHandler", "Outbound"]

_ANSWER_SECONDS = 10.0

_FILES = "sidecar-files"
_KINDS = {"ready": "Normal", "off": "Inactive", "failed": "Error", "no-model": "Error"}


@dataclass(slots=True)
class _Progress:
    """Progress that the client shows, once it has agreed to."""

    token: str
    begun: bool = False
    ended: bool = False


class Outbound:
    """Sends notifications and requests to one client.

    Args:
        protocol: The connection.
        spawn: Starts work that nobody waits for and that ends with the session.
        shows_progress: Whether the client shows progress that the server begins.
    """

    def __init__(
        self,
        protocol: Protocol,
        spawn: Callable[[Coroutine[object, object, None]], object],
        *,
        shows_progress: bool,
    ) -> None:
        #: Least severity of our log records that the client is told of.
        self.level = logging.INFO
        self._protocol = protocol
        self._spawn = spawn
        self._shows_progress = shows_progress
        self._progress: dict[str, _Progress] = {}
        self._progress_number = 0
        self._told: set[str] = set()
        self._status: dict[str, object] | None = None
        self.closed = False

    def warn_once(self, message: str) -> None:
        """Show a message that the user must act on; the same one is shown once."""
        if message not in self._told:
            self._told.add(message)
            self._notify(
                types.WINDOW_SHOW_MESSAGE, {"type": types.MessageType.Warning, "message": message}
            )

    def forget_warnings(self) -> None:
        """Let every message be shown again, because the user changed something."""
        self._told.clear()

    def log(self, kind: types.MessageType, message: str) -> None:
        """Write a line to the client's log."""
        self._notify(types.WINDOW_LOG_MESSAGE, {"type": kind, "message": message})

    def status(self, status: Status) -> None:
        """Tell how things are, if that has changed."""
        said: dict[str, object] = {
            "busy": status.busy,
            "message": status.message,
            "kind": _KINDS.get(status.phase, "Normal"),
        }
        if status.phase in ("failed", "no-model"):
            said["command"] = {"title": "Start again", "command": "sidecar.restartEngine"}
        if said != self._status:
            self._status = said
            self._notify(DID_CHANGE_STATUS, said)

    def streamed(self, token: str, body: dict[str, Any]) -> None:
        """Send a piece of an answer that grows."""
        self._notify(INLINE_COMPLETION_PROGRESS, {"streamToken": token, **body})

    def progress(self, kind: str, message: str, share: float) -> None:
        """Show the progress of something that takes long; a share of 1 ends it.

        Args:
            kind: What it is: one word, of which there is one at a time.
            message: What to say about it.
            share: How much is done.
        """
        progress = self._progress.get(kind)
        if progress is None:
            if share < 1.0 and self._shows_progress:
                self._progress_number += 1
                progress = _Progress(f"sidecar/{kind}/{self._progress_number}")
                self._progress[kind] = progress
                self._spawn(self._begin(progress, message))
            return
        if share < 1.0:
            value = {"kind": "report", "message": message, "percentage": int(share * 100)}
        else:
            del self._progress[kind]
            progress.ended = True
            value = {"kind": "end", "message": message}
        if progress.begun:
            self._notify(types.PROGRESS, {"token": progress.token, "value": value})

    async def _begin(self, progress: _Progress, message: str) -> None:
        """Begin to show progress when the client has agreed, unless it is over by then."""
        await self._ask(types.WINDOW_WORK_DONE_PROGRESS_CREATE, {"token": progress.token})
        if progress.ended:
            return
        progress.begun = True
        value = {"kind": "begin", "title": "sidecar", "message": message, "percentage": 0}
        self._notify(types.PROGRESS, {"token": progress.token, "value": value})

    async def settings(self) -> object:
        """Ask for the settings under our prefix; None when the client does not tell."""
        answer = await self._ask(types.WORKSPACE_CONFIGURATION, {"items": [{"section": "sidecar"}]})
        return answer[0] if isinstance(answer, list) and answer else None

    async def hear_of_settings(self) -> None:
        """Ask to be told when settings change."""
        registration = {
            "id": "sidecar-settings",
            "method": types.WORKSPACE_DID_CHANGE_CONFIGURATION,
            "registerOptions": {"section": "sidecar"},
        }
        await self._ask(types.CLIENT_REGISTER_CAPABILITY, {"registrations": [registration]})

    async def hear_of_files(self) -> None:
        """Ask to be told when files of the workspace change."""
        # Plain, not bound to folders: it then holds for folders that are added later as well.
        options = {"watchers": [{"globPattern": "**/*"}]}
        registration = {
            "id": _FILES,
            "method": types.WORKSPACE_DID_CHANGE_WATCHED_FILES,
            "registerOptions": options,
        }
        await self._ask(types.CLIENT_REGISTER_CAPABILITY, {"registrations": [registration]})

    async def hear_no_more_of_files(self) -> None:
        """Take that back."""
        registration = {"id": _FILES, "method": types.WORKSPACE_DID_CHANGE_WATCHED_FILES}
        # The specification spells it so.
        await self._ask(types.CLIENT_UNREGISTER_CAPABILITY, {"unregisterations": [registration]})

    def _notify(self, method: str, params: dict[str, Any]) -> None:
        if not self.closed:
            self._protocol.tell(method, params)

    async def _ask(self, method: str, params: dict[str, Any]) -> Any:
        """Send a request and return its answer; None when it failed or took too long."""
        if self.closed:
            return None
        try:
            async with asyncio.timeout(_ANSWER_SECONDS):
                return await self._protocol.ask(method, params)
        except TimeoutError:
            logging.getLogger(__name__).warning("the client does not answer %s", method)
        except JsonRpcException:
            logging.getLogger(__name__).warning("the client refuses %s", method)
        return None


class ClientLogHandler(logging.Handler):
    """Sends our log records to the client's log.

    Args:
        outbound: The way to the client.
        loop: The loop that owns it; records of other threads are passed to it.
    """

    _TYPES = (
        (logging.ERROR, types.MessageType.Error),
        (logging.WARNING, types.MessageType.Warning),
        (logging.INFO, types.MessageType.Info),
    )

    def __init__(self, outbound: Outbound, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__()
        self._outbound = outbound
        self._loop = loop
        self.setFormatter(CodeFreeFormatter("%(name)s: %(message)s"))

    def emit(self, record: logging.LogRecord) -> None:
        """Send one record."""
        if record.levelno < self._outbound.level:
            return
        kind = next((k for level, k in self._TYPES if record.levelno >= level), None)
        message = self.format(record)
        kind = types.MessageType.Log if kind is None else kind
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._outbound.log, kind, message)
