"""Worker processes that extract files: how many, what each has to do, and what if one dies.

One worker is always there for files that somebody waits for. More are started for bulk work and
end with it. Everything but reading pipes happens on the caller's thread. Must never open a file of
the workspace. May import `errors` and `index.wire`.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from sidecar.errors import SidecarError
from sidecar.index.wire.frames import FrameError, pack, read_frames, unpack

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

__all__ = ["CHUNK", "Chunk", "Pool", "PoolEvent", "Result", "cores"]

#: Files that a worker is given at once: enough to hide the way, few enough to stop soon.
CHUNK = 16

#: Chunks that wait inside a bulk worker, so that it never waits for us.
_AHEAD = 2

#: A worker that gave nothing for so long is hung in a way that costs no processor time.
SECONDS_SILENT = 30.0

#: The signal of the timer that a worker sets for each file.
_TOO_SLOW = getattr(signal, "SIGPROF", None)

_MOST_DEATHS = 3
_PIPE_BYTES = 1 << 20


class Chunk(NamedTuple):
    """Files to extract.

    Args:
        owner: Whose files they are; comes back with each result.
        root: Absolute path of the root.
        max_bytes: Larger files are skipped.
        files: Paths relative to the root, each with the digest that is known of it, or nothing.
        stamp: Comes back with each result as well.
        urgent: Whether somebody waits for it.
        outside: Whether the files lie outside of the workspace, under absolute paths.
    """

    owner: str
    root: str
    max_bytes: int
    files: tuple[tuple[str, bytes], ...]
    stamp: int = 0
    urgent: bool = False
    outside: bool = False


class Result(NamedTuple):
    """What came of one file.

    Args:
        chunk: The chunk that it was in.
        path: The file.
        made: What the worker made of it; None if it made nothing.
        reason: Why there is nothing: `crashed` or `too_slow`.
    """

    chunk: Chunk
    path: str
    made: Any
    reason: Literal["", "crashed", "too_slow"] = ""


class PoolEvent(NamedTuple):
    """Something that a worker did, for `Pool.handle` on the caller's thread."""

    worker: _Worker
    body: bytes | None


class Pool:
    """The workers of one indexer.

    Args:
        report: Called on threads of the pool with events that have to reach `handle`.
        idle: Whether bulk workers run only when nothing else wants the processor, and leave the
            urgent one alone; otherwise it does its share of bulk work.
    """

    def __init__(self, report: Callable[[PoolEvent], None], *, idle: bool = True) -> None:
        self._report = report
        self._idle = idle
        self._numbers = 0
        self._waiting: deque[Chunk] = deque()
        self._suspects: set[tuple[str, str]] = set()
        self._early_deaths = 0
        self._closed = False
        self._bulk: list[_Worker] = []
        self._ended: list[_Worker] = []
        self._urgent = self._start(idle=False)

    @property
    def pids(self) -> list[int]:
        """The processes, the urgent one first."""
        return [worker.process.pid for worker in (self._urgent, *self._bulk)]

    def wants_more(self) -> bool:
        """Tell whether a worker for bulk work would soon have nothing to do."""
        return not self._waiting and any(len(w.given) < _AHEAD for w in self._for_bulk())

    def widen(self, size: int) -> None:
        """Have this many workers for bulk work."""
        while len(self._bulk) < (size if self._idle else size - 1):
            self._bulk.append(self._start(idle=self._idle))

    def narrow(self) -> None:
        """Let the bulk workers end; what they still have to do counts no more."""
        for worker in self._bulk:
            worker.end()
        self._ended = [worker for worker in self._ended if worker.reader.is_alive()] + self._bulk
        self._bulk = []
        self._waiting.clear()

    def submit(self, chunk: Chunk) -> None:
        """Extract a chunk: now if it is urgent, else by the bulk workers, if there are any."""
        if chunk.urgent:
            self._give(self._urgent, chunk)
        else:
            self._waiting.append(chunk)
            self._feed()

    def prepare(self, paths: Iterable[str]) -> None:
        """Have the urgent worker load what files of these names need, before somebody waits."""
        self._urgent.prepare(paths)

    def handle(self, event: PoolEvent) -> list[Result]:
        """Take in what a worker did.

        Raises:
            SidecarError: Workers die before they do anything.
        """
        worker, body = event
        if body is None:
            return self._died(worker)
        self._early_deaths = 0
        worker.useful = True
        number, made = unpack(body)
        # Its first frame only says that it runs.
        if not worker.given or worker.given[0][0] != number:
            return []
        _, chunk, position = worker.given[0]
        path = chunk.files[position][0]
        if position + 1 == len(chunk.files):
            worker.given.popleft()
            self._feed()
        else:
            worker.given[0] = (number, chunk, position + 1)
        self._suspects.discard((chunk.owner, path))
        return [Result(chunk, path, made)]

    def check(self) -> None:
        """Kill workers that hang without using the processor; call it every few seconds."""
        now = time.monotonic()
        for worker in (self._urgent, *self._bulk):
            if worker.given and now - worker.heard > SECONDS_SILENT:
                worker.hung = True
                worker.process.kill()

    def close(self) -> None:
        """End all workers."""
        self._closed = True
        for worker in (self._urgent, *self._bulk, *self._ended):
            worker.process.kill()
            worker.end()
            worker.reader.join()

    def _for_bulk(self) -> list[_Worker]:
        # Where bulk work gives way to nobody, nobody waits for the urgent worker either.
        return self._bulk if self._idle and self._bulk else [*self._bulk, self._urgent]

    def _start(self, *, idle: bool) -> _Worker:
        return _Worker(self._report, idle=idle)

    def _feed(self) -> None:
        workers = self._for_bulk()
        while self._waiting:
            worker = min(workers, key=lambda worker: len(worker.given))
            if len(worker.given) >= _AHEAD:
                return
            self._give(worker, self._waiting.popleft())

    def _give(self, worker: _Worker, chunk: Chunk) -> None:
        self._numbers += 1
        worker.give(self._numbers, chunk)

    def _died(self, worker: _Worker) -> list[Result]:
        """Replace a worker, blame the file it was at, and have the others done again."""
        worker.end()
        code = worker.process.returncode
        if self._closed or (worker is not self._urgent and worker not in self._bulk):
            return []
        if not worker.useful:
            self._early_deaths += 1
            if self._early_deaths >= _MOST_DEATHS:
                raise SidecarError(
                    f"the processes that parse files end at once (code {code})",
                    "run `sidecar doctor`, and install sidecar again if it finds nothing",
                )
        urgent = worker is self._urgent
        fresh = self._start(idle=self._idle and not urgent)
        if urgent:
            self._urgent = fresh
        else:
            self._bulk[self._bulk.index(worker)] = fresh
        slow = worker.hung or (_TOO_SLOW is not None and code == -_TOO_SLOW)
        results = []
        for number, (_, chunk, position) in enumerate(worker.given):
            rest = chunk.files[position:]
            if number == 0 and worker.useful:
                first, *others = rest
                result = self._blame(chunk, first[0], slow=slow)
                if result is not None:
                    results.append(result)
                else:
                    # Alone, so that a second death is its own.
                    self._give(fresh, chunk._replace(files=(first,)))
                rest = tuple(others)
            if rest:
                self._give(fresh, chunk._replace(files=rest))
        return results

    def _blame(self, chunk: Chunk, path: str, *, slow: bool) -> Result | None:
        """Return the result of a file at which a worker died; None to try it once more."""
        if slow:
            return Result(chunk, path, None, "too_slow")
        suspect = (chunk.owner, path)
        if suspect in self._suspects:
            self._suspects.discard(suspect)
            return Result(chunk, path, None, "crashed")
        # It may have been killed by somebody, or for want of memory.
        self._suspects.add(suspect)
        return None


