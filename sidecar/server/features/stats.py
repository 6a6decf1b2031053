"""`sidecar/stats`: the counters and histograms of this front."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sidecar.server.types import STATS

if TYPE_CHECKING:
    from sidecar.server.session import Session

__all__ = ["METHOD", "handle"]

METHOD = STATS


def handle(session: Session, params: object) -> dict[str, object]:
    """Return everything that was counted."""
    return session.metrics.snapshot()
