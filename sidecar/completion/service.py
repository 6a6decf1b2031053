"""What a front asks for suggestions: one answer for each request, whatever happens.

The newest request of a document wins: an older one ends without a suggestion, and what is generated
for it goes on if it serves the newer one. Nothing but cancellation is ever raised to the caller;
whatever goes wrong is an empty outcome with its reason, counted. Must never know LSP types. May
import everything above.
"""

from __future__ import annotations

import asyncio
import logging
import uuid
from dataclasses import replace
from time import perf_counter
from typing import TYPE_CHECKING

from sidecar.completion.adapting import Adapting
from sidecar.completion.answering import Answering
from sidecar.completion.asking import Ask
from sidecar.completion.counting import count
from sidecar.completion.lines import at_most, growing_at_most
from sidecar.completion.outcome import Outcome, Preview, card_of, unchanged_tokens
from sidecar.completion.stages import answered
from sidecar.engine.messages import Request
from sidecar.errors import EngineError, EngineGone

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from sidecar.completion.anchored import Anchored
    from sidecar.completion.anchoring import Anchors
    from sidecar.completion.answering import EngineSource
    from sidecar.completion.suggestion import Suggestion
    from sidecar.settings import Settings
    from sidecar.telemetry import Metrics
    from sidecar.text import Document

__all__ = ["CompletionService"]

log = logging.getLogger(__name__)

#: No answer takes longer than a cold prompt on a slow machine and the generation after it.
ANSWER_SECONDS = 120.0


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
        self._adapting = adapting or Adapting(metrics, settings)
        self._answering = Answering(
            engines, anchors, self._adapting, metrics, settings, speculates, self._several_lines
        )
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
        request = self._request(document, offset, multiline, max_tokens)
        if explicit:
            # Who asks wants to see what there is.
            request = replace(request, least_confidence=0.0)
        most = self._settings().completion.max_lines
        ask = Ask(document, offset, request, growing_at_most(on_text, most), explicit)
        self._adapting.asked()
        task = asyncio.create_task(answered(self._guarded, ask, self._metrics))
        self._running[document.uri] = task
        try:
            outcome = await task
        except asyncio.CancelledError:
            if _is_cancelled():
                self._metrics.count("completion.cancelled")
                if self._running.get(document.uri) is task:
                    await self._answering.give_up(document.uri)
                raise
            outcome = Outcome(reason="superseded")
        finally:
            if self._running.get(document.uri) is task:
                del self._running[document.uri]
        count(outcome, self._metrics)
        if outcome.suggestion is None:
            return outcome
        return replace(outcome, suggestion=at_most(outcome.suggestion, most))

    def ahead(
        self, document: Document, offset: int, anchored: Anchored, new_line: bool = False
    ) -> None:
        """Have generated what is likely to be asked for where the cursor rests.

        Args:
            document: The document.
            offset: The cursor.
            anchored: The anchor applied to it, whose prompt is evaluated, and the head.
            new_line: Whether a new line is what will be begun with.
        """
        if document.uri not in self._running:
            request = self._request(document, offset)
            self._answering.ahead(document, offset, anchored, request, new_line)

    def moved(self, document: Document, offset: int) -> None:
        """Take in that the cursor stands somewhere, without an edit.

        Args:
            document: The document.
            offset: The cursor.
        """
        self._answering.moved(document, offset)

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
        self._answering.forget(uri)
        running = self._running.get(uri)
        if running is not None:
            running.cancel()

    def reset(self) -> None:
        """Drop all that is kept, because another model or other limits are in force."""
        self._anchors.reset()
        self._answering.reset()

    def end(self) -> None:
        """Write down what a later session can use."""
        self._anchors.remember()

    def interfaces_changed(self, root: str, paths: Collection[str]) -> None:
        """Drop what the model said where it was shown what files declared before.

        Args:
            root: Absolute path of a workspace.
            paths: The files that declare other things now, relative to it.
        """
        self._answering.interfaces_changed(root, paths)

    def _request(
        self,
        document: Document,
        offset: int,
        multiline: bool | None = None,
        max_tokens: int | None = None,
    ) -> Request:
        """Say what is wanted of the model at a place, without a prompt."""
        everything = self._settings()
        settings = everything.completion
        return Request(
            document=f"{self._front}:{document.uri}",
            segments=(),
            multiline=self._several_lines(document, offset) if multiline is None else multiline,
            max_tokens=settings.max_tokens if max_tokens is None else max_tokens,
            time_limit_ms=float(settings.time_limit_ms),
            least_confidence=settings.least_confidence,
            drafts=everything.engine.drafts,
        )

    def _several_lines(self, document: Document, offset: int) -> bool:
        """Decide before anything is generated whether it may pass a line."""
        settings = self._settings().completion
        if settings.multiline != "auto" or settings.max_lines == 1:
            return settings.multiline is True and settings.max_lines != 1
        try:
            return self._anchors.bodies.begins_block(document, offset)
        except Exception:
            log.exception("nothing is known of the block at a cursor")
            return False

    async def _guarded(self, ask: Ask) -> Outcome:
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                return await self._answering.answer(ask)
        except EngineGone:
            return Outcome(reason="engine_gone")
        except EngineError as error:
            log.warning("the engine refused a request: %s", error)
            return Outcome(reason="engine_refused")
        except TimeoutError:
            self._answering.drop(ask.document.uri)
            return Outcome(reason="timeout")
        except Exception:
            log.exception("a completion failed")
            return Outcome(reason="failed")


def _is_cancelled() -> bool:
    """Tell whether the running task is cancelled.

    No frame of a traceback may hold that task: it would hold it in turn, until the garbage
    collector comes.
    """
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0
