"""Counters and histograms of one process; read by `sidecar/stats` and the benchmarks.

Names are dotted words chosen in code (`completion.empty.no-model`), never user text. May import
the standard library only.
"""

from __future__ import annotations

import time
from collections import Counter, deque
from contextlib import contextmanager
from typing import TYPE_CHECKING

from sidecar.telemetry.percentiles import percentile_group

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Metrics"]

#: Values a histogram remembers. The newest ones answer "how is it now", and memory stays bounded
#: in a long session.
HISTOGRAM_VALUES = 1024


class Metrics:
    """Counts events and remembers the newest values of each measured quantity."""

    def __init__(self) -> None:
        self._counters: Counter[str] = Counter()
        self._histograms: dict[str, deque[float]] = {}

    def count(self, name: str, amount: int = 1) -> None:
        """Add to a counter."""
        self._counters[name] += amount

    def observe(self, name: str, value: float) -> None:
        """Remember one value of a measured quantity."""
        values = self._histograms.get(name)
        if values is None:
            values = self._histograms[name] = deque(maxlen=HISTOGRAM_VALUES)
        values.append(value)

    @contextmanager
    def span(self, name: str) -> Iterator[None]:
        """Observe how many milliseconds the block takes, however it ends."""
        started = time.perf_counter()
        try:
            yield
        finally:
            self.observe(name, (time.perf_counter() - started) * 1000)

    def counter(self, name: str) -> int:
        """Return a counter's value."""
        return self._counters[name]

    def snapshot(self) -> dict[str, object]:
        """Return everything in the contract's shape: `counters` and `histograms`."""
        groups = {name: percentile_group(tuple(v)) for name, v in sorted(self._histograms.items())}
        return {"counters": dict(sorted(self._counters.items())), "histograms": groups}
