"""Real worker processes: what they give, and what becomes of their files when they die."""

from __future__ import annotations

import os
import signal
import sys
from queue import SimpleQueue
from typing import TYPE_CHECKING

import psutil
import pytest

from sidecar.index.extract.pool import Chunk, Pool, PoolEvent, Result
from sidecar.index.extract.worker import MOST_BYTES

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

needs_signals = pytest.mark.skipif(sys.platform == "win32", reason="ends processes by signals")


@pytest.fixture
def events() -> SimpleQueue[PoolEvent]:
    return SimpleQueue()


@pytest.fixture
def pool(events: SimpleQueue[PoolEvent]) -> Iterator[Pool]:
    pool = Pool(events.put, idle=False)
    yield pool
    pool.close()


def collect(pool: Pool, events: SimpleQueue[PoolEvent], count: int) -> list[Result]:
    results: list[Result] = []
    while len(results) < count:
        results += pool.handle(events.get(timeout=60))
    return results


def chunk(root: Path, count: int, *, urgent: bool = True) -> Chunk:
    names = [f"f{number}.py" for number in range(count)]
    for name in names:
        (root / name).write_text(f"def {name[:-3]}(): pass\n")
    return Chunk("root", str(root), 1000, tuple((name, b"") for name in names), 7, urgent)


def wait_for_start(pool: Pool, events: SimpleQueue[PoolEvent]) -> None:
    """Until the urgent worker has said that it runs, a signal is not about a file."""
    assert pool.handle(events.get(timeout=60)) == []


def test_files_are_read_compared_and_packed(
    tmp_path: Path, pool: Pool, events: SimpleQueue[PoolEvent]
) -> None:
    (tmp_path / "large.py").write_text("x = 1\n" * 1000)
    (tmp_path / "data.bin").write_bytes(b"\0\1\2")
    asked = chunk(tmp_path, 1)
    names = ("f0.py", "large.py", "data.bin", "missing.py")
    pool.submit(asked._replace(files=tuple((name, b"") for name in names)))
    found = {result.path: result.made for result in collect(pool, events, 4)}
    kind, record, _ = found["f0.py"]
    assert (kind, record[:2]) == ("record", ("f0.py", "python"))
    assert {name: made[:2] for name, made in found.items() if name != "f0.py"} == {
        "large.py": ("skip", "too_large"),
        "data.bin": ("skip", "binary"),
        "missing.py": ("skip", "vanished"),
    }
    digest = record[4]
    pool.submit(asked._replace(files=(("f0.py", digest),)))
    (again,) = collect(pool, events, 1)
    assert again.made[0] == "same"
    assert again.made[3] == digest


def test_bulk_work_is_shared_and_urgent_work_does_not_wait(
    tmp_path: Path, pool: Pool, events: SimpleQueue[PoolEvent]
) -> None:
    pool.widen(3)
    # The urgent one takes its share, since nothing here gives way.
    assert len(pool.pids) == 3
    bulk = chunk(tmp_path, 64, urgent=False)
    for start in range(0, 64, 16):
        pool.submit(bulk._replace(files=bulk.files[start : start + 16]))
    pool.submit(chunk(tmp_path, 1))
    results = collect(pool, events, 65)
    assert sorted(r.path for r in results if not r.chunk.urgent) == sorted(f for f, _ in bulk.files)
    assert all(result.made[0] == "record" for result in results)
    bulk_pids = pool.pids[1:]
    pool.narrow()
    left = [psutil.Process(pid) for pid in bulk_pids if psutil.pid_exists(pid)]
    assert psutil.wait_procs(left, timeout=20)[1] == []


@needs_signals
def test_a_worker_that_was_killed_costs_nothing(
    tmp_path: Path, pool: Pool, events: SimpleQueue[PoolEvent]
) -> None:
    wait_for_start(pool, events)
    os.kill(pool.pids[0], signal.SIGSTOP)
    pool.submit(chunk(tmp_path, 5))
    os.kill(pool.pids[0], signal.SIGKILL)
    results = collect(pool, events, 5)
    assert sorted(result.path for result in results) == [f"f{number}.py" for number in range(5)]
    assert {result.reason for result in results} == {""}


@needs_signals
def test_a_file_at_which_workers_die_twice_is_left_out(
    tmp_path: Path, pool: Pool, events: SimpleQueue[PoolEvent]
) -> None:
    asked = chunk(tmp_path, 3)._replace(max_bytes=1_000_000)
    # Large enough to be under way when the signal comes.
    (tmp_path / "f0.py").write_text("def f(x): return [x, f(x + 1)]\n" * 25_000)
    pool.submit(asked)
    wait_for_start(pool, events)
    os.kill(pool.pids[0], signal.SIGSEGV)
    assert pool.handle(events.get(timeout=60)) == []
    # The next one tries the file alone.
    wait_for_start(pool, events)
    os.kill(pool.pids[0], signal.SIGSEGV)
    results = collect(pool, events, 3)
    assert {r.path: r.reason for r in results} == {"f0.py": "crashed", "f1.py": "", "f2.py": ""}


@needs_signals
def test_a_file_that_takes_too_long_is_left_out_at_once(
    tmp_path: Path, pool: Pool, events: SimpleQueue[PoolEvent]
) -> None:
    wait_for_start(pool, events)
    os.kill(pool.pids[0], signal.SIGSTOP)
    pool.submit(chunk(tmp_path, 3))
    # What the worker's own timer sends it.
    os.kill(pool.pids[0], signal.SIGPROF)
    os.kill(pool.pids[0], signal.SIGCONT)
    results = collect(pool, events, 3)
    assert {r.path: r.reason for r in results} == {"f0.py": "too_slow", "f1.py": "", "f2.py": ""}


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="others hold nobody to it")
def test_workers_are_held_to_a_limit_of_memory(pool: Pool, events: SimpleQueue[PoolEvent]) -> None:
    pool.widen(3)
    for _ in pool.pids:
        wait_for_start(pool, events)
    limits = [psutil.Process(pid).rlimit(psutil.RLIMIT_DATA)[0] for pid in pool.pids]
    assert limits == [MOST_BYTES] * 3


def test_what_is_loaded_ahead_gives_no_result(
    tmp_path: Path, pool: Pool, events: SimpleQueue[PoolEvent]
) -> None:
    (tmp_path / "a0.py").write_text("x = 1\n")
    # Files that need not be there.
    pool.prepare(["none.py", "none.unknown"])
    asked = Chunk("o", str(tmp_path), 1000, (("a0.py", b""),), urgent=True)
    pool.submit(asked)
    (result,) = collect(pool, events, 1)
    assert (result.chunk, result.path, result.made[0]) == (asked, "a0.py", "record")
