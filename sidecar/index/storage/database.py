"""The database file of an index: opened, checked, replaced when it is damaged or of another kind.

A database that cannot be trusted is deleted, since everything in it can be read again from the
workspace. Must never open the file itself while SQLite has it open: closing it again would free
SQLite's locks. May import `errors`, `locks`, and `schema` of this package.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from sidecar.errors import SidecarError
from sidecar.index.storage.schema import APPLICATION_ID, DDL, VERSION
from sidecar.locks import FileLock

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = [
    "BUSY_MS",
    "Database",
    "NewerError",
    "PrivateFolder",
    "StoreDamagedError",
    "StoreRefusedError",
    "connect",
    "identity",
    "open_database",
    "replace_database",
    "told",
]

#: How long a writer waits for another one. A commit of a first index takes far less.
BUSY_MS = 10_000
_CACHE_KIB = 16_384
#: Pages after which a commit copies the log into the database, if nobody called for it before.
#: Larger than usual: this costs a sync of the disk, and belongs into a pause.
_CHECKPOINT_PAGES = 8_192
#: After a checkpoint the log is cut to this size.
_LOG_BYTES = 16 << 20
#: How long to wait for another process that opens or replaces the same database.
_OPENING_SECONDS = 20.0
_DAMAGED = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
_PRIVATE_PREFIX = "sidecar-index-"


class StoreDamagedError(SidecarError):
    """The database is not whole; `Store.rebuild` makes a new one."""


class StoreRefusedError(SidecarError):
    """The database cannot be written now: the disk is full, read-only, or too busy."""


class NewerError(StoreRefusedError):
    """The database was written by a later version, whose it stays."""


class Database(NamedTuple):
    """An open database.

    Args:
        connection: To it; transactions are begun by hand.
        identity: Of the file, to notice when it was replaced; None in memory.
        fresh: Whether it was made just now, and knows nothing.
    """

    connection: sqlite3.Connection
    identity: tuple[int, int] | None
    fresh: bool


def identity(path: Path | str) -> tuple[int, int] | None:
    """Return what tells a file from another one that takes its place, or None without one."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def told(error: sqlite3.Error) -> SidecarError:
    """Return an error of SQLite in our words: damaged, or refused."""
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
    if code in _DAMAGED:
        return StoreDamagedError(
            f"the index is damaged ({error})", "it is made anew; nothing needs to be done"
        )
    if code in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR):
        fix = "make room on the disk of the cache, or set SIDECAR_CACHE_DIR to another one"
        return StoreRefusedError(f"the index cannot be written ({error})", fix)
    fix = "set SIDECAR_CACHE_DIR to a directory on a local disk that can be written"
    return StoreRefusedError(f"the index cannot be used ({error})", fix)


def connect(path: Path | str, *, busy_ms: int = BUSY_MS) -> sqlite3.Connection:
    """Connect to a database that exists, for one caller at a time on any thread.

    The file is not mapped into memory: one that another process cuts short would end this one.
    """
    uri = ":memory:" if path == ":memory:" else f"{Path(path).absolute().as_uri()}?mode=rw"
    connection = sqlite3.connect(
        uri, uri=True, isolation_level=None, check_same_thread=False, timeout=busy_ms / 1000
    )
    try:
        connection.execute(f"PRAGMA cache_size = {-_CACHE_KIB}")
        connection.execute("PRAGMA synchronous = NORMAL")
        # Some builds overwrite what is deleted with zeros. These are names of public knowledge to
        # everybody who can read the file.
        connection.execute("PRAGMA secure_delete = OFF")
        connection.execute("PRAGMA temp_store = MEMORY")
        connection.execute(f"PRAGMA wal_autocheckpoint = {_CHECKPOINT_PAGES}")
        connection.execute(f"PRAGMA journal_size_limit = {_LOG_BYTES}")
    except BaseException:
        connection.close()
        raise
    return connection


def open_database(path: Path | None) -> Database:
    """Open a database for writing, making it if there is none or none that can be used.

    Args:
        path: Where it lies; None for one in memory.

    Raises:
        StoreRefusedError: It cannot be written here, or not in a way that others can read along.
        NewerError: It belongs to a later version.
    """
    if path is None:
        connection = connect(":memory:")
        try:
            _create(connection)
        except sqlite3.Error as error:
            connection.close()
            raise told(error) from error
        return Database(connection, None, fresh=True)
    with _alone(path):
        return _open(path)


