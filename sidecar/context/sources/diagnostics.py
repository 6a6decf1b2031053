"""The source `diagnostics`: errors and warnings near the cursor, as lines of comment.

Only what the editor sent is known. What is said of the line that is being written is left out: it
is about what is not there yet. So is what is said of a line that holds a secret, for it may quote
it. Must never do I/O. May import `context`'s values and guard, and `text`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sidecar.context.guard import blanked, blanked_spans
from sidecar.context.snapshot import Snippet

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sidecar.context.snapshot import Diagnostic, Place, Snapshot
    from sidecar.text import Buffer

__all__ = ["NAME", "offer"]

NAME: Final = "diagnostics"

#: Lines from the cursor to what is shown, how many are shown, and the most characters of each.
_NEAR: Final = 60
_SHOWN: Final = 5
_LONGEST: Final = 200
#: Characters of a message that are looked at.
_READ: Final = 2_000
#: Errors and warnings, as LSP counts.
_SEVERITIES: Final = (1, 2)
#: What begins a comment where the language does not tell.
_MARK: Final = "#"


def offer(place: Place, snapshot: Snapshot) -> list[Snippet]:
    """Return what is reported near the cursor, if anything is."""
    buffer = place.document.buffer
    here = buffer.line_at(place.cursor)
    near = {
        (abs(said.line - here), said.severity, said.line, said.message): said
        for said in snapshot.diagnostics
        if said.severity in _SEVERITIES
        and 0 < abs(said.line - here) <= _NEAR
        and 0 <= said.line < buffer.line_count
    }
    # Of a line with a secret nothing is said, and errors come before warnings.
    open_ = _open_lines(buffer, sorted({said.line for said in near.values()}))
    order = sorted((key for key in near if near[key].line in open_), key=lambda key: (key[1], *key))
    chosen = sorted((near[key] for key in order[:_SHOWN]), key=_in_file)
    mark = place.language.comments[0].decode() if place.language else _MARK
    lines = [f"{mark} line {said.line + 1}: {text}" for said in chosen if (text := _cut(said))]
    if not lines:
        return []
    text = "\n".join(lines) + "\n"
    return [Snippet(NAME, NAME, place.path, text, 1.0, "reported by the editor", tier="background")]


def _in_file(said: Diagnostic) -> tuple[int, int, str]:
    return said.line, said.severity, said.message


def _open_lines(buffer: Buffer, lines: Sequence[int]) -> frozenset[int]:
    """Return those of some lines that hold no secret."""
    if not lines:
        return frozenset()
    spans = [(buffer.line_start(line), _line_end(buffer, line)) for line in lines]
    found = blanked_spans(buffer, spans)
    return frozenset(line for line, guarded in zip(lines, found, strict=True) if not guarded.found)


def _line_end(buffer: Buffer, line: int) -> int:
    return buffer.line_start(line + 1) if line + 1 < buffer.line_count else len(buffer)


def _cut(said: Diagnostic) -> str:
    """Return a message in one line without secrets, of which no half may be left by a cut."""
    message = said.message
    if _READ < len(message):
        message = message[:_READ].rpartition(" ")[0]
    text = " ".join(blanked(message).text.split())
    if len(text) <= _LONGEST:
        return text
    room = text[: _LONGEST - 4]
    return (room.rpartition(" ")[0] or room) + " ..."
