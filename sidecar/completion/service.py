"""The pipeline of one keystroke: gate, anchor, prompt, engine, finish.

Owns the anchors of the open documents. The newest request of a document wins: an older one ends
without a suggestion. Nothing but cancellation is ever raised to the caller; whatever goes wrong is
an empty outcome with its reason, counted. Must never know LSP types. May import everything above.
"""

from __future__ import annotations

import asyncio
import fnmatch
import logging
import uuid
from dataclasses import replace
from pathlib import PurePath
from time import perf_counter
from typing import TYPE_CHECKING, Protocol

from sidecar.completion.finish import finish
from sidecar.completion.gate import gate
from sidecar.completion.growing import Growing
from sidecar.completion.indent import depth
from sidecar.completion.outcome import Outcome, Preview, card_of, unchanged_tokens
from sidecar.completion.suggestion import Suggestion
from sidecar.context.guard import PLACEHOLDER
from sidecar.context.prompt import build
from sidecar.engine.messages import Request
from sidecar.errors import EngineError, EngineGone

if TYPE_CHECKING:
    from collections.abc import Callable

    from sidecar.completion.anchoring import Anchored, Anchors
    from sidecar.completion.planning import EnginePlan
    from sidecar.context.prompt import Prompt
    from sidecar.engine.client import EngineClient
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

    async def engine(self) -> EngineClient | None:
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
    """

    def __init__(
        self,
        engines: EngineSource,
        anchors: Anchors,
        metrics: Metrics,
        settings: Callable[[], Settings],
    ) -> None:
        self._engines = engines
        self._anchors = anchors
        self._metrics = metrics
        self._settings = settings
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
    ) -> Outcome:
        """Complete at a cursor; a newer call for the same document ends this one.

        Args:
            document: The snapshot that the cursor refers to.
            offset: The cursor.
            on_text: Called with the suggestion so far whenever it has grown.
            multiline: Whether it may pass a line; as the settings say when None.
            max_tokens: Most tokens; as the settings say when None.
        """
        older = self._running.get(document.uri)
        if older is not None:
            older.cancel()
        everything = self._settings()
        settings = everything.completion
        request = Request(
            document=f"{self._front}:{document.uri}",
            segments=(),
            multiline=settings.multiline if multiline is None else multiline,
            max_tokens=settings.max_tokens if max_tokens is None else max_tokens,
            time_limit_ms=float(settings.time_limit_ms),
            drafts=everything.engine.drafts,
        )
        task = asyncio.create_task(self._guarded(document, offset, request, on_text))
        self._running[document.uri] = task
        try:
            outcome = await task
        except asyncio.CancelledError:
            current = asyncio.current_task()
            if current is not None and current.cancelling():
                self._metrics.count("completion.cancelled")
                raise
            outcome = Outcome(reason="superseded")
        finally:
            if self._running.get(document.uri) is task:
                del self._running[document.uri]
        self._count(outcome)
        return outcome

    async def preview(self, document: Document, offset: int) -> Preview:
        """Return what a completion at a cursor would show to the model, without asking it."""
        started = perf_counter()
        engine = await self._engines.engine()
        anchored = self._anchors.serving(document, offset)
        if anchored is None:
            anchored = await self._anchors.moved(document, offset, engine, self._engines.plan)
        prompt = _prompt(anchored)
        build_ms = (perf_counter() - started) * 1000
        card = card_of(anchored.extension, document.path, anchored.head)
        last = self._anchors.last(document.uri)
        if last is None:
            return Preview(card, prompt, build_ms)
        info = engine.state.info if engine else None
        unchanged = unchanged_tokens(_prompt(last), prompt, info.layout if info else "")
        return Preview(card, prompt, build_ms, unchanged)

    def forget(self, uri: str) -> None:
        """Drop what is kept of a document that was closed."""
        self._anchors.forget(uri)
        running = self._running.get(uri)
        if running is not None:
            running.cancel()

    def reset(self) -> None:
        """Drop all anchors, because another model or other limits are in force."""
        self._anchors.reset()

    async def _guarded(
        self,
        document: Document,
        offset: int,
        request: Request,
        on_text: Callable[[Suggestion], None] | None,
    ) -> Outcome:
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                return await self._complete(document, offset, request, on_text)
        except EngineGone:
            return Outcome(reason="engine_gone")
        except EngineError as error:
            log.warning("the engine refused a request: %s", error)
            return Outcome(reason="engine_refused")
        except TimeoutError:
            return Outcome(reason="timeout")
        except Exception:
            log.exception("a completion failed")
            return Outcome(reason="failed")

    async def _complete(
        self,
        document: Document,
        offset: int,
        request: Request,
        on_text: Callable[[Suggestion], None] | None,
    ) -> Outcome:
        reason = self._refused(document, offset)
        if reason is not None:
            return Outcome(reason=reason)
        engine = await self._engines.engine()
        if engine is None:
            return Outcome(reason="engine_not_ready")
        started = perf_counter()
        anchored = self._anchors.serving(document, offset)
        if anchored is None:
            self._metrics.count("anchor.moved")
            anchored = await self._anchors.moved(document, offset, engine, self._engines.plan)
        extension, head = anchored.extension, anchored.head
        anchor = extension.anchor
        self._anchors.keep(document.uri, anchored)
        buffer = document.buffer
        before = buffer.slice(buffer.line_start(buffer.line_at(offset)), offset)
        request = replace(request, segments=_prompt(anchored).segments, indent=depth(before))
        build_ms = (perf_counter() - started) * 1000
        hides = anchor.hidden or any(PLACEHOLDER in segment.text for segment in head.segments)
        placeholder = PLACEHOLDER[:4] if hides else ""
        listener = None
        if on_text is not None:
            listener = Growing(
                document, offset, extension.closers, request.multiline, on_text, placeholder
            )
        try:
            completion = await engine.complete(request, listener)
        finally:
            if listener is not None:
                listener.close()
        self._engines.served()
        stats = completion.stats
        self._anchors.keep(document.uri, anchored, stats.segment_tokens.get("typed", 0))
        info = engine.state.info
        card = card_of(extension, document.path, head, stats, info.layout if info else "")
        finished = finish(
            completion.text,
            document,
            offset,
            extension.closers,
            stop=stats.stop,
            multiline=request.multiline,
            placeholder=placeholder,
        )
        if isinstance(finished, Suggestion):
            return Outcome(finished, stats=stats, card=card, build_ms=build_ms)
        return Outcome(reason=finished.reason, stats=stats, card=card, build_ms=build_ms)

    def _refused(self, document: Document, offset: int) -> str | None:
        settings = self._settings().completion
        if not settings.enabled:
            return "disabled"
        name = PurePath(document.path).name
        if any(fnmatch.fnmatchcase(name, pattern) for pattern in settings.disabled_files):
            return "file_disabled"
        return gate(document, offset, disabled=settings.disabled_languages)

    def _count(self, outcome: Outcome) -> None:
        if outcome.suggestion is not None:
            self._metrics.count("completion.offered")
        else:
            self._metrics.count(f"completion.empty.{outcome.reason}")
        stats = outcome.stats
        if stats is None:
            return
        self._metrics.observe("completion.evaluated", stats.evaluated)
        self._metrics.observe("completion.reused", stats.reused)
        self._metrics.observe("completion.passes", stats.passes)
        self._metrics.count("draft.tokens", stats.drafted)
        self._metrics.count("draft.accepted", stats.accepted)
        self._metrics.observe("completion.first_token_ms", stats.first_token_ms)
        self._metrics.observe("completion.total_ms", stats.total_ms)
        if stats.visible_ms is not None:
            self._metrics.observe("completion.visible_ms", stats.visible_ms)


def _prompt(anchored: Anchored) -> Prompt:
    extension, anchor = anchored.extension, anchored.extension.anchor
    return build(anchor.shown_prefix, anchor.shown_suffix, extension.typed, anchored.head.segments)
