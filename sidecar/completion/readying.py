"""Which prompts are evaluated for a place where somebody may type next: a whole one, a short first.

May import `anchoring`, `shortening`, `predicting`, `latency`, and the front's side of `engine`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sidecar.completion.latency import Speeds
from sidecar.completion.shortening import shorter

if TYPE_CHECKING:
    from sidecar.completion.anchoring import Anchored, Anchors
    from sidecar.completion.planning import EnginePlan
    from sidecar.completion.predicting import Guess
    from sidecar.engine.client import Engine
    from sidecar.text import Document

__all__ = ["short_before", "whole_at"]


async def whole_at(
    anchors: Anchors, engine: Engine, plan: EnginePlan | None, document: Document, guess: Guess
) -> Anchored:
    """Return the whole prompt that would be asked for at a place, as it is known or made anew.

    Args:
        anchors: The documents' anchors.
        engine: Counts tokens.
        plan: The engine that is wanted.
        document: The document.
        guess: The place.
    """
    place, ahead = guess.offset, guess.reason == "ahead"
    if ahead:
        known = anchors.next_one(document, place)
    else:
        known = anchors.serving(document, place, whole=True)
    if known is not None:
        return known
    return await anchors.guessed(document, place, engine, plan, guess.reason, ahead=ahead)


def short_before(
    anchors: Anchors, engine: Engine, document: Document, guess: Guess, whole: Anchored
) -> Anchored | None:
    """Return a short prompt for a place, where it is there much sooner than the whole one.

    Of places further on one prompt is enough: each takes a lane from those in use.

    Args:
        anchors: The documents' anchors.
        engine: Knows how fast it is.
        document: The document.
        guess: The place.
        whole: The whole prompt.
    """
    info = engine.state.info
    speeds = Speeds.of(info) if info else None
    if speeds is None or guess.reason in ("ahead", "blank_line"):
        return None
    per_token = speeds.prompt_ms
    return shorter(anchors, document, guess.offset, whole, lambda left: left * per_token)
