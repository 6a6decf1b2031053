"""`sidecar/didMoveCursor`: the cursor stands where one may type next."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sidecar.server.convert import position_of
from sidecar.server.types import DID_MOVE_CURSOR

if TYPE_CHECKING:
    from sidecar.server.session import Session
    from sidecar.server.types import DidMoveCursorParams

__all__ = ["METHOD", "handle"]

METHOD = DID_MOVE_CURSOR


def handle(session: Session, params: DidMoveCursorParams) -> None:
    """Have the prompt of that place evaluated if the cursor stays there, and no other."""
    view = session.notebooks.view(params.text_document.uri)
    if view is None:
        return
    offset = view.start + view.buffer.offset(
        position_of(params.position), session.documents.encoding
    )
    session.workspaces.looked(view.document.path, view.document.buffer.line_at(offset))
    session.service.moved(view.document, offset)
    session.warming.moved(view.document, offset)
