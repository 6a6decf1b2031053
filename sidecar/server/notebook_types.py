"""The messages about notebooks, with the fields that count here.

LSP's own types make objects of the metadata of cells, whose keys may be any words; what is not
declared here is dropped before anybody looks at it. May import lsprotocol and attrs.
"""

from __future__ import annotations

from typing import Any

import attrs
from lsprotocol import types

__all__ = [
    "NOTEBOOK_MESSAGES",
    "DidChangeNotebookParams",
    "DidOpenNotebookParams",
    "NotebookCell",
]


@attrs.frozen
class NotebookCell:
    """A cell: its kind, and the name of its text."""

    kind: types.NotebookCellKind
    document: str


@attrs.frozen
class NotebookDocument:
    """A notebook as it was opened."""

    uri: str
    version: int
    cells: tuple[NotebookCell, ...]
    metadata: Any = None


@attrs.frozen
class DidOpenNotebookParams:
    """A notebook was opened."""

    notebook_document: NotebookDocument
    cell_text_documents: tuple[types.TextDocumentItem, ...]


@attrs.frozen
class CellArrayChange:
    """Cells were put in place of others."""

    start: int
    delete_count: int
    cells: tuple[NotebookCell, ...] | None = None


@attrs.frozen
class CellStructure:
    """Which cells there are is another matter now."""

    array: CellArrayChange
    did_open: tuple[types.TextDocumentItem, ...] | None = None
    did_close: tuple[types.TextDocumentIdentifier, ...] | None = None


@attrs.frozen
class CellChanges:
    """What changed in cells."""

    structure: CellStructure | None = None
    data: tuple[NotebookCell, ...] | None = None
    text_content: tuple[types.NotebookDocumentCellContentChanges, ...] | None = None


@attrs.frozen
class NotebookEvent:
    """What changed in a notebook."""

    metadata: Any = None
    cells: CellChanges | None = None


@attrs.frozen
class DidChangeNotebookParams:
    """A notebook was changed."""

    notebook_document: types.VersionedNotebookDocumentIdentifier
    change: NotebookEvent


@attrs.frozen
class DidOpenNotebook:
    """`notebookDocument/didOpen`."""

    params: DidOpenNotebookParams
    method: str = types.NOTEBOOK_DOCUMENT_DID_OPEN
    jsonrpc: str = "2.0"


@attrs.frozen
class DidChangeNotebook:
    """`notebookDocument/didChange`."""

    params: DidChangeNotebookParams
    method: str = types.NOTEBOOK_DOCUMENT_DID_CHANGE
    jsonrpc: str = "2.0"


#: The messages by method.
NOTEBOOK_MESSAGES: dict[str, type[Any]] = {
    types.NOTEBOOK_DOCUMENT_DID_OPEN: DidOpenNotebook,
    types.NOTEBOOK_DOCUMENT_DID_CHANGE: DidChangeNotebook,
}
