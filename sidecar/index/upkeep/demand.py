"""Reads what opened files import from outside of the workspace: on demand, when nothing else waits.

An opened file's imports that lead nowhere inside are looked for outside, their files are read for
declarations alone, and then what those pass on to their importers, a few steps deep. Everything is
done in rounds short enough that whatever comes meanwhile goes first. Must never open a file nor
wait. May import what this package may.
"""

from __future__ import annotations

import logging
import os
import time
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from sidecar.index.extract.pool import Chunk
from sidecar.index.outside import Outside
from sidecar.index.outside.passed import passed_on
from sidecar.index.storage.store import Links
from sidecar.index.upkeep.batch import Batch
from sidecar.index.wire.messages import Committed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from sidecar.index.extract.pool import Pool, Result
    from sidecar.index.upkeep.workspace import Workspace
    from sidecar.index.wire.messages import IndexSettings, State

__all__ = ["MOST_FILES", "Demand"]

log = logging.getLogger(__name__)

#: Files outside that are kept: those that were wanted last.
MOST_FILES = 2_000
#: Files that one import brings with it, and that all imports of one file do.
_MOST_OF_IMPORT = 64
_MOST_OF_FILE = 500
#: Imports of one file that are looked for.
_MOST_IMPORTS = 300
#: How often a name is followed from one file that passes it on to the next.
_DEEPEST = 3
#: Files read and written together, and files that a worker is given at once.
_ROUND = 16
_CHUNK = 4
#: Seconds after which a step ends that looks at the disk.
_STEP = 0.003
#: Seconds for which a file that imports what it did before is not looked at again.
_FRESH = 30.0
#: Opened files that are looked at again when they change.
_MOST_OPENED = 64
#: Seconds until work that could not be finished is begun again.
_AGAIN = 10.0


class _Step(NamedTuple):
    """A file outside, and what is wanted of it: a name, or with nothing all that it has.

    Args:
        path: The file.
        name: The name.
        left: How many files the import may still bring, in a list of one.
    """

    path: str
    name: str
    left: list[int]


