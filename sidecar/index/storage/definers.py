"""Which file defines an imported name: through as many re-exports as it takes.

`from package import Name` leads to the package's own file, which often only passes the name on.
What is stored with an import is a pure function of the symbols and imports that are there, so an
index that was kept up to date equals one made anew. May import nothing of sidecar.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable

__all__ = ["define"]

#: The files that a package of Python is.
_PACKAGE = ("__init__.py", "__init__.pyi")
#: Re-exports that are followed from one import; real code has three or four.
_MOST_STEPS = 12

_DECLARES = "SELECT 1 FROM names WHERE name = ? AND file = ? AND top"
_PASSES_ON = """
    SELECT name, target FROM imports
    WHERE file = ?1 AND (name = '*' OR (CASE alias WHEN '' THEN name ELSE alias END) = ?2)
    ORDER BY name = '*', ordinal
"""
_PATH = "SELECT path FROM files WHERE id = ?"
_OF_FILE = "SELECT ordinal, name, target, definer FROM imports WHERE file = ?"
_DEPENDENT = """
    SELECT file, ordinal, name, target, definer FROM imports WHERE target = ?1
    UNION SELECT file, ordinal, name, target, definer FROM imports WHERE definer = ?1
"""


def define(connection: sqlite3.Connection, changed: Iterable[int], linked: Iterable[int]) -> None:
    """Bring the definers of imports up to date, inside of the caller's transaction.

    Args:
        connection: To the database.
        changed: Files that declare or import something else than before.
        linked: Files whose imports were resolved.
    """
    pending = list(dict.fromkeys(changed))
    seen = set(pending)
    updates: dict[tuple[int, int], int | None] = {}
    memo: dict[tuple[int, str], int | None] = {}

    def settle(file: int, ordinal: int, name: str, target: int | None, old: int | None) -> None:
        new = (
            target if target is None or name in ("", "*") else _find(connection, memo, target, name)
        )
        if new != old:
            updates[file, ordinal] = new
        # A name passed on with `*` changes nothing here, and still everything for importers.
        if (new != old or name == "*") and file not in seen:
            seen.add(file)
            pending.append(file)

    for file in dict.fromkeys(linked):
        for ordinal, name, target, old in connection.execute(_OF_FILE, (file,)).fetchall():
            settle(file, ordinal, name, target, old)
    while pending:
        for row in connection.execute(_DEPENDENT, (pending.pop(),)).fetchall():
            settle(*row)
    connection.executemany(
        "UPDATE imports SET definer = ? WHERE file = ? AND ordinal = ?",
        [(definer, *where) for where, definer in updates.items()],
    )


def _find(
    connection: sqlite3.Connection,
    memo: dict[tuple[int, str], int | None],
    target: int,
    name: str,
) -> int | None:
    """Return the file that defines a name which is imported from a file."""
    key = (target, name)
    if key not in memo:
        memo[key] = _walk(connection, target, name)
    return memo[key]


def _walk(connection: sqlite3.Connection, target: int, name: str) -> int | None:
    """Follow a name breadth first: the nearest definition wins, and circles end."""
    level = [(target, name)]
    seen = set(level)
    for _ in range(_MOST_STEPS):
        following = []
        for file, wanted in level:
            if connection.execute(_DECLARES, (wanted, file)).fetchone():
                return file
            rows = connection.execute(_PASSES_ON, (file, wanted)).fetchall()
            if (not rows or rows[0][0] == "*") and _is_itself(connection, file, wanted):
                return file
            for passed, next_file in rows:
                if next_file is None:
                    continue
                if passed == "":
                    # `import module` binds a name to a file: there is nothing further.
                    return int(next_file)
                step = (next_file, wanted if passed == "*" else passed)
                if step not in seen:
                    seen.add(step)
                    following.append(step)
        level = following
        if not level:
            break
    return None


def _is_itself(connection: sqlite3.Connection, file: int, name: str) -> bool:
    """Tell whether a name that a file neither declares nor passes on means the file as such.

    So does the default export of JavaScript, and `from package import module` in Python.
    """
    if name == "default":
        return True
    row = connection.execute(_PATH, (file,)).fetchone()
    parts = row[0].split("/") if row else [""]
    return name in (parts[-1].partition(".")[0], *(parts[-2:-1] if parts[-1] in _PACKAGE else ()))
