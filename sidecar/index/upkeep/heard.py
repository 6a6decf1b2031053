"""What watchers told of and nobody has looked at yet.

A save is told of twice: by the editor that made it, at once, and by the watchers of all editors
that have the folder in use. What a watcher tells therefore waits until whoever did it has most
likely told his own indexer and that has written it; then a look at the disk and at the database
spares reading the file once more in each process. Thread-safe. May import nothing of sidecar.
"""

from __future__ import annotations

import heapq
import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["PATIENCE", "Heard"]

#: Seconds after which what an editor saved is usually known.
PATIENCE = 0.1


class Heard:
    """Paths, each with the time at which it is due. Times are seconds of any steady clock."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._due: dict[str, float] = {}
        self._queue: list[tuple[float, str]] = []

    def add(self, paths: Iterable[str], due: float) -> bool:
        """Note paths, and put off none that waits; tell whether one is due before all others."""
        with self._lock:
            before = self._next()
            for path in paths:
                if due < self._due.get(path, float("inf")):
                    self._due[path] = due
                    heapq.heappush(self._queue, (due, path))
            return self._next() < before

    def take(self, now: float) -> list[str]:
        """Hand out the paths whose time has come."""
        taken = []
        with self._lock:
            while self._queue and self._queue[0][0] <= now:
                due, path = heapq.heappop(self._queue)
                # Otherwise it was told of once more meanwhile, and came earlier for that.
                if self._due.get(path) == due:
                    del self._due[path]
                    taken.append(path)
        return taken

    def due(self) -> float:
        """Return when the next path is due; infinity if there is none."""
        with self._lock:
            return self._next()

    def _next(self) -> float:
        return self._queue[0][0] if self._queue else float("inf")
