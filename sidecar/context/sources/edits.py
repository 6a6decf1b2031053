"""The source `edits`: what was edited lately in other files, as it is now.

May import `context`'s values.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sidecar.context.excerpt import excerpt, text_of
from sidecar.context.snapshot import Edit, Snippet

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sidecar.context.snapshot import Place, Snapshot

__all__ = ["LINES", "NAME", "edited_paths", "offer"]

NAME: Final = "edits"

#: Edits that count as lately, pieces that are shown of them, and the most lines of each.
_LATELY: Final = 20
_SHOWN: Final = 3
LINES: Final = 20
#: Edits with so few lines between them were one.
_BETWEEN: Final = 6
#: Lines shown around an edit, so that one sees what it is in.
_AROUND: Final = 3


def offer(place: Place, snapshot: Snapshot) -> list[Snippet]:
    """Return what was edited in other files, the newest first."""
    found: list[Snippet] = []
    for rank, (edit, text) in enumerate(_shown(place, snapshot)):
        lines = text.split("\n")
        whole = edit.last_line - edit.first_line + 1
        # Of a long one its end, which was written last.
        first = edit.first_line if whole <= LINES else edit.last_line + 1 - LINES
        around = max(min(_AROUND, (LINES - whole) // 2), 0)
        first, last = excerpt(lines, first - around, edit.last_line + 1 + around, LINES)
        shown = text_of(lines, first, last)
        if shown:
            name = _within(snapshot, edit)
            key = f"{NAME}:{edit.path}:{name or first // LINES}"
            count = sum(snippet.key.split("#")[0] == key for snippet in found)
            reason = "edited last" if rank == 0 else f"edited lately, number {rank + 1}"
            key += f"#{count + 1}" if count else ""
            found.append(Snippet(NAME, key, edit.path, shown, 1 / (1 + rank), reason))
    return found


def edited_paths(place: Place, snapshot: Snapshot) -> frozenset[str]:
    """Return the files of which edits are shown."""
    return frozenset([edit.path for edit, _ in _shown(place, snapshot)])


def _shown(place: Place, snapshot: Snapshot) -> list[tuple[Edit, str]]:
    """Return the edits that are shown, with the texts of their files."""
    found: list[tuple[Edit, str]] = []
    texts: dict[str, str | None] = {}
    for edit in _merged(snapshot.edits[:_LATELY]):
        if edit.path == place.path:
            continue
        if edit.path not in texts:
            texts[edit.path] = snapshot.text(edit.path)
        text = texts[edit.path]
        if text and edit.first_line <= text.count("\n"):
            found.append((edit, text))
        if len(found) == _SHOWN:
            break
    return found


def _merged(edits: Sequence[Edit]) -> Iterable[Edit]:
    """Return edits with those that are close to each other as one, at the newest one's place."""
    merged: list[Edit] = []
    for edit in edits:
        for number, other in enumerate(merged):
            if (
                edit.path == other.path
                and edit.first_line <= other.last_line + _BETWEEN
                and other.first_line <= edit.last_line + _BETWEEN
            ):
                first = min(edit.first_line, other.first_line)
                last = max(edit.last_line, other.last_line)
                if last - first < LINES:
                    merged[number] = Edit(edit.path, first, last)
                break
        else:
            merged.append(edit)
    return merged


def _within(snapshot: Snapshot, edit: Edit) -> str:
    """Return the name of the innermost declaration around an edit, which lines do not change."""
    name = ""
    for declared in snapshot.index.symbols(edit.path):
        if declared.place.first_line > edit.first_line:
            break
        if edit.first_line <= declared.place.last_line:
            name = f"{declared.container}.{declared.symbol.name}".lstrip(".")
    return name
