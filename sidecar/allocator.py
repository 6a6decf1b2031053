"""One heap for all threads of a process, where the C library would give each its own.

Python runs one thread at a time, so heaps of their own gain nothing, and each keeps what the
largest work of its thread left: 5 MB of a front's 65. May import nothing of sidecar.
"""

from __future__ import annotations

import ctypes
import sys
from contextlib import suppress

__all__ = ["share_heap"]

#: `M_ARENA_MAX` of glibc's mallopt(3).
_MOST_HEAPS = -8


def share_heap() -> None:
    """Let threads that start from now on allocate from the heap of the first; glibc alone has more.

    Not for processes whose threads compute in C at once.
    """
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).mallopt(_MOST_HEAPS, 1)
