"""Where a short prompt is worth it, in place of the whole one or before it, and how short.

May import `anchoring`, `latency`, `short` and `context`, and the front's side of `engine`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sidecar.completion.latency import Speeds
from sidecar.completion.short import before_tokens, is_short, pays
from sidecar.context.window import estimated

if TYPE_CHECKING:
    from collections.abc import Callable

    from sidecar.completion.anchored import Anchored
    from sidecar.completion.anchoring import Anchors
    from sidecar.engine.interface import Engine
    from sidecar.text import Document

__all__ = ["at_once", "shorter"]


def at_once(
    anchors: Anchors,
    engine: Engine,
    document: Document,
    place: int,
    window_tokens: int,
    expected_ms: Callable[[int], float],
) -> Anchored | None:
    """Return the short prompt for a place, if the window alone of a whole one takes too long.

    So much is known before the whole one is made, which takes a while as well.

    Args:
        anchors: The documents' anchors, none of which serves there.
        engine: The engine.
        document: The document.
        place: The place.
        window_tokens: Tokens of the current file that a whole prompt shows.
        expected_ms: Tells how many milliseconds so many tokens of a prompt take.
    """
    if anchors.is_near(document, place):
        return None
    whole = min(window_tokens, estimated(len(document.buffer)))
    short = _short_at(anchors, engine, document, place)
    times = [expected_ms(left) for left in (whole, anchors.left(document.uri, short))]
    return short if pays(*times) else None


def _short_at(anchors: Anchors, engine: Engine, document: Document, place: int) -> Anchored:
    """Return the short prompt for a place, the same one whoever wants it.

    Args:
        anchors: The documents' anchors.
        engine: Measured how fast it is when it loaded the model.
        document: The document.
        place: The place.
    """
    speeds = Speeds.of(engine.state.info)
    return anchors.short(document, place, before_tokens(speeds.prompt_ms if speeds else 0.0))


def shorter(
    anchors: Anchors,
    engine: Engine,
    document: Document,
    place: int,
    whole: Anchored,
    expected_ms: Callable[[int], float],
) -> Anchored | None:
    """Return the short prompt for a place, if the whole one takes too long.

    Args:
        anchors: The documents' anchors.
        engine: The engine.
        document: The document.
        place: The place.
        whole: The whole prompt there.
        expected_ms: Tells how many milliseconds so many tokens of a prompt take.
    """
    served = anchors.serving(document, place)
    if served is not None and is_short(served.head):
        short = served
    else:
        short = _short_at(anchors, engine, document, place)
    times = [expected_ms(anchors.left(document.uri, one)) for one in (whole, short)]
    return short if pays(*times) else None
