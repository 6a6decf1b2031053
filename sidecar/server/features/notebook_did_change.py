"""`notebookDocument/didChange`: cells came, went or moved, or their texts were edited."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from lsprotocol import types

from sidecar.server.convert import cell_of, cell_texts, changes_of, end_of
from sidecar.server.notebooks import NotebookChange
from sidecar.text.notebook import kernel_language

if TYPE_CHECKING:
    from sidecar.server.notebook_types import DidChangeNotebookParams, NotebookEvent
    from sidecar.server.session import Session

__all__ = ["METHOD", "handle"]

METHOD = types.NOTEBOOK_DOCUMENT_DID_CHANGE

log = logging.getLogger(__name__)


def handle(session: Session, params: DidChangeNotebookParams) -> None:
    """Apply the change."""
    item = params.notebook_document
    change = _change(params.change)
    states = session.notebooks.change(item.uri, item.version, change)
    if states is None:
        log.warning("a notebook was changed that is not open")
        return
    before, after = states
    if before.buffer is not after.buffer:
        session.workspaces.edited(before, after)
        edited = _edited(session, change)
        if edited is not None:
            session.warming.edited(after, edited)


def _edited(session: Session, change: NotebookChange) -> int | None:
    """Return where the last edit of a cell ends in the notebook's document, if there was one."""
    if not change.edits:
        return None
    uri, _, changes = change.edits[-1]
    view = session.notebooks.view(uri)
    if view is None or not changes:
        return None
    return view.start + end_of(changes[-1], view.buffer, session.documents.encoding)


def _change(event: NotebookEvent) -> NotebookChange:
    kernel = None if event.metadata is None else kernel_language(event.metadata)
    cells = event.cells
    if cells is None:
        return NotebookChange(kernel)
    edits = [
        (edit.document.uri, edit.document.version, changes_of(edit.changes))
        for edit in cells.text_content or ()
    ]
    kinds = [cell_of(cell) for cell in cells.data or ()]
    structure = cells.structure
    if structure is None:
        return NotebookChange(kernel, cells=kinds, edits=edits)
    return NotebookChange(
        kernel,
        structure.array.start,
        structure.array.delete_count,
        [cell_of(cell) for cell in structure.array.cells or ()],
        [document.uri for document in structure.did_close or ()],
        cell_texts(structure.did_open or ()),
        kinds,
        edits,
    )
