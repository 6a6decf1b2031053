"""What this process holds, and that one process is not taken for another."""

from __future__ import annotations

import mmap
import os
import subprocess
import sys

import pytest

from sidecar.bench.footprint import Life, footprint, kind_of_memory, life, lives


def test_this_process_has_memory() -> None:
    held = footprint(os.getpid())
    assert held is not None
    assert 1 < held.memory_mb < 10_000


@pytest.mark.skipif(kind_of_memory() != "pss", reason="only Linux tells shares")
def test_more_memory_and_an_open_file_are_seen() -> None:
    before = footprint(os.getpid())
    # Pages of its own: a heap may have as much to spare from what ran before.
    with mmap.mmap(-1, 30_000_000, flags=mmap.MAP_PRIVATE) as block, open(os.devnull, "rb"):
        block.write(b"x" * 30_000_000)
        after = footprint(os.getpid())
    assert before is not None
    assert after is not None
    assert before.private_mb is not None
    assert after.private_mb is not None
    assert 25 < after.private_mb - before.private_mb < 65
    assert before.open_files is not None
    assert after.open_files == before.open_files + 1


def test_a_process_that_ended_is_not_there() -> None:
    process = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    one = life(process.pid)
    assert one is not None
    assert lives(one)
    assert not lives(Life(one.pid, f"{one.started}0")), "another process with this number"
    process.communicate(b"\n")
    assert not lives(one)
    assert life(process.pid) is None
    assert footprint(process.pid) is None
