"""Where the user edited and looked lately, over all documents of a session.

Regions follow the text: edits above one move it, edits in it stretch it. Bookkeeping only: no I/O,
no clock, the newest is what was told last. Must never know LSP types. May import `text` and
`context`'s values.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Final

from sidecar.context.snapshot import Edit, Viewed

if TYPE_CHECKING:
    from sidecar.text import Buffer, Document

__all__ = ["Recent", "changed_lines"]

#: Regions that are kept of all documents, and the lines between two that are one.
_EDITS: Final = 64
_BETWEEN: Final = 3
#: A change of more lines is no edit of the user's: a formatter, a checkout, another text.
_MOST_LINES: Final = 200
#: Files that are kept as looked at.
_VIEWS: Final = 16


class Recent:
    """The latest edits and views; files are known by their paths relative to the workspace."""

    def __init__(self) -> None:
        #: The newest first.
        self._edits: list[Edit] = []
        #: The newest last.
        self._views: OrderedDict[str, int] = OrderedDict()

    @property
    def edits(self) -> tuple[Edit, ...]:
        """Regions that were edited, the newest first; none of them overlap."""
        return tuple(self._edits)

    @property
    def viewed(self) -> tuple[Viewed, ...]:
        """Files that were looked at, the newest first, with the line of the last cursor or -1."""
        return tuple([Viewed(path, line) for path, line in reversed(self._views.items())])

    def edited(self, path: str, before: Document, after: Document) -> None:
        """Take in that the user changed a document.

        Args:
            path: Its path.
            before: The document before the change.
            after: The document after it.
        """
        changed = changed_lines(before.buffer, after.buffer)
        if changed is None:
            return
        first, old_last, new_last = changed
        moved = [
            edit if edit.path != path else _moved(edit, first, old_last, new_last)
            for edit in self._edits
        ]
        kept = [edit for edit in moved if edit is not None]
        if max(old_last, new_last) - first < _MOST_LINES:
            region = Edit(path, first, max(new_last, first))
            kept = [region, *kept]
        self._edits = _joined(kept)[:_EDITS]
        if self._views.get(path, -1) >= 0:
            line = self._views[path]
            self._views[path] = line + new_last - old_last if line > old_last else line
        self.looked(path, max(new_last, first))

    def looked(self, path: str, line: int = -1) -> None:
        """Take in that the user looks at a file.

        Args:
            path: Its path.
            line: Where the cursor is, from 0; -1 if that is not known.
        """
        known = self._views.pop(path, -1)
        self._views[path] = line if line >= 0 else known
        while len(self._views) > _VIEWS:
            self._views.popitem(last=False)

    def replaced(self, path: str) -> None:
        """Forget where a file was edited: its text was replaced, so lines mean nothing any more."""
        self._edits = [edit for edit in self._edits if edit.path != path]

    def removed(self, path: str) -> None:
        """Forget a file that is gone."""
        self.replaced(path)
        self._views.pop(path, None)


def changed_lines(old: Buffer, new: Buffer) -> tuple[int, int, int] | None:
    """Return the first line that differs, and the last one in either text; None if none does.

    Buffers share what was not touched, so only what lies between that is compared.
    """
    ranges = old.differences(new)
    if not ranges:
        return None
    start, new_start = ranges[0][0], ranges[0][2]
    end, new_end = ranges[-1][1], ranges[-1][3]
    before, after = old.slice(start, end), new.slice(new_start, new_end)
    if before == after:
        return None
    head = _common(before, after)
    most = min(len(before), len(after)) - head
    tail = _common_end(before, after, most)
    first = old.line_at(start + head)
    # A break at the end of what was changed belongs to the line that it ends.
    old_last = old.line_at(max(end - tail, start + head))
    new_last = new.line_at(max(new_end - tail, new_start + head))
    # Whole lines came or went if both begin at the start of a line.
    return first, old_last, new_last


def _common(one: str, other: str) -> int:
    """Return how many characters two texts begin with alike."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _common_end(one: str, other: str, most: int) -> int:
    """Return how many characters, `most` at most, two texts end with alike."""
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        if one[len(one) - middle : len(one) - low] == other[len(other) - middle : len(other) - low]:
            low = middle
        else:
            high = middle - 1
    return low


def _moved(edit: Edit, first: int, old_last: int, new_last: int) -> Edit | None:
    """Return a region after lines were replaced; None if nothing of it is left."""
    if edit.last_line < first:
        return edit
    by = new_last - old_last
    if edit.first_line > old_last:
        return edit._replace(first_line=edit.first_line + by, last_line=edit.last_line + by)
    if first <= edit.first_line and edit.last_line <= old_last:
        # All of it was replaced: the new edit stands for it.
        return None
    start = min(edit.first_line, first)
    last = edit.last_line + by if edit.last_line > old_last else new_last
    return edit._replace(first_line=start, last_line=max(last, start))


def _joined(edits: list[Edit]) -> list[Edit]:
    """Return regions with those that touch as one, at the newest one's place."""
    joined: list[Edit] = []
    for edit in edits:
        # What was joined may touch another one in turn.
        place = len(joined)
        while (number := _touching(joined, edit)) is not None:
            other = joined.pop(number)
            first = min(edit.first_line, other.first_line)
            edit = Edit(edit.path, first, max(edit.last_line, other.last_line))
            place = min(place, number)
        joined.insert(place, edit)
    return joined


def _touching(edits: list[Edit], edit: Edit) -> int | None:
    for number, other in enumerate(edits):
        if (
            other.path == edit.path
            and other.first_line <= edit.last_line + _BETWEEN
            and edit.first_line <= other.last_line + _BETWEEN
        ):
            overlap = other.first_line <= edit.last_line and edit.first_line <= other.last_line
            span = max(other.last_line, edit.last_line) - min(other.first_line, edit.first_line)
            if overlap or span < _MOST_LINES:
                return number
    return None
