"""How somebody goes on who came to the end of a line: there, or on a new one.

Some move to where they write and write there; others always open a line first. Must never wait or
do I/O. May import `text`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from sidecar.text import Document

__all__ = ["Beginnings", "at_end", "ended"]

#: Weight of what was seen last, and the share from which on a new line is what is expected: one
#: more of those is not enough, two are.
_BLEND: Final = 0.3
_MOSTLY: Final = 0.7


class Beginnings:
    """Learns from the first edits at the ends of lines whether these begin with a new line."""

    def __init__(self) -> None:
        self._share = 0.5
        self._at: tuple[str, int] | None = None

    def came(self, document: Document, offset: int) -> None:
        """Take in that the cursor came to a place without an edit."""
        self._at = (document.uri, offset) if at_end(document, offset) else None

    def edited(self, document: Document, end: int) -> None:
        """Take in an edit.

        Args:
            document: The document as it is now.
            end: Where the edit ends.
        """
        at, self._at = self._at, None
        if at is None or at[0] != document.uri or end <= at[1]:
            return
        opens = document.buffer.slice(at[1], end).lstrip(" \t\r").startswith("\n")
        self._share += _BLEND * (opens - self._share)

    @property
    def new_line(self) -> bool:
        """Whether the next one will probably begin with a new line."""
        return self._share > _MOSTLY


def at_end(document: Document, offset: int) -> bool:
    """Tell whether nothing but blanks follows on the line of a place."""
    buffer = document.buffer
    return not buffer.slice(offset, buffer.line_end(buffer.line_at(offset))).strip()


def ended(document: Document, offset: int) -> tuple[Document, int]:
    """Return a document as it is when its line is ended at a cursor, and the cursor behind that."""
    buffer = document.buffer.edit(offset, offset, "\n")
    return replace(document, buffer=buffer), offset + 1
