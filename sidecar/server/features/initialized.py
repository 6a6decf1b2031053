"""`initialized`: the client listens now, so the engine starts and the settings are asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

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
