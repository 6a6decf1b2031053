"""`shutdown`: nothing more is sent; the engine is let go of when the session ends.

Plain on purpose: clients send `exit` right behind, and it must find the shutdown done.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

if TYPE_CHECKING:
    from sidecar.server.session import Session

__all__ = ["METHOD", "handle"]

METHOD = types.SHUTDOWN


def handle(session: Session, params: None = None) -> None:
    """Fall silent."""
    session.outbound.closed = True
