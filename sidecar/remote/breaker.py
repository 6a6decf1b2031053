"""Whether a server that failed is asked again: a circuit breaker.

A server that is down costs every key a time-out; so after some failures in a row it is left alone
for a while, longer each time, and then tried once. Pure.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["MOST_FAILURES", "RESTS", "Breaker"]

#: Failures in a row after which a server is left alone.
MOST_FAILURES = 3
#: Seconds for which it is, the first time, the second, and so on.
RESTS = (5.0, 10.0, 20.0, 40.0, 60.0)


class Breaker:
    """Counts failures of one server.

    Args:
        clock: Seconds that only grow.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._failures = 0
        self._opened = 0
        self._until = 0.0

    @property
    def open(self) -> bool:
        """Whether the server is to be left alone for now."""
        return self._clock() < self._until

    @property
    def rest(self) -> float:
        """Seconds until it may be tried."""
        return max(self._until - self._clock(), 0.0)

    def failed(self) -> None:
        """Note that a request failed, which may have been one too many."""
        self._failures += 1
        # After a rest the first failure is enough.
        if self._failures >= MOST_FAILURES or self._opened:
            self.trip()

    def trip(self) -> None:
        """Leave the server alone at once: it is not there."""
        self._until = self._clock() + RESTS[min(self._opened, len(RESTS) - 1)]
        self._opened += 1
        self._failures = 0

    def succeeded(self) -> None:
        """Note that a request was answered."""
        self._failures = 0
        self._opened = 0
        self._until = 0.0
