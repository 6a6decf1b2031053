"""Evaluates prompts before somebody asks: where the cursor rests, and where it may be next.

One warm-up is under way at a time. What the user does elsewhere cancels it, and what was evaluated
until then stays in its lane. Nothing here is ever raised to the caller, and nothing is done where
no suggestion would be made. Must never know LSP types. May import everything of `completion` but
the service.
"""

from __future__ import annotations

import asyncio
import logging
from time import monotonic
from typing import TYPE_CHECKING, Final, NamedTuple

from sidecar.completion.anchor import extend
from sidecar.completion.beginnings import Beginnings
from sidecar.completion.evaluating import evaluate
from sidecar.completion.predicting import name_at, open_place
from sidecar.completion.readying import (
    Event,
    opened,
    places_of,
    short_at_once,
    short_before,
    whole_at,
)
from sidecar.completion.rhythm import Rhythm
from sidecar.completion.short import is_short
from sidecar.errors import SidecarError

if TYPE_CHECKING:
    from collections.abc import Callable

    from sidecar.completion.anchored import Anchored
    from sidecar.completion.anchoring import Anchors
    from sidecar.completion.predicting import Guess
    from sidecar.completion.readying import Occasion
    from sidecar.completion.surroundings import Engines, Machine, Surroundings
    from sidecar.engine.interface import Engine
    from sidecar.settings import Settings
    from sidecar.telemetry import Metrics
    from sidecar.text import Document

__all__ = ["Warming"]

log = logging.getLogger(__name__)

#: After a switch and an accepted suggestion nobody is on the way to somewhere else; messages that
#: belong together arrive within this.
_SETTLE: Final = 0.05
#: What is learned of the workspace comes in pieces, and only all of it makes a lasting prompt.
_LEARNED: Final = 0.5
#: A warm-up that takes so long, since others have the time, is not of any use any more.
_SECONDS: Final = 600.0

#: Reasons to warm a place where the cursor is, and where nothing was said yet.
_RESTING: Final = ("cursor", "switch")


class _Running(NamedTuple):
    """A prompt that the engine evaluates for a place, perhaps after a short one."""

    uri: str
    place: int
    anchored: Anchored


