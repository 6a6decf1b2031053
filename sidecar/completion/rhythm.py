"""How fast somebody moves or types, and how long a cursor has to stay to have come to rest.

Must never wait or do I/O. May import nothing.
"""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Rhythm"]

#: Seconds that it has to stay, by how fast it moved before.
_LEAST_REST: Final = 0.15
_MOST_REST: Final = 0.3
#: Longer gaps between two moves are pauses and say nothing about how fast somebody moves.
_PAUSE: Final = 1.0
#: Who moves after a pause went there, and is not on the way to somewhere else: only what an editor
#: says of the same move is waited for.
_ARRIVAL: Final = 0.03
_BLEND: Final = 0.3


class Rhythm:
    """Learns from how fast a cursor moves how long it has to stay to have come to rest.

    Args:
        clock: Tells seconds.
    """

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._last = 0.0
        self._gap = _LEAST_REST / 2
        self._in_burst = False

    def moved(self) -> None:
        """Take in that the cursor moved."""
        now = self._clock()
        gap, self._last = now - self._last, now
        self._in_burst = gap < _PAUSE
        if self._in_burst:
            self._gap += _BLEND * (gap - self._gap)

    @property
    def gap(self) -> float | None:
        """Seconds between two moves; None if the last one came after a pause."""
        return self._gap if self._in_burst else None

    @property
    def arrival(self) -> float:
        """Seconds after which a cursor that just moved is where it was to go."""
        return self.rest if self._in_burst else _ARRIVAL

    @property
    def rest(self) -> float:
        """Seconds after which a cursor rests: twice as long as between two moves."""
        return min(max(2 * self._gap, _LEAST_REST), _MOST_REST)
