"""The source `viewed`: where the user was in other files that were looked at lately.

May import `context`'s values.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sidecar.context.excerpt import excerpt, text_of
from sidecar.context.snapshot import Snippet
from sidecar.context.sources.edits import edited_paths

if TYPE_CHECKING:
    from sidecar.context.snapshot import Place, Snapshot

__all__ = ["NAME", "offer"]

NAME: Final = "viewed"

#: Files that are shown, and the most lines of each.
_SHOWN: Final = 2
_LINES: Final = 12
#: Cursors that stand within so many lines show the same.
_STEP: Final = 6


def offer(place: Place, snapshot: Snapshot) -> list[Snippet]:
    """Return the lines around the last cursor in files that were looked at, the newest first."""
    found: list[Snippet] = []
    left_out = edited_paths(place, snapshot) | {place.path}
    for path, line in snapshot.viewed:
        if path in left_out or line < 0:
            continue
        left_out |= {path}
        lines = (snapshot.text(path) or "").split("\n")
        first = line // _STEP * _STEP - (_LINES - _STEP) // 2
        first, last = excerpt(lines, max(first, 0), max(first, 0) + _LINES, _LINES)
        text = text_of(lines, first, last) if line < len(lines) else ""
        if text:
            reason = "looked at last" if not found else "looked at before"
            key, score = f"{NAME}:{path}", 1 / (1 + len(found))
            found.append(Snippet(NAME, key, path, text, score, reason, tier="background"))
        if len(found) == _SHOWN:
            break
    return found
