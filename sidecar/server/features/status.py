"""`sidecar/status`: how things are, and on request what the server believes a document to be."""

from __future__ import annotations

import hashlib
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from sidecar import PROTOCOL, __version__
from sidecar.server.types import STATUS

if TYPE_CHECKING:
    from sidecar.server.notebooks import CellText
    from sidecar.server.session import Session
    from sidecar.server.types import StatusParams
    from sidecar.text import Document

__all__ = ["METHOD", "handle"]

METHOD = STATUS


async def handle(session: Session, params: StatusParams | None) -> dict[str, Any]:
    """Tell what an editor's status view, or a test, wants to know."""
    status = session.supervisor.status
    plan = session.supervisor.plan
    document = None
    if params is not None and params.text_document is not None:
        uri = params.text_document.uri
        notebooks = session.notebooks
        document = notebooks.text(uri) or notebooks.document(uri) or session.documents.get(uri)
    return {
        "version": __version__,
        "protocol": PROTOCOL,
        "positionEncoding": session.documents.encoding,
        "openDocuments": len(session.documents),
        "engine": {
            **asdict(status),
            "pid": session.supervisor.pid,
            "process": await session.supervisor.inspect(),
        },
        "index": await session.indexing.status(),
        "fit": asdict(plan.fit) if plan else None,
        "document": _digest(document) if document else None,
    }


def _digest(document: Document | CellText) -> dict[str, Any]:
    """Describe a text so that a client can tell whether it is the same as its own.

    UTF-16 is what editors' strings are made of, lone surrogates included.
    """
    units = document.buffer.text.encode("utf-16-le", "surrogatepass")
    return {
        "version": document.version,
        "lines": document.buffer.line_count,
        "utf16Units": len(units) // 2,
        "utf16Sha256": hashlib.sha256(units).hexdigest(),
    }
