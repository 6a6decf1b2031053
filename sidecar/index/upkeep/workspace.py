"""One root and its database: the one place where what was found on disk becomes what is known.

Each batch is one transaction that holds the files together with where imports lead, so that a
process killed at any point leaves an index that is true of the files it knows. Must never parse,
wait, or decide what is done next. May import `index.files`, `index.storage`,
and `batch` and `links` of this package.
"""

from __future__ import annotations

import contextlib
import time
from collections import Counter
from typing import TYPE_CHECKING

import msgpack

from sidecar.index.files.content import Skip
from sidecar.index.storage.store import Known
from sidecar.index.upkeep.batch import Outcome
from sidecar.index.upkeep.links import Concerned, Linker

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from sidecar.index.storage.store import Store
    from sidecar.index.upkeep.batch import Batch

__all__ = ["UNSURE", "Workspace"]

#: A time that no file has, so that the next sweep looks at the content.
UNSURE = -1

#: Each of them costs seconds and a process: they are not tried at every start, but once a day.
_FAILED = ("crashed", "too_slow")
_FAILED_HOURS = 24
_SET_FAILED = (
    "INSERT INTO meta VALUES ('failed', ?1)"
    " ON CONFLICT DO UPDATE SET value = ?1 WHERE abs(value - ?1) >= ?2"
)

#: Without where they lead, which is what shall be found out: it is asked of every file.
_IMPORTS = """
    SELECT module, name, alias FROM imports
    WHERE file = (SELECT id FROM files WHERE path = ?) ORDER BY ordinal
"""


