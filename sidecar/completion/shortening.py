"""Where a short prompt is worth it, in place of the whole one or before it.

May import `anchoring` and `short`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sidecar.completion.short import before_tokens, is_short, pays

if TYPE_CHECKING:
    from collections.abc import Callable

    from sidecar.completion.anchoring import Anchored, Anchors
    from sidecar.text import Document

__all__ = ["shorter"]


def shorter(
    anchors: Anchors,
    document: Document,
    place: int,
    whole: Anchored,
    expected_ms: Callable[[int], float],
) -> Anchored | None:
    """Return the short prompt for a place, if the whole one takes too long.

    Args:
        anchors: The documents' anchors.
        document: The document.
        place: The place.
        whole: The whole prompt there.
        expected_ms: Tells how many milliseconds so many tokens of a prompt take.
    """
    served = anchors.serving(document, place)
    if served is not None and is_short(served.head):
        short = served
    else:
        short = anchors.short(document, place, before_tokens(expected_ms))
    times = [expected_ms(anchors.left(document.uri, one)) for one in (whole, short)]
    return short if pays(*times) else None
