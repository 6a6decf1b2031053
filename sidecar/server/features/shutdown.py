"""`shutdown`: lets go of the engine, which stays for other editors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

if TYPE_CHECKING:
    from sidecar.server.session import Session

__all__ = ["METHOD", "handle"]

METHOD = types.SHUTDOWN


async def handle(session: Session, params: None = None) -> None:
    """Stop completing."""
    session.outbound.closed = True
    await session.supervisor.close()
