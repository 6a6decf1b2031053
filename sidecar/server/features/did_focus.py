"""`textDocument/didFocus`: the user looks at a document, so an engine should be there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sidecar.server.convert import path_of
from sidecar.server.types import DID_FOCUS

if TYPE_CHECKING:
    from sidecar.server.session import Session
    from sidecar.server.types import DidFocusParams

__all__ = ["METHOD", "handle"]

METHOD = DID_FOCUS


def handle(session: Session, params: DidFocusParams | None) -> None:
    """Start the engine if it is not running, and have the document's imports known."""
    session.supervisor.poke()
    if params is not None and params.text_document is not None:
        path = path_of(params.text_document.uri)
        session.indexing.opened(path)
        session.workspaces.looked(path)
