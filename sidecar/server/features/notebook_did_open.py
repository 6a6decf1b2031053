"""`notebookDocument/didOpen`: takes in a notebook."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from sidecar.server.convert import cell_of, cell_texts, path_of
from sidecar.text.notebook import kernel_language

if TYPE_CHECKING:
    from sidecar.server.notebook_types import DidOpenNotebookParams
    from sidecar.server.session import Session

__all__ = ["METHOD", "handle"]

METHOD = types.NOTEBOOK_DOCUMENT_DID_OPEN


def handle(session: Session, params: DidOpenNotebookParams) -> None:
    """Keep its cells as one document, and see to it that there is an engine for it."""
    notebook = params.notebook_document
    path = path_of(notebook.uri)
    document = session.notebooks.open(
        notebook.uri,
        path,
        notebook.version,
        kernel_language(notebook.metadata),
        [cell_of(cell) for cell in notebook.cells],
        cell_texts(params.cell_text_documents),
    )
    # What was kept of a notebook of that name may be of another text.
    session.service.forget(document.uri)
    session.supervisor.poke()
    session.indexing.opened(path)
    session.workspaces.looked(path)
