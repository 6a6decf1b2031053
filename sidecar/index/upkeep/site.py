"""A root that is being served: what changed in it goes to the workers, and comes back known.

Decides for each path that is named what it means, by a look at the disk, and holds what is under
way. Must never parse, and never wait. May import what this package may.
"""

from __future__ import annotations

import heapq
import itertools
import logging
import os
import time
from typing import TYPE_CHECKING

from sidecar.index.extract.pool import CHUNK, Chunk
from sidecar.index.files.ignore import Ignore
from sidecar.index.files.walk import WalkSettings
from sidecar.index.upkeep.batch import Batch
from sidecar.index.upkeep.changes import FEW, Changes
from sidecar.index.upkeep.demand import Demand
from sidecar.index.upkeep.heard import PATIENCE, Heard
from sidecar.index.upkeep.priority import imported_files
from sidecar.index.upkeep.sorting import Sorted, blamed, is_settled, sort_paths, unlike
from sidecar.index.upkeep.workspace import Workspace
from sidecar.index.wire.messages import Committed, State

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from sidecar.index.extract.pool import Pool, Result
    from sidecar.index.storage.store import Store
    from sidecar.index.upkeep.watch import Watcher
    from sidecar.index.wire.messages import IndexSettings

__all__ = ["Site"]

log = logging.getLogger(__name__)

#: Seconds until a file whose time says nothing yet is compared once more.
_SETTLE = 3.0
#: Seconds until a file that changed while it was read is read again.
_AGAIN = 0.05
#: Seconds until a file at which a worker died is read again: it would keep others waiting.
_SHUNNED = 30.0
#: So many imports of an opened file come before everything else.
_MOST_IMPORTS = 100
#: So many of them are written in one transaction.
_WRITTEN_AT_ONCE = 32


