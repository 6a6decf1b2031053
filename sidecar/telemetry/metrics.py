"""Counters and histograms of one process; read by `sidecar/stats` and the benchmarks.

Names are dotted words chosen in code (`completion.empty.no-model`), never user text. May import
this package's percentiles and traces, and the standard library.
"""

from __future__ import annotations

import time
from collections import Counter, deque
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from sidecar.telemetry.percentiles import percentile_group

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from sidecar.telemetry.trace import Fact, Trace

__all__ = ["Metrics", "Observed"]

#: Values a histogram remembers. The newest ones answer "how is it now", and memory stays bounded
#: in a long session.
HISTOGRAM_VALUES = 1024


class Observed(NamedTuple):
    """What was counted and observed until some moment.

    Args:
        counters: The counters.
        histograms: The newest values of each measured quantity.
    """

    counters: Mapping[str, int]
    histograms: Mapping[str, Sequence[float]]

    def summary(self) -> dict[str, object]:
        """Return everything in the contract's shape: `counters` and `histograms`."""
        groups = {name: percentile_group(self.histograms[name]) for name in sorted(self.histograms)}
        return {"counters": dict(sorted(self.counters.items())), "histograms": groups}


class Metrics:
    """Counts events and remembers the newest values of each measured quantity.

    Args:
        trace: Where stages are written down one by one, if anywhere.
    """

    def __init__(self, trace: Trace | None = None) -> None:
        self._counters: Counter[str] = Counter()
        self._histograms: dict[str, deque[float]] = {}
        self._trace = trace
        #: Grows with whatever is counted or observed.
        self.changes = 0

    def count(self, name: str, amount: int = 1) -> None:
        """Add to a counter."""
        self._counters[name] += amount
        self.changes += 1

    def observe(self, name: str, value: float) -> None:
        """Remember one value of a measured quantity."""
        values = self._histograms.get(name)
        if values is None:
            values = self._histograms[name] = deque(maxlen=HISTOGRAM_VALUES)
        values.append(value)
        self.changes += 1

    @contextmanager
    def span(self, name: str) -> Iterator[None]:
        """Observe how many milliseconds the block takes, however it ends."""
        started = time.perf_counter()
        try:
            yield
        finally:
            self.observe(name, (time.perf_counter() - started) * 1000)

    @contextmanager
    def stage(self, name: str, /, **facts: Fact) -> Iterator[dict[str, Fact]]:
        """Observe how long a stage of a request takes as `stage.NAME_ms`, and trace it.

        Args:
            name: The stage.
            **facts: What else a trace tells; the block may add to it.
        """
        trace = self._trace
        track = trace.track() if trace is not None else 0
        started = time.perf_counter()
        try:
            yield facts
        finally:
            ended = time.perf_counter()
            self.observe(f"stage.{name.replace(' ', '_')}_ms", (ended - started) * 1000)
            if trace is not None:
                trace.span(name, started, ended, track, facts)

    def placed(self, name: str, started: float, ended: float, /, **facts: Fact) -> None:
        """Trace a stage that another process went through, where it is known to have been.

        Args:
            name: The stage.
            started: When it began, as `perf_counter` would have told here.
            ended: When it ended.
            **facts: What else a trace tells.
        """
        if self._trace is not None:
            self._trace.span(name, started, ended, self._trace.track(), facts)

    def counter(self, name: str) -> int:
        """Return a counter's value."""
        return self._counters[name]

    def observed(self) -> Observed:
        """Return all of it as it is now."""
        # Lists first: the index's thread counts as well.
        histograms = {name: tuple(values) for name, values in list(self._histograms.items())}
        return Observed(dict(self._counters), histograms)

    def snapshot(self) -> dict[str, object]:
        """Return everything in the contract's shape: `counters` and `histograms`."""
        return self.observed().summary()
