"""What a process takes of the machine: memory by its proportional share, and open files.

Weights that are mapped from a file count once, divided among those who map them. Where the system
does not tell shares, resident memory stands in their place, which counts them in full. May import
the standard library.
"""

from __future__ import annotations

import os
import re
import subprocess
from contextlib import suppress
from pathlib import Path
from typing import Literal, NamedTuple

__all__ = ["Footprint", "Kind", "Life", "footprint", "kind_of_memory", "life", "lives"]

#: `pss`: proportional set size; `rss`: resident set size.
Kind = Literal["pss", "rss"]

_PS_SECONDS = 10.0


class Footprint(NamedTuple):
    """What one process, or some of them together, hold.

    Args:
        memory_mb: Proportional set size; resident set size where there is none.
        private_mb: Of that, what belongs to no file; None where the system does not tell.
        open_files: How many files, pipes and sockets are open; None where it does not tell.
    """

    memory_mb: float
    private_mb: float | None
    open_files: int | None


class Life(NamedTuple):
    """One run of a process: numbers are given again when their process has ended.

    Args:
        pid: The process.
        started: When it was started, on a clock of the system's; empty where it does not tell.
    """

    pid: int
    started: str


def kind_of_memory() -> Kind:
    """Tell what is measured on this system."""
    return "pss" if Path("/proc/self/smaps_rollup").exists() else "rss"


def footprint(pid: int) -> Footprint | None:
    """Measure a process; None if it has ended."""
    if kind_of_memory() == "pss":
        return _of_proc(Path(f"/proc/{pid}"))
    return _of_ps(pid)


def life(pid: int) -> Life | None:
    """Tell one run of a process from a later one of the same number; None if it has ended."""
    if not Path("/proc/self/stat").exists():
        with suppress(OSError):
            os.kill(pid, 0)
            return Life(pid, "")
        return None
    try:
        # The name, in brackets, may hold anything.
        fields = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()
    except OSError:
        return None
    # One that nobody has waited for holds nothing any more.
    return None if fields[0] in (b"Z", b"X") else Life(pid, fields[19].decode())


def lives(one: Life) -> bool:
    """Tell whether a process still runs."""
    return life(one.pid) == one


def _of_proc(folder: Path) -> Footprint | None:
    try:
        text = (folder / "smaps_rollup").read_text("utf-8")
        files = len(os.listdir(folder / "fd"))
    except OSError:
        return None
    sizes = {name: int(size) for name, size in re.findall(r"^(\w+):\s+(\d+) kB$", text, re.M)}
    if "Pss" not in sizes:
        # Of one that is ending nothing is left.
        return None
    private = sizes.get("Pss_Anon")
    return Footprint(sizes["Pss"] / 1000, None if private is None else private / 1000, files)


def _of_ps(pid: int) -> Footprint | None:
    try:
        told = subprocess.run(
            ["ps", "-o", "rss=", "-p", str(pid)],
            capture_output=True,
            text=True,
            check=False,
            timeout=_PS_SECONDS,
        ).stdout.strip()
    except (OSError, subprocess.TimeoutExpired):
        return None
    return Footprint(int(told) * 1.024 / 1000, None, None) if told.isdigit() else None
