"""Where the user may type next: pure functions of a document and of what is known around it.

Must never do I/O nor know LSP types. May import `text` and `context`'s values.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sidecar.context.snapshot import Snapshot
    from sidecar.text import Buffer, Document

__all__ = ["Guess", "name_at", "next_blank_line", "open_place", "places_in_file"]

#: Lines below the cursor in which a blank one is looked for.
_REACH: Final = 60
_TAB: Final = 8
_NAME: Final = re.compile(r"[^\W\d]\w*")


class Guess(NamedTuple):
    """A place where the user may type next.

    Args:
        offset: The place.
        reason: Why, as it is counted.
    """

    offset: int
    reason: str


def next_blank_line(document: Document, offset: int) -> int | None:
    """Return the end of the first blank line below a cursor that its block holds or ends with."""
    buffer = document.buffer
    line = buffer.line_at(offset)
    depth = _depth_at(buffer, line)
    for below in range(line + 1, min(line + _REACH, buffer.line_count)):
        text = buffer.line(below)
        if not text.strip():
            return buffer.line_end(below)
        if _width(text) < depth:
            return None
    return None


def open_place(
    document: Document, offset: int, may_suggest: Callable[[Document, int], bool]
) -> int | None:
    """Return where a suggestion may be wanted: at a place, or else at the end of its line."""
    end = document.buffer.line_end(document.buffer.line_at(offset))
    return next((at for at in (offset, end) if may_suggest(document, at)), None)


def name_at(document: Document, offset: int) -> str:
    """Return the identifier in which a cursor stands, or that it touches; empty if none."""
    buffer = document.buffer
    line = buffer.line_at(offset)
    column = offset - buffer.line_start(line)
    for found in _NAME.finditer(buffer.line(line)):
        if found.start() <= column <= found.end():
            return found[0]
    return ""


def places_in_file(document: Document, path: str, snapshot: Snapshot, name: str) -> list[Guess]:
    """Return where the user may type in a file that was just switched to, the likeliest first.

    Args:
        document: The file.
        path: Its path relative to the workspace.
        snapshot: What is known of the workspace.
        name: The identifier at the cursor in the file that was left; empty if there was none.
    """
    found = [_line_guess(document, line, "definition") for line in _declared(path, snapshot, name)]
    edits = (edit.last_line for edit in snapshot.edits if edit.path == path)
    found += [_line_guess(document, line, "edit") for line in list(edits)[:1]]
    viewed = (view.line for view in snapshot.viewed if view.path == path and view.line >= 0)
    found += [_line_guess(document, line, "view") for line in viewed]
    places: dict[int, Guess] = {}
    for guess in found:
        places.setdefault(guess.offset, guess)
    return list(places.values()) or [Guess(0, "start")]


def _declared(path: str, snapshot: Snapshot, name: str) -> Sequence[int]:
    """Return the line below a declaration of a name in a file: there its body begins."""
    if not name:
        return ()
    declared = snapshot.index.symbols(path)
    lines = (item.place.line for item in declared if item.symbol.name == name)
    return [line + 1 for line in lines][:1]


def _line_guess(document: Document, line: int, reason: str) -> Guess:
    buffer = document.buffer
    return Guess(buffer.line_end(min(max(line, 0), buffer.line_count - 1)), reason)


def _depth_at(buffer: Buffer, line: int) -> int:
    """Return the depth of the block around a line; of what is above it where that is blank."""
    for above in range(line, max(line - _REACH, -1), -1):
        text = buffer.line(above)
        if text.strip():
            return _width(text)
    return 0


def _width(text: str) -> int:
    return len(text[: len(text) - len(text.lstrip(" \t"))].expandtabs(_TAB))
