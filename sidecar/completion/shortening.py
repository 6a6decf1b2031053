"""Which short prompt is evaluated before the whole one at a place that somebody may come to.

May import `anchoring`, `latency` and `short`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sidecar.completion.latency import Speeds
from sidecar.completion.short import is_short, pays

if TYPE_CHECKING:
    from sidecar.completion.anchoring import Anchored, Anchors
    from sidecar.engine.messages import ModelInfo
    from sidecar.text import Document

__all__ = ["short_before"]


def short_before(
    anchors: Anchors, info: ModelInfo | None, document: Document, place: int, whole: Anchored
) -> Anchored | None:
    """Return the short prompt that would be asked for while the whole one is not there.

    It is kept, so that whoever comes finds it.

    Args:
        anchors: The documents' anchors.
        info: What is known of the engine's speed.
        document: The document.
        place: Where somebody may come.
        whole: The whole prompt there.
    """
    speeds = Speeds.of(info) if info else None
    if speeds is None:
        return None
    uri = document.uri
    served = anchors.serving(document, place)
    short = served if served and is_short(served.head) else anchors.short(document, place)
    left = [anchors.left(uri, one) * speeds.prompt_ms for one in (whole, short)]
    if not pays(*left):
        return None
    anchors.expect(uri, short, "short")
    return short
