"""How one file's record becomes rows, changing no row that is right already.

Every function works inside of its caller's transaction. Must never begin or end one. May import
`records` of `index.extract`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from sidecar.index.extract.records import names_of, read_rows

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Sequence

    from sidecar.index.extract.records import FileRecord

__all__ = [
    "Written",
    "advance",
    "file_id",
    "folder_of",
    "forget",
    "stem_of",
    "storable",
    "write_names",
    "write_record",
]

#: Stems that say nothing about what a file has to do with another of that name.
_COMMON_STEMS: Final = frozenset(
    {"__init__", "__main__", "conftest", "index", "main", "mod", "lib"}
)
#: Generations of which it is known what they were about.
_GENERATIONS: Final = 256
_TEST = re.compile(r"^tests?[_-]|[_-](?:tests?|spec)$|(?<=[a-z0-9])(?:Tests?|Spec|IT)$")


class Written(NamedTuple):
    """What writing a record changed.

    Args:
        file: The file's id.
        added: Whether it was not known before.
        differs: Whether anything about its content is another than before.
        interface: Whether its interface is.
        imports: Whether its imports have to be resolved.
    """

    file: int
    added: bool
    differs: bool
    interface: bool
    imports: bool


def folder_of(path: str) -> str:
    """Return the folder of a path, or nothing for the root."""
    return path.rpartition("/")[0]


def stem_of(path: str) -> str:
    """Return what a file's name shares with its tests and headers, or nothing if it is common."""
    stem = path.rpartition("/")[2].lstrip(".").partition(".")[0]
    stem = (_TEST.sub("", stem) or stem).lower()
    return "" if stem in _COMMON_STEMS else stem


def storable(path: str) -> str:
    """Return a path in a form that a database takes, whatever its bytes are."""
    return path.encode("utf-8", "backslashreplace").decode("utf-8")


def file_id(connection: sqlite3.Connection, path: str) -> int | None:
    """Return the id of a file, if it is known."""
    row = connection.execute("SELECT id FROM files WHERE path = ?", (path,)).fetchone()
    return None if row is None else int(row[0])


def advance(connection: sqlite3.Connection, paths: Iterable[str] = ()) -> None:
    """Let others know that what they remember may be wrong now.

    Args:
        connection: To the database.
        paths: Files that were written or removed.
    """
    connection.execute("UPDATE meta SET value = value + 1 WHERE key = 'generation'")
    connection.execute(
        "INSERT INTO journal SELECT value, ? FROM meta WHERE key = 'generation'",
        ("\n".join(paths),),
    )
    connection.execute(
        "DELETE FROM journal WHERE generation <="
        " (SELECT value - ? FROM meta WHERE key = 'generation')",
        (_GENERATIONS,),
    )


def write_record(
    connection: sqlite3.Connection, record: FileRecord, names: list[tuple[str, int, bool]]
) -> Written:
    """Write what one file holds.

    Args:
        connection: To the database.
        record: What it holds.
        names: Takes the rows of a new file's names, which the caller gives to `write_names`.
    """
    row = connection.execute(
        "SELECT id, digest, fingerprint, language FROM files WHERE path = ?", (record.path,)
    ).fetchone()
    if row is None:
        file = _add(connection, record)
        names += [(name, file, top) for name, top in record.names]
        return Written(file, True, True, True, bool(record.imports))
    file, digest, fingerprint, language = row
    connection.execute(
        "UPDATE files SET language = ?, size = ?, mtime_ns = ?, digest = ?, fingerprint = ?,"
        " errors = ?, external = ?, symbol_count = ?, reference_count = ? WHERE id = ?",
        (*_columns(record), file),
    )
    connection.execute(
        "UPDATE blobs SET places = ?, refs = ? WHERE file = ?",
        (record.places, record.references, file),
    )
    symbols = _update_symbols(connection, file, record)
    imports = _update_imports(connection, file, record.imports)
    words = _update_words(connection, file, record.words)
    interface = fingerprint != record.fingerprint
    differs = interface or symbols or imports or words or digest != record.digest
    return Written(file, False, differs, interface, imports or language != record.language)


def write_names(connection: sqlite3.Connection, names: list[tuple[str, int, bool]]) -> None:
    """Write the names of new files, in their order, in which a tree is filled faster."""
    names.sort()
    connection.executemany("INSERT INTO names VALUES (?, ?, ?)", names)


def _columns(record: FileRecord) -> tuple[object, ...]:
    """Return what a row of `files` holds of a record behind its path, in the table's order."""
    return (
        record.language,
        record.size,
        record.mtime_ns,
        record.digest,
        record.fingerprint,
        record.errors,
        record.external,
        record.symbol_count,
        record.reference_count,
    )


