"""What an editor tells of the moment with its requests: diagnostics, and what is selected.

A language server is not told of other servers' diagnostics, nor of selections, so editors may put
them into an object `sidecar` among the parameters of a completion. Whatever is not as it should be
is ignored. Bookkeeping only: what is said of lines follows the text, and of lines that changed
since it is forgotten. May import `text` and `context`'s values.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from sidecar.context.snapshot import Diagnostic, Selected
from sidecar.server.recent import changed_lines

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sidecar.server.documents import Documents
    from sidecar.text import Buffer, Document

__all__ = ["Told"]

#: Diagnostics that are looked at, and characters of each.
_MOST: Final = 1_000
_LONGEST: Final = 4_000
#: What a diagnostic is whose severity is left to us.
_ERROR: Final = 1


class _Selection(NamedTuple):
    """Selected lines of a document as it was."""

    uri: str
    buffer: Buffer
    first: int
    last: int


class Told:
    """What was told last.

    Args:
        documents: The open documents.
    """

    def __init__(self, documents: Documents) -> None:
        self._documents = documents
        #: By document, what was reported and the text that it was reported of.
        self._reported: dict[str, tuple[Buffer, tuple[Diagnostic, ...]]] = {}
        self._selection: _Selection | None = None

    def take(self, document: Document, said: object) -> None:
        """Take in what came with a request; what it does not speak of stays as it was.

        Args:
            document: The document that the request is about.
            said: What the client sent, of any form.
        """
        if not isinstance(said, dict):
            return
        reported = said.get("diagnostics")
        if isinstance(reported, list):
            found = (_diagnostic(item, document.buffer) for item in reported[:_MOST])
            kept = tuple(item for item in found if item is not None)
            self._reported[document.uri] = document.buffer, kept
        if "selection" in said:
            self._selection = self._selected(document, said["selection"])

    def forget(self, uri: str) -> None:
        """Forget a document that was closed."""
        self._reported.pop(uri, None)
        if self._selection is not None and self._selection.uri == uri:
            self._selection = None

    def diagnostics(self, document: Document) -> tuple[Diagnostic, ...]:
        """Return what was reported of a document, at the lines where it now stands."""
        known = self._reported.get(document.uri)
        if known is None:
            return ()
        buffer, reported = known
        changed = changed_lines(buffer, document.buffer) if buffer is not document.buffer else None
        if changed is None:
            return reported
        first, last, new_last = changed
        return tuple(
            item if item.line < first else item._replace(line=item.line + new_last - last)
            for item in reported
            if not first <= item.line <= last
        )

    def selected(self, documents: Mapping[str, Document]) -> Selected | None:
        """Return what is selected in some documents, unless that document has changed since.

        Args:
            documents: By their paths.
        """
        selection = self._selection
        if selection is None:
            return None
        for path, document in documents.items():
            if document.uri == selection.uri and document.buffer is selection.buffer:
                return Selected(path, selection.first, selection.last)
        return None

    def _selected(self, current: Document, said: object) -> _Selection | None:
        lines = _lines(said, "range")
        if not isinstance(said, dict) or lines is None:
            return None
        named = said.get("textDocument", {"uri": current.uri})
        uri = named.get("uri") if isinstance(named, dict) else None
        document = self._documents.get(uri) if isinstance(uri, str) else None
        if document is None or document.buffer.line_count <= lines[0]:
            return None
        return _Selection(document.uri, document.buffer, *lines)


def _diagnostic(said: object, buffer: Buffer) -> Diagnostic | None:
    if not isinstance(said, dict):
        return None
    place = _position(said.get("range"), "start")
    message = said.get("message")
    if isinstance(message, dict):
        # Markup, since LSP 3.18.
        message = message.get("value")
    severity = said.get("severity", _ERROR)
    if place is None or buffer.line_count <= place[0]:
        return None
    if not isinstance(message, str) or not isinstance(severity, int):
        return None
    return Diagnostic(place[0], int(severity), message[:_LONGEST])


def _lines(said: object, name: str) -> tuple[int, int] | None:
    """Return the first and the last line of a range that is not empty."""
    found = said.get(name) if isinstance(said, dict) else None
    start, end = _position(found, "start"), _position(found, "end")
    if start is None or end is None or end <= start:
        return None
    # Whole lines end where the next one begins.
    return start[0], end[0] - (end[1] == 0 and start[0] < end[0])


def _position(said: object, name: str) -> tuple[int, int] | None:
    found = said.get(name) if isinstance(said, dict) else None
    if not isinstance(found, dict):
        return None
    line, character = (_number(found.get(key)) for key in ("line", "character"))
    return None if line is None or character is None else (line, character)


def _number(value: object) -> int | None:
    if not isinstance(value, int) or isinstance(value, bool):
        return None
    return value if 0 <= value < 1 << 31 else None