class _Worker:
    """One process, and what it was given and has not done."""

    def __init__(self, report: Callable[[PoolEvent], None], *, idle: bool) -> None:
        self._report = report
        #: Number, chunk, and position of the file that it is at.
        self.given: deque[tuple[int, Chunk, int]] = deque()
        #: Whether it ever ran: one that ends before cannot be the fault of a file.
        self.useful = False
        self.hung = False
        self.heard = time.monotonic()
        command = [
            sys.executable,
            "-P",
            "-m",
            "sidecar.index.extract.worker",
            *(["--idle"] if idle else []),
        ]
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=0,
        )
        assert self.process.stdout is not None
        _enlarge(self.process.stdout.fileno())
        self.reader = threading.Thread(target=self._read, name="index-worker", daemon=True)
        self.reader.start()

    def give(self, number: int, chunk: Chunk) -> None:
        if not self.given:
            self.heard = time.monotonic()
        self.given.append((number, chunk, 0))
        assert self.process.stdin is not None
        # Of one that is dead, the reader tells.
        with suppress(OSError, ValueError):
            self.process.stdin.write(
                pack((number, chunk.root, chunk.max_bytes, chunk.outside, chunk.files))
            )

    def prepare(self, paths: Iterable[str]) -> None:
        assert self.process.stdin is not None
        with suppress(OSError, ValueError):
            # Without a digest nothing is read, and no result comes back.
            files = tuple((path, None) for path in paths)
            self.process.stdin.write(pack((0, "", 0, False, files)))

    def end(self) -> None:
        """Close its standard input, at which it ends."""
        assert self.process.stdin is not None
        with suppress(OSError):
            self.process.stdin.close()

    def _read(self) -> None:
        file = self.process.stdout
        assert file is not None
        try:
            for body in read_frames(file):
                self.heard = time.monotonic()
                self._report(PoolEvent(self, body))
        except (FrameError, OSError):
            self.process.kill()
        finally:
            file.close()
            self.process.wait()
        self._report(PoolEvent(self, None))


def cores() -> int:
    """Return the number of processors that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1


def _enlarge(pipe: int) -> None:
    """Let a worker go on while we write to the database."""
    with suppress(ImportError, AttributeError, OSError):
        import fcntl

        fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, _PIPE_BYTES)
