"""A front's indexer: started, told what happens, started again when it dies, given up in the end.

Used on one asyncio loop. What is told while no indexer runs is kept, up to a bound beyond which
the next one compares everything. Must never read the index nor a file of the workspace. May import
this package.
"""

from __future__ import annotations

import asyncio
import logging
import sys
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from sidecar.index.wire.frames import FrameError, Frames
from sidecar.index.wire.messages import (
    Busy,
    Changed,
    Committed,
    Logged,
    Open,
    Opened,
    Rescan,
    State,
    Stop,
    from_frame,
    to_frame,
)

if TYPE_CHECKING:
    from asyncio.subprocess import Process
    from collections.abc import Callable, Iterable

    from sidecar.index.wire.messages import FromFront

__all__ = ["BACK_OFF", "MOST_OWED", "QUICK_SECONDS", "IndexClient"]

log = logging.getLogger(__name__)

#: Seconds before an indexer that died is started again; after as many quick deaths it is given up.
BACK_OFF = (0.2, 1.0, 5.0, 15.0)

#: One that lived longer did not die of how it starts.
QUICK_SECONDS = 60.0

#: Changed paths that are kept for an indexer which does not take them; beyond, it rescans.
MOST_OWED = 4096

#: Bytes that may wait in the pipe to an indexer that does not read.
_MOST_WAITING = 1 << 20
_CLOSE_SECONDS = 2.0


class IndexClient:
    """One front's indexer.

    Args:
        on_state: Called on the loop with every new state of a root.
        on_committed: Called on the loop when queries give new answers.
        command: The program to start; for tests.
    """

    def __init__(
        self,
        on_state: Callable[[State], None],
        on_committed: Callable[[Committed], None],
        command: tuple[str, ...] = (),
    ) -> None:
        self._on_state = on_state
        self._on_committed = on_committed
        # -P: the current folder may be the workspace, whose modules are not ours to run.
        self._command = command or (sys.executable, "-P", "-m", "sidecar.index")
        self._process: Process | None = None
        self._task: asyncio.Task[None] | None = None
        self._deaths = 0
        self._open = Open(())
        self._opened: Opened | None = None
        self._owed: dict[str, None] = {}
        self._owes_rescan = False
        self._last_words = ""
        #: Why there is no indexer any more; nothing while there is hope.
        self.failure = ""

    @property
    def pid(self) -> int | None:
        """The process, if one runs."""
        return None if self._process is None else self._process.pid

    def open(self, message: Open) -> None:
        """Serve these roots from now on; starts the indexer if none runs."""
        self._open = message
        self._send(message)
        if self._task is None or self._task.done():
            self.failure = ""
            self._deaths = 0
            self._task = asyncio.create_task(self._keep())

    def changed(self, paths: Iterable[str]) -> None:
        """Tell that something happened at these absolute paths."""
        paths = tuple(paths)
        if paths and not self._send(Changed(paths)):
            self._owed.update(dict.fromkeys(paths))
            if len(self._owed) > MOST_OWED:
                self._owed.clear()
                self._owes_rescan = True

    def opened(self, path: str) -> None:
        """Tell that the user looks at this file."""
        self._opened = Opened(path)
        self._send(self._opened)

    def busy(self, ms: float) -> None:
        """Have bulk work pause, because a completion runs."""
        self._send(Busy(ms))

    def rescan(self) -> None:
        """Have everything compared with the disk."""
        if not self._send(Rescan()):
            self._owes_rescan = True

    async def close(self) -> None:
        """End the indexer; nothing is lost with it."""
        self._send(Stop())
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])
            self._task = None

    def _send(self, message: FromFront) -> bool:
        """Write a message if an indexer is there and reads."""
        pipe = None if self._process is None else self._process.stdin
        if pipe is None or pipe.is_closing():
            return False
        if pipe.transport.get_write_buffer_size() > _MOST_WAITING:
            return False
        pipe.write(to_frame(message))
        return True

    def _send_owed(self) -> None:
        if self._owed and self._send(Changed(tuple(self._owed))):
            self._owed.clear()
        if self._owes_rescan and self._send(Rescan()):
            self._owes_rescan = False

    async def _keep(self) -> None:
        """Keep an indexer running until it has died too often."""
        while True:
            started = time.monotonic()
            try:
                await self._live_once()
            except (OSError, FrameError) as error:
                log.warning("the indexer cannot be used (%s)", type(error).__name__)
                self._last_words = str(error)
            if time.monotonic() - started > QUICK_SECONDS:
                self._deaths = 0
            self._deaths += 1
            if self._deaths > len(BACK_OFF):
                self._give_up()
                return
            log.warning("the indexer ended; it is started again")
            await asyncio.sleep(BACK_OFF[self._deaths - 1])

    def _give_up(self) -> None:
        told = f" ({self._last_words})" if self._last_words else ""
        self.failure = f"the indexer ended {self._deaths} times in a row{told}"
        log.error("%s", self.failure)
        for root in self._open.roots:
            self._on_state(State(root, "failed", notice=self.failure))

    async def _live_once(self) -> None:
        """Start an indexer and take what it says until it ends."""
        process = await asyncio.create_subprocess_exec(
            *self._command,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        self._process = process
        try:
            self._send(self._open)
            if self._opened is not None:
                self._send(self._opened)
            self._send_owed()
            async with asyncio.TaskGroup() as group:
                group.create_task(self._listen(process))
                group.create_task(self._overhear(process))
        except* (OSError, FrameError) as errors:
            raise errors.exceptions[0] from None
        finally:
            self._process = None
            await _end(process)

    async def _listen(self, process: Process) -> None:
        assert process.stdout is not None
        frames = Frames()
        while data := await process.stdout.read(1 << 16):
            for body in frames.feed(data):
                self._receive(body)
            self._send_owed()

    def _receive(self, body: bytes) -> None:
        match from_frame(body):
            case State() as state:
                self._on_state(state)
            case Committed() as committed:
                self._on_committed(committed)
            case Logged(level, text):
                log.log(level, "%s", text)
            case _:
                raise FrameError("a message for indexers")

    async def _overhear(self, process: Process) -> None:
        """Keep the last line of what the process complains of; it may explain its end."""
        assert process.stderr is not None
        rest = b""
        while data := await process.stderr.read(1 << 12):
            rest = (rest + data)[-2000:]
            lines = rest.decode(errors="replace").strip().splitlines()
            self._last_words = lines[-1] if lines else ""


async def _end(process: Process) -> None:
    """End a process: gently by closing its input, then for good; always take its exit code."""
    assert process.stdin is not None
    try:
        with suppress(OSError):
            process.stdin.close()
        async with asyncio.timeout(_CLOSE_SECONDS):
            await process.wait()
    except TimeoutError:
        log.warning("the indexer did not end in time")
    finally:
        if process.returncode is None:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()
