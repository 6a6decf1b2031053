"""How long keys waited until something was shown for what they made of the text; pure.

Who types on before anything is shown waits on: such a key has waited until something is shown for a
later one. So the slow are not measured by the few keys that were given time. May import this
package.
"""

from __future__ import annotations

from typing import Any

from sidecar.bench.statistics import mean, percentile_group

__all__ = ["Waits"]


class Waits:
    """The waits of one session, told as it goes; every moment is a `perf_counter`."""

    def __init__(self) -> None:
        #: Milliseconds from each key until something was visible, and until all of it was.
        self.visible_ms: list[float] = []
        self.whole_ms: list[float] = []
        self.keys = 0
        self.overtaken = 0
        self.unanswered = 0
        self.refused = 0
        self._unseen: list[float] = []
        self._unfinished: list[float] = []
        self._fresh = False

    def key(self, at: float) -> None:
        """Take in a key, or an accepted suggestion: a text for which something may be shown."""
        self.overtaken += self._fresh
        self._fresh = True
        self.keys += 1
        self._unseen.append(at)
        self._unfinished.append(at)

    def visible(self, at: float) -> None:
        """Take in that something is shown for the text as it stands."""
        self._fresh = False
        self.visible_ms += [(at - since) * 1000.0 for since in self._unseen]
        self._unseen.clear()

    def whole(self, at: float) -> None:
        """Take in that all of it is shown, or that there is nothing to show."""
        self.visible(at)
        self.whole_ms += [(at - since) * 1000.0 for since in self._unfinished]
        self._unfinished.clear()

    def refuse(self) -> None:
        """Take in that nothing is wanted for the text as it stands: its key does not count."""
        if self._fresh:
            self._fresh = False
            self.keys -= 1
            self.refused += 1
            self._unseen.pop()
            self._unfinished.pop()

    def left(self, at: float) -> None:
        """Take in that nobody waits any longer: so long at least the keys have waited."""
        self.unanswered += len(self._unseen)
        self.visible(at)
        self.whole(at)

    def summary(self) -> dict[str, Any]:
        """Return the numbers, in the contract's shape."""
        return {
            "n": self.keys,
            "visible_ms": percentile_group(self.visible_ms),
            "whole_ms": percentile_group(self.whole_ms),
            "share_overtaken": self.overtaken / self.keys if self.keys else 0.0,
            "share_within_100_ms": mean([waited <= 100.0 for waited in self.visible_ms]),
            "unanswered": self.unanswered,
            "refused": self.refused,
        }