class Demand:
    """What is wanted from outside of one root.

    Args:
        workspace: What is known of the root.
        settings: What the user said.
        report: Takes what the front has to know.
    """

    def __init__(
        self,
        workspace: Workspace,
        settings: IndexSettings,
        report: Callable[[Committed | State], None],
    ) -> None:
        self._workspace = workspace
        self._settings = settings
        self._report = report
        self._opened: dict[str, None] = {}
        self._waiting: dict[str, None] = {}
        self._done: dict[str, tuple[frozenset[tuple[str, str]], float]] = {}
        self._rounds: Iterator[bool | None] | None = None
        self._known = workspace.store.known_outside()
        self._batch = Batch()
        self._written: set[str] = set()
        self.under_way = 0
        self._stamp = 0
        self._not_before = 0.0
        #: By path, size and time of what was read and left out, so that it is not read again.
        self._left_out: dict[str, tuple[int, int]] = {}
        #: Files that were left out, by reason.
        self.skipped: Counter[str] = Counter()

    def opened(self, path: str) -> None:
        """Want what a file of the workspace imports from outside, now and when it changes."""
        if self._settings.external:
            self._opened.pop(path, None)
            self._opened[path] = None
            if len(self._opened) > _MOST_OPENED:
                del self._opened[next(iter(self._opened))]
            self._waiting[path] = None

    def changed(self, paths: Iterable[str]) -> None:
        """Take in that files of the workspace were written."""
        for path in paths:
            if path in self._opened:
                self._waiting[path] = None

    def due(self) -> float:
        """Return when there is something to do; infinity if there is nothing."""
        return self._not_before if self._waiting or self._rounds is not None else float("inf")

    def work(self, pool: Pool) -> Iterator[bool]:
        """Do one round. Yields whether there is more to do before something comes."""
        if self._rounds is None:
            if not self._waiting:
                return
            if self._workspace.unlinked:
                # What leads nowhere yet may lead to the workspace in a moment.
                self._not_before = time.monotonic() + 1.0
                return
            path = next(iter(self._waiting))
            del self._waiting[path]
            self._rounds = self._look(path, pool)
        for more in self._rounds:
            if more is None:
                return
            yield more
        self._rounds = None

    def receive(self, result: Result) -> None:
        """Take in what came of one file."""
        if result.chunk.stamp != self._stamp:
            return
        self.under_way -= 1
        made = result.made
        if result.reason:
            log.warning("a file outside of the workspace was left out: %s", result.reason)
            made = ("skip", result.reason, *(_state(result.path) or (-1, -1)))
        self._batch.add(result.path, made)

    def drop(self) -> None:
        """Give up what is under way, and begin again with the files that are open."""
        self._stamp += 1
        self.under_way = 0
        self._batch = Batch()
        self._rounds = None
        self._done.clear()
        self._waiting = dict.fromkeys(self._opened)
        self._not_before = time.monotonic() + _AGAIN

    def tidy(self) -> None:
        """Forget what no file of the workspace imports any more, or everything if it is not wanted.

        Raises:
            StoreRefusedError: It cannot be written now.
            StoreDamagedError: The database has to be made anew.
        """
        self._know()
        if self._known:
            with self._workspace.writing():
                self._workspace.store.prune_outside(MOST_FILES if self._settings.external else 0)
            self._know()

    def _know(self) -> None:
        self._known = self._workspace.store.known_outside()

    def _look(self, path: str, pool: Pool) -> Iterator[bool | None]:
        """Look for what one file imports. Yields also None: at the end of a round."""
        workspace = self._workspace
        language = workspace.language(path)
        finder = Outside(workspace.root, os.environ)
        if path not in workspace.known or not finder.knows(language):
            return
        imports = workspace.imports(path)
        found = workspace.linker.links(path, language, imports).targets
        unresolved = dict.fromkeys(
            (module, name)
            for (module, name, _), targets in zip(imports, found, strict=True)
            if not targets
        )
        asked = frozenset(unresolved)
        before, when = self._done.get(path, (None, 0.0))
        if before == asked and time.monotonic() < when + _FRESH:
            return
        self._done[path] = asked, time.monotonic()
        self._know()
        self._written.clear()
        leads: dict[str, dict[tuple[str, str], tuple[str, ...]]] = {path: {}}
        level: list[_Step] = []
        start = time.monotonic()
        for module, name in list(unresolved)[:_MOST_IMPORTS]:
            targets = finder.find(language, module, name, path)
            leads[path][module, name] = targets
            left = [_MOST_OF_IMPORT]
            level += _steps(targets, name, left)
            if time.monotonic() > start + _STEP:
                yield True
                start = time.monotonic()
        wanted: dict[str, None] = {}
        seen: set[tuple[str, str]] = set()
        for depth in range(_DEEPEST + 1):
            files = dict.fromkeys(step.path for step in level if step.path not in wanted)
            for file in list(files)[max(0, _MOST_OF_FILE - len(wanted)) :]:
                del files[file]
            wanted.update(files)
            yield from self._read(list(files), pool)
            yield True
            self._lead(path, leads)
            yield True
            start = time.monotonic()
            leads = {}
            if depth == _DEEPEST:
                break
            following: list[_Step] = []
            for step in level:
                if step[:2] in seen or step.path not in self._known:
                    continue
                seen.add(step[:2])
                own = workspace.imports(step.path)
                for (module, name), further in passed_on(language, step.path, own, step.name):
                    if step.left[0] <= 0:
                        break
                    targets = finder.find(language, module, name, step.path)
                    leads.setdefault(step.path, {})[module, name] = targets
                    following += _steps(targets, further, step.left)
                if time.monotonic() > start + _STEP:
                    yield True
                    start = time.monotonic()
            level = following
            if not level:
                break
        with workspace.writing():
            workspace.store.want_outside(wanted, int(time.time()))
        yield True
        self.tidy()

    def _read(self, paths: list[str], pool: Pool) -> Iterator[bool | None]:
        """Have those files read that are not known as they are on disk."""
        changed = [path for path in paths if not self._is_known(path)]
        for at in range(0, len(changed), _ROUND):
            pool.widen(1)
            part = changed[at : at + _ROUND]
            self.under_way += len(part)
            for start in range(0, len(part), _CHUNK):
                files = tuple(
                    (path, held.digest if (held := self._known.get(path)) is not None else b"")
                    for path in part[start : start + _CHUNK]
                )
                root, size = self._workspace.root, self._settings.max_file_bytes
                pool.submit(Chunk(root, root, size, files, self._stamp, outside=True))
            while self.under_way:
                yield False
            self._write()
            yield None

    def _is_known(self, path: str) -> bool:
        now = _state(path)
        held = self._known.get(path)
        return (held is not None and held[:2] == now) or self._left_out.get(path) == now

    def _write(self) -> None:
        """Write what was read in a round."""
        batch, self._batch = self._batch, Batch()
        store = self._workspace.store
        for path, skip in batch.skipped.items():
            self.skipped[skip.reason] += 1
            self._left_out[path] = skip.size, skip.mtime_ns
        lost = [path for path in (*batch.gone, *batch.skipped) if path in self._known]
        # A time that says nothing yet is not kept: the next time its content is compared.
        times = [(path, held.size, held.mtime_ns) for path, held in batch.same.items()]
        times += [(path, -1, -1) for path in batch.unsure]
        with self._workspace.writing():
            if lost:
                store.remove(lost)
            store.put(list(batch.records.values()))
            store.touch(times)
        self._written.update(batch.records)
        self._know()

    def _lead(self, opened: str, leads: dict[str, dict[tuple[str, str], tuple[str, ...]]]) -> None:
        """Write where imports lead, now that it is known what is there."""
        workspace, store = self._workspace, self._workspace.store
        before = workspace.generation
        with workspace.writing():
            for path, targets in leads.items():
                changed = store.lead_outside(path, targets)
                if not changed and path not in self._written:
                    continue
                if path in self._known:
                    store.link([Links(path, [()] * len(workspace.imports(path)), ())])
                else:
                    workspace.link_some([path])
        if workspace.generation != before:
            self._report(Committed(workspace.root, workspace.generation, (opened,)))


def _state(path: str) -> tuple[int, int] | None:
    """Return size and time of a file, if there is one."""
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return None
    return found.st_size, found.st_mtime_ns


def _steps(targets: tuple[str, ...], name: str, left: list[int]) -> list[_Step]:
    taken = targets[: max(0, left[0])]
    left[0] -= len(taken)
    return [_Step(path, name, left) for path in taken]
