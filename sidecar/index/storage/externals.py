"""The rows about files outside of the workspace: which imports lead there, and which may go.

Every function works inside of its caller's transaction. Must never begin or end one. May import
nothing of sidecar.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Collection, Iterable, Mapping, Sequence

__all__ = ["dispensable", "is_external", "lead_outside", "outside_links"]


def is_external(path: str) -> bool:
    """Tell whether a path of the index is one outside of the workspace: these are absolute."""
    return path[:1] == "/" or path[1:3] == ":/"


def outside_links(
    connection: sqlite3.Connection, file: int, imported: Collection[tuple[str, str]]
) -> dict[tuple[str, str], list[int]]:
    """Return where imports of a file lead outside, and forget those that it has no more.

    Args:
        connection: To the database.
        file: The importing file.
        imported: Module and name of all its imports.
    """
    found: dict[tuple[str, str], list[int]] = {}
    for module, name, target in connection.execute(
        "SELECT module, name, target FROM outside_links WHERE file = ?"
        " ORDER BY module, name, place",
        (file,),
    ).fetchall():
        found.setdefault((module, name), []).append(target)
    for module, name in found.keys() - imported:
        _unlead(connection, file, module, name)
    return found


def lead_outside(
    connection: sqlite3.Connection,
    file: int,
    targets: Mapping[tuple[str, str], Sequence[int]],
) -> bool:
    """Write where some imports of a file lead outside; tell whether that is another place."""
    changed = False
    for (module, name), wanted in targets.items():
        held = [
            target
            for (target,) in connection.execute(
                "SELECT target FROM outside_links WHERE file = ? AND module = ? AND name = ?"
                " ORDER BY place",
                (file, module, name),
            )
        ]
        if held == list(wanted):
            continue
        changed = True
        _unlead(connection, file, module, name)
        connection.executemany(
            "INSERT INTO outside_links VALUES (?, ?, ?, ?, ?)",
            [(file, module, name, place, target) for place, target in enumerate(wanted)],
        )
    return changed


def dispensable(connection: sqlite3.Connection, most: int) -> list[str]:
    """Return the files outside that no file of the workspace leads to, and those beyond a number.

    Args:
        connection: To the database.
        most: So many may stay: those that were wanted last.
    """
    held = dict(
        connection.execute("SELECT file, wanted FROM outside_files ORDER BY wanted DESC, file DESC")
    )
    if not held:
        return []
    leads: dict[int, list[int]] = {}
    for file, target in connection.execute("SELECT DISTINCT file, target FROM outside_links"):
        leads.setdefault(file, []).append(target)
    todo = [target for file, targets in leads.items() if file not in held for target in targets]
    reached: set[int] = set()
    while todo:
        file = todo.pop()
        if file not in reached:
            reached.add(file)
            todo += leads.get(file, ())
    kept = [file for file in held if file in reached][:most]
    gone = held.keys() - set(kept)
    return _paths(connection, sorted(gone))


def _paths(connection: sqlite3.Connection, files: Iterable[int]) -> list[str]:
    return [
        path
        for file in files
        for (path,) in connection.execute("SELECT path FROM files WHERE id = ?", (file,))
    ]


def _unlead(connection: sqlite3.Connection, file: int, module: str, name: str) -> None:
    connection.execute(
        "DELETE FROM outside_links WHERE file = ? AND module = ? AND name = ?",
        (file, module, name),
    )
