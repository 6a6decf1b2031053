"""The head of a prompt: what stands before the window of the current file, and its account.

Nothing in it depends on what is typed, so that it is evaluated once. A pure value. May import
`text`, `engine/messages.py`, and this package.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sidecar.context.card import Left, Part
from sidecar.context.fit import Budget, Fitted, fit, texts_to_count
from sidecar.context.gathering import OUTLINE
from sidecar.context.repository import repository_texts
from sidecar.engine.messages import Segment
from sidecar.text import scrub

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sidecar.context.gathering import Gathered

__all__ = ["Head", "head_of", "texts_of"]

#: Tokens of a byte where nobody has counted.
_TOKENS_PER_BYTE = 0.4


@dataclass(frozen=True, slots=True)
class Head:
    """The head of a prompt.

    Args:
        path: The current file, as the prompt names it.
        name: The workspace's name.
        fitted: What is shown of other files.
        outline: The current file folded.
        outline_tokens: Its tokens.
        notes: What a reader of the card should know.
        segments: The head as the engine reads it; made once, since every keystroke sends it.
    """

    path: str = ""
    name: str = ""
    fitted: Fitted = field(default_factory=Fitted)
    outline: str = ""
    outline_tokens: int = 0
    notes: tuple[str, ...] = ()
    segments: tuple[Segment, ...] = ()

    def parts(self) -> tuple[Part, ...]:
        """Return its account for a card."""
        shown = [
            Part(
                "repo",
                kept.snippet.source,
                kept.snippet.path,
                f"{kept.snippet.reason}; {kept.note}" if kept.note else kept.snippet.reason,
                kept.tokens,
                kept.snippet.score,
            )
            for kept in self.fitted.kept
        ]
        if self.outline:
            reason = "what the file declares"
            shown.append(Part("outline", OUTLINE, self.path, reason, self.outline_tokens))
        return tuple(shown)

    def dropped(self) -> tuple[Left, ...]:
        """Return what was offered and is not shown."""
        return tuple(
            Left(item.source, item.path, item.reason, item.tokens) for item in self.fitted.dropped
        )


def texts_of(gathered: Gathered) -> list[str]:
    """Return the texts whose tokens decide about a head: ask the engine for these."""
    outline = [gathered.outline] if gathered.outline else []
    return outline + texts_to_count(gathered.snippets)


def head_of(
    gathered: Gathered,
    budget: int,
    counts: Mapping[str, int],
    *,
    seen: Sequence[str] = (),
    previous: Head | None = None,
) -> Head:
    """Choose what of that which was gathered makes the head.

    Args:
        gathered: What was found.
        budget: Most tokens of the head.
        counts: Tokens of texts, by text.
        seen: What the prompt shows anyway.
        previous: The head that the document had, which is kept where it still serves.
    """
    outline = gathered.outline
    tokens = counts.get(outline)
    if tokens is None:
        tokens = round(len(outline.encode("utf-8", "replace")) * _TOKENS_PER_BYTE)
    notes = gathered.notes
    if tokens > budget // 2 and outline:
        # A file of hundreds of declarations: what others declare would have no room.
        notes = (*notes, f"the outline of the file would take {tokens} tokens, and is left out")
        outline, tokens = "", 0
    fitted = fit(
        gathered.snippets,
        Budget(max(budget - tokens, 0)),
        counts,
        previous=previous.fitted if previous else None,
        seen=(*seen, outline) if outline else seen,
    )
    segments: tuple[Segment, ...] = ()
    if fitted.kept or outline:
        texts = repository_texts(fitted.kept, gathered.name)
        current = Segment("outline", scrub(f"{gathered.path}\n{outline}"))
        segments = (*(Segment("repo", text) for text in texts), current)
    return Head(gathered.path, gathered.name, fitted, outline, tokens, notes, segments)
