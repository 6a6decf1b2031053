"""What one caller wants to know, and the request that asks an engine for it.

Values only. May import `anchored`, `cache` and `context`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from sidecar.completion.cache import Terms
from sidecar.context.prompt import name_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from sidecar.completion.anchored import Anchored
    from sidecar.completion.suggestion import Suggestion
    from sidecar.engine.messages import Request
    from sidecar.text import Document

__all__ = ["Ask", "with_prompt"]


@dataclass(frozen=True, slots=True)
class Ask:
    """What one caller wants.

    Args:
        document: The snapshot that the cursor refers to.
        offset: The cursor.
        request: What is wanted of the model; it has no prompt yet.
        on_text: Called with the suggestion so far whenever it has grown.
        explicit: Whether the user asked for it, rather than a key.
    """

    document: Document
    offset: int
    request: Request
    on_text: Callable[[Suggestion], None] | None
    explicit: bool = False

    @property
    def terms(self) -> Terms:
        """What an answer has to agree with."""
        return Terms.of(self.request)


def with_prompt(request: Request, anchored: Anchored) -> Request:
    """Return a request that shows the model a place, and ends with the block around it.

    Args:
        request: What is wanted.
        anchored: The anchor, applied to the cursor, and the head.
    """
    prompt = anchored.prompt
    return replace(request, segments=prompt.segments, block=True, place=name_of(prompt))
