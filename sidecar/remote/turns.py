"""Who may ask a server now: the newest request of a document, and the more urgent ones first.

The engine's own scheduler does this on its side; a server knows nothing of documents and ranks. On
one that works on one request at a time, what is less urgent waits, and is given up and begun
again when something urgent comes: what was evaluated for it stays in the server's cache.
Used on one asyncio loop. May import the engine's messages.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from typing import Any

    from sidecar.engine.messages import Priority, Request

__all__ = ["Superseded", "Turns"]

Answer = TypeVar("Answer")

_RANKS: dict[Priority, int] = {"interactive": 0, "speculative": 1, "warming": 2}


class Superseded(Exception):
    """A newer request of the document came."""


@dataclass(eq=False, slots=True)
class _Turn:
    """One request that waits or is under way."""

    document: str
    rank: int
    task: asyncio.Task[Any] | None = None
    superseded: bool = False
    put_off: bool = False


class Turns:
    """The requests of one front to one server.

    Args:
        one_at_a_time: Whether the server works on one request at a time.
    """

    def __init__(self, *, one_at_a_time: bool) -> None:
        self._one = one_at_a_time
        self._all: list[_Turn] = []
        self._waiting: list[asyncio.Future[None]] = []

    @property
    def count(self) -> int:
        """How many requests wait or are under way."""
        return len(self._all)

    async def run(
        self, request: Request, work: Callable[[], Coroutine[Any, Any, Answer]]
    ) -> Answer:
        """Do the work of a request when it is its turn; cancelling it cancels the work.

        Args:
            request: The request.
            work: Makes what is to be awaited; called again when it was put off.

        Raises:
            Superseded: A newer request of the document came.
        """
        turn = _Turn(request.document, _RANKS[request.priority])
        for older in self._all:
            if older.document == turn.document:
                older.superseded = True
            elif self._one and older.rank > turn.rank:
                older.put_off = True
            else:
                continue
            if older.task is not None:
                older.task.cancel()
        self._all.append(turn)
        self._changed()
        try:
            while True:
                while not turn.superseded and not self._may(turn):
                    await self._change()
                if turn.superseded:
                    raise Superseded
                turn.put_off = False
                task: asyncio.Task[Answer] = asyncio.create_task(work())
                turn.task = task
                await _ended(task)
                turn.task = None
                if not task.cancelled():
                    try:
                        return task.result()
                    finally:
                        # A failure knows this frame: no variable of it may know who keeps that.
                        del task
                self._changed()
                if not turn.superseded and not turn.put_off:
                    raise asyncio.CancelledError
        finally:
            self._all.remove(turn)
            self._changed()

    def _may(self, turn: _Turn) -> bool:
        if not self._one:
            return True
        return not any(
            other is not turn and (other.rank < turn.rank or other.task is not None)
            for other in self._all
        )

    async def _change(self) -> None:
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(future)
        await future

    def _changed(self) -> None:
        waiting, self._waiting = self._waiting, []
        for future in waiting:
            if not future.done():
                future.set_result(None)


async def _ended(task: asyncio.Task[Any]) -> None:
    """Wait until a task has ended, however; being cancelled cancels it."""
    try:
        await asyncio.wait((task,))
    except asyncio.CancelledError:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        raise
