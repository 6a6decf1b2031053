"""What it takes to serve a root: its database, the lease, a watcher, and when to sweep.

Several processes may serve one root. The one that holds the lease compares the root with the disk;
the others write what their own editor changes, and one of them takes over when the holder ends.
Must never parse. May import what this package may.
"""

from __future__ import annotations

import logging
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

from sidecar.index.storage.store import Store
from sidecar.index.upkeep.heard import PATIENCE
from sidecar.index.upkeep.priority import samples
from sidecar.index.upkeep.site import Site
from sidecar.locks import FileLock

if TYPE_CHECKING:
    from collections.abc import Callable

    from sidecar.index.extract.pool import Pool
    from sidecar.index.wire.messages import Committed, IndexSettings, State

__all__ = ["Serving"]

log = logging.getLogger(__name__)

#: A sweep may take this share of the time at most: large roots are compared less often.
_SWEEP_SHARE = 0.02


class Serving:
    """One root being served, from opening its database to closing it.

    Args:
        root: Absolute path of the root.
        database: Where its database lies.
        settings: What the user said.
        pool: Where files are extracted.
        report: Takes what the front has to know.
        alone: Whether to do the heavy work without asking for the lease.
    """

    def __init__(
        self,
        root: str,
        database: Path,
        settings: IndexSettings,
        pool: Pool,
        report: Callable[[Committed | State], None],
        *,
        alone: bool = False,
    ) -> None:
        self.root = root
        self.store = Store.open(database, Path(root))
        self.site = Site(root, self.store, settings, pool, report)
        self._lease = FileLock(database.with_name(f"{database.name}.lease"))
        self._epoch = self.store.epoch
        self._next_sweep = 0.0
        self._retry = float("inf")
        self._stop = threading.Event()
        self._checking: threading.Thread | None = None
        self._pending = False
        self._ahead = False
        #: Whether this process does the heavy work.
        self.leads = False
        self._lead(alone=alone)

    def watch(self, wake: Callable[[], None], *, wanted: bool) -> None:
        """Watch directories, or stop to.

        Args:
            wake: Called on any thread when something was heard of and the site has to be asked
                when that is due.
            wanted: Whether to watch.
        """
        site = self.site

        def report(paths: list[str]) -> None:
            if site.heard.add(paths, time.monotonic() + PATIENCE):
                wake()

        if wanted and site.watcher is None:
            # Loaded only where it is needed: most editors report events themselves.
            from sidecar.index.upkeep.watch import Watcher

            site.watcher = Watcher(self.root, report)
        elif not wanted and site.watcher is not None:
            site.watcher.close()
            site.watcher = None

    def check(self, report: Callable[[str, bool], None]) -> None:
        """Look in the background whether a database is whole that a killed process left behind."""
        if not self.store.unclean or self.store.path is None:
            return

        def run() -> None:
            report(self.root, self.store.quick_check(self._stop))

        self._checking = threading.Thread(target=run, name="index-check", daemon=True)
        self._checking.start()

    def tick(self, now: float) -> None:
        """Do what nobody tells us to: take the lease, sweep, try again what was refused."""
        if not self.leads:
            self._lead(alone=False)
        if not self.leads:
            self._attend()
        if self.store.epoch != self._epoch:
            # Another database took the place of ours, and may know less.
            self.renew()
        if now >= self._retry:
            self._retry = float("inf")
            self.site.survey_wanted = True
        if now >= self._next_sweep:
            self._next_sweep = float("inf")
            self.site.survey_wanted = True
        if self._pending and not self.site.under_way(now):
            self._pending = False
            self.store.checkpoint()

    def worked(self, now: float) -> None:
        """Note that bulk work is finished."""
        site = self.site
        self._next_sweep = now + max(
            site.settings.sweep_seconds, site.survey_seconds / _SWEEP_SHARE
        )
        self.wrote()
        notice = self.store.notice or (site.watcher.notice if site.watcher is not None else "")
        site.tell(notice=notice)

    def wrote(self) -> None:
        """Note that something was written that is not in its place yet."""
        self._pending = True

    def refused(self, until: float, notice: str) -> None:
        """Note that the database cannot be written for now."""
        self._retry = until
        self.site.tell(notice=notice)

    def rebuild(self) -> None:
        """Put a new database into the place of a damaged one.

        Raises:
            SidecarError: That is not possible either.
        """
        self.store.rebuild()
        self.renew()

    def renew(self) -> None:
        """Begin anew with the database that is there now."""
        self._epoch = self.store.epoch
        self.site.drop()
        self.site.workspace.reload()
        self.site.surveyed = False
        self.site.survey_wanted = True

    def close(self) -> None:
        """Let go of everything."""
        self._stop.set()
        if self._checking is not None:
            self._checking.join()
        if self.site.watcher is not None:
            self.site.watcher.close()
        self.store.close()
        self._lease.release()

    def _attend(self) -> None:
        """Tell how the process gets on that does the heavy work."""
        site = self.site
        site.workspace.follow()
        if site.workspace.unlinked:
            site.tell(phase="indexing", done=len(site.workspace.known))
            return
        if not site.workspace.compared:
            site.tell(phase="walking")
            return
        if not self._ahead:
            self._ahead = True
            site.pool.prepare(samples(site.workspace.known))
        site.tell(phase="idle", notice=self.store.notice)

    def _lead(self, *, alone: bool) -> None:
        try:
            self.leads = alone or self.store.private or self._lease.acquire()
        except OSError as error:
            # Without locks nobody can agree on anything; each does all of it, which only costs.
            log.warning("the lease cannot be taken (%s)", error.strerror)
            self.leads = True
        if self.leads:
            # The one before may have ended in the middle of anything.
            self.site.survey_wanted = True
            self.site.tell(leader=True)
