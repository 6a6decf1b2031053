"""Answers one request: from what the model said before, what it is saying, or what it is asked.

Owns what the model said of the open documents. May import this package's modules but the service.
"""

from __future__ import annotations

from dataclasses import replace
from time import perf_counter
from typing import TYPE_CHECKING, Protocol

from sidecar.completion.anchored import Anchored
from sidecar.completion.asking import with_prompt
from sidecar.completion.cache import Cache, placeholder_of
from sidecar.completion.finish import finish
from sidecar.completion.gate import refused
from sidecar.completion.generation import Generation
from sidecar.completion.generations import Generations
from sidecar.completion.outcome import Outcome
from sidecar.completion.places import LATE
from sidecar.completion.short import is_short
from sidecar.completion.shortening import at_once, shorter
from sidecar.completion.speculation import Speculation
from sidecar.completion.stages import followed
from sidecar.completion.surroundings import Engines
from sidecar.engine.messages import Stats
from sidecar.errors import EngineError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from sidecar.completion.adapting import Adapting
    from sidecar.completion.anchoring import Anchors
    from sidecar.completion.asking import Ask
    from sidecar.completion.generation import Said
    from sidecar.completion.showing import Showing
    from sidecar.completion.suggestion import Refusal, Suggestion
    from sidecar.engine.interface import Engine
    from sidecar.engine.messages import Request
    from sidecar.settings import Settings
    from sidecar.telemetry import Metrics
    from sidecar.text import Document

__all__ = ["Answering", "EngineSource"]


class EngineSource(Engines, Protocol):
    """Where the service gets its engine from: a supervisor."""

    def served(self) -> None:
        """Hear that the engine has answered."""


