"""What an index says, in a form that two of them can be compared in: no ids, no times, no order."""

from __future__ import annotations

import contextlib
import sqlite3
from typing import TYPE_CHECKING, Any

from sidecar.index.records import read_references

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["dump"]

_FILES = """
    SELECT f.path, f.language, f.size, f.digest, f.fingerprint, f.errors, f.external,
        f.symbol_count, f.reference_count, f.folder, f.stem, coalesce(s.packed, x''),
        b.places, w.text, b.refs
    FROM files f LEFT JOIN symbols s ON s.file = f.id LEFT JOIN blobs b ON b.file = f.id
    LEFT JOIN words w ON w.rowid = f.id
"""
_TABLES = {
    "names": "SELECT f.path, name, top FROM names JOIN files f ON f.id = file",
    "owners": "SELECT f.path, owner FROM owners JOIN files f ON f.id = file",
    "imports": (
        "SELECT f.path, i.ordinal, i.module, i.name, i.alias, t.path, d.path FROM imports i"
        " JOIN files f ON f.id = i.file LEFT JOIN files t ON t.id = i.target"
        " LEFT JOIN files d ON d.id = i.definer"
    ),
    "edges": (
        "SELECT f.path, t.path FROM edges e JOIN files f ON f.id = e.file"
        " LEFT JOIN files t ON t.id = e.target"
    ),
    "keys": "SELECT f.path, key FROM import_keys JOIN files f ON f.id = file",
    "skipped": "SELECT path, reason FROM skipped",
    # What no file has any more.
    "ghosts": (
        "SELECT 'symbols', file FROM symbols WHERE file NOT IN (SELECT id FROM files)"
        " UNION ALL SELECT 'blobs', file FROM blobs WHERE file NOT IN (SELECT id FROM files)"
        " UNION ALL SELECT 'names', file FROM names WHERE file NOT IN (SELECT id FROM files)"
        " UNION ALL SELECT 'words', rowid FROM words WHERE rowid NOT IN (SELECT id FROM files)"
        " UNION ALL SELECT 'imports', file FROM imports WHERE file NOT IN (SELECT id FROM files)"
        " UNION ALL SELECT 'keys', file FROM import_keys WHERE file NOT IN (SELECT id FROM files)"
    ),
    "pending": "SELECT key FROM meta WHERE key = 'unlinked'",
}


def dump(database: Path) -> dict[str, Any]:
    """Return everything that an index says."""
    with contextlib.closing(sqlite3.connect(database)) as connection:
        found: dict[str, Any] = {
            # The order of words and references is nobody's business.
            "files": {
                path: (*row, sorted((words or "").split()), read_references(references))
                for path, *row, words, references in connection.execute(_FILES)
            }
        }
        for name, statement in _TABLES.items():
            found[name] = sorted(connection.execute(statement).fetchall(), key=repr)
        connection.execute("INSERT INTO words (words) VALUES ('integrity-check')")
        (whole,) = connection.execute("PRAGMA integrity_check").fetchone()
        assert whole == "ok"
        connection.rollback()
    return found
