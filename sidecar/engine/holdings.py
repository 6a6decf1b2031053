"""What an engine tells of itself: what its lanes hold and take, who waits, and what it has done.

Read on the loop's thread while the inference thread works: numbers may be a moment apart. May
import `telemetry`, the messages and the engine's values.
"""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING, Any

from sidecar.telemetry import Metrics
from sidecar.telemetry.rates import rates

if TYPE_CHECKING:
    from sidecar.engine.inference import Inference
    from sidecar.engine.messages import Priority, Stats

__all__ = ["Totals", "holdings"]

#: A row is kept as 32-bit numbers.
_LOGIT_BYTES = 4


def holdings(inference: Inference) -> dict[str, Any]:
    """Tell what a loaded engine holds.

    `lanes` are the tokens of each, of which those that lanes share take one cell; `cells_used` of
    `cells` are taken, of `cell_bytes` each, all of them reserved from the start. `rows` are the
    logits that lanes remember, of `row_bytes` each. `draft_model` tells of that, if there is one.
    """
    model, lanes = inference.model, inference.lanes
    now = monotonic()
    rows = [len(lane.positions_with_rows()) for lane in lanes.all]
    return {
        "decode_calls": model.decode_calls,
        "decode_s": model.decode_s,
        "lanes": [len(lane.tokens) for lane in lanes.all],
        "lane_details": [
            {
                "tokens": len(lane.tokens),
                "rows": kept,
                "holds": _holds(bool(lane.tokens), bool(lane.served)),
                "idle_s": max(now - lane.touched, 0.0) if lane.tokens else None,
            }
            for lane, kept in zip(lanes.all, rows, strict=True)
        ],
        "cells_used": lanes.cells_used(),
        "cells": lanes.room,
        "cell_bytes": model.cell_bytes,
        "rows": sum(rows),
        "row_bytes": model.vocabulary_size * _LOGIT_BYTES,
        "draft_model": inference.drafter.told() if inference.drafter is not None else None,
    }


def _holds(anything: bool, served: bool) -> str:
    """Name what a lane holds: what somebody waited for, or what somebody may come to."""
    if not anything:
        return "nothing"
    return "typed" if served else "warmed"


class Totals:
    """Counts what the requests of all fronts have cost."""

    def __init__(self) -> None:
        self._metrics = Metrics()

    def ended(self, priority: Priority, stats: Stats) -> None:
        """Count a request that has ended, cancelled ones included.

        Args:
            priority: How urgent it was.
            stats: Its account.
        """
        metrics = self._metrics
        metrics.count(f"requests.{priority}")
        metrics.count(f"ended.{stats.stop}")
        metrics.count(f"evaluated.{priority}", stats.evaluated)
        metrics.count("prompt.evaluated", stats.evaluated)
        metrics.count("prompt.reused", stats.reused)
        metrics.count("generated", stats.generated)
        metrics.count("draft.tokens", stats.drafted)
        metrics.count("draft.accepted", stats.accepted)
        metrics.count("draft.model_tokens", stats.drafted_by_model)
        metrics.count("draft.model_accepted", stats.accepted_by_model)
        if priority != "interactive" or stats.stop == "cancelled":
            return
        metrics.observe("queue_ms", stats.queue_ms)
        metrics.observe("prompt_ms", stats.prompt_ms)
        metrics.observe("first_token_ms", stats.first_token_ms)
        metrics.observe("total_ms", stats.total_ms)
        if stats.one_token_ms > 0:
            metrics.observe("one_token_ms", stats.one_token_ms)
        if stats.generated > 1:
            spent = stats.total_ms - stats.first_token_ms
            metrics.observe("per_token_ms", spent / (stats.generated - 1))

    def told(self) -> dict[str, Any]:
        """Return all of it: `counters`, `histograms`, and the rates of prompts and drafts."""
        observed = self._metrics.observed()
        known = rates(observed.counters)
        return {
            **observed.summary(),
            "rates": {name: known[name] for name in ("prompt_evaluated", "drafts", "draft_model")},
        }
