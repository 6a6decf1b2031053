"""The open documents: each an immutable snapshot that the next edit replaces.

pygls keeps documents too; those split lines where LSP does not, and cost the whole file for each
keystroke, so they are not used. Must never know LSP types. May import `text`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from sidecar.text import Buffer, Change, Document, Encoding

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["Documents"]


class Documents:
    """The documents that the editor has open.

    Args:
        encoding: The encoding of the columns that the editor sends.
    """

    def __init__(self, encoding: Encoding) -> None:
        self.encoding: Encoding = encoding
        self._open: dict[str, Document] = {}

    def __len__(self) -> int:
        return len(self._open)

    def __iter__(self) -> Iterator[Document]:
        return iter(list(self._open.values()))

    def get(self, uri: str) -> Document | None:
        """Return a document as it is now, or None if it is not open."""
        return self._open.get(uri)

    def open(self, uri: str, path: str, language: str, version: int, text: str) -> Document:
        """Take in a document that was opened, or opened again."""
        document = Document(uri, path, language, version, Buffer.of(text))
        self.keep(document)
        return document

    def keep(self, document: Document) -> None:
        """Keep a snapshot in place of the document's last one."""
        self._open[document.uri] = document

    def change(self, uri: str, version: int, changes: Sequence[Change]) -> Document | None:
        """Apply the editor's changes, and return the new snapshot, or None if it is not open."""
        document = self._open.get(uri)
        if document is None:
            return None
        buffer = document.buffer.apply(changes, self.encoding)
        document = self._open[uri] = replace(document, version=version, buffer=buffer)
        return document

    def close(self, uri: str) -> None:
        """Forget a document."""
        self._open.pop(uri, None)
