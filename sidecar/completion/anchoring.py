"""The anchors of open documents, each with the head of its prompt, and when they move.

May import everything of `completion` but the service, and `context`.
"""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, Final

from sidecar.completion.anchor import AnchorLimits, Extension, choose
from sidecar.completion.anchored import MOST_TYPED_TOKENS, Anchored, applied, found_again
from sidecar.completion.contexts import HeadOptions, head_tokens
from sidecar.completion.outcome import unchanged_tokens
from sidecar.completion.places import Kept, Places
from sidecar.completion.short import head, is_short, place, still_short
from sidecar.context.prompt import name_of
from sidecar.context.window import Tokens, WindowLimits, estimated, lines_needed

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from sidecar.completion.anchor import Anchor
    from sidecar.completion.contexts import Contexts
    from sidecar.completion.memory import Memory
    from sidecar.completion.planning import EnginePlan
    from sidecar.completion.remembered import Remembered
    from sidecar.engine.interface import Engine
    from sidecar.settings import Settings
    from sidecar.syntax import Bodies
    from sidecar.telemetry import Metrics
    from sidecar.text import Document

__all__ = ["ABOVE", "Anchors"]

#: The next anchor is prepared when this share of what may be typed behind one is used up.
_SOON: Final = 0.7
#: An anchor that is prepared for that must leave room to type in, or it would be the same one.
_AHEAD: Final = AnchorLimits(tokens=128, bytes=768)
#: What settings call what is shown of the current file above its window.
ABOVE: Final = "above"
#: Counting is quick unless the engine is busy; then estimates will do.
COUNT_SECONDS = 1.0


