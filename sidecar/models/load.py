"""How busy this machine is with other things, and whether it runs on battery.

Looks at the machine each time it is asked; must never wait. May import psutil.
"""

from __future__ import annotations

import os
from time import monotonic
from typing import TYPE_CHECKING, Final, NamedTuple

import psutil

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["Load", "Sample", "busy_share"]

#: Samples closer to each other tell little: the system counts in ticks of 10 ms.
_LEAST_SECONDS: Final = 0.03
#: Others that use more than this share of all processors would be slowed down.
_BUSY: Final = 0.6


class Sample(NamedTuple):
    """What was used of the processors up to a moment, in seconds.

    Args:
        at: When.
        busy: By everybody, over all cores.
        own: By our own processes.
    """

    at: float
    busy: float
    own: float


def busy_share(before: Sample, after: Sample, cores: int) -> float:
    """Return which share of all cores others used between two samples, 0 to 1."""
    elapsed = (after.at - before.at) * cores
    others = after.busy - before.busy - (after.own - before.own)
    return min(max(others / elapsed, 0.0), 1.0) if elapsed > 0 else 0.0


class Load:
    """Watches the processors between the moments at which somebody asks.

    Args:
        own: Returns the processes that are ours besides this one.
        sample: Looks at the machine.
    """

    def __init__(
        self,
        own: Callable[[], Sequence[int]] = tuple,
        sample: Callable[[Sequence[int]], Sample] | None = None,
    ) -> None:
        self._own = own
        self._sample = sample or _sample
        self._cores = psutil.cpu_count() or 1
        self._last: tuple[tuple[int, ...], Sample] | None = None
        self._share = 0.0

    def others(self) -> float:
        """Return which share of the processors others used since somebody asked last, 0 to 1."""
        own = tuple(self._own())
        now = self._sample(own)
        last = self._last
        if last is not None and last[0] == own:
            if now.at - last[1].at < _LEAST_SECONDS:
                return self._share
            self._share = busy_share(last[1], now, self._cores)
        self._last = own, now
        return self._share

    def held_back(self) -> str:
        """Return why nothing should be computed that nobody waits for: `battery`, `busy`, or ''."""
        if self.on_battery():
            return "battery"
        return "busy" if self.others() > _BUSY else ""

    def on_battery(self) -> bool:
        """Tell whether the machine runs on battery; not if it does not say."""
        try:
            battery = psutil.sensors_battery()
        except (AttributeError, OSError, NotImplementedError):
            return False
        # None as well where it is not known.
        return battery is not None and battery.power_plugged is False


def _sample(own: Sequence[int]) -> Sample:
    times = psutil.cpu_times()
    busy = sum(times) - times.idle - getattr(times, "iowait", 0.0)
    # Guests are counted in `user` and `nice` as well.
    busy -= getattr(times, "guest", 0.0) + getattr(times, "guest_nice", 0.0)
    # What was told to be nice makes way by itself, as our own indexing does.
    busy -= getattr(times, "nice", 0.0)
    used = 0.0
    for process in (os.getpid(), *own):
        try:
            spent = psutil.Process(process).cpu_times()
        except (psutil.Error, OSError):
            continue
        used += spent.user + spent.system
    return Sample(monotonic(), busy, used)
