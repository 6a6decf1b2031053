"""The pipeline of one keystroke: gate, cache, anchor, prompt, engine, finish.

Owns the anchors of the open documents, and what the model said of them. The newest request of a
document wins: an older one ends without a suggestion, and what is generated for it goes on if it
serves the newer one. Nothing but cancellation is ever raised to the caller; whatever goes wrong is
an empty outcome with its reason, counted. Must never know LSP types. May import everything above.
"""

from __future__ import annotations

import asyncio
import logging
import uuid
from dataclasses import replace
from time import perf_counter
from typing import TYPE_CHECKING, Protocol

from sidecar.completion.adapting import Adapting
from sidecar.completion.anchoring import Anchored
from sidecar.completion.asking import Ask, with_prompt
from sidecar.completion.cache import Cache, placeholder_of
from sidecar.completion.counting import count
from sidecar.completion.finish import finish
from sidecar.completion.gate import refused
from sidecar.completion.generation import Generation
from sidecar.completion.generations import Generations
from sidecar.completion.outcome import Outcome, Preview, card_of, unchanged_tokens
from sidecar.completion.speculation import Speculation
from sidecar.completion.stages import facts_of, place_engine
from sidecar.engine.messages import Request, Stats
from sidecar.errors import EngineError, EngineGone
from sidecar.telemetry.trace import digest

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from sidecar.completion.anchoring import Anchors
    from sidecar.completion.generation import Said
    from sidecar.completion.planning import EnginePlan
    from sidecar.completion.showing import Showing
    from sidecar.completion.suggestion import Suggestion
    from sidecar.engine.client import Engine
    from sidecar.settings import Settings
    from sidecar.telemetry import Metrics
    from sidecar.text import Document

__all__ = ["CompletionService", "EngineSource"]

log = logging.getLogger(__name__)

#: No answer takes longer than a cold prompt on a slow machine and the generation after it.
ANSWER_SECONDS = 120.0


class EngineSource(Protocol):
    """Where the service gets its engine from: a supervisor."""

    @property
    def plan(self) -> EnginePlan | None:
        """The engine that is wanted, once that is known."""

    async def engine(self) -> Engine | None:
        """Return the engine if it can answer now."""

    def served(self) -> None:
        """Hear that the engine has answered."""


