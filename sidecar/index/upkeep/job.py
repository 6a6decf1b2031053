"""Bulk work on one root, in steps: compare it with the disk, read what changed, resolve imports.

Between two steps the indexer serves whoever waits; a job that is dropped at any point leaves a
true index behind. Must never wait nor read events. May import what this package may.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from sidecar.index.extract.pool import CHUNK, cores
from sidecar.index.upkeep.batch import Batch
from sidecar.index.upkeep.priority import samples
from sidecar.index.upkeep.survey import Survey

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sidecar.index.extract.pool import Pool
    from sidecar.index.upkeep.site import Site

__all__ = ["FEW", "MANY", "demanded", "storm", "surveying"]

#: Fewer files are not worth the start of more processes.
FEW = 32

#: If more than so many files changed, and half of those that are known, then imports are resolved
#: once at the end.
MANY = 300

#: Files written in one transaction. More are faster, and let somebody who waits wait longer.
_BATCH = 200

#: The last files are given out in chunks of this part of what is left, but no smaller ones than
#: keep a worker busy for the length of a commit.
_LAST = 32
_LEAST = 4

#: Files whose imports are resolved in one transaction.
_LINKED = 200


def surveying(site: Site) -> Iterator[bool]:
    """Make a root equal to the disk. Yields whether there is more to do before something comes."""
    workspace = site.workspace
    # What is wanted from here on may concern what the walk has passed already.
    site.survey_wanted = False
    survey = Survey(workspace, site.walk_settings, site.settings.max_file_bytes)
    phase = "checking" if workspace.known else "walking"
    site.tell(phase=phase)
    for _ in survey.steps():
        site.tell(phase=phase, done=len(survey.found))
        if phase == "walking":
            # All that is found will be read, by processes that start while the walk goes on.
            _widen(site.pool, len(survey.found))
        yield True
    site.ignore = survey.ignore
    site.survey_seconds = survey.seconds
    # Times alone are followed by now and then; what was just loaded has them.
    workspace.follow(whole=site.surveyed)
    changed = survey.changed()
    lost = site.sort(survey.lost())
    changed += lost.read
    total = len(changed) + len(lost.gone)
    whole = workspace.unlinked or total > max(MANY, len(workspace.known) // 2)
    if changed:
        # What the first save or opened file waits for otherwise.
        site.pool.prepare(samples(changed))
    if whole:
        workspace.begin_bulk(survey.found.keys() | workspace.known.keys())
    yield from _remove(site, lost.gone, link=not whole)
    yield from _reading(site, changed, link=not whole)
    if whole:
        yield from _linking(site)
    workspace.forget_skips(survey.found)
    listed, more = survey.skips()
    workspace.write_skips(listed, more)
    site.demand.tidy()
    first = not site.surveyed
    site.surveyed = True
    counts = dict(more)
    for reason in listed.values():
        counts[reason] = counts.get(reason, 0) + 1
    site.tell(phase="idle", skipped=counts)
    if first:
        site.pool.prepare(samples(workspace.known))
        if site.watcher is not None:
            # These were watched from some moment of the walk on.
            site.look_into(site.watcher.directories)


def storm(site: Site, paths: Sequence[str]) -> Iterator[bool]:
    """Take in many named changes. Yields whether there is more to do before something comes."""
    found = site.sort(paths, unchanged=False)
    site.survey_wanted |= found.survey
    yield from _remove(site, found.gone, link=True)
    yield from _reading(site, found.read)
    site.tell(phase="idle")


def demanded(site: Site) -> Iterator[bool]:
    """Do one round of what opened files want from outside of the root."""
    work = site.demand.work(site.pool)
    while True:
        # Whoever waits for a file waits for one step of this at most.
        while site.urgent_under_way:
            yield False
        more = next(work, None)
        if more is None:
            break
        yield more
    site.tell(left_out_outside=dict(site.demand.skipped))


def _reading(site: Site, paths: Sequence[str], *, link: bool = True) -> Iterator[bool]:
    """Read and write many files. Yields whether there is more to do before something comes."""
    pool = site.pool
    total = len(paths)
    _widen(pool, total)
    position = 0
    while position < total or site.bulk_under_way or site.bulk:
        while position < total and pool.wants_more():
            # Smaller ones at the end, where one worker would have much to do and others nothing.
            size = min(CHUNK, max(_LEAST, (total - position) // _LAST))
            site.send(paths[position : position + size], urgent=False)
            position += size
        ready = len(site.bulk) >= _BATCH or (site.bulk and not site.bulk_under_way)
        # What somebody waits for is written before, not behind, a large transaction.
        if ready and not site.urgent_under_way:
            batch, site.bulk = site.bulk, Batch()
            site.commit(batch, time.monotonic(), link=link)
            done = min(position, total) - site.bulk_under_way
            site.tell(phase="indexing", done=done, total=total)
            yield True
        else:
            yield False


def _widen(pool: Pool, files: int) -> None:
    """Have as many workers for bulk work as are of use for so many files."""
    pool.widen(0 if files <= FEW else min(cores(), -(-files // CHUNK)))


def _remove(site: Site, paths: Sequence[str], *, link: bool) -> Iterator[bool]:
    for start in range(0, len(paths), _BATCH):
        batch = Batch()
        batch.gone.update(paths[start : start + _BATCH])
        site.commit(batch, time.monotonic(), link=link)
        yield True


def _linking(site: Site) -> Iterator[bool]:
    """Resolve all imports of a root."""
    workspace = site.workspace
    # What was left out or has gone meanwhile is nothing that an import could mean.
    workspace.follow()
    workspace.linker.replace(workspace.known)
    paths = list(workspace.known)
    for start in range(0, len(paths), _LINKED):
        workspace.link_some(paths[start : start + _LINKED])
        site.tell(phase="indexing", done=start, total=len(paths))
        yield True
    workspace.linker.forget_answers()
    workspace.end_bulk()
