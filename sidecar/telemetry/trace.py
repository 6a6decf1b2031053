"""Spans of one process in a file, in Chrome's trace format, for chrome://tracing and Perfetto.

One event a line, written when its span ends; the comma stands before an event, so the file lacks no
more than its last `]` at any moment, which the format allows. Names and facts are words and numbers
of ours: must never be given code, nor a path but as its `digest`. May import `errors`.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
from itertools import count
from time import perf_counter
from typing import TYPE_CHECKING, Any

from sidecar.telemetry.private_file import PrivateFile

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

__all__ = ["Fact", "Trace", "digest"]

#: What may be told of a span besides its times.
Fact = str | int | float | bool

_CATEGORY = "sidecar"


def digest(name: str) -> str:
    """Return what stands for a document's name in a trace: the same for the same name."""
    return hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:12]


class Trace:
    """Writes spans as they end, each on the track of the task in which it was begun.

    Args:
        path: A file to be written anew, readable by its user only.
        process: What to call this process.

    Raises:
        UsageError: The file cannot be written.
    """

    def __init__(self, path: Path, process: str) -> None:
        self._file = PrivateFile(path, "trace")
        self._pid = os.getpid()
        self._zero = perf_counter()
        self._tracks: dict[asyncio.Task[Any], int] = {}
        self._named: set[int] = set()
        self._write("[\n" + self._line("process_name", "M", 0, args={"name": process}))

    def track(self) -> int:
        """Return the track of the running task: spans that overlap must stand on several."""
        try:
            task = asyncio.current_task()
        except RuntimeError:
            task = None
        number = self._tracks.get(task) if task is not None else 0
        if number is None and task is not None:
            taken = set(self._tracks.values())
            number = next(number for number in count(1) if number not in taken)
            self._tracks[task] = number
            task.add_done_callback(self._tracks.pop)
        return number or 0

    def span(
        self, name: str, started: float, ended: float, track: int, facts: Mapping[str, Fact]
    ) -> None:
        """Write one span.

        Args:
            name: What was done.
            started: When it began, as `perf_counter` told.
            ended: When it ended.
            track: Where it stands, as `track` told when it began.
            facts: What else there is to know.
        """
        if track not in self._named:
            self._named.add(track)
            called = f"work {track}" if track else "between"
            self._write(",\n" + self._line("thread_name", "M", track, args={"name": called}))
        times = {
            "ts": round((started - self._zero) * 1e6, 1),
            "dur": round(max(ended - started, 0.0) * 1e6, 1),
        }
        self._write(",\n" + self._line(name, "X", track, cat=_CATEGORY, **times, args=dict(facts)))

    def close(self) -> None:
        """Write the end; what ends later is not told any more."""
        self._write("\n]\n")
        self._file.close()

    def _line(self, name: str, phase: str, track: int, **more: object) -> str:
        event = {"name": name, "ph": phase, "pid": self._pid, "tid": track, **more}
        return json.dumps(event, separators=(",", ":"))

    def _write(self, text: str) -> None:
        self._file.write(text.encode())
