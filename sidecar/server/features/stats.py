"""`sidecar/stats`: what this front has counted, and what its engine tells of itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sidecar.server.types import STATS
from sidecar.telemetry.rates import rates

if TYPE_CHECKING:
    from sidecar.server.session import Session

__all__ = ["METHOD", "handle"]

METHOD = STATS


async def handle(session: Session, params: object) -> dict[str, object]:
    """Return everything that was counted until the request came, and the engine's part if any."""
    observed = session.metrics.observed()
    return {
        **observed.summary(),
        "rates": rates(observed.counters),
        "engine": await session.supervisor.inspect(),
    }
