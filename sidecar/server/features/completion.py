"""`textDocument/completion`: the suggestion as the one entry of a menu.

For editors that have menus and no ghost text; off unless the user wants it, since a menu is opened
at every key and comes late where the model is slow.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from sidecar.server.asking import account, asked, still_right
from sidecar.server.convert import entry_of
from sidecar.server.session import Offered

if TYPE_CHECKING:
    from sidecar.completion.outcome import Outcome
    from sidecar.server.session import Session

__all__ = ["METHOD", "handle"]

METHOD = types.TEXT_DOCUMENT_COMPLETION


async def handle(session: Session, params: types.CompletionParams) -> dict[str, Any] | None:
    """Answer with one entry, or with none; with null where nobody wants this."""
    if not session.configuration.settings.completion.fallback:
        session.metrics.count("completion.empty.no_menu")
        return None
    started = time.perf_counter()
    uri = params.text_document.uri
    place = asked(session, uri, params.position)
    if place is None:
        return None
    document, offset = place.view.document, place.offset
    entries: list[dict[str, Any]] = []
    outcome: Outcome | None = None
    try:
        outcome = await session.service.suggest(document, offset)
        session.answered(document, offset, outcome)
        made = still_right(session, place, outcome)
        if made is not None:
            identity = session.remember(Offered(uri, document.version, len(made.shown)))
            encoding = session.documents.encoding
            entries = [entry_of(made, identity, offset, place.view, encoding)]
    finally:
        account(session, place, started, outcome)
    session.warming.answered(document, offset)
    # Incomplete: the next key has another suggestion.
    return {"isIncomplete": True, "items": entries}
