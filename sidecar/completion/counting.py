"""What is counted of one answer.

May import `telemetry`, and this package's values.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sidecar.completion.outcome import Outcome
    from sidecar.telemetry import Metrics

__all__ = ["count"]


def count(outcome: Outcome, metrics: Metrics) -> None:
    """Count an answer, and what it cost the engine."""
    if outcome.suggestion is not None:
        metrics.count("completion.offered")
    else:
        metrics.count(f"completion.empty.{outcome.reason}")
    stats = outcome.stats
    if stats is None or outcome.origin == "cache":
        # The engine had nothing to do with it.
        return
    metrics.observe("completion.evaluated", stats.evaluated)
    metrics.observe("completion.reused", stats.reused)
    metrics.observe("completion.passes", stats.passes)
    metrics.count("draft.tokens", stats.drafted)
    metrics.count("draft.accepted", stats.accepted)
    metrics.observe("completion.first_token_ms", stats.first_token_ms)
    metrics.observe("completion.total_ms", stats.total_ms)
    if stats.visible_ms is not None:
        metrics.observe("completion.visible_ms", stats.visible_ms)
