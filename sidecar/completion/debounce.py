"""How long a request waits for the next key, because it would be in vain if that comes.

Nobody waits whose answer is in a lane, or comes before the next key, or who asked for it; and
nobody who waits for a model loses more than a small part of that time again, however long a burst
of keys is. Must never wait itself. May import `rhythm`.
"""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING, Final

from sidecar.completion.rhythm import Rhythm

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Debounce"]

#: The next key of somebody who types so fast comes by then, mostly.
_GAPS: Final = 1.25
#: The wait is at most this share of what the answer takes, and no longer than this.
_SHARE: Final = 0.1
_MOST_SECONDS: Final = 0.25


class Debounce:
    """Knows how fast is typed, and how long requests of one burst have waited.

    Args:
        clock: Tells seconds.
    """

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._rhythm = Rhythm(clock)
        #: When the first request that waited came, by document, until one begins.
        self._since: dict[str, float] = {}

    def asked(self) -> None:
        """Take in that a key asked for a suggestion."""
        self._rhythm.moved()

    def begun(self, uri: str) -> None:
        """Take in that a request of a document waits no more."""
        self._since.pop(uri, None)

    def seconds(self, uri: str, expected_ms: float) -> float:
        """Return how long a request for a prompt waits that the engine was never shown.

        Args:
            uri: The document.
            expected_ms: Milliseconds that the answer takes.
        """
        gap = self._rhythm.gap
        if gap is None or gap * 1000.0 >= expected_ms:
            return 0.0
        now = self._clock()
        most = min(_SHARE * expected_ms / 1000.0, _MOST_SECONDS)
        since = self._since.setdefault(uri, now)
        left = since + most - now
        return max(min(_GAPS * gap, left), 0.0)