class Answering:
    """Finds the cheapest way to an answer.

    Args:
        engines: Where the engine comes from.
        anchors: The documents' anchors.
        adapting: Knows how long answers take.
        metrics: Where things are counted.
        settings: Returns the settings in force.
        speculates: Tells whether next suggestions are generated before they are asked for.
        several_lines: Tells whether a suggestion at a place may pass a line.
    """

    def __init__(
        self,
        engines: EngineSource,
        anchors: Anchors,
        adapting: Adapting,
        metrics: Metrics,
        settings: Callable[[], Settings],
        speculates: Callable[[], bool],
        several_lines: Callable[[Document, int], bool],
    ) -> None:
        self._engines = engines
        self._anchors = anchors
        self._adapting = adapting
        self._metrics = metrics
        self._settings = settings
        self._cache = Cache()
        self._generations = Generations(self._cache, metrics)
        self._speculation = Speculation(
            engines.engine, self._cache, self._generations, metrics, speculates, several_lines
        )

    def moved(self, document: Document, offset: int) -> None:
        """Take in where the cursor is: what was guessed for elsewhere is not needed soon."""
        self._speculation.left()
        self._generations.left(document, offset)

    async def give_up(self, uri: str) -> None:
        """Let what is generated for a document end soon: nobody waits for it any more."""
        await self._generations.give_up(uri)

    def ahead(
        self,
        document: Document,
        offset: int,
        anchored: Anchored,
        request: Request,
        new_line: bool,
    ) -> None:
        """Have generated what is likely to be asked for at a place, unless something is already.

        Args:
            document: The document.
            offset: The place.
            anchored: The anchor applied to it, whose prompt is evaluated, and the head.
            request: What would be wanted; it has no prompt yet.
            new_line: Whether a new line is what will be begun with.
        """
        self._speculation.at(document, offset, anchored, request, new_line)

    def drop(self, uri: str) -> None:
        """End what is generated for a document at once; what was said stays known."""
        self._generations.forget(uri)

    def forget(self, uri: str) -> None:
        """Drop what is known of a document that was closed."""
        self._speculation.cancel(uri)
        self._generations.forget(uri)
        self._cache.forget(uri)

    def reset(self) -> None:
        """Drop all that is known."""
        self._speculation.reset()
        self._generations.reset()
        self._cache.clear()

    def interfaces_changed(self, root: str, paths: Collection[str]) -> None:
        """Drop what the model said where it was shown what files declared before.

        Args:
            root: Absolute path of a workspace.
            paths: The files that declare other things now, relative to it.
        """
        self._generations.changed(root, paths)
        dropped = self._cache.drop(root, paths)
        if dropped:
            self._metrics.count("cache.dropped", dropped)

    async def answer(self, ask: Ask) -> Outcome:
        """Answer with what is known, or under way, or with what the engine says.

        Args:
            ask: What is wanted.

        Raises:
            EngineGone: The engine died.
            EngineError: The engine refused.
        """
        document, offset = ask.document, ask.offset
        self._speculation.left()
        self._generations.tend(document, offset)
        self._generations.leave_others(document.uri)
        with self._metrics.stage("gate"):
            settings = self._settings().completion
            reason = refused(document, offset, settings, self._anchors.bodies.scope)
        if reason is not None:
            return Outcome(reason=reason)
        known = self._from_cache(ask)
        if known is not None:
            return known
        engine = await self._engines.engine()
        if engine is None:
            return Outcome(reason="engine_not_ready")
        joined = await self._joined(ask)
        if joined is not None:
            return joined
        self._speculation.cancel(document.uri)
        anchored = self._anchors.serving(document, offset)
        left = self._anchors.left(document.uri, anchored) if anchored else None
        with self._adapting.showing(ask, self._adapting.expected_ms(ask, left)) as showing:
            if anchored is None:
                await self._adapting.until_it_pays(ask)
                # A warm-up may have come to it meanwhile.
                anchored = self._anchors.serving(document, offset)
            return await self._asked(ask, engine, showing, anchored)

    async def _asked(
        self, ask: Ask, engine: Engine, showing: Showing, anchored: Anchored | None
    ) -> Outcome:
        """Ask the engine, and wait for its answer."""
        document, offset = ask.document, ask.offset
        started = perf_counter()
        with self._metrics.stage("anchor"):
            is_new = anchored is None
            if anchored is None:
                self._metrics.count("anchor.moved")
                anchored = self._at_once(ask, engine)
            if anchored is None:
                anchored = await self._anchors.moved(document, offset, engine, self._engines.plan)
            short = self._shorter(ask, engine, anchored)
            if short is not None:
                self._metrics.count("anchor.short")
                self._anchors.expect(document.uri, anchored, "whole")
                anchored, is_new = short, True
            left = self._anchors.left(document.uri, anchored)
            expected_ms = self._adapting.expected_ms(ask, left)
            if self._adapting.is_too_late(ask, expected_ms):
                # It is evaluated when there is time, so that one of the next keys is not.
                self._anchors.expect(document.uri, anchored, LATE)
                return Outcome(reason="too_late")
            self._anchors.keep(document.uri, anchored)
        showing.expect(expected_ms)
        with self._metrics.stage("prompt"):
            request = with_prompt(ask.request, anchored)
        generation = Generation(anchored, request, ask.terms, expected_ms=expected_ms)
        self._generations.begin(engine, document, generation)
        build_ms = (perf_counter() - started) * 1000
        said = await self._followed(ask, generation, anchored, showing, "")
        if said is None:
            # It was cancelled, together with all that was wanted of the document.
            return Outcome(reason="superseded")
        self._adapting.answered(said.stats, expected_ms, is_new=is_new)
        return replace(self._outcome(ask, generation, anchored, said), build_ms=build_ms)

    def _short_first(self, ask: Ask) -> bool:
        """Tell whether a short prompt may serve until the whole one is evaluated."""
        settings = self._settings()
        wanted = settings.context.short_first and settings.engine.warming != "off"
        return wanted and not ask.explicit

    def _at_once(self, ask: Ask, engine: Engine) -> Anchored | None:
        """Return a short prompt where a whole one takes long to make, and longer to read.

        The whole one is made when there is time, as for any place where somebody types.
        """
        if not self._short_first(ask):
            return None
        context = self._settings().context
        short = at_once(
            self._anchors,
            engine,
            ask.document,
            ask.offset,
            context.before_tokens + context.after_tokens,
            lambda left: self._adapting.expected_ms(ask, left),
        )
        if short is not None:
            self._metrics.count("anchor.short")
        return short

    def _shorter(self, ask: Ask, engine: Engine, anchored: Anchored) -> Anchored | None:
        """Return a short prompt, where the whole one takes long and is going to be evaluated."""
        if not self._short_first(ask) or is_short(anchored.head):
            return None
        return shorter(
            self._anchors,
            engine,
            ask.document,
            ask.offset,
            anchored,
            lambda left: self._adapting.expected_ms(ask, left),
        )

    def _from_cache(self, ask: Ask) -> Outcome | None:
        """Answer with what the model said before, if that is known."""
        with self._metrics.stage("cache"):
            hit = self._cache.find(ask.document, ask.offset, ask.terms)
        self._metrics.count("cache.miss" if hit is None else "cache.hit")
        if hit is None:
            return None
        known, anchored = hit.known, hit.anchored
        if known.guessed:
            # Counted once, however often it is typed along.
            self._metrics.count("speculation.used")
            self._cache.add(ask.document, anchored, replace(known, guessed=False))
        if self._anchors.serving(ask.document, ask.offset) is None:
            # Back where the cursor was before: what the engine holds of it is used again.
            self._anchors.keep(ask.document.uri, anchored)
        # What the model said is evaluated as well, while the prompt is.
        self._anchors.held(ask.document.uri, anchored, least=0)
        # The prompt was not even sent: nothing was evaluated, nor found.
        stats = Stats(stop=known.stop, visible_ms=0.0)
        made = hit.finished
        self._plan_next(ask, made, known.stop, anchored)
        return Outcome.of(made, stats=stats, card=known.card, origin="cache")

    async def _joined(self, ask: Ask) -> Outcome | None:
        """Answer with what is being generated, if that goes on as the user typed."""
        found = self._generations.joining(ask.document, ask.offset, ask.terms)
        if found is None:
            return None
        generation, (extension, ahead) = found
        anchored = Anchored(extension, generation.anchored.head)
        try:
            with self._adapting.showing(ask, generation.left_ms) as showing:
                said = await self._followed(ask, generation, anchored, showing, ahead)
        except EngineError:
            # It was another's, and may have wanted more room.
            said = None
        if said is None:
            self._metrics.count("generation.departed")
            return None
        self._metrics.count("generation.joined")
        if generation.guessed:
            self._metrics.count("speculation.used")
            generation.guessed = False
        return replace(self._outcome(ask, generation, anchored, said), origin="joined")

    async def _followed(
        self, ask: Ask, generation: Generation, anchored: Anchored, showing: Showing, ahead: str
    ) -> Said | None:
        """Wait for a generation, and show what lies beyond the cursor as it grows."""
        listener = showing.growing(anchored)
        multiline = ask.request.multiline
        said = await followed(generation, ahead, multiline, listener, self._metrics)
        self._engines.served()
        return said

    def _outcome(self, ask: Ask, generation: Generation, anchored: Anchored, said: Said) -> Outcome:
        """Finish what the model said, and plan what comes after it."""
        document, extension = ask.document, anchored.extension
        self._anchors.keep(document.uri, anchored, said.stats.segment_tokens.get("typed"))
        with self._metrics.stage("finish"):
            made = finish(
                said.text,
                document,
                ask.offset,
                extension.closers,
                stop=said.stop,
                multiline=ask.request.multiline,
                placeholder=placeholder_of(anchored),
            )
        self._plan_next(ask, made, said.stop, anchored)
        card = generation.card(document.path, extension, said.stats)
        return Outcome.of(made, stats=said.stats, card=card)

    def _plan_next(
        self, ask: Ask, made: Suggestion | Refusal, stop: str, anchored: Anchored
    ) -> None:
        """Have what comes after an answer generated, for which nobody has asked yet."""
        least = self._settings().completion.least_confidence
        request = replace(ask.request, least_confidence=least)
        self._speculation.after(ask.document, ask.offset, made, stop, anchored, request)
