"""What the index knows for certain of how a text goes on at a cursor: pure, and quick.

Members behind an operator, names that an import may name, keyword arguments, and names that are
seen at the cursor. Where more than one continuation is possible, only what they have in common is
known; where not all of them are known, nothing is. Must never do I/O. May import `context`,
`syntax` and `text`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sidecar.context.certain import arguments, imports, members, names
from sidecar.context.certain.cursor import cursor_of
from sidecar.context.certain.going_on import continuation

if TYPE_CHECKING:
    from sidecar.context.snapshot import Place, Snapshot

__all__ = ["certain"]

#: Letters that must have been typed of a name that is not bound to a receiver or a module: fewer
#: are soon typed, and say too little.
_LEAST_OF_ARGUMENTS: Final = 2
_LEAST_OF_NAMES: Final = 3


def certain(place: Place, snapshot: Snapshot) -> str:
    """Return what certainly comes next at a place, as far as it is known; nothing if it is not.

    Args:
        place: The place.
        snapshot: What is known of the workspace.
    """
    cursor = cursor_of(place)
    if cursor is None:
        return ""
    typed = cursor.typed
    for source in (imports.possible, members.possible):
        found = source(cursor, place, snapshot)
        if found is not None:
            return continuation(typed, found)
    if len(typed) < _LEAST_OF_ARGUMENTS or not names.is_expected(cursor):
        return ""
    seen = names.possible(cursor, place, snapshot)
    if seen is None:
        return ""
    called = arguments.possible(cursor, place, snapshot)
    if called is None:
        return ""
    if any(name.startswith(typed) for name in called):
        return continuation(typed, seen | called)
    if len(typed) < _LEAST_OF_NAMES or len(seen) != 1:
        return ""
    (only,) = seen
    return continuation(typed, seen) if names.is_seen(only, cursor, place, snapshot) else ""
