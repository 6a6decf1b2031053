"""One process's look at a database that others write: a connection that follows the file.

Must never write, wait for a writer, or raise because there is no index yet. May import `syntax`,
`telemetry`, `records` of `index.extract`, and `index.storage`.
"""

from __future__ import annotations

import contextlib
import sqlite3
from array import array
from collections import OrderedDict
from typing import TYPE_CHECKING, Any, NamedTuple

from sidecar.index.extract.records import read_columns, read_places, symbol_of
from sidecar.index.storage.database import StoreDamagedError, connect, identity, told
from sidecar.index.storage.schema import APPLICATION_ID, VERSION
from sidecar.syntax.symbols import Place

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator
    from pathlib import Path
    from typing import Concatenate, ParamSpec, TypeVar

    from sidecar.syntax.symbols import Symbol
    from sidecar.telemetry.metrics import Metrics

    P = ParamSpec("P")
    T = TypeVar("T")

__all__ = ["Declared", "View"]

#: Answers that are remembered. The newest questions of one document are far fewer.
_ANSWERS = 512
#: Declarations that are kept unpacked, of the files used last: a few hundred bytes each.
_DECLARATIONS = 50_000
#: Paths by id. They never change, so they stay until there are too many.
_PATHS = 50_000
#: Only a log that is repaired after a crash makes a reader wait.
_BUSY_MS = 20


class Declared(NamedTuple):
    """What one file declares, by columns: unpacked no further than it has to be.

    Args:
        path: The file.
        language: Its language.
        names: What each declaration is called.
        kinds: What each is.
        containers: The ordinal of the one around each, or -1.
        owners: The type that each belongs to where that stands elsewhere, or nothing.
        rests: What else there is of each, packed.
        numbers: The places of all declarations, four numbers each.
    """

    path: str
    language: str
    names: list[str]
    kinds: list[str]
    containers: list[int]
    owners: list[str]
    rests: list[bytes]
    numbers: array[int]

    def named(self, name: str) -> list[int]:
        """Return the ordinals of declarations of this name, those outside of all others first."""
        found: list[int] = []
        at = -1
        with contextlib.suppress(ValueError):
            while True:
                at = self.names.index(name, at + 1)
                found.append(at)
        if len(found) > 1:
            found.sort(key=lambda ordinal: self.containers[ordinal] >= 0)
        return found

    def around(self, ordinal: int) -> str:
        """Return the name of what a declaration belongs to, or nothing."""
        container = self.containers[ordinal]
        return self.owners[ordinal] or (self.names[container] if container >= 0 else "")

    def symbol(self, ordinal: int) -> Symbol:
        """Return a declaration."""
        return symbol_of(
            (
                self.names[ordinal],
                self.kinds[ordinal],
                self.containers[ordinal],
                self.owners[ordinal],
                self.rests[ordinal],
            )
        )

    def place(self, ordinal: int) -> Place:
        """Return where a declaration stands."""
        return Place(*self.numbers[4 * ordinal : 4 * ordinal + 4])


