"""Percentiles as every part of the product reports them; pure, and without numpy."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["percentile", "percentile_group"]


def percentile(ordered: Sequence[float], share: float) -> float:
    """Return the value below which `share` of the ordered values lie, interpolated.

    Args:
        ordered: The values in ascending order, at least one.
        share: Between 0 and 1.
    """
    place = (len(ordered) - 1) * share
    low = math.floor(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)


def percentile_group(values: Sequence[float]) -> dict[str, float] | None:
    """Summarise values as `{"mean", "p50", "p90", "p95"}`, or None when there are none."""
    if not values:
        return None
    ordered = sorted(values)
    return {
        "mean": math.fsum(ordered) / len(ordered),
        "p50": percentile(ordered, 0.50),
        "p90": percentile(ordered, 0.90),
        "p95": percentile(ordered, 0.95),
    }
