"""`textDocument/didOpen`: takes in a document."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from sidecar.server.convert import path_of

if TYPE_CHECKING:
    from sidecar.server.session import Session

__all__ = ["METHOD", "handle"]

METHOD = types.TEXT_DOCUMENT_DID_OPEN


def handle(session: Session, params: types.DidOpenTextDocumentParams) -> None:
    """Keep the document, and see to it that an engine is there, with what it needs to know."""
    item = params.text_document
    # What was kept of a document of that name may be of another text.
    session.service.forget(item.uri)
    path = path_of(item.uri)
    document = session.documents.open(item.uri, path, item.language_id, item.version, item.text)
    session.supervisor.poke()
    session.indexing.opened(path)
    session.workspaces.looked(path)
    session.warming.switched(document)
