"""What workers made of some files, gathered until it is written together.

Must never read a file or a database. May import `index.files`, `index.extract` and `index.storage`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from sidecar.index.extract.records import FileRecord
from sidecar.index.files.content import Skip
from sidecar.index.storage.store import Known

__all__ = ["Batch", "Outcome"]


class Batch:
    """What was found about some files, each either read, the same as before, skipped or gone."""

    def __init__(self) -> None:
        self.records: dict[str, FileRecord] = {}
        self.same: dict[str, Known] = {}
        self.skipped: dict[str, Skip] = {}
        #: Files whose time says nothing yet: they may change again without another one.
        self.unsure: set[str] = set()
        #: Files that were written while they were read.
        self.changing: set[str] = set()
        self.gone: set[str] = set()

    def __len__(self) -> int:
        return len(self.records) + len(self.same) + len(self.skipped) + len(self.gone)

    def paths(self) -> set[str]:
        """Return all files of which something was found."""
        return {*self.records, *self.same, *self.skipped, *self.gone}

    def add(self, path: str, made: Any) -> None:
        """Take in what a worker made of a file; see `index.extract.extraction`."""
        self.discard(path)
        settled: bool
        match made:
            case ("record", record, settled):
                self.records[path] = FileRecord(*record)
            case ("same", size, mtime_ns, digest, settled):
                self.same[path] = Known(size, mtime_ns, digest)
            case (_, "changing", *_):
                settled = True
                self.changing.add(path)
            case (_, "vanished", *_):
                settled = True
                self.gone.add(path)
            case (_, *skip):
                settled = True
                self.skipped[path] = Skip(*skip)
        if not settled:
            self.unsure.add(path)

    def discard(self, path: str) -> None:
        """Forget what was found about a file before."""
        self.records.pop(path, None)
        self.same.pop(path, None)
        self.skipped.pop(path, None)
        self.unsure.discard(path)
        self.changing.discard(path)
        self.gone.discard(path)


class Outcome(NamedTuple):
    """What a commit did.

    Args:
        paths: Files whose facts were written or removed.
        interface_changed: Those whose interface is another one.
        again: Files that changed since they were read, and have to be read again.
        unsure: Files whose content has to be compared once more, when the clock has moved on.
    """

    paths: tuple[str, ...] = ()
    interface_changed: tuple[str, ...] = ()
    again: tuple[str, ...] = ()
    unsure: tuple[str, ...] = ()