class Workspace:
    """What is known of one root, in step with its database.

    Args:
        root: Absolute path of the root.
        store: Its database.
    """

    def __init__(self, root: str, store: Store) -> None:
        self.root = root
        self.store = store
        self.linker = Linker(root)
        self.known: dict[str, Known] = {}
        #: Files that were read and left out, as they were then.
        self.skips: dict[str, Skip] = {}
        self._languages: dict[str, str] = {}
        self._generation = -1
        self._epoch = -1
        self.reload()

    def reload(self) -> None:
        """Know what the database says, whatever was known before."""
        self._epoch = self.store.epoch
        self._generation = self.store.generation
        self.known = self.store.known()
        self._languages = self.store.languages()
        self.skips = self._read_skips()
        self.linker.replace(self.known)

    @property
    def replaced(self) -> bool:
        """Whether another database took the place of the one that was loaded."""
        return self.store.epoch != self._epoch

    @property
    def generation(self) -> int:
        """The database's counter of changes when it was last looked at."""
        return self._generation

    def follow(self, *, whole: bool = False) -> bool:
        """Take in what other processes wrote; tell whether they did.

        Args:
            whole: Whether to take in as well what has another time and the same content.
        """
        if self.replaced:
            self.reload()
            return True
        generation = self.store.generation
        if generation == self._generation and not whole:
            return False
        written = None if whole else self.store.written_since(self._generation)
        self._generation = generation
        if written is not None:
            self._follow_few(written)
            return True
        before, self.known = self.known, self.store.known()
        self._languages = self.store.languages()
        edited = [
            path
            for path, known in self.known.items()
            if (old := before.get(path)) is not None and old.digest != known.digest
        ]
        self.linker.change(
            self.known.keys() - before.keys(), before.keys() - self.known.keys(), edited
        )
        return True

    def _follow_few(self, paths: Iterable[str]) -> None:
        """Take in what became of some files."""
        added, removed, edited = [], [], []
        for path in paths:
            old = self.known.get(path)
            now = self.store.known_file(path)
            if now is not None:
                self.known[path], self._languages[path] = now
                if old is None:
                    added.append(path)
                elif old.digest != now[0].digest:
                    edited.append(path)
            elif old is not None:
                del self.known[path]
                self._languages.pop(path, None)
                removed.append(path)
        self.linker.change(added, removed, edited)

    def below(self, folder: str) -> list[str]:
        """Return the files that are known below a folder."""
        inside = f"{folder}/"
        return [
            path
            for held, paths in self.linker.tree.folders.items()
            if held == folder or held.startswith(inside)
            for path in paths
            if path in self.known
        ]

    def commit(self, batch: Batch, *, link: bool = True) -> Outcome:
        """Write a batch in one transaction.

        Args:
            batch: What was found.
            link: Whether to resolve imports as well. Without it, `begin_bulk` must have been
                called and `link_all` has to follow.

        Raises:
            StoreRefusedError: It cannot be written now; nothing was.
            StoreDamagedError: The database has to be made anew.
        """
        try:
            with self.store.writing():
                self.follow()
                return self._commit(batch, link=link)
        except BaseException:
            # What is in memory may be ahead of the database now.
            if not self.replaced:
                self._generation = -1
            raise

    def _commit(self, batch: Batch, *, link: bool) -> Outcome:
        store = self.store
        gone = [path for path in (*batch.gone, *batch.skipped) if path in self.known]
        importers = store.remove(gone) if gone else []
        result = store.put(list(batch.records.values()))
        stale = frozenset(result.stale)
        written = {path: record for path, record in batch.records.items() if path not in stale}
        self._list_skips(batch, written)
        for path in gone:
            del self.known[path]
            self._languages.pop(path, None)
        edited = []
        for path, record in written.items():
            old = self.known.get(path)
            if old is not None and old.digest != record.digest:
                edited.append(path)
            self.known[path] = Known(record.size, record.mtime_ns, record.digest)
            self._languages[path] = record.language
        again = self._touch(batch)
        concerned = self.linker.change(written, (*batch.gone, *batch.skipped), edited)
        if link:
            self._link(dict.fromkeys((*result.unresolved, *importers)), concerned)
        before, self._generation = self._generation, store.generation
        paths = (*gone, *written) if self._generation != before else ()
        return Outcome(
            paths,
            (*gone, *result.changed),
            (*result.stale, *batch.changing, *again),
            tuple(batch.unsure),
        )

    def _touch(self, batch: Batch) -> list[str]:
        """Note the times of files that are the same, and of those whose time says nothing.

        Returns:
            Files that are not what they were held to be, and have to be read again.
        """
        again = []
        touched = []
        for path, now in batch.same.items():
            old = self.known.get(path)
            if old is None or old.digest != now.digest:
                # The same as what was known when it was sent to be read, and not any more.
                again.append(path)
            elif path not in batch.unsure and old != now:
                self.known[path] = now
                touched.append((path, now.size, now.mtime_ns))
        for path in batch.unsure:
            old = self.known.get(path)
            if old is not None and old.mtime_ns != UNSURE:
                self.known[path] = old._replace(mtime_ns=UNSURE)
                touched.append((path, old.size, UNSURE))
        if touched:
            self.store.touch(touched)
        return again

    def _list_skips(self, batch: Batch, written: Iterable[str]) -> None:
        listed: dict[str, str | None] = {
            path: None for path in (*written, *batch.gone) if path in self.skips
        }
        listed.update((path, skip.reason) for path, skip in batch.skipped.items())
        for path in listed:
            self.skips.pop(path, None)
        self.skips.update(batch.skipped)
        if listed:
            self.store.skip(listed)

    def begin_bulk(self, files: Collection[str]) -> None:
        """Write that imports are not resolved from here on, and know the tree that there will be.

        Args:
            files: All files that the walk found.
        """
        with self.store.writing() as connection:
            connection.execute("INSERT OR REPLACE INTO meta VALUES ('unlinked', 1)")
        self.linker.replace(files)

    def forget_skips(self, found: Collection[str]) -> None:
        """Forget what was left out and is not there any more."""
        self.skips = {path: skip for path, skip in self.skips.items() if path in found}

    def write_skips(self, listed: Mapping[str, str], more: Mapping[str, int]) -> None:
        """Replace the account of what is left out, and keep what spares reading it once more.

        Args:
            listed: Reasons by path.
            more: By reason, how many there are beyond those.
        """
        kept = msgpack.packb({path: tuple(skip) for path, skip in self.skips.items()})
        with self.store.writing() as connection:
            self.store.set_skips(listed, more)
            connection.execute("INSERT OR REPLACE INTO meta VALUES ('skips', ?)", (kept,))
            if any(skip.reason in _FAILED for skip in self.skips.values()):
                connection.execute(_SET_FAILED, (_hours(), _FAILED_HOURS))
            else:
                connection.execute("DELETE FROM meta WHERE key = 'failed'")

    def _read_skips(self) -> dict[str, Skip]:
        rows = self.store.rows("SELECT value FROM meta WHERE key = 'skips'")
        if not rows:
            return {}
        skips = {path: Skip(*skip) for path, skip in msgpack.unpackb(rows[0][0]).items()}
        failed = self.store.rows("SELECT value FROM meta WHERE key = 'failed'")
        if failed and abs(_hours() - failed[0][0]) < _FAILED_HOURS:
            return skips
        # A machine with less to do, or another version of a grammar, may come to an end with them.
        return {path: skip for path, skip in skips.items() if skip.reason not in _FAILED}

    @property
    def compared(self) -> bool:
        """Whether any process ever compared the whole root with the disk."""
        return bool(self.store.rows("SELECT 1 FROM meta WHERE key = 'skips'"))

    @property
    def unlinked(self) -> bool:
        """Whether bulk work was begun by any process and its imports were never all resolved."""
        return bool(self.store.rows("SELECT 1 FROM meta WHERE key = 'unlinked'"))

    def link_some(self, paths: Iterable[str]) -> None:
        """Resolve the imports of some files again."""
        with self.writing():
            self._link(paths, Concerned(set(), set()))

    @contextlib.contextmanager
    def writing(self) -> Iterator[None]:
        """A transaction about what is no content of the workspace's files."""
        try:
            with self.store.writing():
                self.follow()
                yield
                self._generation = self.store.generation
        except BaseException:
            if not self.replaced:
                self._generation = -1
            raise

    def end_bulk(self) -> None:
        """Write that all imports are resolved."""
        with self.store.writing() as connection:
            connection.execute("DELETE FROM meta WHERE key = 'unlinked'")

    def _link(self, paths: Iterable[str], concerned: Concerned) -> None:
        todo = dict.fromkeys(paths)
        if concerned:
            todo.update(dict.fromkeys(self.store.waiting(sorted(concerned.keys))))
            for language, folder in concerned.languages:
                inside = f"{folder}/" if folder else ""
                todo.update(
                    (path, None)
                    for path, spoken in self._languages.items()
                    if spoken == language and path.startswith(inside)
                )
        if todo:
            self.store.link(
                self.linker.links(path, self._languages.get(path, ""), self.imports(path))
                for path in todo
            )

    def imports(self, path: str) -> list[tuple[str, str, str]]:
        """Return module, name and alias of each import of a file, in order."""
        return self.store.rows(_IMPORTS, (path,))

    def language(self, path: str) -> str:
        """Return the name of a file's language, or nothing."""
        return self._languages.get(path, "")

    def language_counts(self) -> dict[str, int]:
        """Return how many files there are in each language; unknown ones under no name."""
        return dict(Counter(self._languages.values()))


def _hours() -> int:
    return int(time.time() / 3600)
