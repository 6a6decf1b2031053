"""Counters, times and logs, all local: nothing here ever leaves the machine.

May import `errors`, `locks`, `text` and the standard library. Must never see or keep source code.
"""

from __future__ import annotations

from sidecar.telemetry.logs import LogSettings, configure_logging
from sidecar.telemetry.metrics import Metrics, Observed
from sidecar.telemetry.percentiles import percentile, percentile_group

__all__ = [
    "LogSettings",
    "Metrics",
    "Observed",
    "configure_logging",
    "percentile",
    "percentile_group",
]
