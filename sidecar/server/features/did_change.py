"""`textDocument/didChange`: replaces the snapshot of a document by its next one."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from lsprotocol import types

from sidecar.server.convert import changes_of, end_of

if TYPE_CHECKING:
    from sidecar.server.session import Session

__all__ = ["METHOD", "handle"]

METHOD = types.TEXT_DOCUMENT_DID_CHANGE

log = logging.getLogger(__name__)


def handle(session: Session, params: types.DidChangeTextDocumentParams) -> None:
    """Apply the changes, in order."""
    item = params.text_document
    before = session.documents.get(item.uri)
    changes = changes_of(params.content_changes)
    changed = session.documents.change(item.uri, item.version, changes)
    if before is None or changed is None:
        # VS Code's client tells of a close before it tells of a change just before, as in a revert.
        log.debug("a document was changed that is not open")
        return
    session.workspaces.edited(before, changed)
    if changes:
        end = end_of(changes[-1], changed.buffer, session.documents.encoding)
        session.warming.edited(changed, end)
