"""What is counted of one answer.

May import `telemetry`, and this package's values.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sidecar.telemetry.rates import share

if TYPE_CHECKING:
    from sidecar.completion.outcome import Outcome
    from sidecar.engine.messages import Stats
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
    metrics.count("prompt.evaluated", stats.evaluated)
    metrics.count("prompt.reused", stats.reused)
    evaluated = share(stats.evaluated, stats.reused)
    if evaluated is not None:
        metrics.observe("completion.prompt_evaluated_share", evaluated)
    metrics.observe("completion.passes", stats.passes)
    metrics.count("draft.tokens", stats.drafted)
    metrics.count("draft.accepted", stats.accepted)
    if stats.drafted_by_model:
        metrics.count("draft.model_tokens", stats.drafted_by_model)
        metrics.count("draft.model_accepted", stats.accepted_by_model)
    metrics.observe("completion.first_token_ms", stats.first_token_ms)
    metrics.observe("completion.total_ms", stats.total_ms)
    if outcome.origin == "engine":
        # Times of what was joined begin when somebody came to wait.
        _count_parts(stats, metrics)
    if stats.visible_ms is not None:
        metrics.observe("completion.visible_ms", stats.visible_ms)


def _count_parts(stats: Stats, metrics: Metrics) -> None:
    """Count what the time of an answer went into."""
    metrics.observe("completion.queue_ms", stats.queue_ms)
    metrics.observe("completion.prompt_ms", stats.prompt_ms)
    if stats.total_ms > 0:
        metrics.observe("completion.prompt_time_share", stats.prompt_ms / stats.total_ms)
    if stats.generated > 1:
        spent = stats.total_ms - stats.first_token_ms
        metrics.observe("completion.per_token_ms", spent / (stats.generated - 1))