class Site:
    """One root.

    Args:
        root: Its absolute path, as whoever opened it named it.
        store: Its database.
        settings: What the user said.
        pool: Where files are extracted.
        report: Takes what the front has to know.
    """

    def __init__(
        self,
        root: str,
        store: Store,
        settings: IndexSettings,
        pool: Pool,
        report: Callable[[Committed | State], None],
    ) -> None:
        self.root = root
        self.settings = settings
        self.walk_settings = WalkSettings(exclude=tuple(settings.exclude))
        self.workspace = Workspace(root, store)
        self.ignore = Ignore(root, self.walk_settings)
        self.changes = Changes()
        self.pool = pool
        self.report = report
        #: What opened files import from outside of the root.
        self.demand = Demand(self.workspace, settings, report)
        self.watcher: Watcher | None = None
        #: What it told of.
        self.heard = Heard()
        self._doubted: set[str] = set()
        #: Whether the root has to be compared with the disk as soon as possible.
        self.survey_wanted = False
        #: Whether it was, since it was opened, and what that took in seconds.
        self.surveyed = False
        self.survey_seconds = 0.0
        #: Results of bulk work that are not written yet.
        self.bulk = Batch()
        self._urgent = Batch()
        self._stamps: dict[str, int] = {}
        self._counter = itertools.count(1)
        self._floor = 0
        #: Files that are with the workers: of bulk work, and those that somebody waits for.
        self.bulk_under_way = 0
        self.urgent_under_way = 0
        self._shunned: dict[str, float] = {}
        self._opened: set[str] = set()
        #: By opened file, what it imports and is being read for it.
        self._awaited: dict[str, set[str]] = {}
        self._later: list[tuple[float, str]] = []
        self._when: dict[str, float] = {}
        self._phase = State(root)

    # What happened.

    def relative(self, path: str) -> str | None:
        """Return a path relative to the root; None if it is not below."""
        path = path.replace(os.sep, "/")
        base = self.root.rstrip("/") + "/"
        return path[len(base) :].rstrip("/") or None if path.startswith(base) else None

    def changed(self, paths: Iterable[str], now: float) -> None:
        """Note that something happened at these absolute paths."""
        if below := [path for name in paths if (path := self.relative(name)) is not None]:
            self.changes.add(below, now)

    def opened(self, name: str) -> None:
        """Take a file that the user looks at before all others, and then what it imports."""
        if (path := self.relative(name)) is None:
            return
        if path in self.workspace.known and self.surveyed:
            self._use(path)
            self.demand.opened(path)
            self.pool.prepare([path])
            return
        self._opened.add(path)
        self.changes.add([path], 0.0)

    # What is done about it.

    def take_heard(self, now: float) -> None:
        """Look at what a watcher told of some time ago, and forget what is known already."""
        names = self.heard.take(now)
        if not names:
            return
        self.workspace.follow()
        # Many at once are no saves, and are compared when they have come to rest.
        many = len(names) > FEW
        self.changed([name for name in names if many or not self._is_told(name, now)], now)

    def _is_told(self, name: str, now: float) -> bool:
        """Tell whether what is on disk is what some process has written to the database."""
        if (path := self.relative(name)) is None:
            return True
        known = is_settled(self.workspace, path)
        if known is not None or path in self._doubted:
            self._doubted.discard(path)
            return bool(known)
        # Whoever wrote it just now will look at it again, unless it ends before.
        self._doubted.add(path)
        self.heard.add([name], now + _SETTLE + 1.0)
        return True

    def take_urgent(self, now: float) -> None:
        """Send to the workers what somebody waits for, and what has to be looked at once more."""
        paths = self.changes.take_urgent()
        while self._later and self._later[0][0] <= now:
            when, path = heapq.heappop(self._later)
            if self._when.get(path) == when:
                del self._when[path]
                paths.append(path)
        if self._shunned:
            paths = self._without_shunned(paths, now)
        if not paths:
            return
        found = self.sort(dict.fromkeys(paths))
        self.survey_wanted |= found.survey
        for path in found.gone:
            self._stamps.pop(path, None)
            self._urgent.discard(path)
            self._urgent.gone.add(path)
        for start in range(0, len(found.read), CHUNK):
            self.send(found.read[start : start + CHUNK], urgent=True)

    def sort(self, paths: Iterable[str], *, unchanged: bool = True) -> Sorted:
        """Look at the disk for what became of some paths; see `sort_paths`."""
        return sort_paths(self.workspace, self.ignore, paths, unchanged=unchanged)

    def send(self, paths: Iterable[str], *, urgent: bool) -> None:
        """Have a chunk of files read; what is under way for them already counts no more."""
        stamp = next(self._counter)
        known = self.workspace.known
        files = []
        for path in paths:
            self._stamps[path] = stamp
            held = known.get(path)
            files.append((path, b"" if held is None else held.digest))
        if urgent:
            self.urgent_under_way += len(files)
        else:
            self.bulk_under_way += len(files)
        size = self.settings.max_file_bytes
        self.pool.submit(Chunk(self.root, self.root, size, tuple(files), stamp, urgent))

    def under_way(self, now: float) -> bool:
        """Tell whether anything is being done, or will be at once."""
        return bool(
            self._stamps or self._urgent or self.bulk or self.changes or self.due() < now + 1.0
        )

    def drop(self) -> None:
        """Give up what is under way; what comes of it counts no more."""
        self._floor = next(self._counter)
        self._stamps.clear()
        self.bulk_under_way = self.urgent_under_way = 0
        self.bulk = Batch()
        self._urgent = Batch()
        self.demand.drop()

    def receive(self, result: Result) -> None:
        """Take in what came of one file."""
        chunk, path, made, reason = result
        if chunk.outside:
            self.demand.receive(result)
            return
        if chunk.stamp < self._floor:
            return
        if chunk.urgent:
            self.urgent_under_way -= 1
        else:
            self.bulk_under_way -= 1
        newest = self._stamps.get(path)
        if newest != chunk.stamp:
            if newest is not None and chunk.urgent and made is not None and made[0] == "record":
                # A save is told of twice, by a watcher and by the editor. What the first look
                # read need not wait for the second: it is only written if it is still there.
                self._urgent.add(path, made)
            return
        del self._stamps[path]
        batch = self._urgent if chunk.urgent else self.bulk
        if reason:
            log.info("a file was left out: %s", reason)
            self._shunned[path] = time.monotonic() + _SHUNNED
            batch.add(path, ("skip", *blamed(self.root, path, reason)))
        else:
            batch.add(path, made)

    def commit_urgent(self, now: float) -> None:
        """Write what somebody waits for."""
        if self._urgent and not self._is_part():
            batch, self._urgent = self._urgent, Batch()
            self.commit(batch, now)

    def _is_part(self) -> bool:
        """Tell whether these are some imports of an opened file, which are written together."""
        if not self._awaited or not self.urgent_under_way or len(self._urgent) >= _WRITTEN_AT_ONCE:
            return False
        awaited = set().union(*self._awaited.values())
        return awaited.issuperset(self._urgent.paths())

    def commit(self, batch: Batch, now: float, *, link: bool = True) -> None:
        """Write a batch, and tell the front.

        Raises:
            StoreRefusedError: It cannot be written now; its files are tried again later.
            StoreDamagedError: The database has to be made anew.
        """
        outcome = self.workspace.commit(batch, link=link)
        for path in outcome.again:
            self.later(path, now + _AGAIN)
        for path in outcome.unsure:
            self.later(path, now + _SETTLE)
        if outcome.paths:
            generation = self.workspace.generation
            self.report(Committed(self.root, generation, outcome.paths, outcome.interface_changed))
        self._opened.difference_update(batch.skipped, batch.gone)
        if self._awaited:
            self._arrived(batch.paths())
        for path in self._opened.intersection((*batch.records, *batch.same)):
            self._opened.discard(path)
            self._send_imports(path)
            self._use(path)
            self.demand.opened(path)
        self.demand.changed(batch.records)

    def later(self, path: str, when: float) -> None:
        """Look at a path again at a time, and not at the one that was named before."""
        self._when[path] = when
        heapq.heappush(self._later, (when, path))

    def due(self) -> float:
        """Return when the next path has to be looked at that waits for its time."""
        return self._later[0][0] if self._later else float("inf")

    def tell(self, **state: object) -> None:
        """Let the front know where this root stands, if that is something new."""
        base = {
            "root": self.root,
            "files": len(self.workspace.known),
            "skipped": self._phase.skipped,
            "leader": self._phase.leader,
            "notice": self._phase.notice,
            "left_out_outside": self._phase.left_out_outside,
            "database": self.workspace.store.own_path,
        }
        new = State(**{**base, **state})  # type: ignore[arg-type]
        if new != self._phase:
            self._phase = new
            self.report(new)

    def _without_shunned(self, paths: list[str], now: float) -> list[str]:
        """Put off the files at which workers died a short while ago."""
        self._shunned = {path: until for path, until in self._shunned.items() if until > now}
        for path in self._shunned.keys() & set(paths):
            self.later(path, self._shunned[path])
        return [path for path in paths if path not in self._shunned]

    def _send_imports(self, path: str) -> None:
        """Have the files read that an opened one imports, unless the tree is known already."""
        workspace = self.workspace
        language = workspace.language(path)
        imports = workspace.imports(path)
        found = imported_files(self.root, path, language, imports, self.ignore)
        missing = [target for target in found if target not in workspace.known]
        del missing[_MOST_IMPORTS:]
        self._use(*missing)
        for start in range(0, len(missing), CHUNK):
            self.send(missing[start : start + CHUNK], urgent=True)
        self._awaited[path] = set(missing)
        self._arrived(set())

    def _arrived(self, paths: set[str]) -> None:
        """Let the imports of opened files lead to what was read for them.

        A first index resolves all imports at its end, which is too late for who looks at a file.
        """
        for path, awaited in list(self._awaited.items()):
            awaited -= paths
            if not awaited:
                del self._awaited[path]
                self.workspace.link_some([path])
                self.report(Committed(self.root, self.workspace.generation, (path,)))

    def _use(self, *paths: str) -> None:
        """Watch the folders of files that are in use."""
        if self.watcher is not None:
            folders = (f"{self.root}/{path}".rpartition("/")[0] for path in paths)
            fresh = self.watcher.use(dict.fromkeys(folders))
            if self.workspace.compared:
                self.look_into(fresh)

    def look_into(self, folders: Iterable[str]) -> None:
        """Look for what happened in folders before they were watched."""
        names = [name for folder in folders for name in unlike(self.workspace, folder)]
        self.heard.add(names, time.monotonic() + PATIENCE)
