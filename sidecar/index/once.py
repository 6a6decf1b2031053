"""One pass over a root without a front: what `sidecar index` runs.

May import `index`.
"""

from __future__ import annotations

import os
import time
from dataclasses import dataclass, field
from queue import SimpleQueue
from typing import TYPE_CHECKING

from sidecar.errors import SidecarError
from sidecar.index.extract.pool import Pool
from sidecar.index.indexer import Inbox, Indexer
from sidecar.index.place import database_path
from sidecar.index.wire.messages import IndexSettings, Open, State

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from sidecar.index.storage.store import Store
    from sidecar.index.wire.messages import Committed

__all__ = ["Summary", "index_once"]


@dataclass(frozen=True, slots=True)
class Summary:
    """What an index holds.

    Args:
        files: Files that are known.
        symbols: Declarations in them.
        references: References in them.
        imports: Imports in them.
        bytes: Their size together.
        seconds: What the pass took.
        read: Files that were read in this pass.
        skipped: Files that are left out, by reason.
        languages: Files by language; those of unknown languages under `other`.
        errors: Regions that did not parse, by language.
        notice: What the user should know, or nothing.
    """

    files: int
    symbols: int
    references: int
    imports: int
    bytes: int
    seconds: float
    read: int = 0
    skipped: dict[str, int] = field(default_factory=dict)
    languages: dict[str, int] = field(default_factory=dict)
    errors: dict[str, int] = field(default_factory=dict)
    notice: str = ""


def index_once(
    root: str,
    settings: IndexSettings | None = None,
    on_progress: Callable[[State], None] | None = None,
    *,
    force: bool = False,
    database: Callable[[str], Path] = database_path,
) -> Summary:
    """Make the index of a root equal to the disk, at full speed.

    Args:
        root: The root.
        settings: What the user said.
        on_progress: Called with each new state.
        force: Whether to read everything anew.
        database: Where the database of a root lies.

    Raises:
        SidecarError: The root or its database cannot be used, or the disk is full.
    """
    root = os.path.abspath(root)
    read = 0
    last = State(root)

    def report(message: Committed | State) -> None:
        nonlocal read, last
        if isinstance(message, State):
            last = message
            if on_progress is not None:
                on_progress(message)
        else:
            read += len(message.paths)

    start = time.perf_counter()
    inbox: Inbox = SimpleQueue()
    inbox.put(Open((root,), settings or IndexSettings()))
    pool = Pool(inbox.put, idle=False)
    indexer = Indexer(report, inbox, pool, alone=True, database=database)
    try:
        indexer.turn(block=False)
        if root not in indexer.sites:
            raise SidecarError(last.notice or f"{root} cannot be indexed", "name another folder")
        served = indexer.sites[root]
        if force:
            served.rebuild()
        while not indexer.idle:
            indexer.turn(block=True)
        return _summary(served.store, last, time.perf_counter() - start, read)
    finally:
        indexer.close()


def _summary(store: Store, state: State, seconds: float, read: int) -> Summary:
    rows = store.rows(
        "SELECT language, count(*), sum(size), sum(symbol_count), sum(reference_count),"
        " sum(errors) FROM files WHERE NOT external GROUP BY language ORDER BY count(*) DESC"
    )
    ((imports,),) = store.rows(
        "SELECT count(*) FROM imports WHERE file NOT IN (SELECT file FROM outside_files)"
    )
    return Summary(
        files=sum(row[1] for row in rows),
        symbols=sum(row[3] for row in rows),
        references=sum(row[4] for row in rows),
        imports=imports,
        bytes=sum(row[2] for row in rows),
        seconds=seconds,
        read=read,
        skipped=state.skipped,
        languages={row[0] or "other": row[1] for row in rows},
        errors={row[0]: row[5] for row in rows if row[5]},
        notice=state.notice,
    )
