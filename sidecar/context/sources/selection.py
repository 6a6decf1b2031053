"""The source `selection`: the lines of what is selected in an editor that tells it.

Whole lines of the file's own text, from which secrets were taken as from any other: an edge of what
is selected uncovers nothing. Must never do I/O. May import `context`'s values.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sidecar.context.excerpt import text_of
from sidecar.context.snapshot import Snippet

if TYPE_CHECKING:
    from sidecar.context.snapshot import Place, Snapshot

__all__ = ["NAME", "offer"]

NAME: Final = "selection"

#: The most lines that are shown: the first ones.
_LINES: Final = 40


def offer(place: Place, snapshot: Snapshot) -> list[Snippet]:
    """Return what is selected, if anything is."""
    selected = snapshot.selected
    text = None if selected is None else snapshot.text(selected.path)
    if selected is None or not text:
        return []
    lines = text.split("\n")
    last = min(selected.last_line + 1, selected.first_line + _LINES, len(lines))
    shown = text_of(lines, selected.first_line, last).strip("\n")
    if not shown.strip():
        return []
    return [Snippet(NAME, NAME, selected.path, shown + "\n", 1.0, "selected in the editor")]
