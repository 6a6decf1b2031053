"""One front as the engine sees it: its requests under way, and what is sent to it.

Of a completion's text only the newest state is sent, so a slow front cannot pile up frames. Runs on
the loop; never waits for the model.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
from time import monotonic, perf_counter
from typing import TYPE_CHECKING, Any

from sidecar import PROTOCOL, __version__
from sidecar.engine.job import Job
from sidecar.engine.messages import pack, request_from_wire, to_wire, unpacker
from sidecar.errors import EngineError, SidecarError

if TYPE_CHECKING:
    from sidecar.engine.host import Host
    from sidecar.engine.messages import Completion

__all__ = ["Connection"]

#: Requests of one connection that may be under way; a front has a handful.
_MOST_JOBS = 64


class Connection:
    """One front.

    Args:
        host: The engine.
        reader: Its bytes.
        writer: Where answers go.
    """

    def __init__(
        self, host: Host, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        #: Whether it only asks how things are: nobody is kept waiting by the engine's end then.
        self.observes = False
        self._host = host
        self._reader = reader
        self._writer = writer
        self._jobs: dict[int, Job] = {}
        #: Newest text of each running request that was not sent yet.
        self._texts: dict[int, str] = {}
        self._frames: list[bytes] = []
        self._due = asyncio.Event()

    async def run(self) -> None:
        """Serve the connection until it ends or sends nonsense."""
        self._host.connections.add(self)
        writing = asyncio.create_task(self._write())
        try:
            self.send("hello", {"protocol": PROTOCOL, "version": __version__, "pid": os.getpid()})
            self.send("state", self._host.state.body())
            await self._read()
        except (ConnectionError, ValueError, TypeError, KeyError) as error:
            sys.stderr.write(f"connection ended: {type(error).__name__}\n")
        finally:
            self._host.connections.discard(self)
            if not self.observes:
                self._host.last_used = monotonic()
            for job in list(self._jobs.values()):
                self._host.scheduler.cancel(job)
            writing.cancel()
            self._writer.close()

    def send(self, kind: str, body: object) -> None:
        """Queue one frame."""
        self._frames.append(pack(kind, body))
        self._due.set()

    async def _read(self) -> None:
        messages = unpacker()
        while data := await self._reader.read(65536):
            messages.feed(data)
            for kind, body in messages:
                self._receive(kind, body)

    async def _write(self) -> None:
        with contextlib.suppress(ConnectionError):
            while True:
                await self._due.wait()
                self._due.clear()
                frames, self._frames = self._frames, []
                texts, self._texts = self._texts, {}
                for number, text in texts.items():
                    self._writer.write(pack("text", {"id": number, "text": text}))
                self._writer.writelines(frames)
                # While a slow front makes this wait, texts replace each other and frames are few.
                await self._writer.drain()

    def _receive(self, kind: str, body: Any) -> None:
        match kind:
            case "complete":
                self._complete(body["id"], body["request"])
            case "cancel":
                job = self._jobs.get(body["id"])
                if job is not None:
                    self._host.scheduler.cancel(job)
            case "waited":
                self._host.scheduler.waited(self, body["document"])
            case "count":
                self._count(body["id"], body["texts"])
            case "status":
                self.observes |= "observer" in body
                self.send("status", {"id": body["id"], "status": self._host.status()})
            case _:
                raise ValueError(kind)

    def _complete(self, number: int, body: Any) -> None:
        arrived = perf_counter()
        request = request_from_wire(body)
        if self._host.state.phase == "failed":
            self._refuse(number, EngineError(self._host.state.detail, self._host.state.fix))
            return
        if len(self._jobs) >= _MOST_JOBS:
            self._refuse(number, EngineError("too many requests are under way", "wait for some"))
            return
        host = self._host

        def on_text(text: str) -> None:
            host.from_thread(self._set_text, number, text)

        def on_done(result: Completion | SidecarError) -> None:
            host.from_thread(self._finish, number, result)

        job = Job(self, request, arrived, on_text, on_done)
        self._jobs[number] = job
        host.scheduler.submit(job)

    def _set_text(self, number: int, text: str) -> None:
        if number in self._jobs:
            self._texts[number] = text
            self._due.set()

    def _finish(self, number: int, result: Completion | SidecarError) -> None:
        job = self._jobs.pop(number, None)
        self._texts.pop(number, None)
        if job is not None and not isinstance(result, SidecarError):
            self._host.totals.ended(job.request.priority, result.stats)
        if isinstance(result, SidecarError):
            self._refuse(number, result)
        else:
            self.send("done", {"id": number, "completion": to_wire(result)})

    def refuse_all(self, error: SidecarError) -> None:
        """Answer every request under way with an error."""
        for number in list(self._jobs):
            self._finish(number, error)

    def _refuse(self, number: int, error: SidecarError) -> None:
        self.send("error", {"id": number, "what": error.what, "fix": error.fix})

    def _count(self, number: int, texts: list[str]) -> None:
        inference = self._host.inference
        if inference is None or self._host.state.phase != "ready":
            self._refuse(number, EngineError("the model is not loaded yet", "wait for it"))
            return
        self.send("count", {"id": number, "counts": inference.count(texts)})
