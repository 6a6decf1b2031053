"""`workspace/didChangeWorkspaceFolders`: other folders are indexed, and settings asked again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from sidecar.server.convert import folder_of
from sidecar.server.features.did_change_configuration import pull

if TYPE_CHECKING:
    from sidecar.server.session import Session

__all__ = ["METHOD", "handle"]

METHOD = types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS


async def handle(session: Session, params: types.DidChangeWorkspaceFoldersParams) -> None:
    """Take in the folders, and ask for the settings again: they may differ by folder."""
    added, removed = (
        [path for folder in folders if (path := folder_of(folder.uri)) is not None]
        for folders in (params.event.added, params.event.removed)
    )
    await session.indexing.change_folders(added, removed)
    if session.client.pulls_settings:
        await pull(session)
