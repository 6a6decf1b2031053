"""The writer of an index: one short transaction for each set of files that changed.

Several processes may have one open; they write one after another, and nobody who reads waits. Rows
that are the same as before are left alone, which makes the usual edit cheap. Must never parse, and
never write what was read before the file changed again. May import `records` of
`index.extract`, and `definers`, `edges`, `externals`, `holder` and `rows` of this package.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from sidecar.index.storage.definers import define
from sidecar.index.storage.edges import write_keys, write_links
from sidecar.index.storage.externals import dispensable, lead_outside
from sidecar.index.storage.holder import WritableDatabase
from sidecar.index.storage.rows import (
    advance,
    file_id,
    forget,
    storable,
    write_names,
    write_record,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from sidecar.index.extract.records import FileRecord

__all__ = ["ImportRow", "Known", "Links", "PutResult", "Store"]


class Known(NamedTuple):
    """What tells whether a file is the one that was indexed."""

    size: int
    mtime_ns: int
    digest: bytes


class PutResult(NamedTuple):
    """What came of writing files.

    Args:
        added: Files that were not known before.
        changed: Files whose interface is another than before, new ones included.
        unresolved: Files whose imports have to be resolved and given to `link`.
        stale: Files that changed after they were read, and were not written.
    """

    added: list[str]
    changed: list[str]
    unresolved: list[str]
    stale: list[str]


class ImportRow(NamedTuple):
    """An import of a file as the store knows it."""

    module: str
    name: str
    alias: str
    target: str | None
    definer: str | None


class Links(NamedTuple):
    """Where the imports of a file lead.

    Args:
        path: The file.
        targets: For each of its imports in order, the files that it means, best first.
        keys: Stems and folder names whose coming or going could change that.
    """

    path: str
    targets: Sequence[Sequence[str]]
    keys: Collection[str]


class Store(WritableDatabase):
    """An open index. Made by `open`."""

    @property
    def generation(self) -> int:
        """A number that grows with each commit that changed what is known."""
        return int(self.rows("SELECT value FROM meta WHERE key = 'generation'")[0][0])

    def known(self) -> dict[str, Known]:
        """Return all files of the workspace with what tells whether they changed since."""
        rows = self.rows("SELECT path, size, mtime_ns, digest FROM files WHERE NOT external")
        return {row[0]: Known(*row[1:]) for row in rows}

    def known_file(self, path: str) -> tuple[Known, str] | None:
        """Return what tells whether a file of the workspace changed, and its language."""
        rows = self.rows(
            "SELECT size, mtime_ns, digest, language FROM files WHERE path = ? AND NOT external",
            (path,),
        )
        return (Known(*rows[0][:3]), rows[0][3]) if rows else None

    def written_since(self, generation: int) -> set[str] | None:
        """Return the files that were written or removed since, or None if that is too long ago.

        Files whose time alone is another one are not among them.
        """
        rows = self.rows("SELECT paths FROM journal WHERE generation > ?", (generation,))
        if len(rows) != self.generation - generation:
            return None
        return {path for (paths,) in rows for path in paths.split("\n") if path}

    def languages(self) -> dict[str, str]:
        """Return the language of each file of the workspace."""
        return dict(self.rows("SELECT path, language FROM files WHERE NOT external"))

    def known_outside(self) -> dict[str, Known]:
        """Return all files outside of the workspace with what tells whether they changed since."""
        rows = self.rows(
            "SELECT path, size, mtime_ns, digest FROM outside_files JOIN files ON id = file"
        )
        return {row[0]: Known(*row[1:]) for row in rows}

    def lead_outside(self, path: str, targets: Mapping[tuple[str, str], Sequence[str]]) -> bool:
        """Write where imports of a file lead that lead nowhere in the workspace.

        It shows when the file is linked the next time.

        Args:
            path: The importing file.
            targets: By module and name of an import, the files that it means, best first. Those
                that are not known are left out.

        Returns:
            Whether that is another place than before.
        """
        with self.writing() as connection:
            file = file_id(connection, path)
            if file is None:
                return False
            ids = {
                what: [id_ for found in paths if (id_ := file_id(connection, found)) is not None]
                for what, paths in targets.items()
            }
            return lead_outside(connection, file, ids)

    def want_outside(self, paths: Iterable[str], when: int) -> None:
        """Note that an open file leads to these files outside, at this time."""
        with self.writing() as connection:
            connection.executemany(
                "UPDATE outside_files SET wanted = ?1"
                " WHERE file = (SELECT id FROM files WHERE path = ?2)",
                [(when, path) for path in paths],
            )

    def prune_outside(self, most: int) -> None:
        """Forget the files outside that nothing leads to, and those beyond a number."""
        with self.writing() as connection:
            gone = dispensable(connection, most)
            if gone:
                self.remove(gone)

    def imports(self, path: str) -> list[ImportRow]:
        """Return the imports of a file in order."""
        return list(
            map(
                ImportRow._make,
                self.rows(
                    "SELECT i.module, i.name, i.alias, t.path, d.path FROM files f"
                    " JOIN imports i ON i.file = f.id LEFT JOIN files t ON t.id = i.target"
                    " LEFT JOIN files d ON d.id = i.definer WHERE f.path = ? ORDER BY i.ordinal",
                    (path,),
                ),
            )
        )

    def waiting(self, keys: Iterable[str]) -> list[str]:
        """Return the files with imports that one of these keys could lead elsewhere."""
        found: dict[str, None] = {}
        for key in dict.fromkeys(keys):
            rows = self.rows(
                "SELECT path FROM import_keys JOIN files ON id = file WHERE key = ?", (key,)
            )
            found.update(dict.fromkeys(path for (path,) in rows))
        return list(found)

    def put(self, records: Sequence[FileRecord]) -> PutResult:
        """Write files, all or none of them.

        Each file is looked at once more while no other process can write: what changed since it
        was read is not written, so that no older state ever replaces a newer one.

        Raises:
            StoreRefusedError: It could not be written; everything is as before.
            StoreDamagedError: The database is not whole.
        """
        result = PutResult([], [], [], [])
        with self.writing() as connection:
            current = []
            for record in records:
                if self._is_current(record):
                    current.append(record)
                else:
                    result.stale.append(record.path)
            differs = False
            redefine = []
            names: list[tuple[str, int, bool]] = []
            for record in current:
                written = write_record(connection, record, names)
                differs |= written.differs
                if written.added:
                    result.added.append(record.path)
                if written.interface:
                    result.changed.append(record.path)
                    if not written.added:
                        redefine.append(written.file)
                if written.imports:
                    result.unresolved.append(record.path)
            write_names(connection, names)
            if redefine:
                define(connection, redefine, redefine)
            if differs:
                advance(connection, [record.path for record in current])
        return result

    def link(self, links: Iterable[Links]) -> None:
        """Write where imports lead, and which files define what they name.

        Raises:
            StoreRefusedError: It could not be written; everything is as before.
            StoreDamagedError: The database is not whole.
        """
        with self.writing() as connection:
            linked = []
            ids: dict[str, int | None] = {}
            waiting: list[tuple[str, int]] = []
            for path, targets, keys in links:
                file = file_id(connection, path)
                if file is not None and write_links(connection, file, targets, keys, ids, waiting):
                    linked.append(file)
            write_keys(connection, waiting)
            if linked:
                define(connection, linked, linked)
                advance(connection)

    def touch(self, files: Iterable[tuple[str, int, int]]) -> None:
        """Note new sizes and times of files whose content is the same."""
        with self.writing() as connection:
            connection.executemany(
                "UPDATE files SET size = ?2, mtime_ns = ?3 WHERE path = ?1", list(files)
            )

    def remove(self, paths: Iterable[str]) -> list[str]:
        """Forget files; return those whose imports led to one of them."""
        with self.writing() as connection:
            paths = list(paths)
            ids = [found for path in paths if (found := file_id(connection, path)) is not None]
            importers: dict[int, None] = {}
            for file in ids:
                importers.update(dict.fromkeys(forget(connection, file)))
            for file in ids:
                importers.pop(file, None)
            if ids:
                define(connection, importers, importers)
                advance(connection, paths)
            return [
                connection.execute("SELECT path FROM files WHERE id = ?", (file,)).fetchone()[0]
                for file in importers
            ]

    def skips(self) -> dict[str, str]:
        """Return the paths that are listed as skipped, with their reasons."""
        return dict(self.rows("SELECT path, reason FROM skipped"))

    def set_skips(self, listed: Mapping[str, str], more: Mapping[str, int] | None = None) -> None:
        """Replace the account of what is not indexed.

        Args:
            listed: Reasons by path.
            more: By reason, how many there are beyond those that are listed.
        """
        with self.writing() as connection:
            connection.execute("DELETE FROM skipped")
            connection.execute("DELETE FROM skip_counts")
            connection.executemany(
                "INSERT OR REPLACE INTO skipped VALUES (?, ?)",
                [(storable(path), reason) for path, reason in listed.items()],
            )
            connection.executemany("INSERT INTO skip_counts VALUES (?, ?)", (more or {}).items())
            advance(connection)

    def skip(self, changes: Mapping[str, str | None]) -> None:
        """List paths as skipped for a reason, or no longer."""
        with self.writing() as connection:
            before = connection.total_changes
            for path, reason in changes.items():
                if reason is None:
                    connection.execute("DELETE FROM skipped WHERE path = ?", (storable(path),))
                else:
                    connection.execute(
                        "INSERT INTO skipped VALUES (?1, ?2) ON CONFLICT DO UPDATE"
                        " SET reason = ?2 WHERE reason <> ?2",
                        (storable(path), reason),
                    )
            if connection.total_changes != before:
                advance(connection)

    def optimize(self) -> None:
        """Bring the word index into its smallest and fastest form: for the end of a first index."""
        with self.writing() as connection:
            connection.execute("INSERT INTO words (words) VALUES ('optimize')")
            connection.execute("PRAGMA optimize")

    def _is_current(self, record: FileRecord) -> bool:
        try:
            found = os.stat(record.path if record.external else self.root + record.path)
        except (OSError, ValueError):
            return False
        return found.st_size == record.size and found.st_mtime_ns == record.mtime_ns
