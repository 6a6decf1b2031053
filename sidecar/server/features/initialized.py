"""`initialized`: the client listens now, so engine and index start, and settings are asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from sidecar.server.convert import folder_of
from sidecar.server.features.did_change_configuration import pull

if TYPE_CHECKING:
    from sidecar.server.session import Session

__all__ = ["METHOD", "handle"]

METHOD = types.INITIALIZED


async def handle(session: Session, params: types.InitializedParams) -> None:
    """Start what had to wait for the handshake."""
    session.configuration.report_initial()
    # Which model is run is for the initialization options to say, so the engine need not wait.
    session.supervisor.poke()
    if session.client.registers_settings:
        await session.outbound.hear_of_settings()
    if session.client.pulls_settings:
        await pull(session)
    # Only now: what the user excludes must not be read before that is known.
    folders = [path for uri in session.client.folders if (path := folder_of(uri)) is not None]
    await session.indexing.start(folders)
