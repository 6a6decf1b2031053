"""What the command line says about serving a client. May import `telemetry`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sidecar.server.recording import Recording
    from sidecar.telemetry.trace import Trace

__all__ = ["Options"]


@dataclass(frozen=True, slots=True)
class Options:
    """What the command line says.

    Args:
        may_log: Whether the settings may name a log file; not if the command line did.
        trace: Where the stages of requests are written, if anywhere.
        recording: Where the session is recorded, if anywhere.
    """

    may_log: bool = True
    trace: Trace | None = None
    recording: Recording | None = None
