"""What is generated while nobody waits: the suggestion after the one that is shown.

It is asked for as if the one that is shown were accepted, behind the same anchor, so its tokens are
those that were just generated and nothing is evaluated again. Where a line ends and nothing is
shown, it is what stands on the next line. Where the cursor rests at the end of a line, it is what
would be asked for there, and then what would be on a new line. Whoever accepts, types along, or
ends the line is answered from the cache. May import this package's modules but the service.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from sidecar.completion.anchor import extend
from sidecar.completion.asking import with_prompt
from sidecar.completion.beginnings import at_end, ended
from sidecar.completion.cache import Terms, typed_of
from sidecar.completion.generation import Generation
from sidecar.completion.suggestion import Suggestion

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from sidecar.completion.anchored import Anchored
    from sidecar.completion.cache import Cache
    from sidecar.completion.generations import Generations
    from sidecar.completion.suggestion import Refusal
    from sidecar.engine.interface import Engine
    from sidecar.engine.messages import Request
    from sidecar.telemetry import Metrics
    from sidecar.text import Document

__all__ = ["Speculation", "accepted", "first_line", "same_line"]

#: Somebody who types something else does so sooner than this, and would only find the engine busy.
DELAY_SECONDS = 0.15


@dataclass(frozen=True, slots=True)
class _Plan:
    """What is going to be asked: a document as it will be, and the cursor in it.

    Once enough is said another one may follow.
    """

    document: Document
    offset: int
    anchored: Anchored
    request: Request
    terms: Terms
    enough: Callable[[str], str | None] | None
    timer: asyncio.TimerHandle | None = None
    then: _Plan | None = None

    def same(self, other: _Plan) -> bool:
        """Tell whether another plan asks for the same."""
        mine, theirs = self.anchored.extension, other.anchored.extension
        return (
            self.terms == other.terms
            and mine.anchor.prefix == theirs.anchor.prefix
            and typed_of(mine) == typed_of(theirs)
        )


class Speculation:
    """Asks for next suggestions.

    Args:
        engine: Returns the engine if it can answer now.
        cache: What is known already.
        generations: What is under way.
        metrics: Where things are counted.
        wanted: Tells whether the machine may be used for it.
        several: Tells whether several lines will be wanted at a place.
    """

    def __init__(
        self,
        engine: Callable[[], Awaitable[Engine | None]],
        cache: Cache,
        generations: Generations,
        metrics: Metrics,
        wanted: Callable[[], bool],
        several: Callable[[Document, int], bool],
    ) -> None:
        self._engine = engine
        self._cache = cache
        self._generations = generations
        self._metrics = metrics
        self._wanted = wanted
        self._several = several
        self._plans: dict[str, _Plan] = {}
        #: What follows the guess at the place where the cursor rests.
        self._then: _Plan | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    def after(
        self,
        document: Document,
        offset: int,
        made: Suggestion | Refusal,
        stop: str,
        anchored: Anchored,
        request: Request,
    ) -> None:
        """Plan what comes after an answer that is being given.

        Args:
            document: The document that it was made for.
            offset: The cursor.
            made: The answer.
            stop: Why the model ended.
            anchored: The anchor that it was made with, applied to the cursor, and the head.
            request: What was wanted; its prompt does not matter.
        """
        plan = self._next(document, offset, made, stop, anchored, request)
        known = self._plans.get(document.uri)
        if known is not None and plan is not None and known.same(plan):
            return
        self.cancel(document.uri)
        if plan is not None:
            timer = asyncio.get_running_loop().call_later(DELAY_SECONDS, self._due, document.uri)
            self._plans[document.uri] = replace(plan, timer=timer)

    def at(
        self,
        document: Document,
        offset: int,
        anchored: Anchored,
        request: Request,
        new_line: bool,
    ) -> None:
        """Ask for what is likely to be asked for where the cursor rests, at the end of a line.

        That is more of the line, or what stands on a new one: first what is likelier, and then the
        other, unless the model ends the line itself.

        Args:
            document: The document.
            offset: The cursor.
            anchored: The anchor applied to it, whose prompt is evaluated, and the head.
            request: What would be wanted; its prompt does not matter.
            new_line: Whether a new line is likelier.
        """
        under_way = self._generations.under_way(document.uri)
        begun = under_way is not None and under_way.guessed and not under_way.stale
        if self._then is not None and begun:
            # The same place, with another prompt: what is likelier is being said already.
            return
        here = self._plan(document, offset, anchored, request)
        below = self._plan(*ended(document, offset), anchored, request)
        if here is not None and below is not None and new_line:
            # What begins a new line is known by then, unless several lines are wanted.
            here = replace(here, enough=same_line if here.enough else None)
            plan: _Plan | None = replace(below, then=here)
        else:
            plan = below if here is None else replace(here, then=below)
        if plan is not None:
            self.cancel(document.uri)
            self._plans[document.uri] = plan
            self._due(document.uri)

    def left(self) -> None:
        """Take in that the cursor is elsewhere, or that somebody asks: they are served first."""
        self._then = None

    def cancel(self, uri: str) -> None:
        """Give up what is planned for a document."""
        self.left()
        plan = self._plans.pop(uri, None)
        if plan is not None and plan.timer is not None:
            plan.timer.cancel()

    def reset(self) -> None:
        """Give up all that is planned."""
        self.left()
        for uri in list(self._plans):
            self.cancel(uri)

    def _next(
        self,
        document: Document,
        offset: int,
        made: Suggestion | Refusal,
        stop: str,
        anchored: Anchored,
        request: Request,
    ) -> _Plan | None:
        if isinstance(made, Suggestion):
            document, offset = accepted(document, made)
        elif made.reason != "blank" or stop != "newline":
            return None
        buffer = document.buffer
        if not buffer.slice(buffer.line_start(buffer.line_at(offset)), offset).strip():
            return None
        return self._plan(document, offset, anchored, request)

    def _plan(
        self, document: Document, offset: int, anchored: Anchored, request: Request
    ) -> _Plan | None:
        if not at_end(document, offset):
            # Only at the end of a line people go on with the next.
            return None
        # Behind the head of a function its body is wanted, whatever was wanted before.
        terms = replace(Terms.of(request), multiline=self._several(document, offset))
        extension = extend(anchored.extension.anchor, document, offset)
        if extension is None or self._cache.covers(document, offset, terms):
            return None
        anchored = replace(anchored, extension=extension)
        # Of one-line suggestions the next is on the next line, after the end of this one.
        request = with_prompt(request, anchored)
        request = replace(
            request,
            block=terms.multiline,
            multiline=True,
            priority="speculative",
        )
        enough = None if terms.multiline else first_line
        return _Plan(document, offset, anchored, request, terms, enough)

    def _due(self, uri: str) -> None:
        task = asyncio.create_task(self._ask(uri))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _ask(self, uri: str) -> None:
        plan = self._plans.get(uri)
        engine = await self._engine()
        if plan is None or self._plans.get(uri) is not plan:
            return
        del self._plans[uri]
        # Asked now and not at each key: it looks at what the machine does.
        if not self._wanted() or engine is None or self._generations.under_way(uri) is not None:
            return
        if self._cache.covers(plan.document, plan.offset, plan.terms):
            # It was under way when it was planned.
            return
        generation = Generation(
            plan.anchored, plan.request, plan.terms, guessed=True, enough=plan.enough
        )
        self._metrics.count("speculation.begun")
        self._generations.begin(engine, plan.document, generation)
        self._then = then = plan.then
        if then is None:
            return
        said = await generation.said()
        if said is None or generation.stale or self._then is not then:
            return
        begins = said.lstrip(" \t").startswith("\n")
        if not (begins and then.offset > plan.offset):
            self._plans[uri] = then
            await self._ask(uri)


def accepted(document: Document, made: Suggestion) -> tuple[Document, int]:
    """Return a document as it is when a suggestion was accepted, and the cursor behind it."""
    buffer = document.buffer.edit(made.start, made.end, made.insert)
    return replace(document, buffer=buffer), made.start + len(made.insert)


def first_line(text: str) -> str | None:
    """Return what a text says up to the end of its first line with code, once that is whole."""
    start = len(text) - len(text.lstrip())
    end = text.find("\n", start)
    return None if start == len(text) or end < 0 else text[:end]


def same_line(text: str) -> str | None:
    """Return what a text says up to the end of the line at its start, once that is whole."""
    line, end, _ = text.partition("\n")
    return line if end else None
