"""Questions to the index, answered in the process that asks.

Each answer is about one state of the database and remembered until something changes. Without an
index all answers are empty. Must never write. May import `telemetry`, `records` of
`index.extract`, and this package.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from sidecar.index.extract.records import read_places
from sidecar.index.query.answers import Counts, Definition, Imported, Reference, Related
from sidecar.index.query.definitions import DEEPEST, definitions, members, symbols
from sidecar.index.query.matching import find_symbols
from sidecar.index.query.nearness import near, related
from sidecar.index.query.search import references, search
from sidecar.index.query.view import View
from sidecar.telemetry.metrics import Metrics

if TYPE_CHECKING:
    from contextlib import AbstractContextManager
    from pathlib import Path

__all__ = ["Counts", "Definition", "Imported", "Reader", "Reference", "Related"]


class Reader:
    """The index of a workspace, as it is at the moment of each question.

    For one caller at a time. Every method raises `StoreDamagedError` when it finds the database
    damaged: its writer has to be told, which makes a new one.

    Args:
        path: Where the database lies; it need not be there yet, and may be replaced.
        metrics: Counts how often an answer was remembered.
    """

    def __init__(self, path: Path, metrics: Metrics | None = None) -> None:
        self._view = View(path, metrics or Metrics())

    @property
    def available(self) -> bool:
        """Whether there is an index."""
        return self._view.available

    @property
    def generation(self) -> int:
        """A number that grows whenever something known changes; -1 without an index."""
        return self._view.generation

    def holding(self) -> AbstractContextManager[None]:
        """Return a context in which all answers are about one state of the index."""
        return self._view.holding()

    def definitions(
        self, name: str, near: str | None = None, limit: int = 20, *, types_only: bool = False
    ) -> tuple[Definition, ...]:
        """Return declarations of exactly this name, those nearest to a file first."""
        return self._view.ask(definitions, (), name, near, limit, types_only)

    def members(
        self, type_name: str, path: str, limit: int = 200, depth: int = DEEPEST
    ) -> tuple[Definition, ...]:
        """Return the members of a type as it is written in a file, then those of its bases."""
        return self._view.ask(members, (), type_name, path, limit, depth)

    def symbols(self, path: str) -> tuple[Definition, ...]:
        """Return what a file declares, in the order of the text."""
        return self._view.ask(symbols, (), path)

    def find(self, query: str, limit: int = 50, near: str | None = None) -> tuple[Definition, ...]:
        """Return declarations whose names match: exactly, as a beginning, or with gaps."""
        return self._view.ask(find_symbols, (), query, limit, near)

    def imports(self, path: str) -> tuple[Imported, ...]:
        """Return what a file imports, and where that leads."""
        return self._view.ask(_imports, (), path)

    def imported_files(self, path: str) -> tuple[str, ...]:
        """Return the files that a file imports, and those that declare what it imports."""
        return self._view.ask(_imported_files, (), path)

    def importers(self, path: str) -> tuple[str, ...]:
        """Return the files that import a file, or a name that it declares."""
        return self._view.ask(_importers, (), path)

    def references(
        self, name: str, near: str | None = None, limit: int = 1_000
    ) -> tuple[Reference, ...]:
        """Return the files that refer to a name, and how often."""
        return self._view.ask(references, (), name, near, limit)

    def search(
        self, words: str, limit: int = 20, near: str | None = None, without: str | None = None
    ) -> tuple[Related, ...]:
        """Return the files that hold the most telling of some words, with their scores."""
        return self._view.ask(search, (), words, limit, near, without)

    def near(self, path: str, limit: int = 20) -> tuple[Related, ...]:
        """Return files that have to do with a file by name, imports or folder."""
        return self._view.ask(near, (), path, limit)

    def paths(self) -> tuple[str, ...]:
        """Return all files of the workspace, in the order of their names."""
        return self._view.ask(_paths, ())

    def skipped(self) -> tuple[tuple[str, str], ...]:
        """Return what is not indexed one by one, with the reason of each."""
        return self._view.ask(_skipped, ())

    def digest(self, path: str) -> bytes | None:
        """Return the digest of a file's content that is known, or None if the file is not."""
        return self._view.ask(_digest, None, path)

    def counts(self) -> Counts:
        """Return the size of the index, for the status."""
        return self._view.ask(_counts, Counts())

    def close(self) -> None:
        """Close the connection; another question opens it again."""
        self._view.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close()


def _imports(view: View, path: str) -> tuple[Imported, ...]:
    file = view.file(path)
    if file is None:
        return ()
    ((places,),) = view.rows("SELECT places FROM blobs WHERE file = ?", file)
    rows = view.rows(
        "SELECT module, name, alias, target, definer FROM imports WHERE file = ? ORDER BY ordinal",
        file,
    )
    return tuple(
        [
            Imported(
                module,
                name,
                alias,
                line,
                None if target is None else view.path(target),
                None if definer is None else view.path(definer),
            )
            for (module, name, alias, target, definer), line in zip(
                rows, read_places(places)[1], strict=True
            )
        ]
    )


def _imported_files(view: View, path: str) -> tuple[str, ...]:
    return tuple(sorted(map(view.path, related(view, view.file(path)))))


def _importers(view: View, path: str) -> tuple[str, ...]:
    file = view.file(path)
    rows = view.rows(
        "SELECT file FROM edges WHERE target = ?1 UNION SELECT file FROM imports"
        " WHERE definer = ?1",
        file,
    )
    return tuple(sorted(view.path(importer) for (importer,) in rows if importer != file))


def _paths(view: View) -> tuple[str, ...]:
    rows = view.rows("SELECT path FROM files WHERE NOT external ORDER BY path")
    return tuple([path for (path,) in rows])


def _skipped(view: View) -> tuple[tuple[str, str], ...]:
    return tuple(view.rows("SELECT path, reason FROM skipped ORDER BY path"))


def _digest(view: View, path: str) -> bytes | None:
    rows = view.rows("SELECT digest FROM files WHERE path = ?", path)
    return rows[0][0] if rows else None


def _counts(view: View) -> Counts:
    languages: dict[str, int] = {}
    errors: dict[str, int] = {}
    totals = [0] * 4
    for language, damaged, *sums in view.rows(
        "SELECT language, sum(errors > 0), count(*), total(symbol_count), total(reference_count),"
        " total(size) FROM files WHERE NOT external GROUP BY language ORDER BY language"
    ):
        totals = [total + int(more) for total, more in zip(totals, sums, strict=True)]
        languages[language] = sums[0]
        if damaged:
            errors[language] = damaged
    ((external,),) = view.rows("SELECT count(*) FROM outside_files")
    ((imports, resolved),) = view.rows(
        "SELECT count(*), count(target) FROM imports"
        " WHERE file NOT IN (SELECT file FROM outside_files)"
    )
    ((pages,),) = view.rows("PRAGMA page_count")
    ((page,),) = view.rows("PRAGMA page_size")
    skipped = dict(
        view.rows(
            "SELECT reason, sum(files) FROM (SELECT reason, count(*) AS files FROM skipped"
            " GROUP BY reason UNION ALL SELECT reason, files FROM skip_counts)"
            " GROUP BY reason ORDER BY reason"
        )
    )
    files, symbol_count, reference_count, size = totals
    return Counts(
        files,
        external,
        symbol_count,
        reference_count,
        imports,
        resolved,
        size,
        pages * page,
        languages,
        errors,
        skipped,
    )
