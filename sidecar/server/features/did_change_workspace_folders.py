"""`workspace/didChangeWorkspaceFolders`: settings may differ by folder, so they are asked again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from sidecar.server.features.did_change_configuration import pull

if TYPE_CHECKING:
    from sidecar.server.session import Session

__all__ = ["METHOD", "handle"]

METHOD = types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS


async def handle(session: Session, params: types.DidChangeWorkspaceFoldersParams) -> None:
    """Ask for the settings again."""
    if session.client.pulls_settings:
        await pull(session)
