"""Processor time of processes, and who listens on a port; only Linux tells here.

May import the standard library.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

__all__ = ["cpu_seconds", "listener"]

#: Fields of `/proc/PID/stat` behind the name: the parent, and user and system time of the process
#: and of its children that have ended.
_PARENT = 1
_TIMES = slice(11, 15)
_LISTENS = "0A"


def cpu_seconds(*pids: int) -> float | None:
    """Return what processes have used, with those that they started; None if it is not told."""
    try:
        known = {pid: stat for pid in _processes() if (stat := _stat(pid))}
    except OSError:
        return None
    wanted = set(pids)
    if not wanted <= known.keys():
        return None
    grown = True
    while grown:
        children = {pid for pid, stat in known.items() if int(stat[_PARENT]) in wanted}
        grown = not children <= wanted
        wanted |= children
    ticks = sum(int(field) for pid in wanted for field in known[pid][_TIMES])
    return ticks / os.sysconf("SC_CLK_TCK")


def listener(port: int) -> int | None:
    """Return the process that listens on a port of this machine; None if it is not told."""
    inodes = set()
    for table in ("tcp", "tcp6"):
        with suppress(OSError):
            for line in Path(f"/proc/net/{table}").read_text("ascii").splitlines()[1:]:
                fields = line.split()
                if fields[3] == _LISTENS and int(fields[1].rpartition(":")[2], 16) == port:
                    inodes.add(f"socket:[{fields[9]}]")
    if not inodes:
        return None
    for pid in _processes():
        with suppress(OSError):
            for link in Path(f"/proc/{pid}/fd").iterdir():
                with suppress(OSError):
                    if os.readlink(link) in inodes:
                        return pid
    return None


def _processes() -> list[int]:
    return [int(name) for name in os.listdir("/proc") if name.isdigit()]


def _stat(pid: int) -> list[str]:
    """Return the fields behind a process's name, which may hold anything; none if it has ended."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace")
    except OSError:
        return []
    return text.rpartition(")")[2].split()
