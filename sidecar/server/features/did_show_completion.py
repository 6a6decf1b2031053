"""`textDocument/didShowCompletion`: a suggestion is on the screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sidecar.server.types import DID_SHOW

if TYPE_CHECKING:
    from sidecar.server.session import Session
    from sidecar.server.types import DidShowParams

__all__ = ["METHOD", "handle"]

METHOD = DID_SHOW


def handle(session: Session, params: DidShowParams) -> None:
    """Count it."""
    session.metrics.count("feedback.shown")
