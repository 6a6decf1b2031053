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

__all__ = ["mean", "paired_interval", "paired_ratio", "percentile_group"]

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


def paired_ratio(
    pairs: Sequence[tuple[float, float]], *, seed: int, share: float = 0.95
) -> tuple[float, float, float]:
    """Return the ratio of two sums over the same tasks, and its interval by a bootstrap.

    Args:
        pairs: For each task what one variant got, and what the other did.
        seed: The same seed gives the same interval.
        share: How sure to be.

    Returns:
        The ratio, and lower and upper end; 0 where the other got nothing.
    """
    own, other = (math.fsum(column) for column in zip(*pairs, strict=True)) if pairs else (0.0, 0.0)
    if not other:
        return 0.0, 0.0, 0.0
    rng = random.Random(seed)
    # Where tasks have one of a few outcomes, as hits have, they are drawn by how often each occurs.
    outcomes = sorted(set(pairs))
    weights = [pairs.count(outcome) for outcome in outcomes]
    ratios = []
    for _ in range(_RESAMPLES):
        drawn = rng.choices(outcomes, weights, k=len(pairs))
        theirs = math.fsum(pair[1] for pair in drawn)
        if theirs:
            ratios.append(math.fsum(pair[0] for pair in drawn) / theirs)
    ratios.sort()
    return own / other, percentile(ratios, (1 - share) / 2), percentile(ratios, (1 + share) / 2)
