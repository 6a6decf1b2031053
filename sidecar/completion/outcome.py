"""What became of one keystroke, and its account as a context card.

Values only. May import `context`, and the engine's messages.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from sidecar.completion.suggestion import Suggestion
from sidecar.context.card import ORDERS, Card, Part
from sidecar.context.guard import hidden_note
from sidecar.context.window import estimated

if TYPE_CHECKING:
    from sidecar.completion.anchor import Extension
    from sidecar.completion.suggestion import Refusal
    from sidecar.context.head import Head
    from sidecar.context.prompt import Prompt
    from sidecar.engine.messages import Segment, Stats

__all__ = ["Origin", "Outcome", "Preview", "card_of", "unchanged_tokens"]

#: Where an answer is from: the engine was asked for it, or was about to give it already, or had
#: given it before.
Origin = Literal["engine", "joined", "cache"]

#: What a part is of that no source has offered.
_CURRENT = "current file"

#: Why an anchor stands where it stands, for people.
_REASONS = {
    "body": "before the body of the enclosing function",
    "lines": "before the last lines above the cursor",
    "start": "from the start of the file",
    "long line": "before the end of a very long line",
    "secret": "behind a secret above the cursor",
}


@dataclass(frozen=True, slots=True)
class Outcome:
    """The answer to one request.

    Args:
        suggestion: What is offered, or None.
        reason: Why nothing is offered: a word to count; empty when something is.
        stats: The engine's account, if there was anything to ask; of an answer from the cache it
            says that nothing was computed.
        card: What the model was shown, if it was asked.
        build_ms: Time to choose the anchor and to build the prompt.
        origin: Where the answer is from.
    """

    suggestion: Suggestion | None = None
    reason: str = ""
    stats: Stats | None = None
    card: Card | None = None
    build_ms: float = 0.0
    origin: Origin = "engine"

    @classmethod
    def of(
        cls,
        made: Suggestion | Refusal,
        *,
        stats: Stats,
        card: Card | None,
        origin: Origin = "engine",
    ) -> Outcome:
        """Return the outcome of what a model's text came to."""
        if isinstance(made, Suggestion):
            return cls(made, stats=stats, card=card, origin=origin)
        return cls(reason=made.reason, stats=stats, card=card, origin=origin)


@dataclass(frozen=True, slots=True)
class Preview:
    """What a completion at a place would show to the model.

    Args:
        card: Its account.
        prompt: The prompt.
        build_ms: Time to choose the anchor and to build the prompt.
        unchanged_tokens: About how much of its beginning is that of the document's last prompt.
    """

    card: Card
    prompt: Prompt
    build_ms: float
    unchanged_tokens: int = 0


def card_of(
    extension: Extension,
    path: str,
    head: Head,
    stats: Stats | None = None,
    layout: str = "",
) -> Card:
    """Return the account of a prompt.

    Args:
        extension: The anchor, applied to the cursor.
        path: The file.
        head: What stands before its window.
        stats: The engine's account; without it, tokens are guessed from the length of the text.
        layout: The order in which the model reads the parts.
    """
    anchor = extension.anchor
    reason = _REASONS.get(anchor.reason, anchor.reason)
    if anchor.above:
        reason += ", below imports and the heads of what is around"
    texts = (
        ("prefix", anchor.shown_prefix, reason),
        ("suffix", anchor.shown_suffix, "after the cursor"),
        ("typed", extension.typed, "between anchor and cursor"),
    )
    before = head.parts()
    if head.segments and all(part.part != "outline" for part in before):
        # The model is told where what it reads of other files ends.
        before = (*before, Part("outline", _CURRENT, path, "its name", estimated(len(head.path))))
    window = (
        Part(kind, _CURRENT, path, reason, estimated(len(text)))
        for kind, text, reason in texts
        if text
    )
    card = Card((*before, *window), head.notes, head.dropped())
    if anchor.hidden:
        card = card.noting(hidden_note(anchor.hidden))
    if stats is None:
        return card
    if stats.trimmed:
        card = card.noting(
            f"{stats.trimmed} tokens of other files had no room in the model's context"
        )
    return card.settled(stats.segment_tokens, stats.reused, layout or "psm")


def unchanged_tokens(before: Prompt, now: Prompt, layout: str = "") -> int:
    """Return about how many tokens of a prompt's beginning are what they were.

    Args:
        before: The prompt before.
        now: The prompt.
        layout: The order in which the model reads the parts.
    """
    order = ORDERS.get(layout, ORDERS["psm"])

    def read(prompt: Prompt) -> list[Segment]:
        known = [segment for segment in prompt.segments if segment.kind in order]
        # What stands at the head is mixed, and comes first in all layouts.
        return sorted(known, key=lambda one: max(order.index(one.kind), order.index("outline")))

    size = 0
    for one, other in zip(read(before), read(now), strict=False):
        if one != other:
            if one.kind == other.kind:
                pairs = enumerate(zip(one.text, other.text, strict=False))
                shorter = min(len(one.text), len(other.text))
                size += next((at for at, (a, b) in pairs if a != b), shorter)
            break
        size += len(one.text)
    return estimated(size)
