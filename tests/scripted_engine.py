"""An engine that says what a test wants when it wants, for the service and its parts."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from sidecar.engine.messages import Completion, Request, Stats

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["Call", "Engine"]


class Call:
    """One request that the engine was asked, until it ends."""

    def __init__(self, request: Request, on_text: Callable[[str], None]) -> None:
        self.request = request
        self.say = on_text
        self.cancelled = False
        self.answer: asyncio.Future[Completion] = asyncio.get_running_loop().create_future()

    @property
    def typed(self) -> str:
        return "".join(s.text for s in self.request.segments if s.kind == "typed")

    def end(self, text: str, stop: str = "newline") -> None:
        counts = {"typed": 5}
        self.answer.set_result(
            Completion(text, Stats(stop=stop, generated=7, segment_tokens=counts))
        )


class Engine:
    """Behaves as `EngineClient` and as the service's source of engines."""

    def __init__(self) -> None:
        self.plan: Any = None
        self.state = SimpleNamespace(info=None)
        self.held: Any = None
        self.calls: list[Call] = []
        #: The documents of which it was told that somebody waits.
        self.waits: list[str] = []
        self._was_called = asyncio.Event()

    async def engine(self) -> Any:
        return self

    def served(self) -> None: ...

    def waited(self, document: str) -> None:
        self.waits.append(document)

    async def count(self, texts: Sequence[str]) -> list[int]:
        return [len(text) for text in texts]

    async def complete(self, request: Request, on_text: Any = None) -> Completion:
        call = Call(request, on_text)
        self.calls.append(call)
        self._was_called.set()
        try:
            return await call.answer
        except asyncio.CancelledError:
            call.cancelled = True
            raise

    @property
    def interactive(self) -> int:
        """How often it was asked because somebody waited."""
        return sum(call.request.priority == "interactive" for call in self.calls)

    async def called(self, times: int) -> Call:
        """Wait until it was asked so often, and return the last request."""
        async with asyncio.timeout(60):
            while len(self.calls) < times:
                self._was_called.clear()
                await self._was_called.wait()
        return self.calls[-1]
