"""Has the system read a model's weights while this process does something else.

Libraries take a second to load before llama.cpp first looks into the file, and then it waits for
the disk. Must never fail or wait. Imports nothing of sidecar.
"""

from __future__ import annotations

import os
import threading
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["read_ahead"]


def read_ahead(path: Path) -> threading.Thread:
    """Begin to read a file into the system's cache, and return the thread that asks for it.

    Where the system takes no such hints, llama.cpp's own `madvise` has to do.
    """
    # The call returns when all is asked for, which on a busy disk is late.
    thread = threading.Thread(target=_advise, args=(path,), name="read-ahead", daemon=True)
    thread.start()
    return thread


def _advise(path: Path) -> None:
    if not hasattr(os, "posix_fadvise"):
        return
    with suppress(OSError):
        file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        try:
            os.posix_fadvise(file, 0, 0, os.POSIX_FADV_WILLNEED)
        finally:
            os.close(file)
