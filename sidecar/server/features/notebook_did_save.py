"""`notebookDocument/didSave`: a file holds now what its notebook does, so the index looks at it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from sidecar.server.convert import path_of

if TYPE_CHECKING:
    from sidecar.server.session import Session

__all__ = ["METHOD", "handle"]

METHOD = types.NOTEBOOK_DOCUMENT_DID_SAVE


def handle(session: Session, params: types.DidSaveNotebookDocumentParams) -> None:
    """Pass it on."""
    session.indexing.changed([path_of(params.notebook_document.uri)])