class View:
    """A read-only connection, with answers remembered until something changes.

    Args:
        path: Where the database lies; it need not be there yet.
        metrics: Counts answers that were remembered (`index.cache.hit`) and those that were not.
    """

    def __init__(self, path: Path, metrics: Metrics) -> None:
        self._path = path
        self._metrics = metrics
        self._connection: sqlite3.Connection | None = None
        self._identity: tuple[int, int] | None = None
        self._seen = -1
        self._generation = -1
        self._answers: OrderedDict[Hashable, Any] = OrderedDict()
        self._declared: OrderedDict[int, tuple[tuple[Any, ...], Declared]] = OrderedDict()
        self._unpacked_count = 0
        self._held = False
        #: Those of them that are known to be right in this state.
        self._right: set[int] = set()
        self._paths: dict[int, str] = {}

    @property
    def available(self) -> bool:
        """Whether there is an index to ask."""
        try:
            return (self._connection if self._held else self._connected()) is not None
        except sqlite3.Error:
            return False

    @property
    def generation(self) -> int:
        """The number of the state that answers are about; -1 without an index."""
        if self._held:
            return self._generation
        return self.ask(_generation, -1)

    def ask(
        self,
        query: Callable[Concatenate[View, P], T],
        nothing: T,
        *arguments: P.args,
        **options: P.kwargs,
    ) -> T:
        """Run a query on one state of the database, or remember what it gave for this state.

        Args:
            query: A function of a view and of arguments that can be hashed.
            nothing: The answer without an index.
            *arguments: What the query takes.
            **options: What the query takes by name.

        Raises:
            StoreDamagedError: The database is not whole; its writer has to make a new one.
        """
        key = (query, arguments, tuple(options.items()))
        try:
            if self._held:
                # Whoever holds us has looked already.
                return nothing if self._connection is None else self._answer(key, nothing)
            connection = self._connected()
            if connection is None:
                return nothing
            (seen,) = connection.execute("PRAGMA data_version").fetchone()
            if seen == self._seen and key in self._answers:
                remembered: T = self._answer(key, nothing)
                return remembered
            connection.execute("BEGIN")
            try:
                self._catch_up()
                # A commit since it was read is noticed at the next question.
                self._seen = seen
                answer: T = self._answer(key, nothing)
            finally:
                connection.execute("COMMIT")
            return answer
        except sqlite3.Error as error:
            self._failed(error)
            return nothing

    @contextlib.contextmanager
    def holding(self) -> Iterator[None]:
        """Answer all that is asked inside about one state of the database.

        That is also cheaper: whether anything changed is looked at once, and each look lets
        other threads in.

        Raises:
            StoreDamagedError: The database is not whole.
        """
        if self._held:
            yield
            return
        try:
            connection = self._connected()
            if connection is not None:
                connection.execute("BEGIN")
                self._catch_up()
        except sqlite3.Error as error:
            self._failed(error)
        self._held = True
        try:
            yield
        finally:
            self._held = False
            if self._connection is not None and self._connection.in_transaction:
                with contextlib.suppress(sqlite3.Error):
                    self._connection.execute("COMMIT")

    def _catch_up(self) -> None:
        """Forget what was remembered if the state that is read now is another one."""
        generation = _generation(self)
        if generation != self._generation:
            self._forget()
            self._generation = generation

    def _answer(self, key: tuple[Callable[..., Any], Any, Any], nothing: object) -> Any:
        if key in self._answers:
            self._answers.move_to_end(key)
            self._metrics.count("index.cache.hit")
            return self._answers[key]
        self._metrics.count("index.cache.miss")
        query, arguments, options = key
        try:
            answer = query(self, *arguments, **dict(options))
        except UnicodeEncodeError:
            # A half character, or a path whose bytes are no text: nothing known has such a name.
            answer = nothing
        self._answers[key] = answer
        if len(self._answers) > _ANSWERS:
            self._answers.popitem(last=False)
        return answer

    def _failed(self, error: sqlite3.Error) -> None:
        """Let go of a database that cannot be read.

        Raises:
            StoreDamagedError: It is not whole.
        """
        meant = told(error)
        self.close()
        if isinstance(meant, StoreDamagedError):
            raise meant from error
        self._metrics.count("index.read.refused")

    def rows(self, statement: str, *arguments: object) -> list[Any]:
        """Return the rows of a statement; for queries that `ask` runs."""
        assert self._connection is not None
        return self._connection.execute(statement, arguments).fetchall()

    def file(self, path: str | None) -> int | None:
        """Return the id of a file."""
        if path is None:
            return None
        rows = self.rows("SELECT id FROM files WHERE path = ?", path)
        return rows[0][0] if rows else None

    def path(self, file: int) -> str:
        """Return the path of a file that a row of this state names."""
        known = self._paths.get(file)
        if known is None:
            if len(self._paths) > _PATHS:
                self._paths.clear()
            known = self._paths[file] = self.rows("SELECT path FROM files WHERE id = ?", file)[0][0]
        return known

    def declared(self, file: int) -> Declared:
        """Return what a file declares, and where."""
        state, known = self._declared.get(file, ((), None))
        if known is not None and file in self._right:
            self._declared.move_to_end(file)
            return known
        self._right.add(file)
        # An edit elsewhere is no reason to unpack this file again.
        now = self.rows(
            "SELECT mtime_ns, digest, fingerprint, language FROM files WHERE id = ?", file
        )
        if known is None or now[0] != state:
            if known is not None:
                self._unpacked_count -= len(known.names)
            known = self._unpacked(file)
            self._unpacked_count += len(known.names)
            self._declared[file] = now[0], known
        self._declared.move_to_end(file)
        while self._unpacked_count > _DECLARATIONS and len(self._declared) > 1:
            dropped, (_, given_up) = self._declared.popitem(last=False)
            self._unpacked_count -= len(given_up.names)
            self._right.discard(dropped)
        return known

    def _unpacked(self, file: int) -> Declared:
        rows = self.rows(
            "SELECT path, language, packed, places FROM files"
            " JOIN blobs ON blobs.file = id LEFT JOIN symbols ON symbols.file = id"
            " WHERE id = ?",
            file,
        )
        path, language, packed, places = rows[0]
        numbers = array("I", read_places(places)[0])
        return Declared(path, language, *read_columns(packed), numbers)

    def close(self) -> None:
        """Close the connection; the next question opens another one."""
        if self._connection is not None:
            with contextlib.suppress(sqlite3.Error):
                self._connection.close()
        self._connection = None
        self._identity = None
        self._forget()
        # Another database has other ids.
        self._declared.clear()
        self._unpacked_count = 0
        self._paths.clear()

    def _connected(self) -> sqlite3.Connection | None:
        """Return a connection to the file that the path leads to now."""
        found = identity(self._path)
        if found is not None and found == self._identity:
            return self._connection
        self.close()
        if found is None:
            return None
        connection = connect(self._path, busy_ms=_BUSY_MS)
        try:
            connection.execute("PRAGMA query_only = ON")
            kind = tuple(
                connection.execute(f"PRAGMA {name}").fetchone()[0]
                for name in ("application_id", "user_version")
            )
        except BaseException:
            connection.close()
            raise
        if kind != (APPLICATION_ID, VERSION):
            # Just made, or of another version: its writer is at it.
            connection.close()
            return None
        self._connection, self._identity = connection, found
        return connection

    def _forget(self) -> None:
        self._seen = self._generation = -1
        self._answers.clear()
        self._right.clear()


def _generation(view: View) -> int:
    rows = view.rows("SELECT value FROM meta WHERE key = 'generation'")
    return int(rows[0][0])
