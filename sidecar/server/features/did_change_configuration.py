"""`workspace/didChangeConfiguration`: settings changed, so they are asked for again."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from lsprotocol import types

if TYPE_CHECKING:
    from sidecar.server.session import Session

__all__ = ["METHOD", "handle", "pull"]

METHOD = types.WORKSPACE_DID_CHANGE_CONFIGURATION

log = logging.getLogger(__name__)


async def handle(session: Session, params: types.DidChangeConfigurationParams) -> None:
    """Ask for the settings, or take those that came with the notification."""
    # A stopped engine gets another chance whenever the user changes something.
    session.outbound.forget_warnings()
    if session.client.pulls_settings:
        await pull(session)
    else:
        raw = params.settings
        await apply(session, raw.get("sidecar") if isinstance(raw, dict) else None)
    if session.supervisor.status.phase in ("failed", "no-model"):
        await session.supervisor.restart()


async def pull(session: Session) -> None:
    """Ask the client for the settings under our prefix."""
    await apply(session, await session.outbound.settings())


async def apply(session: Session, raw: object) -> None:
    """Put settings in force."""
    if session.configuration.update(raw):
        log.info("settings changed")
        session.outbound.level = logging.getLevelName(
            session.configuration.settings.log.level.upper()
        )
        session.service.reset()
        await session.indexing.configure()
