"""An anchor applied to a cursor, with the head that was chosen for it: what a prompt is made of.

Values only. May import `anchor`, `places`, and `context`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sidecar.completion.anchor import Extension, extend
from sidecar.completion.places import Kept
from sidecar.context.prompt import build

if TYPE_CHECKING:
    from sidecar.completion.remembered import Remembered
    from sidecar.context.head import Head
    from sidecar.context.prompt import Prompt
    from sidecar.text import Document

__all__ = ["MOST_TYPED_TOKENS", "Anchored", "applied", "found_again"]

#: An anchor with more typed tokens than this moves at the next request.
MOST_TYPED_TOKENS = 256


@dataclass(frozen=True, slots=True)
class Anchored:
    """An anchor applied to a cursor, and the head that was chosen with it."""

    extension: Extension
    head: Head

    @property
    def prompt(self) -> Prompt:
        """What the model is shown."""
        anchor = self.extension.anchor
        return build(
            anchor.shown_prefix, anchor.shown_suffix, self.extension.typed, self.head.segments
        )


def applied(kept: Kept, document: Document, offset: int) -> Anchored | None:
    """Apply an anchor to a cursor, if it serves there and has room left."""
    if kept.typed_tokens > MOST_TYPED_TOKENS:
        return None
    extension = extend(kept.anchor, document, offset)
    return None if extension is None else Anchored(extension, kept.head)


def found_again(one: Remembered, document: Document, offset: int) -> Anchored | None:
    """Apply an anchor of a session before to a cursor."""
    anchor = one.in_text(document.buffer, offset)
    return applied(Kept(anchor, one.head, one.typed_tokens), document, offset) if anchor else None
