"""`textDocument/didClose`: forgets a document and its anchor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

if TYPE_CHECKING:
    from sidecar.server.session import Session

__all__ = ["METHOD", "handle"]

METHOD = types.TEXT_DOCUMENT_DID_CLOSE


def handle(session: Session, params: types.DidCloseTextDocumentParams) -> None:
    """Forget everything about the document."""
    uri = params.text_document.uri
    session.documents.close(uri)
    session.forget(uri)
