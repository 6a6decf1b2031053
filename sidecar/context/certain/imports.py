"""What may stand in an import statement at a cursor: modules of the workspace, and their names.

Knows how Python imports; elsewhere it has nothing to say. Must never do I/O. May import `context`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from sidecar.context.certain.members import module_names
from sidecar.context.certain.modules import folders_of, module_file, modules_in

if TYPE_CHECKING:
    from collections.abc import Collection

    from sidecar.context.certain.cursor import Cursor
    from sidecar.context.snapshot import Place, Snapshot

__all__ = ["possible"]

_STATEMENT: Final = re.compile(r"\s*(?:from|import)\s")
_MODULE: Final = re.compile(
    r"\s*(?:from\s+|import\s+(?:[\w.]+(?:\s+as\s+\w+)?\s*,\s*)*)(\.*(?:\w+\.)*)\w*\Z"
)
_BEFORE_NAMES: Final = r"(?:\A|\n)[ \t]*from[ \t]+(\.*[\w.]*)[ \t]+import[ \t]*"
#: Names on one line, and in brackets on several, where comments may stand.
_NAMES: Final = (
    re.compile(_BEFORE_NAMES + r"((?:\w+(?:[ \t]+as[ \t]+\w+)?[ \t]*,[ \t]*)*)\w*\Z"),
    re.compile(_BEFORE_NAMES + r"\(\s*((?:\w+(?:\s+as\s+\w+)?\s*,(?:\s|#.*)*)*)\w*\Z"),
)


def possible(cursor: Cursor, place: Place, snapshot: Snapshot) -> Collection[str] | None:
    """Return the names that may stand at a cursor in an import.

    Returns:
        None if there is no import; nothing if not all names are known.
    """
    if cursor.language.name != "python":
        return None
    for pattern in _NAMES:
        found = pattern.search(cursor.before)
        if found is not None:
            named = set(re.findall(r"\w+", found[2]))
            return _names(found[1], named, place.path, snapshot)
    if not _STATEMENT.match(cursor.line):
        return None
    module = _MODULE.match(cursor.line)
    if module is None or not module[1]:
        # Of the modules that one names first many lie elsewhere.
        return ()
    folders = folders_of(module[1], place.path, snapshot)
    return modules_in(folders[0], snapshot) if len(folders) == 1 else ()


def _names(module: str, named: set[str], path: str, snapshot: Snapshot) -> Collection[str]:
    """Return what a module gives that an import does not name yet."""
    file = module_file(module, path, snapshot)
    if file is not None:
        return {name for name in module_names(file, snapshot) if name not in named}
    if module.strip("."):
        return ()
    # A folder without a file of its own gives the modules in it.
    folders = folders_of(module, path, snapshot)
    return modules_in(folders[0], snapshot) - named if len(folders) == 1 else ()
