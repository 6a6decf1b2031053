"""Weights are asked for ahead; what cannot be read is somebody else's to tell."""

from __future__ import annotations

import ctypes
import mmap
import os
import time
from typing import TYPE_CHECKING

import pytest

from sidecar.engine.ahead import read_ahead

if TYPE_CHECKING:
    from pathlib import Path

SIZE = 1 << 22


def resident(path: Path) -> float:
    """Return which share of a file lies in the system's cache."""
    with path.open("r+b") as file, mmap.mmap(file.fileno(), SIZE) as mapped:
        pages = (ctypes.c_ubyte * (SIZE // mmap.PAGESIZE))()
        start = ctypes.c_char.from_buffer(mapped)
        address = ctypes.c_void_p(ctypes.addressof(start))
        done = ctypes.CDLL(None).mincore(address, ctypes.c_size_t(SIZE), pages)
        del start
        assert done == 0
        return sum(page & 1 for page in pages) / len(pages)


@pytest.mark.skipif(not hasattr(os, "posix_fadvise"), reason="this system takes no such hints")
def test_a_file_is_read_while_one_does_something_else(tmp_path: Path) -> None:
    path = tmp_path / "model.gguf"
    path.write_bytes(os.urandom(SIZE))
    with path.open("rb") as file:
        os.fsync(file.fileno())
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
    # Of a file system in memory all is there, before and after.
    read_ahead(path).join(30)
    deadline = time.monotonic() + 30
    while resident(path) < 1.0 and time.monotonic() < deadline:
        time.sleep(0.01)
    assert resident(path) == 1.0


def test_what_cannot_be_read_is_not_told_here(tmp_path: Path) -> None:
    read_ahead(tmp_path / "missing.gguf").join(30)
