"""`textDocument/didFocus`: the user looks at a document, so an engine should be there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sidecar.server.convert import path_of, position_of
from sidecar.server.types import DID_FOCUS

if TYPE_CHECKING:
    from sidecar.server.session import Session
    from sidecar.server.types import DidFocusParams

__all__ = ["METHOD", "handle"]

METHOD = DID_FOCUS


def handle(session: Session, params: DidFocusParams | None) -> None:
    """Start the engine if it is not running, and have the document's imports and prompt known."""
    session.supervisor.poke()
    if params is None or params.text_document is None:
        return
    uri = params.text_document.uri
    path = path_of(uri)
    session.indexing.opened(path)
    view = session.notebooks.view(uri)
    if view is None:
        session.workspaces.looked(path)
        return
    offset = None
    if params.position is not None:
        place = position_of(params.position)
        offset = view.start + view.buffer.offset(place, session.documents.encoding)
        session.workspaces.looked(path, view.document.buffer.line_at(offset))
        session.service.moved(view.document, offset)
    else:
        session.workspaces.looked(path)
    session.warming.switched(view.document, offset)
