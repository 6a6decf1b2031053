"""What an index says of a workspace, in a form that two of them can be compared in.

There are no ids in it, no times and no order.
"""

from __future__ import annotations

import contextlib
import sqlite3
from typing import TYPE_CHECKING, Any

from sidecar.index.extract.records import read_references

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["dump"]

_FILES = """
    SELECT f.path, f.language, f.size, f.digest, f.fingerprint, f.errors, f.external,
        f.symbol_count, f.reference_count, f.folder, f.stem, coalesce(s.packed, x''),
        b.places, w.text, b.refs
    FROM files f LEFT JOIN symbols s ON s.file = f.id LEFT JOIN blobs b ON b.file = f.id
    LEFT JOIN words w ON w.rowid = f.id WHERE NOT f.external
"""
_TABLES = {
    "names": "SELECT f.path, name, top FROM names JOIN files f ON f.id = file WHERE NOT external",
    "owners": "SELECT f.path, owner FROM owners JOIN files f ON f.id = file WHERE NOT external",
    "imports": (
        "SELECT f.path, i.ordinal, i.module, i.name, i.alias, t.path, d.path FROM imports i"
        " JOIN files f ON f.id = i.file LEFT JOIN files t ON t.id = i.target AND NOT t.external"
        " LEFT JOIN files d ON d.id = i.definer AND NOT d.external WHERE NOT f.external"
    ),
    "edges": (
        "SELECT f.path, t.path FROM edges e JOIN files f ON f.id = e.file"
        " LEFT JOIN files t ON t.id = e.target"
        # What is outside depends on what somebody looked at.
        " WHERE NOT f.external AND t.external IS NOT 1"
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
        " UNION ALL SELECT 'outside', file FROM outside_files"
        " WHERE file NOT IN (SELECT id FROM files WHERE external)"
        " UNION ALL SELECT 'led', file FROM outside_links WHERE file NOT IN (SELECT id FROM files)"
        " UNION ALL SELECT 'led to', target FROM outside_links"
        " WHERE target NOT IN (SELECT file FROM outside_files)"
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
