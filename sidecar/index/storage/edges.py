"""How where a file's imports lead becomes rows, changing no row that is right already.

Works inside of its caller's transaction. Must never begin or end one. May import `externals` and
`rows` of this package.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sidecar.index.storage.externals import outside_links
from sidecar.index.storage.rows import file_id

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Collection, Sequence

__all__ = ["write_keys", "write_links"]


def write_links(
    connection: sqlite3.Connection,
    file: int,
    targets: Sequence[Sequence[str]],
    keys: Collection[str],
    ids: dict[str, int | None],
    waiting: list[tuple[str, int]],
) -> bool:
    """Write where a file's imports lead; tell whether that is another place than before.

    Args:
        connection: To the database.
        file: The importing file.
        targets: For each import in order, the files that it means, best first.
        keys: What could change that.
        ids: Ids of paths, remembered by the caller for the length of its transaction.
        waiting: Takes the rows of new keys, which the caller gives to `write_keys`.
    """
    old_keys = {
        key for (key,) in connection.execute("SELECT key FROM import_keys WHERE file = ?", (file,))
    }
    new_keys = set(keys)
    if old_keys != new_keys:
        connection.executemany(
            "DELETE FROM import_keys WHERE key = ? AND file = ?",
            [(key, file) for key in old_keys - new_keys],
        )
        waiting += [(key, file) for key in new_keys - old_keys]
    rows = connection.execute(
        "SELECT target, module, name FROM imports WHERE file = ? ORDER BY ordinal", (file,)
    ).fetchall()
    outside = outside_links(connection, file, {row[1:] for row in rows})
    best: list[int | None] = []
    meant: set[int] = set()
    for ordinal, paths in enumerate(targets):
        found = []
        for path in paths:
            if path not in ids:
                ids[path] = file_id(connection, path)
            target = ids[path]
            if target is not None and target != file:
                found.append(target)
        if outside and not found and ordinal < len(rows):
            found = outside.get(rows[ordinal][1:], [])
        best.append(found[0] if found else None)
        meant.update(found)
    # The file may have been written again since its imports were resolved.
    updates = [
        (new, file, ordinal)
        for ordinal, ((old, *_), new) in enumerate(zip(rows, best, strict=False))
        if old != new
    ]
    connection.executemany("UPDATE imports SET target = ? WHERE file = ? AND ordinal = ?", updates)
    edges = connection.execute("SELECT target FROM edges WHERE file = ?", (file,)).fetchall()
    known = {target for (target,) in edges}
    if known == meant:
        return bool(updates)
    connection.executemany(
        "DELETE FROM edges WHERE file = ? AND target = ?", [(file, t) for t in known - meant]
    )
    connection.executemany(
        "INSERT INTO edges VALUES (?, ?)", [(file, target) for target in sorted(meant - known)]
    )
    return True


def write_keys(connection: sqlite3.Connection, waiting: list[tuple[str, int]]) -> None:
    """Write the keys of several files, in their order, in which a tree is filled faster."""
    waiting.sort()
    connection.executemany("INSERT INTO import_keys VALUES (?, ?)", waiting)
