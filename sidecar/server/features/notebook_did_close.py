"""`notebookDocument/didClose`: forgets a notebook and its anchor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

if TYPE_CHECKING:
    from sidecar.server.session import Session

__all__ = ["METHOD", "handle"]

METHOD = types.NOTEBOOK_DOCUMENT_DID_CLOSE


def handle(session: Session, params: types.DidCloseNotebookDocumentParams) -> None:
    """Forget everything about the notebook and its cells."""
    closed = session.notebooks.close(params.notebook_document.uri)
    if closed is not None:
        session.forget(closed.uri)
