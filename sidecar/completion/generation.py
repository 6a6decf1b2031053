"""One generation under way, which a moving cursor may go on waiting for.

While somebody types what the model is about to say, each key asks anew, but the answer is the same
text: the generation goes on, and the newest cursor is shown what lies beyond it. Runs on the loop's
thread. Must never know documents' names or what is offered. May import `anchor`, `cache` and
`outcome`, and the engine's messages.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple

from sidecar.completion.anchor import extend
from sidecar.completion.cache import typed_of
from sidecar.completion.outcome import card_of
from sidecar.engine.messages import Completion, Stats
from sidecar.errors import EngineError

if TYPE_CHECKING:
    from collections.abc import Callable

    from sidecar.completion.anchor import Extension
    from sidecar.completion.anchored import Anchored
    from sidecar.completion.cache import Terms
    from sidecar.context.card import Card
    from sidecar.engine.interface import Engine
    from sidecar.engine.messages import Request
    from sidecar.text import Document

__all__ = ["Generation", "Joining", "Said"]


#: An answer, why there is none, or nothing where it was cancelled.
_End = Completion | EngineError | None


class Said(NamedTuple):
    """What the model said beyond a cursor.

    Args:
        text: The text.
        stop: Why it ended.
        stats: The engine's account, if the engine came to the end.
    """

    text: str
    stop: str
    stats: Stats


class Joining(NamedTuple):
    """A cursor that a generation may serve.

    Args:
        extension: The generation's anchor, applied to the cursor.
        ahead: What stands before the cursor that the generation has to say first.
    """

    extension: Extension
    ahead: str


@dataclass(eq=False, slots=True)
class _Follower:
    """The cursor that waits."""

    ahead: str
    multiline: bool
    on_text: Callable[[str], None] | None
    answer: asyncio.Future[Said | None]
    since: float


class Generation:
    """Asks the engine once, and keeps what it says.

    Args:
        anchored: The anchor, applied to the cursor that was asked for, and the head of the prompt.
        request: What is asked.
        terms: What is wanted of it; a request may ask for more, to be cut.
        guessed: Whether nobody asked for it yet.
        enough: Returns the part of a text that is all that is wanted, once it is there.
        expected_ms: Milliseconds until its first words are expected.
    """

    def __init__(
        self,
        anchored: Anchored,
        request: Request,
        terms: Terms,
        *,
        guessed: bool = False,
        enough: Callable[[str], str | None] | None = None,
        expected_ms: float = 0.0,
    ) -> None:
        self.anchored = anchored
        self.request = request
        self.terms = terms
        self.guessed = guessed
        self.typed = typed_of(anchored.extension)
        self.text = ""
        #: Whether what it says is out of date before it is said.
        self.stale = False
        self._enough = enough
        self._whole: str | None = None
        self._expected_ms = expected_ms
        self._began = perf_counter()
        self._layout = ""
        self._engine: Engine | None = None
        self._cancelled = False
        self._task: asyncio.Task[_End] | None = None
        self._asking: asyncio.Task[Completion] | None = None
        self._follower: _Follower | None = None

    def begin(self, engine: Engine, on_end: Callable[[Completion | None], None]) -> None:
        """Ask the engine.

        Args:
            engine: The engine.
            on_end: Called once, with the answer if there is one.
        """

        def ended(task: asyncio.Task[_End]) -> None:
            failed = task.cancelled() or task.exception() is not None
            end = None if failed else task.result()
            on_end(end if isinstance(end, Completion) else None)

        self._engine = engine
        info = engine.state.info
        self._layout = info.layout if info else ""
        self._task = asyncio.create_task(self._ask(engine))
        self._task.add_done_callback(ended)

    @property
    def under_way(self) -> bool:
        """Whether it may still say something."""
        return self._task is not None and not self._task.done() and not self._cancelled

    @property
    def left_ms(self) -> float:
        """Milliseconds until its first words are expected; none once there are some."""
        passed = (perf_counter() - self._began) * 1000.0
        return 0.0 if self.text else max(self._expected_ms - passed, 0.0)

    @property
    def followed(self) -> bool:
        """Whether somebody waits for it."""
        return self._follower is not None

    def joining(self, document: Document, offset: int) -> Joining | None:
        """Return how it serves a cursor, unless it has said something else already."""
        extension = extend(self.anchored.extension.anchor, document, offset)
        if extension is None:
            return None
        typed = typed_of(extension)
        if not typed.startswith(self.typed):
            return None
        ahead = typed[len(self.typed) :]
        return Joining(extension, ahead) if _agree(ahead, self.text) else None

    def lies_ahead(self, document: Document, offset: int) -> bool:
        """Tell whether a cursor may get to where it serves by typing on."""
        extension = extend(self.anchored.extension.anchor, document, offset)
        return extension is not None and _agree(typed_of(extension), self.typed + self.text)

    async def follow(
        self, ahead: str, multiline: bool, on_text: Callable[[str], None] | None = None
    ) -> Said | None:
        """Wait for what it says beyond a cursor; only the newest who waits is served.

        Args:
            ahead: What it has to say first.
            multiline: Whether more than the rest of a line is wanted.
            on_text: Called with the text beyond the cursor so far, whenever it has grown.

        Returns:
            None if it says something else, or nothing more because it was cancelled.

        Raises:
            EngineGone: The engine died.
            EngineError: The engine refused.
        """
        task = self._task
        assert task is not None, "it was begun"
        if self.guessed and self._engine is not None:
            # Where others type as well, a guess would have to wait until they rest.
            self._engine.waited(self.request.document)
        answer: asyncio.Future[Said | None] = asyncio.get_running_loop().create_future()
        follower = _Follower(ahead, multiline, on_text, answer, perf_counter())
        self._follower = follower
        self._tell(follower)
        try:
            await asyncio.wait((task, answer), return_when=asyncio.FIRST_COMPLETED)
        finally:
            if self._follower is follower:
                self._follower = None
        if answer.done():
            return answer.result()
        completion = None if task.cancelled() else task.result()
        if isinstance(completion, EngineError):
            # Not itself, which the task keeps: it would keep this frame, and that the task.
            raise type(completion)(completion.what, completion.fix)
        if (
            completion is None
            # The engine gives up a guess whose lane was taken by others.
            or completion.stats.stop == "cancelled"
            or not completion.text.startswith(ahead)
        ):
            return None
        stats = self._account(completion.stats, follower)
        return Said(completion.text[len(ahead) :], stats.stop, stats)

    async def said(self) -> str | None:
        """Wait for its end, and return all that it said; None if it was cancelled or failed."""
        task = self._task
        assert task is not None, "it was begun"
        await asyncio.wait((task,))
        if self._cancelled or task.cancelled() or task.exception() is not None:
            return None
        completion = task.result()
        if not isinstance(completion, Completion) or completion.stats.stop == "cancelled":
            return None
        return completion.text

    def card(self, path: str, extension: Extension, stats: Stats) -> Card:
        """Return the account of its prompt.

        Args:
            path: The file.
            extension: The anchor, applied to the cursor that is served.
            stats: The engine's account; without counts in it tokens are estimated.
        """
        counted = stats if stats.segment_tokens else None
        return card_of(extension, path, self.anchored.head, counted, self._layout)

    async def end(self) -> None:
        """Cancel it, and wait until the engine was told."""
        self.cancel()
        if self._task is not None:
            await asyncio.wait((self._task,))

    def cancel(self) -> None:
        """Cancel it; from now on it serves nobody."""
        self._cancelled = True
        if self._asking is not None:
            self._asking.cancel()

    async def _ask(self, engine: Engine) -> _End:
        """Ask, and return how it ended.

        A task that fails keeps the traceback, and that this generation, which keeps the task: they
        would wait for the garbage collector, with the texts that they know.
        """
        if self._cancelled:
            self._engine = None
            return None
        self._asking = asyncio.create_task(engine.complete(self.request, self._heard))
        try:
            completion = await self._asking
        except asyncio.CancelledError:
            if self._whole is None:
                return None
            completion = Completion(self._whole, Stats(stop="newline"))
        except EngineError as error:
            return None if self._cancelled else error.with_traceback(None)
        else:
            if self._cancelled:
                return None
        finally:
            self._asking = self._engine = None
        self.text = completion.text
        return completion

    def _heard(self, text: str) -> None:
        """Take the text so far."""
        if self._whole is not None or self.text.startswith(text):
            # The engine begins anew when more urgent work came between, and says the same again.
            return
        self.text = text
        if self._follower is not None:
            self._tell(self._follower)
        if self._enough is not None:
            self._whole = self._enough(text)
            if self._whole is not None and self._asking is not None:
                self._asking.cancel()

    def _tell(self, follower: _Follower) -> None:
        """Tell who waits what lies beyond the cursor, or that nothing will."""
        if follower.answer.done():
            return
        ahead = follower.ahead
        if not _agree(ahead, self.text):
            follower.answer.set_result(None)
            return
        rest = self.text[len(ahead) :]
        if not follower.multiline and "\n" in rest:
            # More than a line was asked for; this is the end of it for who waits.
            stats = self._account(Stats(stop="newline"), follower)
            follower.answer.set_result(Said(rest.partition("\n")[0], "newline", stats))
        elif rest and follower.on_text is not None:
            follower.on_text(rest)

    def _account(self, stats: Stats, follower: _Follower) -> Stats:
        """Return an account whose times begin when who waits came."""
        waited = (follower.since - self._began) * 1000.0
        visible = stats.visible_ms
        return replace(
            stats,
            queue_ms=max(stats.queue_ms - waited, 0.0),
            first_token_ms=max(stats.first_token_ms - waited, 0.0),
            visible_ms=None if visible is None else max(visible - waited, 0.0),
            total_ms=max(stats.total_ms - waited, 0.0),
        )


def _agree(one: str, other: str) -> bool:
    """Tell whether one text may become the other by going on."""
    return one.startswith(other) or other.startswith(one)