def _add(connection: sqlite3.Connection, record: FileRecord) -> int:
    cursor = connection.execute(
        "INSERT INTO files VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            record.path,
            folder_of(record.path),
            # What is outside has nothing to do with a file that is called the same.
            "" if record.external else stem_of(record.path),
            *_columns(record),
        ),
    )
    file = cursor.lastrowid
    assert file is not None
    if record.external:
        connection.execute("INSERT INTO outside_files VALUES (?, 0)", (file,))
    connection.execute(
        "INSERT INTO blobs VALUES (?, ?, ?)", (file, record.places, record.references)
    )
    if record.words:
        connection.execute("INSERT INTO words (rowid, text) VALUES (?, ?)", (file, record.words))
    if record.symbols:
        connection.execute("INSERT INTO symbols VALUES (?, ?)", (file, record.symbols))
        if record.owners:
            connection.executemany(
                "INSERT INTO owners VALUES (?, ?)", [(owner, file) for owner in record.owners]
            )
    if record.imports:
        connection.executemany(
            "INSERT INTO imports VALUES (?, ?, ?, ?, ?, NULL, NULL)",
            [(file, ordinal, *row) for ordinal, row in enumerate(record.imports)],
        )
    return file


def _update_symbols(connection: sqlite3.Connection, file: int, record: FileRecord) -> bool:
    """Write what is declared, and of the names only those that came, went or moved."""
    row = connection.execute("SELECT packed FROM symbols WHERE file = ?", (file,)).fetchone()
    packed = row[0] if row else b""
    if packed == record.symbols:
        return False
    old_names, old_owners = names_of(read_rows(packed))
    _delete_names(
        connection,
        file,
        set(map(tuple, old_names)) - set(map(tuple, record.names)),
        set(old_owners) - set(record.owners),
    )
    new_names = set(map(tuple, record.names)) - set(map(tuple, old_names))
    connection.executemany(
        "INSERT INTO names VALUES (?, ?, ?)", [(name, file, top) for name, top in new_names]
    )
    connection.executemany(
        "INSERT INTO owners VALUES (?, ?)",
        [(owner, file) for owner in set(record.owners) - set(old_owners)],
    )
    if record.symbols:
        connection.execute("INSERT OR REPLACE INTO symbols VALUES (?, ?)", (file, record.symbols))
    else:
        # As in a file that never declared anything.
        connection.execute("DELETE FROM symbols WHERE file = ?", (file,))
    return True


def _delete_names(
    connection: sqlite3.Connection,
    file: int,
    names: Iterable[tuple[Any, ...]],
    owners: Iterable[str],
) -> None:
    connection.executemany(
        "DELETE FROM names WHERE name = ? AND file = ?", [(name, file) for name, _ in names]
    )
    connection.executemany(
        "DELETE FROM owners WHERE owner = ? AND file = ?", [(owner, file) for owner in owners]
    )


def _update_imports(
    connection: sqlite3.Connection, file: int, imports: Sequence[tuple[str, str, str]]
) -> bool:
    """Replace all rows if one differs; what is imported as before still leads to the same file."""
    old = connection.execute(
        "SELECT module, name, alias, target, definer FROM imports WHERE file = ? ORDER BY ordinal",
        (file,),
    ).fetchall()
    new = list(map(tuple, imports))
    if [row[:3] for row in old] == new:
        return False
    led: dict[Any, tuple[int | None, int | None]] = {row[:3]: row[3:] for row in old}
    connection.execute("DELETE FROM imports WHERE file = ?", (file,))
    connection.executemany(
        "INSERT INTO imports VALUES (?, ?, ?, ?, ?, ?, ?)",
        [(file, ordinal, *row, *led.get(row, (None, None))) for ordinal, row in enumerate(new)],
    )
    return True


def _update_words(connection: sqlite3.Connection, file: int, words: str) -> bool:
    row = connection.execute("SELECT text FROM words WHERE rowid = ?", (file,)).fetchone()
    if (row[0] if row else "") == words:
        return False
    if row:
        connection.execute("DELETE FROM words WHERE rowid = ?", (file,))
    if words:
        connection.execute("INSERT INTO words (rowid, text) VALUES (?, ?)", (file, words))
    return True


def forget(connection: sqlite3.Connection, file: int) -> list[int]:
    """Delete everything about a file; return those whose imports led to it."""
    importers = connection.execute(
        "SELECT file FROM edges WHERE target = ?1 UNION"
        " SELECT file FROM imports WHERE definer = ?1",
        (file,),
    ).fetchall()
    row = connection.execute("SELECT packed FROM symbols WHERE file = ?", (file,)).fetchone()
    if row is not None:
        _delete_names(connection, file, *names_of(read_rows(row[0])))
    for statement in (
        "DELETE FROM files WHERE id = ?",
        "DELETE FROM blobs WHERE file = ?",
        "DELETE FROM symbols WHERE file = ?",
        "DELETE FROM imports WHERE file = ?",
        "DELETE FROM import_keys WHERE file = ?",
        "DELETE FROM words WHERE rowid = ?",
        "DELETE FROM edges WHERE file = ?1 OR target = ?1",
        "DELETE FROM outside_files WHERE file = ?",
        "DELETE FROM outside_links WHERE file = ?1 OR target = ?1",
        "UPDATE imports SET target = NULL, definer = NULL WHERE target = ?",
        "UPDATE imports SET definer = NULL WHERE definer = ?",
    ):
        connection.execute(statement, (file,))
    return [importer for (importer,) in importers]
