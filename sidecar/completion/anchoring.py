"""The anchors of open documents, each with the head of its prompt, and when they move.

May import everything of `completion` but the service, and `context`.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final

from sidecar.completion.anchor import Anchor, Extension, choose, extend
from sidecar.completion.contexts import HeadOptions, head_tokens
from sidecar.context.window import Tokens, WindowLimits, lines_needed

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sidecar.completion.contexts import Contexts
    from sidecar.completion.planning import EnginePlan
    from sidecar.context.head import Head
    from sidecar.engine.client import EngineClient
    from sidecar.settings import Settings
    from sidecar.syntax import Bodies
    from sidecar.telemetry import Metrics
    from sidecar.text import Document

__all__ = ["ABOVE", "Anchored", "Anchors"]

#: An anchor with more typed tokens than this moves at the next request.
MOST_TYPED_TOKENS = 256
#: What settings call what is shown of the current file above its window.
ABOVE: Final = "above"
#: Counting is quick unless the engine is busy; then estimates will do.
COUNT_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class Anchored:
    """An anchor applied to a cursor, and the head that was chosen with it."""

    extension: Extension
    head: Head


@dataclass(frozen=True, slots=True)
class _Kept:
    """A document's anchor, and how many tokens stood behind it when the engine last saw it."""

    anchor: Anchor
    head: Head
    typed_tokens: int = 0


class Anchors:
    """Keeps the anchors of documents.

    Args:
        bodies: Finds the function around a cursor.
        contexts: Makes heads.
        metrics: Where moves are counted.
        settings: Returns the settings in force.
    """

    def __init__(
        self,
        bodies: Bodies,
        contexts: Contexts,
        metrics: Metrics,
        settings: Callable[[], Settings],
    ) -> None:
        self._bodies = bodies
        self._contexts = contexts
        self._metrics = metrics
        self._settings = settings
        self._kept: dict[str, _Kept] = {}

    def serving(self, document: Document, offset: int) -> Anchored | None:
        """Apply the document's anchor to a cursor, if it still serves."""
        kept = self._kept.get(document.uri)
        if kept is None or kept.typed_tokens > MOST_TYPED_TOKENS:
            return None
        extension = extend(kept.anchor, document, offset)
        return None if extension is None else Anchored(extension, kept.head)

    async def moved(
        self, document: Document, offset: int, engine: EngineClient | None, plan: EnginePlan | None
    ) -> Anchored:
        """Choose an anchor and a head for a cursor.

        Args:
            document: The document.
            offset: The cursor.
            engine: Counts tokens; without it they are estimated.
            plan: The engine that is wanted, whose model says where anchors stand best.
        """
        lines = lines_needed(document.buffer, offset, self._window())
        options = self._options(engine)
        counts = await self._counted(engine, lines)
        if lines and not counts:
            # An engine that is too busy to count is not waited for twice.
            engine = None
        tokens = Tokens(counts)
        kept = self._kept.get(document.uri)
        entry = plan.model.entry if plan else None
        by_lines = entry is not None and entry.anchor == "line"
        extension = choose(
            document,
            offset,
            None if by_lines else self._bodies.find(document, offset),
            tokens=tokens,
            window=self._window(),
            previous=kept.anchor if kept else None,
            above=partial(self._bodies.above, document) if ABOVE in options.sources else None,
        )
        head = await self._contexts.head(
            document,
            extension,
            offset,
            options,
            lambda texts: self._counted(engine, texts),
            kept.head if kept else None,
        )
        return Anchored(extension, head)

    def keep(self, uri: str, anchored: Anchored, typed_tokens: int | None = None) -> None:
        """Keep a document's anchor, with the newest token count that is known behind it."""
        anchor = anchored.extension.anchor
        if typed_tokens is None:
            kept = self._kept.get(uri)
            typed_tokens = kept.typed_tokens if kept and kept.anchor is anchor else 0
        self._kept[uri] = _Kept(anchor, anchored.head, typed_tokens)

    def last(self, uri: str) -> Anchored | None:
        """Return the document's anchor as it is kept, with nothing typed."""
        kept = self._kept.get(uri)
        return None if kept is None else Anchored(Extension(kept.anchor, "", 0), kept.head)

    def forget(self, uri: str) -> None:
        """Drop the anchor of a document."""
        self._kept.pop(uri, None)

    def reset(self) -> None:
        """Drop all anchors."""
        self._kept.clear()

    async def _counted(self, engine: EngineClient | None, texts: Sequence[str]) -> dict[str, int]:
        """Count tokens, or leave them to estimates if that takes long."""
        if engine is None or not texts:
            return {}
        try:
            async with asyncio.timeout(COUNT_SECONDS):
                counts = await engine.count(texts)
        except TimeoutError:
            self._metrics.count("anchor.estimated")
            return {}
        return dict(zip(texts, counts, strict=True))

    def _options(self, engine: EngineClient | None) -> HeadOptions:
        context = self._settings().context
        info = engine.state.info if engine else None
        speed = info.prompt_tokens_per_s if info else 0.0
        window = context.before_tokens + context.after_tokens
        tokens = head_tokens(context.head_tokens, window, speed)
        return HeadOptions(frozenset(context.sources), tokens)

    def _window(self) -> WindowLimits:
        context = self._settings().context
        return WindowLimits(
            context.before_lines,
            context.after_lines,
            context.before_tokens,
            context.after_tokens,
        )
