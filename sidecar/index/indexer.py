"""The indexer: takes what fronts, workers and watchers say, and keeps its roots true.

One thread does all that is done to databases. After each event and between two steps of bulk work
it serves whoever waits. Must never parse a file nor block on anything but its inbox. May import
`index` and `errors`.
"""

from __future__ import annotations

import logging
import time
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, NamedTuple

from sidecar.errors import SidecarError
from sidecar.index.extract.pool import PoolEvent
from sidecar.index.place import database_path
from sidecar.index.storage.database import StoreDamagedError, StoreRefusedError
from sidecar.index.upkeep.job import demanded, storm, surveying
from sidecar.index.upkeep.serving import Serving
from sidecar.index.wire.messages import (
    Busy,
    Changed,
    IndexSettings,
    Open,
    Opened,
    Rescan,
    State,
    Stop,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from sidecar.index.extract.pool import Pool
    from sidecar.index.wire.messages import Committed, FromFront

__all__ = ["Inbox", "Indexer"]

log = logging.getLogger(__name__)

#: Seconds until a database that could not be written is tried again.
_REFUSED = 10.0

#: Seconds for which the processes for bulk work are kept: one storm seldom comes alone.
_BULK_KEPT = 10.0

#: How often things are looked at that nobody tells.
_TICK = 1.0

#: Others than the leader leave storms to it, and look after this time whether it took them.
_STORM_PATIENCE = 5.0


class _Checked(NamedTuple):
    """A database was read from end to end."""

    root: str
    whole: bool


#: Where everything arrives, from any thread.
Inbox = SimpleQueue["FromFront | PoolEvent | _Checked"]


class Indexer:
    """Keeps the indexes of some roots.

    Args:
        report: Takes messages for the front, on the thread that runs `run`.
        inbox: Where fronts, workers and watchers put what they say.
        pool: The workers, which put theirs into the inbox; it is closed with the indexer.
        alone: Whether to do the heavy work no matter who else serves the same roots.
        database: Where the database of a root lies; by default where all processes look for it.
    """

    def __init__(
        self,
        report: Callable[[Committed | State], None],
        inbox: Inbox,
        pool: Pool,
        *,
        alone: bool = False,
        database: Callable[[str], Path] = database_path,
    ) -> None:
        self._report = report
        self._alone = alone
        self._database = database
        self.inbox = inbox
        self.pool = pool
        self.sites: dict[str, Serving] = {}
        self._job: Iterator[bool] | None = None
        self._job_of: Serving | None = None
        self._job_waits = False
        #: Whether the job is about the root itself, and not about what lies outside of it.
        self._job_inside = True
        self._job_ended = 0.0
        self._paused_until = 0.0
        self._ticked = 0.0
        self._stopping = False

    def run(self) -> None:
        """Work until `Stop` comes."""
        while not self._stopping:
            self.turn(block=True)

    def turn(self, *, block: bool) -> None:
        """Take what came, serve who waits, and do one step of bulk work.

        Args:
            block: Whether to wait until something comes if there is nothing to do.
        """
        self._take(self._wait() if block else 0.0)
        now = time.monotonic()
        for served in self.sites.values():
            self._guarded(served, served.site.take_heard, now)
            self._guarded(served, served.site.take_urgent, now)
            self._guarded(served, served.site.commit_urgent, now)
        if now - self._ticked >= _TICK:
            self._ticked = now
            self._tick(now)
        if now >= self._paused_until:
            self._step(now)

    @property
    def idle(self) -> bool:
        """Whether every root was compared with the disk and nothing is under way."""
        now = time.monotonic()
        return self._job is None and all(
            served.site.surveyed
            and not served.site.survey_wanted
            and not served.site.under_way(now)
            and _demand_due(served) == float("inf")
            for served in self.sites.values()
        )

    def close(self) -> None:
        """End the workers and let go of the databases."""
        self.pool.close()
        for served in self.sites.values():
            served.close()
        self.sites = {}

    # Events.

    def _wait(self) -> float:
        """Return how long nothing has to be done, in seconds."""
        now = time.monotonic()
        due = self._ticked + _TICK
        if self._job is not None and not self._job_waits:
            due = min(due, self._paused_until)
        for served in self.sites.values():
            due = min(due, served.site.due(), served.site.heard.due())
            if self._job is None:
                wanted = served.leads and served.site.survey_wanted
                bulk = served.site.changes.bulk_due() + _patience(served)
                outside = _demand_due(served)
                due = min(due, max(self._paused_until, now if wanted else min(bulk, outside)))
        return max(0.0, due - now)

    def _take(self, seconds: float) -> None:
        with suppress(Empty):
            self._handle(self.inbox.get(timeout=seconds) if seconds else self.inbox.get_nowait())
            while True:
                self._handle(self.inbox.get_nowait())

    def _handle(self, event: FromFront | PoolEvent | _Checked) -> None:
        now = time.monotonic()
        match event:
            case PoolEvent():
                self._job_waits = False
                for result in self.pool.handle(event):
                    served = self.sites.get(result.chunk.owner)
                    if served is not None:
                        served.site.receive(result)
            case Changed(paths):
                for served in self.sites.values():
                    served.site.changed(paths, now)
            case Opened(path):
                for served in self.sites.values():
                    served.site.opened(path)
            case Busy(ms):
                self._paused_until = now + ms / 1000
            case Rescan():
                for served in self.sites.values():
                    served.site.survey_wanted = True
            case Open(roots, settings, watch):
                self._open(roots, settings, watch=watch)
            case _Checked(root, whole):
                served = self.sites.get(root)
                if served is not None and not whole:
                    self._rebuild(served)
            case Stop():
                self._stopping = True
            case _:
                log.warning("a message of no known kind")

    def _open(self, roots: tuple[str, ...], settings: IndexSettings, *, watch: bool) -> None:
        for root in [root for root in self.sites if root not in roots]:
            self._drop_job(self.sites[root])
            self.sites.pop(root).close()
        for root in roots:
            if root in self.sites and self.sites[root].site.settings == settings:
                self.sites[root].watch(self._wake, wanted=watch)
                continue
            if root in self.sites:
                self._drop_job(self.sites[root])
                self.sites.pop(root).close()
            try:
                served = Serving(
                    root,
                    self._database(root),
                    settings,
                    self.pool,
                    self._report,
                    alone=self._alone,
                )
            except (SidecarError, OSError) as error:
                if self._alone and isinstance(error, SidecarError):
                    raise
                notice = str(error) if isinstance(error, SidecarError) else error.strerror or ""
                self._report(State(root, "failed", notice=notice))
                continue
            self.sites[root] = served
            served.watch(self._wake, wanted=watch)
            served.check(lambda root, whole: self.inbox.put(_Checked(root, whole)))
        self._ticked = 0.0

    def _wake(self) -> None:
        self.inbox.put(Changed(()))

    # Bulk work.

    def _tick(self, now: float) -> None:
        self.pool.check()
        if self._job is None and now - self._job_ended > _BULK_KEPT:
            self.pool.narrow()
        for served in self.sites.values():
            self._guarded(served, served.tick, now)

    def _step(self, now: float) -> None:
        if self._job is None:
            self._choose(now)
        if self._job is None or self._job_of is None or self._job_waits:
            return
        served = self._job_of
        job = self._job

        def step(_now: float) -> None:
            try:
                self._job_waits = not next(job)
            except StopIteration:
                self._job = self._job_of = None
                self._job_ended = time.monotonic()
                if self._job_inside:
                    served.worked(self._job_ended)
                else:
                    served.wrote()

        self._guarded(served, step, now)

    def _choose(self, now: float) -> None:
        for served in self.sites.values():
            site = served.site
            if served.leads and site.survey_wanted:
                self._job, self._job_of = surveying(site), served
            else:
                paths = site.changes.take_bulk(now - _patience(served))
                if not paths:
                    continue
                self._job, self._job_of = storm(site, paths), served
            self._job_waits = False
            self._job_inside = True
            return
        for served in self.sites.values():
            # Last of all, and nobody waits for it.
            if _demand_due(served) <= now:
                self._job, self._job_of = demanded(served.site), served
                self._job_waits = self._job_inside = False
                return

    def _drop_job(self, served: Serving) -> None:
        if self._job_of is served:
            self._job = self._job_of = None
            self.pool.narrow()
        served.site.drop()

    def _guarded(self, served: Serving, action: Callable[[float], None], now: float) -> None:
        """Do something with a database, and go on if it cannot be written or is damaged."""
        try:
            action(now)
        except StoreDamagedError as error:
            log.warning("%s", error)
            self._rebuild(served)
        except StoreRefusedError as error:
            if self._alone:
                # Somebody waits for the end of this, and can make room or choose another place.
                raise
            log.warning("%s", error)
            self._drop_job(served)
            served.refused(now + _REFUSED, str(error))

    def _rebuild(self, served: Serving) -> None:
        self._drop_job(served)
        try:
            served.rebuild()
        except SidecarError as error:
            served.refused(time.monotonic() + _REFUSED, str(error))


def _demand_due(served: Serving) -> float:
    """Return when something outside of a root may be looked for: not before that is known."""
    site = served.site
    if served.leads and (site.survey_wanted or not site.surveyed):
        return float("inf")
    return site.demand.due()


def _patience(served: Serving) -> float:
    return 0.0 if served.leads else _STORM_PATIENCE
