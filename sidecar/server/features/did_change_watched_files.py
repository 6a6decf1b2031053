"""`workspace/didChangeWatchedFiles`: files changed outside of the editor's documents.

What happened to them is not looked at: the indexer sees on disk what became of each.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from sidecar.server.convert import file_path

if TYPE_CHECKING:
    from sidecar.server.session import Session

__all__ = ["METHOD", "handle"]

METHOD = types.WORKSPACE_DID_CHANGE_WATCHED_FILES

#: Events that are passed on before a keystroke gets its turn.
_AT_ONCE = 200


async def handle(session: Session, params: Any) -> None:
    """Pass on the paths, in pieces."""
    changes = params.get("changes") if isinstance(params, dict) else None
    events = changes if isinstance(changes, list) else []
    for start in range(0, len(events), _AT_ONCE):
        if start:
            await asyncio.sleep(0)
        session.indexing.changed(
            path
            for event in events[start : start + _AT_ONCE]
            if isinstance(event, dict)
            and isinstance(uri := event.get("uri"), str)
            and (path := file_path(uri)) is not None
        )
