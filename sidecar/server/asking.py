"""What all ways to ask for a suggestion have in common: what is noted of each, before and after.

May import lsprotocol, and the session.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, NamedTuple

from sidecar.server.convert import position_of

if TYPE_CHECKING:
    from lsprotocol import types

    from sidecar.completion.outcome import Outcome
    from sidecar.completion.suggestion import Suggestion
    from sidecar.server.notebooks import View
    from sidecar.server.session import Session

__all__ = ["Place", "account", "asked", "still_right"]


class Place(NamedTuple):
    """Where something is asked for.

    Args:
        uri: What the client calls the document.
        view: The part of a document that the client asks about.
        offset: The cursor, in the document.
    """

    uri: str
    view: View
    offset: int

    def is_current(self, session: Session, shown: str = "") -> bool:
        """Tell whether an answer of so much text fits the document as it is by now.

        Its ranges are of the text that was asked about. Clients that are a key behind see to what
        was typed of it meanwhile; any other edit puts it in the wrong place.

        Args:
            session: The session.
            shown: What it shows beyond the cursor.
        """
        document, offset = self.view.document, self.offset
        now = session.documents.get(document.uri)
        if now is None or now is document:
            return now is not None
        before, after = document.buffer.text, now.buffer.text
        typed = after[offset : offset + len(after) - len(before)]
        return shown.startswith(typed) and before[:offset] + typed + before[offset:] == after


def still_right(session: Session, place: Place, outcome: Outcome) -> Suggestion | None:
    """Return what a request came to, unless the text was changed meanwhile; that is counted."""
    made = outcome.suggestion
    if made is None or place.is_current(session, made.shown):
        return made
    session.metrics.count("completion.empty.changed")
    return None


def asked(session: Session, uri: str, position: types.Position, told: Any = None) -> Place | None:
    """Take in that somebody asks at a place; None when that is in no document that is open.

    Args:
        session: The session.
        uri: What the client calls the document.
        position: The cursor in it.
        told: What the client tells of the moment, unchecked.
    """
    view = session.notebooks.view(uri)
    if view is None:
        # Or a cell of text, or of another language.
        session.metrics.count("completion.empty.not_open")
        return None
    document = view.document
    session.indexing.busy()
    offset = view.start + view.buffer.offset(position_of(position), session.documents.encoding)
    session.workspaces.looked(document.path, document.buffer.line_at(offset))
    if told is not None and uri == document.uri:
        # Lines of a notebook's cell are not its document's.
        session.workspaces.told(document, told)
    session.warming.asked(document, offset)
    return Place(uri, view, offset)


def account(session: Session, place: Place, started: float, outcome: Outcome | None) -> None:
    """Count what a request took, that is about to be answered.

    Args:
        session: The session.
        place: Where it was asked.
        started: `perf_counter` when it came.
        outcome: What it came to, if it came to anything.
    """
    elapsed = (time.perf_counter() - started) * 1000
    session.metrics.observe("request_ms", elapsed)
    if outcome is not None and outcome.stats is not None:
        session.metrics.observe("request_outside_engine_ms", elapsed - outcome.stats.total_ms)
    session.notes.answering(place.uri, place.view.document.uri, outcome)
