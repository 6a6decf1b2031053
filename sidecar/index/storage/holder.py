"""A database that is there to be written, wherever that is possible, until it is closed.

It follows when another process replaced the file, and retreats to a private place when the file
cannot be written. Must never know what stands in the tables. May import `database` of this
package.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import time
from typing import TYPE_CHECKING, Any, Self

from sidecar.index.storage.database import (
    BUSY_MS,
    PrivateFolder,
    StoreDamagedError,
    StoreRefusedError,
    connect,
    identity,
    open_database,
    replace_database,
    told,
)

if TYPE_CHECKING:
    import threading
    from collections.abc import Iterator
    from pathlib import Path

    from sidecar.index.storage.database import Database

__all__ = ["WritableDatabase"]

#: SQLite asks so often (in steps of its virtual machine) whether a check shall go on.
_STEPS = 100_000
#: How often a writer asks whether it is its turn.
_TURN_SECONDS = 0.0005


class WritableDatabase:
    """An open database, made by `open`.

    Attributes:
        notice: Why the index does not lie where it should, or could not be written; or nothing.
        fresh: Whether it was empty when it was opened or rebuilt last.
        unclean: Whether a writer before this one was killed: `quick_check` is due.
        epoch: Grows whenever another database was opened. What was written before may be missing
            in it: the caller looks at all files again.
    """

    def __init__(self, root: Path, path: Path | None) -> None:
        self.root = f"{root}/"
        self._path = path
        self._connection: sqlite3.Connection
        self._identity: tuple[int, int] | None = None
        self._private: PrivateFolder | None = None
        self._name = os.urandom(8).hex()
        self.notice = ""
        self.fresh = False
        self.unclean = False
        self.epoch = 0

    @classmethod
    def open(cls, path: Path, root: Path) -> Self:
        """Open the index of a workspace, wherever that is possible.

        Args:
            path: Where it should lie.
            root: The workspace, to look at files once more before they are written.
        """
        store = cls(root, path)
        try:
            store._use(open_database(path))
        except StoreRefusedError as error:
            store._retreat(error)
        except StoreDamagedError:
            store.rebuild()
        return store

    @property
    def path(self) -> Path | None:
        """Where the database lies now; None if it is in memory, where nobody else can read it."""
        return self._path

    @property
    def private(self) -> bool:
        """Whether it is this process's own, and gone when that ends."""
        return self._private is not None or self._path is None

    @property
    def own_path(self) -> str:
        """Where the database lies if nobody can know that, or nothing."""
        return str(self._path) if self._private is not None else ""

    def checkpoint(self) -> None:
        """Copy the log into the database as far as nobody reads it: for a pause, not for a commit.

        Takes a sync of the disk. What fails here is tried again by a later one.
        """
        with contextlib.suppress(sqlite3.OperationalError):
            self._connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()

    def quick_check(self, stop: threading.Event | None = None) -> bool:
        """Tell whether the database is whole; reads all of it, on a connection of its own.

        For a thread in the background: call it only with a path.

        Args:
            stop: Ends the check early when it is set; the answer is then yes.
        """
        if self._path is None:
            return True
        try:
            with contextlib.closing(connect(self._path)) as connection:
                if stop is not None:
                    connection.set_progress_handler(lambda: int(stop.is_set()), _STEPS)
                (answer,) = connection.execute("PRAGMA quick_check(1)").fetchone()
        except sqlite3.OperationalError:
            # Interrupted, or busy: nothing is known against it.
            return True
        except sqlite3.DatabaseError:
            return False
        return bool(answer == "ok")

    def rebuild(self) -> bool:
        """Replace a damaged database; tell whether the new one is empty.

        It is not if another process replaced it first and has begun to fill it.
        """
        self._connection.close()
        try:
            if self._path is None:
                self._use(open_database(None))
            else:
                self._use(replace_database(self._path, self._identity))
        except StoreRefusedError as error:
            self._retreat(error)
        return self.fresh

    def close(self) -> None:
        """Say that this writer ended in order, and remove a private folder."""
        with contextlib.suppress(sqlite3.Error):
            self._connection.execute("DELETE FROM writers WHERE name = ?", (self._name,))
        self._connection.close()
        if self._private is not None:
            self._private.remove()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close()

    def _use(self, database: Database) -> None:
        self._connection = database.connection
        self._identity = database.identity
        self.fresh = database.fresh
        self.epoch += 1
        try:
            rows = self._connection.execute("SELECT name, pid FROM writers").fetchall()
            dead = [name for name, pid in rows if not _alive(pid)]
            self.unclean = bool(dead)
            self._connection.execute("BEGIN IMMEDIATE")
            self._connection.executemany("DELETE FROM writers WHERE name = ?", [(n,) for n in dead])
            self._connection.execute(
                "INSERT OR REPLACE INTO writers VALUES (?, ?)", (self._name, os.getpid())
            )
            self._connection.execute("COMMIT")
        except sqlite3.Error as error:
            self._connection.close()
            raise told(error) from error

    def _retreat(self, error: StoreRefusedError) -> None:
        """Go on with a database of our own: in a private folder, or at last in memory."""
        self.notice = f"{error.what}; a private one is used until this process ends"
        if self._private is not None:
            self._private.remove()
            self._private = None
        try:
            self._private = PrivateFolder()
            self._path = self._private.path / "index.sqlite"
            self._use(open_database(self._path))
        except (OSError, StoreRefusedError):
            if self._private is not None:
                self._private.remove()
                self._private = None
            self._path = None
            self._use(open_database(None))

    def rows(self, statement: str, arguments: tuple[Any, ...] = ()) -> list[Any]:
        """Return the rows of a query.

        Raises:
            StoreRefusedError: It could not be read now.
            StoreDamagedError: The database is not whole.
        """
        self._follow()
        try:
            return self._connection.execute(statement, arguments).fetchall()
        except sqlite3.Error as error:
            raise told(error) from error

    @contextlib.contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """A transaction: committed at the end, rolled back by any error.

        One inside of another is a part of it.
        """
        if self._connection.in_transaction:
            # Part of what the caller writes together, which stands or falls as a whole.
            yield self._connection
            return
        self._follow()
        connection = self._connection
        try:
            _begin(connection)
            yield connection
            connection.execute("COMMIT")
        except BaseException as error:
            with contextlib.suppress(sqlite3.Error):
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
            if not isinstance(error, sqlite3.Error):
                if isinstance(error, StoreRefusedError):
                    self.notice = error.what
                raise
            meant = told(error)
            if isinstance(meant, StoreRefusedError):
                self.notice = meant.what
            raise meant from error
        if self.notice and not self.private:
            self.notice = ""

    def _follow(self) -> None:
        """Turn to another database if one was put in the place of ours."""
        if self._path is None or self._connection.in_transaction:
            return
        if identity(self._path) == self._identity:
            return
        self._connection.close()
        try:
            self._use(open_database(self._path))
        except StoreRefusedError as error:
            self._retreat(error)


def _begin(connection: sqlite3.Connection) -> None:
    """Begin to write as soon as nobody else does.

    SQLite itself would wait in steps that grow to a tenth of a second, and most writers are done
    after a few milliseconds.
    """
    until = time.monotonic() + BUSY_MS / 1000
    connection.execute("PRAGMA busy_timeout = 0")
    try:
        while True:
            try:
                connection.execute("BEGIN IMMEDIATE")
                return
            except sqlite3.OperationalError as error:
                busy = error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY
                if not busy or time.monotonic() > until:
                    raise
            time.sleep(_TURN_SECONDS)
    finally:
        connection.execute(f"PRAGMA busy_timeout = {BUSY_MS}")


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
