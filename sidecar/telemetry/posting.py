"""What each front has counted, where `sidecar stats` of the same user finds it.

A front keeps a file beside the engines' sockets and holds a lock beside that for as long as it
lives, so that nobody takes what a dead one left for news. Files are private, replaced as a whole,
and hold what `Metrics` holds: counters and times. May import `locks`, and this package's `metrics`.
"""

from __future__ import annotations

import asyncio
import base64
import binascii
import json
import logging
import os
import re
import secrets
import threading
import time
from array import array
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sidecar.locks import FileLock
from sidecar.telemetry.metrics import HISTOGRAM_VALUES, Observed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

    from sidecar.telemetry.metrics import Metrics

__all__ = ["SECONDS", "Posted", "Poster", "merged", "posted"]

log = logging.getLogger(__name__)

#: A file is written again after this long, if anything changed.
SECONDS = 2.0

_FORMAT = 1
_NAME = re.compile(r"(front-[0-9a-f]{8})\.(?:json|lock|new)")


@dataclass(frozen=True, slots=True)
class Posted:
    """What a living front has told.

    Args:
        pid: Its process.
        facts: What else it says of itself.
        updated: When it wrote this, in seconds of the system's clock.
        observed: What it has counted.
    """

    pid: int
    facts: Mapping[str, Any]
    updated: float
    observed: Observed


class Poster:
    """Keeps one front's file.

    Args:
        folder: A directory that only this user may enter.
        metrics: What is told.
        facts: Returns what else the front says of itself: plain values.
        seconds: Least time between two writes.
    """

    def __init__(
        self,
        folder: Path,
        metrics: Metrics,
        facts: Callable[[], Mapping[str, Any]],
        seconds: float = SECONDS,
    ) -> None:
        name = f"front-{secrets.token_hex(4)}"
        self._folder = folder
        self._path = folder / f"{name}.json"
        self._new = folder / f"{name}.new"
        self._lock = FileLock(folder / f"{name}.lock")
        self._lock_path = folder / f"{name}.lock"
        self._metrics = metrics
        self._facts = facts
        self._seconds = seconds
        self._writing = threading.Lock()
        self._closed = False

    async def keep(self) -> None:
        """Write whenever something changed, until cancelled; a full disk only ends the telling."""
        try:
            await asyncio.to_thread(self._begin)
            told: tuple[int, Mapping[str, Any]] | None = None
            while True:
                now = self._metrics.changes, self._facts()
                if now != told:
                    told = now
                    await asyncio.to_thread(self._write, self._metrics.observed(), now[1])
                await asyncio.sleep(self._seconds)
        except OSError as error:
            log.warning("`sidecar stats` will not see this process: %s", error.strerror)

    def close(self) -> None:
        """Take the file away."""
        with self._writing:
            self._closed = True
            for path in (self._path, self._new, self._lock_path):
                with suppress(OSError):
                    path.unlink(missing_ok=True)
            self._lock.release()

    def _begin(self) -> None:
        _remove_dead(self._folder)
        with self._writing:
            # Somebody who cleans up may hold it for a moment.
            while not self._closed and not self._lock.acquire():
                time.sleep(0.01)

    def _write(self, observed: Observed, facts: Mapping[str, Any]) -> None:
        text = json.dumps(
            {
                "format": _FORMAT,
                "pid": os.getpid(),
                "updated": time.time(),
                "facts": facts,
                "counters": observed.counters,
                "histograms": {k: _packed(values) for k, values in observed.histograms.items()},
            }
        )
        with self._writing:
            if self._closed:
                return
            file = os.open(self._new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with open(file, "w", encoding="utf-8") as stream:
                stream.write(text)
            os.replace(self._new, self._path)


def posted(folder: Path) -> list[Posted]:
    """Return what the living fronts have told, and remove what dead ones left.

    Args:
        folder: The directory of their files.
    """
    _remove_dead(folder)
    found: list[Posted] = []
    for path in sorted(folder.glob("front-*.json")):
        # It may end while we look, or be of a version that we do not know.
        with suppress(OSError, ValueError, KeyError, TypeError, AttributeError):
            found.append(_read(path))
    return sorted(found, key=lambda front: front.pid)


def merged(fronts: Iterable[Posted]) -> Observed:
    """Return what several fronts have counted together."""
    counters: Counter[str] = Counter()
    histograms: dict[str, list[float]] = {}
    for front in fronts:
        counters.update(front.observed.counters)
        for name, values in front.observed.histograms.items():
            histograms.setdefault(name, []).extend(values)
    return Observed(counters, histograms)


def _read(path: Path) -> Posted:
    body = json.loads(path.read_text(encoding="utf-8"))
    if body["format"] != _FORMAT:
        raise ValueError(body["format"])
    counters = {str(name): int(value) for name, value in body["counters"].items()}
    histograms = {str(name): _unpacked(text) for name, text in body["histograms"].items()}
    observed = Observed(counters, histograms)
    return Posted(int(body["pid"]), dict(body["facts"]), float(body["updated"]), observed)


def _packed(values: Iterable[float]) -> str:
    """Write numbers so that a thousand take no time: as 32-bit floats."""
    return base64.b64encode(array("f", values).tobytes()).decode("ascii")


def _unpacked(text: str) -> tuple[float, ...]:
    values = array("f")
    try:
        values.frombytes(base64.b64decode(text, validate=True))
    except binascii.Error as error:
        raise ValueError(text) from error
    return tuple(values[-HISTOGRAM_VALUES:])


def _remove_dead(folder: Path) -> None:
    """Remove the files of fronts that hold their locks no more."""
    names = (_NAME.fullmatch(path.name) for path in folder.iterdir())
    for name in {found[1] for found in names if found is not None}:
        lock_path = folder / f"{name}.lock"
        # Files may vanish at any moment: others clean up as well.
        with suppress(OSError), FileLock(lock_path) as lock:
            if lock.acquire():
                for path in (folder / f"{name}.json", folder / f"{name}.new", lock_path):
                    path.unlink(missing_ok=True)
