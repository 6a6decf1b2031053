"""`textDocument/didPartiallyAcceptCompletion`: a part of a suggestion was taken."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sidecar.server.types import DID_PARTIALLY_ACCEPT

if TYPE_CHECKING:
    from sidecar.server.session import Session
    from sidecar.server.types import DidPartiallyAcceptParams

__all__ = ["METHOD", "handle"]

METHOD = DID_PARTIALLY_ACCEPT


def handle(session: Session, params: DidPartiallyAcceptParams) -> None:
    """Count it; how much was taken is counted from the start of the item's text."""
    session.metrics.count("feedback.partially_accepted")
    session.metrics.observe("feedback.partially_accepted_units", params.accepted_length)