def replace_database(path: Path, damaged: tuple[int, int] | None) -> Database:
    """Delete a damaged database, unless another process did so before, and open what is there.

    Args:
        path: Where it lies.
        damaged: Its identity.

    Raises:
        StoreRefusedError: A new one cannot be written.
    """
    with _alone(path):
        if damaged is None or identity(path) == damaged:
            _delete(path)
        return _open(path)


def _open(path: Path) -> Database:
    try:
        return _try(path)
    except StoreDamagedError:
        _delete(path)
    try:
        return _try(path)
    except StoreDamagedError as error:
        raise _unusable(path, f"a new database is damaged at once: {error.what}") from error


def _try(path: Path) -> Database:
    try:
        fresh = _make_file(path)
    except OSError as error:
        raise _unusable(path, error.strerror or str(error)) from error
    connection = None
    try:
        connection = connect(path)
        known = _check(connection, path)
    except BaseException as error:
        if connection is not None:
            connection.close()
        if isinstance(error, sqlite3.Error):
            raise told(error) from error
        raise
    return Database(connection, identity(path), fresh or not known)


def _check(connection: sqlite3.Connection, path: Path) -> bool:
    """Tell whether a database was ours before, and make an empty one ours.

    Raises:
        StoreDamagedError: It is another's, or of an earlier version.
        NewerError: It is of a later version.
    """
    application, version = (
        connection.execute(f"PRAGMA {name}").fetchone()[0]
        for name in ("application_id", "user_version")
    )
    if application == APPLICATION_ID and version > VERSION:
        raise NewerError(
            f"the index {path} belongs to a later version of sidecar",
            "end the editors that run another version, or update this one",
        )
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    if tables and (application, version) != (APPLICATION_ID, VERSION):
        raise StoreDamagedError(
            f"the index {path} was written by another version or program", "it is made anew"
        )
    (mode,) = connection.execute("PRAGMA journal_mode = WAL").fetchone()
    if mode != "wal":
        raise _unusable(path, "the file system shares no memory between processes")
    if tables:
        # The first read of a table finds most kinds of damage.
        connection.execute("SELECT value FROM meta").fetchall()
        # And the first write finds out whether there may be one.
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("ROLLBACK")
        return True
    _create(connection)
    return False


def _create(connection: sqlite3.Connection) -> None:
    connection.execute("BEGIN IMMEDIATE")
    for statement in DDL:
        connection.execute(statement)
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {VERSION}")
    connection.execute("COMMIT")


def _make_file(path: Path) -> bool:
    """Make an empty file that only its user can read; SQLite gives its others the same mode."""
    try:
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
    except FileExistsError:
        return False
    return True


def _delete(path: Path) -> None:
    for suffix in ("", "-wal", "-shm"):
        try:
            os.unlink(f"{path}{suffix}")
        except FileNotFoundError:
            continue
        except OSError as error:
            raise _unusable(path, error.strerror or str(error)) from error


@contextlib.contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Keep other processes from opening, making or deleting the same database."""
    lock = FileLock(path.with_name(f"{path.name}.lock"))
    until = time.monotonic() + _OPENING_SECONDS
    try:
        while not lock.acquire():
            if time.monotonic() > until:
                raise _unusable(path, "another process has been opening it for too long")
            time.sleep(0.01)
    except OSError as error:
        raise _unusable(path, error.strerror or str(error)) from error
    with lock:
        yield


def _unusable(path: Path, why: str) -> StoreRefusedError:
    return StoreRefusedError(
        f"the index {path} cannot be used ({why})",
        "set SIDECAR_CACHE_DIR to a directory on a local disk that can be written",
    )


class PrivateFolder:
    """A folder in the system's temporary directory that nobody else enters, gone at the end.

    Those that were left by processes which were killed are removed when the next one is made.

    Raises:
        OSError: There is no place for it.
    """

    def __init__(self) -> None:
        user = os.getuid() if os.name == "posix" else 0
        prefix = f"{_PRIVATE_PREFIX}{user}-"
        _remove_leftovers(Path(tempfile.gettempdir()), prefix)
        self.path = Path(tempfile.mkdtemp(prefix=prefix))
        self._lock = FileLock(self.path / "held")
        self._lock.acquire()

    def remove(self) -> None:
        """Delete it with all that is in it."""
        shutil.rmtree(self.path, ignore_errors=True)
        self._lock.release()


def _remove_leftovers(folder: Path, prefix: str) -> None:
    for left in folder.glob(f"{prefix}*"):
        with contextlib.suppress(OSError):
            # One without the file is being made right now.
            if left.is_symlink() or not (left / "held").is_file():
                continue
            with FileLock(left / "held") as lock:
                if lock.acquire():
                    shutil.rmtree(left, ignore_errors=True)
