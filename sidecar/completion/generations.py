"""The generations under way: at most one of a document, and what becomes of each.

What one says is kept in the cache when it ends, unless it is out of date by then. May import
`generation`, `cache` and `telemetry`.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, NamedTuple

from sidecar.completion.cache import Known, rests_on

if TYPE_CHECKING:
    from collections.abc import Collection

    from sidecar.completion.cache import Cache, Terms
    from sidecar.completion.generation import Generation, Joining
    from sidecar.engine.interface import Engine
    from sidecar.engine.messages import Completion
    from sidecar.telemetry import Metrics
    from sidecar.text import Document

__all__ = ["Generations"]

#: A client that cancels at each key asks again after its own delay; so long a generation that has
#: words already goes on without anybody waiting.
LINGER_SECONDS = 0.5


class _Running(NamedTuple):
    document: Document
    generation: Generation


class Generations:
    """Keeps the generations under way.

    Args:
        cache: Where answers go.
        metrics: Where things are counted.
    """

    def __init__(self, cache: Cache, metrics: Metrics) -> None:
        self._cache = cache
        self._metrics = metrics
        self._running: dict[str, _Running] = {}

    def begin(self, engine: Engine, document: Document, generation: Generation) -> None:
        """Ask the engine, in place of what is under way for the document.

        Args:
            engine: The engine.
            document: The document that the cursor refers to.
            generation: What is asked.
        """
        uri = document.uri
        older = self._running.get(uri)
        if older is not None:
            older.generation.cancel()
        running = self._running[uri] = _Running(document, generation)

        def ended(completion: Completion | None) -> None:
            if self._running.get(uri) is running:
                del self._running[uri]
            if completion is not None and completion.stats.stop != "cancelled":
                self._keep(running, completion)

        generation.begin(engine, ended)

    def under_way(self, uri: str) -> Generation | None:
        """Return what is under way for a document."""
        running = self._running.get(uri)
        return running.generation if running is not None else None

    def joining(
        self, document: Document, offset: int, terms: Terms
    ) -> tuple[Generation, Joining] | None:
        """Return what is under way for a document if it agrees with what stands at a cursor."""
        generation = self.under_way(document.uri)
        if generation is None or not generation.under_way or generation.stale:
            return None
        if not terms.served_by(generation.terms):
            return None
        joining = generation.joining(document, offset)
        return None if joining is None else (generation, joining)

    def tend(self, document: Document, offset: int) -> None:
        """Cancel what a cursor will not get to by typing on."""
        generation = self.under_way(document.uri)
        if generation is not None and not generation.lies_ahead(document, offset):
            generation.cancel()

    def leave_others(self, uri: str) -> None:
        """Cancel what was guessed for other documents and has no words yet: the user is elsewhere.

        Args:
            uri: The document in which the user is.
        """
        for other in [known for known in self._running if known != uri]:
            generation = self._running[other].generation
            if generation.guessed and not generation.text:
                generation.cancel()

    def left(self, document: Document, offset: int) -> None:
        """Cancel guesses that a cursor will not get to by typing on, unless somebody waits.

        What is evaluated for the place where the cursor is now would have to wait for them.

        Args:
            document: The document in which the user is.
            offset: The cursor.
        """
        self.leave_others(document.uri)
        generation = self.under_way(document.uri)
        if generation is not None and generation.guessed and not generation.followed:
            self.tend(document, offset)

    async def give_up(self, uri: str) -> None:
        """Take in that nobody waits any more.

        What has no words yet is cancelled, and its chunks of the prompt are kept by the engine;
        words under way are given a moment to be asked for again, by the key that ended the wait.
        """
        generation = self.under_way(uri)
        if generation is None:
            return
        if generation.text:
            asyncio.get_running_loop().call_later(LINGER_SECONDS, _let_go, generation)
        elif not generation.guessed:
            await generation.end()

    def forget(self, uri: str) -> None:
        """Cancel what is under way for a document; what was said of it is out of date."""
        running = self._running.get(uri)
        if running is not None:
            running.generation.stale = True
            running.generation.cancel()

    def reset(self) -> None:
        """Take in that all of it is out of date; who waits for it gets it all the same."""
        for running in self._running.values():
            running.generation.stale = True

    def changed(self, root: str, paths: Collection[str]) -> None:
        """Take in that files declare other things now.

        Args:
            root: Absolute path of a workspace.
            paths: The files, relative to it.
        """
        for document, generation in self._running.values():
            if rests_on(document.path, generation.anchored.head, root, paths):
                generation.stale = True

    def _keep(self, running: _Running, completion: Completion) -> None:
        document, generation = running
        stats = completion.stats
        if generation.guessed:
            self._metrics.count("speculation.answered")
            self._metrics.count("speculation.tokens", stats.generated)
        if generation.stale:
            self._metrics.count("cache.outdated")
            return
        card = generation.card(document.path, generation.anchored.extension, stats)
        self._cache.add(
            document,
            generation.anchored,
            Known(
                generation.typed,
                completion.text,
                stats.stop,
                generation.terms,
                card,
                generation.guessed,
            ),
        )


def _let_go(generation: Generation) -> None:
    if not generation.followed:
        generation.cancel()