class Warming:
    """Evaluates prompts of places where the user may type next.

    Args:
        engines: Where the engine comes from.
        anchors: The documents' anchors.
        around: What is asked about documents.
        metrics: Where is counted what it was good for.
        settings: Returns the settings in force.
        machine: What else the machine has to do.
        rhythm: How fast the cursor moves.
        on_rest: Called with a document, a place where the cursor rests, the anchor there, whose
            prompt is evaluated, and whether a new line is what will be begun with there.
    """

    def __init__(
        self,
        engines: Engines,
        anchors: Anchors,
        around: Surroundings,
        metrics: Metrics,
        settings: Callable[[], Settings],
        machine: Machine,
        rhythm: Rhythm | None = None,
        on_rest: Callable[[Document, int, Anchored, bool], None] | None = None,
    ) -> None:
        self._engines = engines
        self._anchors = anchors
        self._around = around
        self._metrics = metrics
        self._settings = settings
        self._machine = machine
        self._rhythm = rhythm or Rhythm()
        self._beginnings = Beginnings()
        self._on_rest = on_rest
        self._cursor: tuple[str, int] | None = None
        self._task: asyncio.Task[None] | None = None
        self._running: _Running | None = None
        self._queued: tuple[Event, float] | None = None
        #: What would be done again if more were known: nothing once somebody types there.
        self._last: Event | None = None
        #: Whether a prompt is evaluated that shows something of the workspace; whether more was
        #: learned since it was made; and when something was learned last.
        self._shows_others = False
        self._outdated = False
        self._learned_at = -_LEARNED

    def moved(self, document: Document, offset: int) -> None:
        """Take in that the cursor stands somewhere, without an edit."""
        if self._cursor != (document.uri, offset):
            self._rhythm.moved()
            self._beginnings.came(document, offset)
            self._cursor = document.uri, offset
            self._elsewhere(document, offset, "cursor", self._rhythm.arrival)

    def switched(self, document: Document, offset: int | None = None) -> None:
        """Take in that a document was opened or is looked at.

        Args:
            document: The document.
            offset: The cursor in it, if it is known.
        """
        name = self._name_left(document.uri)
        if offset is None:
            self._begin(Event("switch", document.uri, None, name), _SETTLE)
        else:
            self._beginnings.came(document, offset)
            self._cursor = document.uri, offset
            self._elsewhere(document, offset, "switch", _SETTLE)

    def edited(self, document: Document, offset: int) -> None:
        """Take in that a document was changed; what follows is asked for or told of by itself.

        Args:
            document: The document as it is now.
            offset: Where the change ends.
        """
        self._beginnings.edited(document, offset)
        self._cursor, self._last = (document.uri, offset), None
        if not self._goes_on(document, offset):
            self._cancel()

    def asked(self, document: Document, offset: int) -> None:
        """Take in that somebody waits for a suggestion: nothing new is begun meanwhile."""
        self._cursor, self._last = (document.uri, offset), None
        if self._running is None:
            self._cancel()

    def answered(self, document: Document, offset: int) -> None:
        """Take in that a suggestion was made, and that the user may look at it for a while."""
        if self._cursor == (document.uri, offset):
            self._begin(Event("answer", document.uri, offset), self._rhythm.rest)

    def accepted(self) -> None:
        """Take in that a suggestion was accepted; the edit is told before or after."""
        if self._cursor is not None:
            self._begin(Event("accept", self._cursor[0], None), _SETTLE)

    def ready(self) -> None:
        """Take in that there is an engine from now on, which holds nothing yet."""
        event = self._last or (Event("cursor", *self._cursor) if self._cursor else None)
        if event is not None:
            self._cancel()
            self._begin(event, _SETTLE)

    def learned(self) -> None:
        """Take in that more is known of the workspace: prompts may hold something else now."""
        self._anchors.outdate_guesses()
        self._outdated, self._learned_at = True, monotonic()
        under_way = self._task is not None and not self._task.done()
        if self._last is not None and (self._shows_others or not under_way):
            self._begin(self._last, _LEARNED)

    def forget(self, uri: str) -> None:
        """Drop what is under way for a document that was closed."""
        if self._cursor is not None and self._cursor[0] == uri:
            self._cursor = None
        if self._last is not None and self._last.uri == uri:
            self._last = None
        if self._running is None or self._running.uri == uri:
            self._cancel()

    def close(self) -> None:
        """Stop."""
        self._cancel()

    def _elsewhere(self, document: Document, offset: int, occasion: Occasion, delay: float) -> None:
        running = self._running
        if running is not None and running.uri == document.uri:
            if running.place == offset:
                # The same is told again, as of a file that is looked at and its cursor.
                return
            served = self._anchors.serving(document, offset, whole=True)
            if served is not None and served.head is running.anchored.head:
                return
        self._cancel()
        self._begin(Event(occasion, document.uri, offset), delay)

    def _begin(self, event: Event, delay: float) -> None:
        if self._settings().engine.warming == "off":
            return
        if self._running is not None and event.occasion in ("answer", "accept"):
            # It is still of use, or it would have been cancelled by the edit.
            self._queued = event, delay
            return
        self._cancel()
        self._shows_others = False
        self._last = event if event.occasion in ("cursor", "switch") else None
        self._task = asyncio.create_task(self._guarded(event, delay))

    def _cancel(self) -> None:
        self._queued = None
        self._running = None
        if self._task is not None and not self._task.done():
            self._task.cancel()
        self._task = None

    def _goes_on(self, document: Document, edit: int) -> bool:
        """Tell whether what the engine evaluates is still of use after an edit."""
        running = self._running
        if running is None:
            return False
        anchor = running.anchored.extension.anchor
        if running.uri != document.uri or extend(anchor, document, edit) is not None:
            return True
        typed = anchor.offset <= edit <= running.place
        end = running.place + len(anchor.suffix)
        # A short prompt says nothing of where the whole one begins, which is made after it.
        outside = edit < anchor.window_start or end < edit
        return typed or (outside and not is_short(running.anchored.head))

    def _name_left(self, uri: str) -> str:
        """Return the name at the cursor in the document that is left for another one."""
        if self._cursor is None or self._cursor[0] == uri:
            return ""
        document = self._around.current(self._cursor[0])
        return name_at(document, self._cursor[1]) if document else ""

    async def _guarded(self, event: Event, delay: float) -> None:
        while True:
            try:
                await asyncio.sleep(delay / 2)
                if self._settings().engine.warming == "auto":
                    # What others use is measured from one question to the next.
                    self._machine.others()
                await asyncio.sleep(delay / 2)
                async with asyncio.timeout(_SECONDS):
                    await self._warm_up(event)
            except (SidecarError, TimeoutError):
                self._metrics.count("warming.failed")
            except Exception:
                self._metrics.count("warming.failed")
                log.exception("a warm-up failed")
            # Not kept in a variable: of a task that is cancelled the traceback would hold it, and
            # it the traceback, with all the texts in it.
            if self._task is not asyncio.current_task():
                return
            self._running = None
            if self._queued is None:
                return
            (event, delay), self._queued = self._queued, None

    async def _warm_up(self, event: Event) -> None:
        automatic = self._settings().engine.warming == "auto"
        held_back = self._machine.held_back() if automatic else ""
        if held_back:
            self._metrics.count(f"warming.held_back.{held_back}")
            return
        if self._around.current(event.uri) is None:
            return
        engine = await self._engines.engine()
        document = self._around.current(event.uri)
        if engine is None or document is None:
            return
        for guess in await places_of(event, document, self._cursor, self._anchors, self._around):
            # The text may have changed while the last place was warmed.
            document = self._around.current(event.uri)
            if document is None:
                return
            place = open_place(document, guess.offset, self._around.may_suggest)
            if place is not None:
                with self._metrics.stage("warming", reason=guess.reason):
                    await self._warm(engine, document, guess._replace(offset=place))
        self._metrics.count("warming.finished")

    async def _warm(self, engine: Engine, document: Document, guess: Guess) -> None:
        """Evaluate the prompt that would be asked for at a place, and a short one before."""
        anchors, uri, context = self._anchors, document.uri, self._settings().context
        short = whole = None
        if context.short_first:
            window = context.before_tokens + context.after_tokens
            short = short_at_once(anchors, engine, document, guess, window)
        if short is None:
            whole = await self._whole(engine, document, guess)
            if context.short_first:
                short = short_before(anchors, engine, document, guess, whole)
        if short is not None:
            self._running = _Running(uri, guess.offset, whole or short)
            anchors.expect(uri, short, "short")
            await self._evaluated(engine, document, guess, short)
        # Nobody waits for a short one to be followed, so what comes in pieces is waited for.
        while whole is None or (self._outdated and self._around.current(uri) is document):
            if self._outdated:
                await self._quiet()
            whole = await self._whole(engine, document, guess)
        self._running = _Running(uri, guess.offset, whole)
        self._shows_others = True
        await self._evaluated(engine, document, guess, whole)
        self._running = None

    async def _quiet(self) -> None:
        """Wait until nothing was learned for a while."""
        while True:
            left = self._learned_at + _LEARNED - monotonic()
            if left <= 0.0:
                return
            await asyncio.sleep(left)

    async def _whole(self, engine: Engine, document: Document, guess: Guess) -> Anchored:
        self._outdated = False
        return await whole_at(self._anchors, engine, self._engines.plan, document, guess)

    async def _evaluated(
        self, engine: Engine, document: Document, guess: Guess, prompt: Anchored
    ) -> None:
        """Have a prompt evaluated, and what would be asked for there generated."""
        uri, place = document.uri, guess.offset
        if self._rests(uri, guess) and self._beginnings.new_line:
            prompt = opened(prompt, document, place)
        held = await evaluate(engine, uri, prompt, self._anchors, self._metrics)
        if held and self._rests(uri, guess) and self._on_rest is not None:
            now = self._around.current(uri)
            if now is not None and now.version == document.version:
                self._on_rest(document, place, prompt, self._beginnings.new_line)

    def _rests(self, uri: str, guess: Guess) -> bool:
        """Tell whether the cursor still rests at a place.

        Where nothing is suggested at the cursor itself, nobody asks at the end of its line.
        """
        return guess.reason in _RESTING and self._cursor == (uri, guess.offset)
