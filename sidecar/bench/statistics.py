"""Percentiles and intervals of measurements; pure.

May import `telemetry`.
"""

from __future__ import annotations

import math
import random
from typing import TYPE_CHECKING

from sidecar.telemetry import percentile, percentile_group

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["mean", "paired_interval", "percentile_group"]

_RESAMPLES = 10_000


def mean(values: Sequence[float]) -> float:
    """Return the mean, 0 of nothing."""
    return math.fsum(values) / len(values) if values else 0.0


def paired_interval(
    differences: Sequence[float], *, seed: int, share: float = 0.95
) -> tuple[float, float]:
    """Return the interval of the mean difference by a percentile bootstrap.

    Args:
        differences: One for each task: what one variant got there less what the other got.
        seed: The same seed gives the same interval.
        share: How sure to be.

    Returns:
        Lower and upper end; both 0 of nothing.
    """
    if not differences:
        return 0.0, 0.0
    rng = random.Random(seed)
    size = len(differences)
    means = sorted(math.fsum(rng.choices(differences, k=size)) / size for _ in range(_RESAMPLES))
    return percentile(means, (1 - share) / 2), percentile(means, (1 + share) / 2)
