"""Which paths changed and were not looked at yet: each once, however often it was named.

A single save is due at once. Many changes together, as a branch switch makes them, are held back
until they come to rest, and are then one piece of bulk work. Only names are kept: what happened to
a path is seen on disk when its turn comes, so the newest state always wins. Must never read a file
or a clock. May import nothing of sidecar.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["Changes"]

#: More paths in one report are no saves by hand.
FEW = 64

#: So many single changes a second are taken one by one; what exceeds it waits for rest.
RATE = 200.0

#: Bulk is due when nothing was added for so long, in seconds…
QUIET = 0.1
#: …or at the latest so long after its first path.
LONGEST = 1.0


class Changes:
    """The changes of one root. Times are seconds of any steady clock, given by the caller."""

    def __init__(self) -> None:
        # Dictionaries, because they keep the order in which paths came.
        self._urgent: dict[str, None] = {}
        self._bulk: dict[str, None] = {}
        self._tokens = RATE
        self._refilled = 0.0
        self._first = 0.0
        self._last = 0.0

    def __len__(self) -> int:
        return len(self._urgent) + len(self._bulk)

    def add(self, paths: Iterable[str], now: float) -> None:
        """Note that something happened at these paths."""
        paths = list(paths)
        self._tokens = min(RATE, self._tokens + (now - self._refilled) * RATE)
        self._refilled = now
        if len(paths) <= FEW and len(paths) <= self._tokens:
            for path in paths:
                # A save in the middle of a branch switch does not wait for its end.
                self._bulk.pop(path, None)
                self._tokens -= path not in self._urgent
                self._urgent[path] = None
            return
        if not self._bulk:
            self._first = now
        self._last = now
        self._bulk.update(dict.fromkeys(path for path in paths if path not in self._urgent))

    def take_urgent(self) -> list[str]:
        """Hand out what must not wait."""
        taken, self._urgent = list(self._urgent), {}
        return taken

    def take_bulk(self, now: float) -> list[str]:
        """Hand out the rest if it has come to rest."""
        if not self._bulk or self.bulk_due() > now:
            return []
        taken, self._bulk = list(self._bulk), {}
        return taken

    def bulk_due(self) -> float:
        """Return when the rest is due; infinity if there is none."""
        if not self._bulk:
            return float("inf")
        return min(self._last + QUIET, self._first + LONGEST)
