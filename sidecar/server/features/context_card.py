"""`sidecar/contextCard`: what a completion at a place shows to the model, and why."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from sidecar.server.convert import position_of
from sidecar.server.types import CONTEXT_CARD

if TYPE_CHECKING:
    from sidecar.server.session import Session
    from sidecar.server.types import ContextCardParams

__all__ = ["METHOD", "handle"]

METHOD = CONTEXT_CARD


async def handle(session: Session, params: ContextCardParams) -> dict[str, Any] | None:
    """Return the card of the request that was made there, or of the one that would be."""
    view = session.notebooks.view(params.text_document.uri)
    if view is None:
        return None
    document = view.document
    position = position_of(params.position)
    offset = view.start + view.buffer.offset(position, session.documents.encoding)
    seen, place, outcome = session.last.get(document.uri, (None, -1, None))
    if seen is document and place == offset and outcome is not None and outcome.card is not None:
        stats = outcome.stats
        return {
            **outcome.card.as_dict(),
            "unchanged_tokens": stats.reused if stats else 0,
            "stats": asdict(stats) if stats else None,
        }
    preview = await session.service.preview(document, offset)
    card = preview.card.noting("token counts are estimates until the engine has seen this prompt")
    return {**card.as_dict(), "unchanged_tokens": preview.unchanged_tokens, "stats": None}