class Anchors:
    """Keeps the anchors of documents.

    Args:
        bodies: Finds the function around a cursor.
        contexts: Makes heads.
        metrics: Where moves are counted.
        settings: Returns the settings in force.
        memory: What is known of the sessions before, if that is of interest.
        held: Returns names of the prompts that the engine holds; None if that is not known.
    """

    def __init__(
        self,
        bodies: Bodies,
        contexts: Contexts,
        metrics: Metrics,
        settings: Callable[[], Settings],
        memory: Memory | None = None,
        held: Callable[[], Collection[int] | None] = lambda: None,
    ) -> None:
        self.bodies = bodies
        self._contexts = contexts
        self._metrics = metrics
        self._settings = settings
        self._places = Places(metrics)
        self._memory = memory
        self._held = held
        self._remembered: dict[str, list[Remembered]] = {}

    def serving(self, document: Document, offset: int, *, whole: bool = False) -> Anchored | None:
        """Apply one of the document's anchors to a cursor, the newest that still serves.

        Args:
            document: The document.
            offset: The cursor.
            whole: Whether a short prompt is none. It is not either once the whole one is evaluated.
        """
        known = ((kept, applied(kept, document, offset)) for kept in self._known(document.uri))
        serving = [(kept, found) for kept, found in known if found is not None]
        long = [pair for pair in serving if not is_short(pair[0].head)]
        if whole:
            return long[0][1] if long else None
        held = [found for kept, found in long if kept.held >= 0]
        short = [one for k, one in serving if still_short(k.head, one.extension.typed, k.held)]
        return next(iter((*held, *short, *(found for _, found in long))), None)

    def short(self, document: Document, offset: int, before: int) -> Anchored:
        """Choose an anchor whose prompt shows so many tokens before the cursor, and no files."""
        return Anchored(place(document, offset, before), head())

    def expect(self, uri: str, anchored: Anchored, reason: str) -> None:
        """Keep an anchor beside the one in use, to be evaluated when there is time."""
        anchor = anchored.extension.anchor
        if self._places.find(uri, anchor, anchored.head) is None:
            self._places.guess(uri, Kept(anchor, anchored.head), reason)

    def is_late(self, uri: str, anchored: Anchored) -> bool:
        """Tell whether a prompt was not asked for, since that would have taken too long."""
        kept = self._places.find(uri, anchored.extension.anchor, anchored.head)
        return kept is not None and kept.is_late

    def next_one(self, document: Document, offset: int) -> Anchored | None:
        """Apply the anchor that will serve when the one in use has to move, if there is one."""
        for kept in self._places.of(document.uri)[1:]:
            if (found := applied(kept, document, offset)) is not None:
                return found
        return None

    def is_near(self, document: Document, offset: int) -> bool:
        """Tell whether much of a whole prompt for a place may be evaluated, before it is made.

        So it may be where a session before was, and where a prompt was evaluated that shows it.
        """
        if any(found_again(one, document, offset) for one in self._recalled(document.uri)):
            return True
        return any(
            kept.held >= 0 and not is_short(kept.head) and kept.anchor.shows(offset)
            for kept in self._known(document.uri)
        )

    def moves_soon(self, document: Document, offset: int) -> bool:
        """Tell whether the anchor in use serves, but has not much room left to type in."""
        kept = self._places.current(document.uri)
        found = applied(kept, document, offset) if kept else None
        if kept is None or found is None:
            return False
        typed = len(found.extension.typed) / AnchorLimits().bytes
        return max(typed, kept.typed_tokens / MOST_TYPED_TOKENS) > _SOON

    async def guessed(
        self,
        document: Document,
        offset: int,
        engine: Engine | None,
        plan: EnginePlan | None,
        reason: str,
        *,
        ahead: bool = False,
    ) -> Anchored:
        """Choose an anchor for a place where the user may be next, and keep it beside others.

        Args:
            document: The document.
            offset: The place.
            engine: Counts tokens; without it they are estimated.
            plan: The engine that is wanted.
            reason: Why this place, for counting.
            ahead: Whether it is to serve where another one still does.
        """
        limits = _AHEAD if ahead else None
        anchored = await self.moved(document, offset, engine, plan, limits)
        self._places.guess(document.uri, Kept(anchored.extension.anchor, anchored.head), reason)
        return anchored

    def outdate_guesses(self) -> None:
        """Have guesses made anew before they serve: more is known of the workspace."""
        self._places.outdate_guesses()

    def spent(self, uri: str, anchored: Anchored, tokens: int) -> None:
        """Note how many tokens were evaluated for an anchor that nobody asked for yet."""
        self._places.spent(uri, anchored.extension.anchor, anchored.head, tokens)

    def held(self, uri: str, anchored: Anchored, least: int = -1) -> None:
        """Note that a prompt is evaluated to its end; `least`: if so much behind its anchor was."""
        kept = self._places.find(uri, anchored.extension.anchor, anchored.head)
        if kept is not None and kept.held >= least:
            kept.held = len(anchored.extension.typed)
            kept.name = name_of(anchored.prompt)

    def left(self, uri: str, anchored: Anchored) -> int:
        """Estimate how many tokens of a prompt the engine has to evaluate yet.

        What was evaluated of it before somebody went on typing elsewhere is not known here.
        """
        extension = anchored.extension
        places = self._known(uri)
        kept = self._places.find(uri, extension.anchor, anchored.head)
        if kept is not None and kept.held >= 0:
            return estimated(max(len(extension.typed) - kept.held, 1))
        prompt = anchored.prompt
        tokens = estimated(sum(len(segment.text) for segment in prompt.segments))
        before = next((other for other in places if other.held >= 0), None)
        if before is not None:
            shown = Anchored(Extension(before.anchor, "", 0), before.head).prompt
            tokens -= unchanged_tokens(shown, prompt)
        return max(tokens - (kept.spent if kept else 0), 1)

    async def moved(
        self,
        document: Document,
        offset: int,
        engine: Engine | None,
        plan: EnginePlan | None,
        limits: AnchorLimits | None = None,
    ) -> Anchored:
        """Choose an anchor and a head for a cursor.

        Args:
            document: The document.
            offset: The cursor.
            engine: Counts tokens; without it they are estimated.
            plan: The engine that is wanted, whose model says where anchors stand best.
            limits: How far it may be from the cursor.
        """
        recalled = self._recalled(document.uri) if limits is None else []
        for one in recalled:
            found = found_again(one, document, offset)
            if found is None or self._is_known(document.uri, found.extension.anchor):
                continue
            if await self._contexts.is_current(document, found.head):
                self._metrics.count("anchor.recalled")
                return found
        lines = lines_needed(document.buffer, offset, self._window())
        options = self._options(engine)
        counts = await self._counted(engine, lines)
        if lines and not counts:
            # An engine that is too busy to count is not waited for twice.
            engine = None
        tokens = Tokens(counts)
        # Whatever is known of this file: its beginning is in a lane already.
        known = self._places.of(document.uri)
        kept = next((one for one in known if not is_short(one.head)), None)
        entry = plan.model.entry if plan else None
        by_lines = entry is not None and entry.anchor == "line"
        extension = choose(
            document,
            offset,
            None if by_lines else self.bodies.find(document, offset),
            tokens=tokens,
            limits=limits or AnchorLimits(),
            window=self._window(),
            previous=kept.anchor if kept else None,
            above=partial(self.bodies.above, document) if ABOVE in options.sources else None,
        )
        before = kept.head if kept else recalled[0].head if recalled else None
        with self._metrics.stage("context"):
            head = await self._contexts.head(
                document,
                extension,
                offset,
                options,
                lambda texts: self._counted(engine, texts),
                before,
            )
        return Anchored(extension, head)

    def keep(self, uri: str, anchored: Anchored, typed_tokens: int | None = None) -> None:
        """Keep a document's anchor, with the newest token count that is known behind it."""
        self._places.use(uri, Kept(anchored.extension.anchor, anchored.head), typed_tokens)
        if typed_tokens is not None:
            self.held(uri, anchored)
        if self._memory is not None:
            self._memory.note(uri, lambda: self._used(uri))

    def last(self, uri: str) -> Anchored | None:
        """Return the document's anchor as it is kept, with nothing typed."""
        kept = self._places.current(uri)
        return None if kept is None else Anchored(Extension(kept.anchor, "", 0), kept.head)

    def forget(self, uri: str) -> None:
        """Drop the anchors of a document; who opens it again may want them back."""
        self.remember(uri)
        self._remembered.pop(uri, None)
        self._places.forget(uri)
        self.bodies.forget(uri)

    def reset(self) -> None:
        """Drop all anchors."""
        self.remember()
        self._remembered.clear()
        self._places.clear()

    def remember(self, uri: str | None = None) -> None:
        """Write down the anchors of a document, or of all, for a later session."""
        if self._memory is not None:
            self._memory.flush(uri)

    def _known(self, uri: str) -> list[Kept]:
        """List the anchors of a document, those whose lanes were taken as not evaluated."""
        held = self._held()
        if held is not None:
            self._places.lose(uri, held)
        return self._places.of(uri)

    def _used(self, uri: str) -> list[Kept]:
        known = self._places.of(uri)
        return [kept for kept in known if not kept.guess and not is_short(kept.head)]

    def _is_known(self, uri: str, anchor: Anchor) -> bool:
        """Tell whether an anchor is kept already: then there is a reason why it does not serve."""
        return any(
            (kept.anchor.prefix, kept.anchor.suffix) == (anchor.prefix, anchor.suffix)
            for kept in self._places.of(uri)
        )

    def _recalled(self, uri: str) -> list[Remembered]:
        """Return the document's anchors in sessions before."""
        if self._memory is None:
            return []
        found = self._remembered.get(uri)
        if found is None:
            found = self._remembered[uri] = self._memory.recall(uri)
        return found

    async def _counted(self, engine: Engine | None, texts: Sequence[str]) -> dict[str, int]:
        """Count tokens, or leave them to estimates if that takes long."""
        if engine is None or not texts:
            return {}
        try:
            with self._metrics.stage("count", texts=len(texts)):
                async with asyncio.timeout(COUNT_SECONDS):
                    counts = await engine.count(texts)
        except TimeoutError:
            self._metrics.count("anchor.estimated")
            return {}
        return dict(zip(texts, counts, strict=True))

    def _options(self, engine: Engine | None) -> HeadOptions:
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
