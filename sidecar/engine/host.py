"""The engine's process: takes fronts on a Unix socket, hands requests to the inference thread.

The asyncio loop reads, answers counts and writes; it never waits for the model. Ends when no front
has been connected for a while.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import socket
import struct
import sys
from time import monotonic
from typing import TYPE_CHECKING, Any

from sidecar import __version__
from sidecar.engine.ahead import read_ahead
from sidecar.engine.connection import Connection
from sidecar.engine.holdings import Totals, holdings
from sidecar.engine.messages import to_wire
from sidecar.engine.scheduler import Scheduler
from sidecar.errors import EngineError, ModelError, SidecarError

if TYPE_CHECKING:
    from collections.abc import Callable

    from sidecar.engine.inference import Inference
    from sidecar.engine.spec import EngineSpec, Meeting

__all__ = ["Host", "serve"]

#: A failed engine stays this long, so that fronts can read the reason.
_FAILED_SECONDS = 5.0


class _State:
    """The engine's phase as told to every front."""

    def __init__(self) -> None:
        self.phase = "loading"
        self.detail = ""
        self.fix = ""
        self.kind = ""
        self.progress = 0.0
        self.info: dict[str, Any] | None = None

    def body(self) -> dict[str, Any]:
        return dict(vars(self))


class Host:
    """One engine.

    Args:
        spec: What it was started with.
    """

    def __init__(self, spec: EngineSpec) -> None:
        self.spec = spec
        self.state = _State()
        self.inference: Inference | None = None
        self.totals = Totals()
        self.connections: set[Connection] = set()
        self.last_used = monotonic()
        self.ending = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        self.scheduler = Scheduler(self._load, self._on_loaded)

    def start(self) -> None:
        """Begin to load the model."""
        for path in filter(None, (self.spec.model_path, self.spec.draft_path)):
            read_ahead(path)
        self.scheduler.start()

    def from_thread(self, function: Callable[..., None], *arguments: object) -> None:
        """Call a function on the loop; does nothing once the loop is closed."""
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(function, *arguments)

    async def until_unused(self) -> None:
        """Wait until no front has been connected for the spec's time, or it is told to end."""
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(min(1.0, self.spec.idle_seconds / 4)):
                    await self.ending.wait()
                return
            limit = self.spec.idle_seconds
            if self.state.phase == "failed":
                limit = min(limit, _FAILED_SECONDS)
            if self.fronts():
                self.last_used = monotonic()
            elif monotonic() - self.last_used > limit:
                return

    def status(self) -> dict[str, Any]:
        """Tell what the engine holds and does."""
        status: dict[str, Any] = {
            "version": __version__,
            "pid": os.getpid(),
            "model": self.spec.model_path.name,
            "fronts": len(self.fronts()),
            **self.scheduler.status(),
            "queue": self.scheduler.queue(),
            "preempted": self.scheduler.preempted,
            **self.scheduler.account(),
            **self.totals.told(),
        }
        if self.inference is not None:
            status |= holdings(self.inference)
            status["lanes_lost"] = self.scheduler.at_rest(self.inference.lanes.lost)
            status["lanes_restored"] = self.inference.lanes.restored
        return status

    def fronts(self) -> list[Connection]:
        """List the connections of those for whom it is there."""
        return [connection for connection in self.connections if not connection.observes]

    def _load(self) -> Inference:
        # Imported on the inference thread: numpy and llama.cpp take a while, and fronts already
        # wait.
        from sidecar.engine.inference import Inference

        self.inference = Inference(self.spec, self._on_progress)
        return self.inference

    def _on_progress(self, share: float) -> bool:
        self.from_thread(self._set_progress, share)
        return not self.ending.is_set()

    def _set_progress(self, share: float) -> None:
        # llama.cpp reports every tensor; fronts want a few steps.
        if share - self.state.progress >= 0.05 or share >= 1.0:
            self.state.progress = share
            self._tell_state()

    def _on_loaded(self, result: object) -> None:
        self.from_thread(self._set_loaded, result)

    def _set_loaded(self, result: object) -> None:
        state = self.state
        if isinstance(result, BaseException):
            state.phase = "failed"
            state.kind = "model" if isinstance(result, ModelError) else "engine"
            if isinstance(result, SidecarError):
                state.detail, state.fix = result.what, result.fix
            else:
                state.detail = f"the engine could not load the model ({result!r})"
                state.fix = "run `sidecar doctor`"
        elif self.inference is not None:
            state.phase, state.progress = "ready", 1.0
            state.info = to_wire(self.inference.info())
        self._tell_state()
        if state.phase == "failed":
            for connection in self.connections:
                connection.refuse_all(EngineError(state.detail, state.fix))

    def _tell_state(self) -> None:
        for connection in self.connections:
            connection.send("state", self.state.body())


async def serve(spec: EngineSpec, meeting: Meeting) -> None:
    """Serve an engine until it is unused.

    Args:
        spec: What to load.
        meeting: Where to listen; the caller holds its life lock.
    """
    # The inference thread must hand the interpreter over at once when the loop has something to
    # send.
    sys.setswitchinterval(0.0005)
    host = Host(spec)
    path = meeting.socket
    path.unlink(missing_ok=True)

    async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if not _same_user(writer):
            writer.close()
            return
        await Connection(host, reader, writer).run()

    before = os.umask(0o077)
    try:
        server = await asyncio.start_unix_server(accept, path)
    finally:
        os.umask(before)
    with contextlib.suppress(NotImplementedError):
        # As a system that shuts down ends what is left of a session.
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, host.ending.set)
    host.start()
    try:
        await host.until_unused()
    finally:
        # First: it may keep lanes for a moment. Who connects meanwhile gets no hello, and starts
        # another engine once this one is gone.
        host.scheduler.close()
        path.unlink(missing_ok=True)
        server.close()


def _same_user(writer: asyncio.StreamWriter) -> bool:
    """Check the peer's user id where the system tells it; the directory's mode guards elsewhere."""
    option = getattr(socket, "SO_PEERCRED", None)
    if option is None:
        return True
    peer = writer.get_extra_info("socket")
    _pid, user, _group = struct.unpack("3i", peer.getsockopt(socket.SOL_SOCKET, option, 12))
    return bool(user == os.getuid())
