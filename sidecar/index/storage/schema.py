"""The tables of the index, and the numbers by which a database is known to be one.

What is kept of symbols and imports is blind to positions, so that an edit inside of a body leaves
it alone. Must never hold data, nor open a database. May import nothing of sidecar.
"""

from __future__ import annotations

from typing import Final

__all__ = ["APPLICATION_ID", "DDL", "VERSION"]

#: "scix" in ASCII; `file` and SQLite's own tools show it.
APPLICATION_ID: Final = 0x73636978
#: Raised by each change of the tables or of what stands in them: older databases are made anew.
VERSION: Final = 6

DDL: Final = (
    # Ids are never used twice, so that whoever remembers an id's path is right for ever.
    """
    CREATE TABLE files (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        path TEXT NOT NULL UNIQUE,
        folder TEXT NOT NULL,
        stem TEXT NOT NULL,
        language TEXT NOT NULL,
        size INTEGER NOT NULL,
        mtime_ns INTEGER NOT NULL,
        digest BLOB NOT NULL,
        fingerprint BLOB NOT NULL,
        errors INTEGER NOT NULL,
        external INTEGER NOT NULL,
        symbol_count INTEGER NOT NULL,
        reference_count INTEGER NOT NULL
    )
    """,
    "CREATE INDEX files_folder ON files (folder)",
    "CREATE INDEX files_stem ON files (stem)",
    # What changes with every edit, apart from what is read for every file at a start.
    "CREATE TABLE blobs (file INTEGER PRIMARY KEY, places BLOB NOT NULL, refs BLOB NOT NULL)",
    # All symbols of a file in one piece: rows for each cost five times as much to write, and an
    # edit that shifts them would touch them all.
    "CREATE TABLE symbols (file INTEGER PRIMARY KEY, packed BLOB NOT NULL)",
    # Which files declare a name, and whether outside of all other declarations.
    """
    CREATE TABLE names (
        name TEXT NOT NULL,
        file INTEGER NOT NULL,
        top INTEGER NOT NULL,
        PRIMARY KEY (name, file)
    ) WITHOUT ROWID
    """,
    # Members that stand outside of their type: methods of Go, `impl` of Rust, `A::b` of C++.
    "CREATE TABLE owners (owner TEXT, file INTEGER, PRIMARY KEY (owner, file)) WITHOUT ROWID",
    """
    CREATE TABLE imports (
        file INTEGER NOT NULL,
        ordinal INTEGER NOT NULL,
        module TEXT NOT NULL,
        name TEXT NOT NULL,
        alias TEXT NOT NULL,
        target INTEGER,
        definer INTEGER,
        PRIMARY KEY (file, ordinal)
    ) WITHOUT ROWID
    """,
    "CREATE INDEX imports_target ON imports (target) WHERE target IS NOT NULL",
    "CREATE INDEX imports_definer ON imports (definer) WHERE definer IS NOT NULL",
    # An import may mean several files, as a package of Go does.
    "CREATE TABLE edges (file INTEGER, target INTEGER, PRIMARY KEY (file, target)) WITHOUT ROWID",
    "CREATE INDEX edges_target ON edges (target)",
    "CREATE TABLE import_keys (key TEXT, file INTEGER, PRIMARY KEY (key, file)) WITHOUT ROWID",
    "CREATE INDEX import_keys_file ON import_keys (file)",
    """
    CREATE VIRTUAL TABLE words USING fts5 (
        text, tokenize = "unicode61 remove_diacritics 0 tokenchars '_$'"
    )
    """,
    # The files that are external, each with the time when an open file wanted it last.
    "CREATE TABLE outside_files (file INTEGER PRIMARY KEY, wanted INTEGER NOT NULL)",
    # Where imports lead that lead nowhere in the workspace. Apart from `imports`, so that what is
    # resolved inside wins whenever it comes, and this counts again when that goes.
    """
    CREATE TABLE outside_links (
        file INTEGER NOT NULL,
        module TEXT NOT NULL,
        name TEXT NOT NULL,
        place INTEGER NOT NULL,
        target INTEGER NOT NULL,
        PRIMARY KEY (file, module, name, place)
    ) WITHOUT ROWID
    """,
    "CREATE INDEX outside_links_target ON outside_links (target)",
    "CREATE TABLE skipped (path TEXT PRIMARY KEY, reason TEXT NOT NULL) WITHOUT ROWID",
    # Skips beyond those that are listed one by one.
    "CREATE TABLE skip_counts (reason TEXT PRIMARY KEY, files INTEGER NOT NULL) WITHOUT ROWID",
    "CREATE TABLE meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID",
    "INSERT INTO meta VALUES ('generation', 0)",
    # Which files each of the last generations was about, a path a line: so processes that write by
    # turns need not read what they know of all files again.
    "CREATE TABLE journal (generation INTEGER PRIMARY KEY, paths TEXT NOT NULL)",
    "CREATE TABLE writers (name TEXT PRIMARY KEY, pid INTEGER NOT NULL) WITHOUT ROWID",
)