class CompletionService:
    """Completes at places in documents.

    Args:
        engines: Where the engine comes from.
        anchors: The documents' anchors.
        metrics: Where outcomes are counted.
        settings: Returns the settings in force.
        speculates: Tells whether next suggestions are generated before they are asked for; they are
            not without it, since it is pointless for who asks once.
        adapting: Knows how long answers take; without it all are expected at once.
    """

    def __init__(
        self,
        engines: EngineSource,
        anchors: Anchors,
        metrics: Metrics,
        settings: Callable[[], Settings],
        *,
        speculates: Callable[[], bool] = lambda: False,
        adapting: Adapting | None = None,
    ) -> None:
        self._engines = engines
        self._anchors = anchors
        self._metrics = metrics
        self._settings = settings
        self._cache = Cache()
        self._generations = Generations(self._cache, metrics)
        self._speculation = Speculation(
            engines.engine, self._cache, self._generations, metrics, speculates
        )
        self._adapting = adapting or Adapting(metrics, settings)
        self._running: dict[str, asyncio.Task[Outcome]] = {}
        # Two fronts may show the same file; to the engine these are two documents.
        self._front = uuid.uuid4().hex[:8]

    async def suggest(
        self,
        document: Document,
        offset: int,
        *,
        on_text: Callable[[Suggestion], None] | None = None,
        multiline: bool | None = None,
        max_tokens: int | None = None,
        explicit: bool = False,
    ) -> Outcome:
        """Complete at a cursor; a newer call for the same document ends this one.

        Args:
            document: The snapshot that the cursor refers to.
            offset: The cursor.
            on_text: Called with the suggestion so far whenever it has grown.
            multiline: Whether it may pass a line; as the settings say when None.
            max_tokens: Most tokens; as the settings say when None.
            explicit: Whether the user asked for it, rather than a key.
        """
        older = self._running.get(document.uri)
        if older is not None:
            older.cancel()
        everything = self._settings()
        settings = everything.completion
        request = Request(
            document=f"{self._front}:{document.uri}",
            segments=(),
            multiline=self._several_lines(document, offset) if multiline is None else multiline,
            max_tokens=settings.max_tokens if max_tokens is None else max_tokens,
            time_limit_ms=float(settings.time_limit_ms),
            drafts=everything.engine.drafts,
        )
        ask = Ask(document, offset, request, on_text, explicit)
        self._adapting.asked()
        task = asyncio.create_task(self._guarded(ask))
        self._running[document.uri] = task
        try:
            outcome = await task
        except asyncio.CancelledError:
            current = asyncio.current_task()
            if current is not None and current.cancelling():
                self._metrics.count("completion.cancelled")
                if self._running.get(document.uri) is task:
                    await self._generations.give_up(document.uri)
                raise
            outcome = Outcome(reason="superseded")
        finally:
            if self._running.get(document.uri) is task:
                del self._running[document.uri]
        count(outcome, self._metrics)
        return outcome

    async def preview(self, document: Document, offset: int) -> Preview:
        """Return what a completion at a cursor would show to the model, without asking it."""
        started = perf_counter()
        engine = await self._engines.engine()
        anchored = self._anchors.serving(document, offset)
        if anchored is None:
            anchored = await self._anchors.moved(document, offset, engine, self._engines.plan)
        prompt = anchored.prompt
        build_ms = (perf_counter() - started) * 1000
        card = card_of(anchored.extension, document.path, anchored.head)
        last = self._anchors.last(document.uri)
        if last is None:
            return Preview(card, prompt, build_ms)
        info = engine.state.info if engine else None
        unchanged = unchanged_tokens(last.prompt, prompt, info.layout if info else "")
        return Preview(card, prompt, build_ms, unchanged)

    def forget(self, uri: str) -> None:
        """Drop what is kept of a document that was closed."""
        self._anchors.forget(uri)
        self._speculation.cancel(uri)
        self._generations.forget(uri)
        self._cache.forget(uri)
        running = self._running.get(uri)
        if running is not None:
            running.cancel()

    def reset(self) -> None:
        """Drop all that is kept, because another model or other limits are in force."""
        self._anchors.reset()
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

    def _several_lines(self, document: Document, offset: int) -> bool:
        """Decide before anything is generated whether it may pass a line."""
        wanted = self._settings().completion.multiline
        if wanted != "auto":
            return wanted
        try:
            return self._anchors.begins_block(document, offset)
        except Exception:
            log.exception("nothing is known of the block at a cursor")
            return False

    async def _guarded(self, ask: Ask) -> Outcome:
        # What a newer request or the client ends is told as cancelled.
        told = {"document": digest(ask.document.uri), "outcome": "cancelled"}
        with self._metrics.stage("request", **told) as facts:
            outcome = await self._answered(ask)
            facts.update(facts_of(outcome))
        return outcome

    async def _answered(self, ask: Ask) -> Outcome:
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                return await self._complete(ask)
        except EngineGone:
            return Outcome(reason="engine_gone")
        except EngineError as error:
            log.warning("the engine refused a request: %s", error)
            return Outcome(reason="engine_refused")
        except TimeoutError:
            self._generations.forget(ask.document.uri)
            return Outcome(reason="timeout")
        except Exception:
            log.exception("a completion failed")
            return Outcome(reason="failed")

    async def _complete(self, ask: Ask) -> Outcome:
        document, offset = ask.document, ask.offset
        self._generations.tend(document, offset)
        with self._metrics.stage("gate"):
            reason = refused(document, offset, self._settings().completion)
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
            return await self._asked(ask, engine, showing)

    async def _asked(self, ask: Ask, engine: Engine, showing: Showing) -> Outcome:
        """Ask the engine, and wait for its answer."""
        document, offset = ask.document, ask.offset
        started = perf_counter()
        with self._metrics.stage("anchor"):
            anchored = self._anchors.serving(document, offset)
            is_new = anchored is None
            if anchored is None:
                self._metrics.count("anchor.moved")
                anchored = await self._anchors.moved(document, offset, engine, self._engines.plan)
            left = self._anchors.left(document.uri, anchored)
            self._anchors.keep(document.uri, anchored)
        expected_ms = self._adapting.expected_ms(ask, left)
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
        # The prompt was not even sent: nothing was evaluated, nor found.
        stats = Stats(stop=known.stop, visible_ms=0.0)
        made = hit.finished
        self._speculation.after(ask.document, ask.offset, made, known.stop, anchored, ask.request)
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
        asked = perf_counter()
        with self._metrics.stage("engine"):
            said = await generation.follow(ahead, ask.request.multiline, listener)
            if said is not None:
                place_engine(said.stats, asked, perf_counter(), self._metrics)
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
        self._speculation.after(document, ask.offset, made, said.stop, anchored, ask.request)
        card = generation.card(document.path, extension, said.stats)
        return Outcome.of(made, stats=said.stats, card=card)
