"""A prompt: ordered segments of LF text for the engine.

Must never tokenise, nor know where its parts come from. May import `text` and `engine/messages.py`.
"""

from __future__ import annotations

from dataclasses import dataclass

from sidecar.engine.messages import Segment
from sidecar.text import scrub, to_lf

__all__ = ["Prompt", "build", "name_of"]


@dataclass(frozen=True, slots=True)
class Prompt:
    """What the engine is asked to continue."""

    segments: tuple[Segment, ...]


def name_of(prompt: Prompt) -> int:
    """Name what of a prompt stands before what is typed: 64 bits, of this process alone."""
    return hash(tuple(segment for segment in prompt.segments if segment.kind != "typed"))


def build(prefix: str, suffix: str, typed: str, head: tuple[Segment, ...] = ()) -> Prompt:
    """Make a prompt from raw text of a document, in which a lone surrogate cannot be read.

    Args:
        prefix: The window before the anchor.
        suffix: The window after the cursor.
        typed: What stands between them.
        head: What stands before the window, as it is sent.
    """
    return Prompt(
        (
            *head,
            Segment("prefix", to_lf(scrub(prefix))),
            Segment("suffix", to_lf(scrub(suffix))),
            Segment("typed", to_lf(scrub(typed))),
        )
    )
