"""`textDocument/inlineCompletion`: a keystroke asks for ghost text.

Every request is answered: with one item or none while somebody types, and with an alternative where
somebody asked for suggestions. A request that the client cancels is answered as cancelled; one that
a newer request replaced is answered with nothing, because a client that did not cancel takes an
error for a failure.
"""

from __future__ import annotations

import time
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from sidecar.server.asking import account, asked, still_right
from sidecar.server.convert import item_of, range_of, suits
from sidecar.server.session import Offered

if TYPE_CHECKING:
    from sidecar.completion.outcome import Outcome
    from sidecar.completion.suggestion import Suggestion
    from sidecar.server.asking import Place
    from sidecar.server.notebooks import View
    from sidecar.server.session import Session
    from sidecar.server.types import InlineCompletionParams

__all__ = ["METHOD", "handle"]

METHOD = types.TEXT_DOCUMENT_INLINE_COMPLETION


async def handle(session: Session, params: InlineCompletionParams) -> dict[str, Any] | None:
    """Answer with an item, also with an alternative to it if that was wanted, or with null."""
    started = time.perf_counter()
    place = asked(session, params.text_document.uri, params.position, params.sidecar)
    if place is None:
        return None
    view, document, offset = place.view, place.view.document, place.offset
    encoding = session.documents.encoding
    token = params.stream_token
    on_text = None
    if token is not None:
        stream_token = token

        def on_text(so_far: Suggestion) -> None:
            if not place.is_current(session, so_far.shown):
                return
            where = range_of(so_far.start, so_far.end, view, encoding)
            piece = {"text": so_far.insert, "range": where, "done": False}
            if so_far.source != "model":
                piece["source"] = so_far.source
            session.outbound.streamed(stream_token, piece)

    item: dict[str, Any] | None = None
    outcome: Outcome | None = None
    try:
        outcome = await session.service.suggest(
            document, offset, on_text=on_text, explicit=_is_explicit(params.context)
        )
        session.answered(document, offset, outcome)
        made = still_right(session, place, outcome)
        if made is not None:
            item = _item(session, params, view, made)
            if item is None:
                session.metrics.count("completion.empty.other_selected")
    finally:
        if token is not None:
            done: dict[str, Any] = {"text": item["insertText"] if item else "", "done": True}
            if item:
                done["range"] = item["range"]
            stats = asdict(outcome.stats) if outcome and outcome.stats else None
            session.outbound.streamed(token, {**done, "stats": stats})
        account(session, place, started, outcome)
    items = [item] if item else []
    if items and _is_explicit(params.context):
        items += await _alternatives(session, params, place, items[0]["insertText"])
    session.warming.answered(document, offset)
    return {"items": items} if items else None


def _is_explicit(context: types.InlineCompletionContext | None) -> bool:
    """Tell whether the user asked, rather than a key."""
    return context is not None and context.trigger_kind == types.InlineCompletionTriggerKind.Invoked


def _item(
    session: Session, params: InlineCompletionParams, view: View, made: Suggestion
) -> dict[str, Any] | None:
    """Return the item of a suggestion, or None if a completion menu has something else selected."""
    identity = session.remember(
        Offered(params.text_document.uri, view.document.version, len(made.shown))
    )
    item = item_of(made, identity, view, session.documents.encoding)
    selected = params.context.selected_completion_info if params.context else None
    return item if suits(item, selected) else None


async def _alternatives(
    session: Session, params: InlineCompletionParams, place: Place, known: str
) -> list[dict[str, Any]]:
    """Complete again with several lines where one was found, or the other way round.

    The prompt is evaluated already, so this costs the tokens that it has more. A newer request ends
    it, and then the item that was found before is the answer.
    """
    view, document = place.view, place.view.document
    if not place.is_current(session):
        # To ask here would end the newer request.
        return []
    outcome = await session.service.suggest(
        document, place.offset, multiline="\n" not in known, explicit=True
    )
    if outcome.suggestion is None or not place.is_current(session):
        return []
    item = _item(session, params, view, outcome.suggestion)
    return [item] if item and item["insertText"] != known else []
