"""Memory of a process and those that it started, where the system tells; only Linux does here.

May import the standard library.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

__all__ = ["Memory", "memory"]


class Memory(NamedTuple):
    """Resident memory of some processes together, and the most that the first one had."""

    rss_mb: float
    peak_mb: float


def memory(pid: int | None) -> Memory | None:
    """Return what a process and its descendants hold now, or None if that cannot be found out."""
    if pid is None:
        return None
    try:
        status = _status(pid)
        total = status["VmRSS"] + sum(_status(child)["VmRSS"] for child in _descendants(pid))
    except (OSError, KeyError):
        return None
    return Memory(total / 1000, status["VmHWM"] / 1000)


def _status(pid: int) -> dict[str, int]:
    """Return the fields of /proc that are counted in kB."""
    text = Path(f"/proc/{pid}/status").read_text("utf-8")
    return {name: int(size) for name, size in re.findall(r"^(\w+):\s+(\d+) kB$", text, re.M)}


def _descendants(pid: int) -> list[int]:
    found = []
    for task in Path(f"/proc/{pid}/task").iterdir():
        children = (task / "children").read_text("utf-8").split()
        for child in map(int, children):
            found += [child, *_descendants(child)]
    return found
