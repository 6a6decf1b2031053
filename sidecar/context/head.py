"""The head of a prompt: what stands before the window of the current file, and its account.

Nothing in it depends on what is typed, so that it is evaluated once; and little of it changes as
one moves about in a file: it begins with the file's outline, which does not depend on the cursor,
and goes on with what `context/holding.py` holds of other files; what `context/signals.py` says of
the moment stands last. Pure values. May import `text`, `engine/messages.py`, and this package.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from sidecar.context.card import Left, Part
from sidecar.context.fit import Fitted, texts_to_count
from sidecar.context.gathering import OUTLINE
from sidecar.context.holding import Held, hold
from sidecar.context.repository import repository_texts
from sidecar.context.signals import parted, reserved, signals_of
from sidecar.context.window import Tokens
from sidecar.engine.messages import Segment
from sidecar.text import scrub

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sidecar.context.arrangement import Kept
    from sidecar.context.gathering import Gathered

__all__ = ["Head", "head_of", "texts_of"]

#: An outline that takes more of the head is left out: what others declare would have no room.
_MOST_OUTLINE: Final = 0.6


@dataclass(frozen=True, slots=True)
class Head:
    """The head of a prompt.

    Args:
        path: The current file, as the prompt names it.
        held: What is shown of other files.
        signals: What is said of the moment.
        outline: The current file folded.
        outline_tokens: Its tokens.
        notes: What a reader of the card should know.
        segments: The head as the engine reads it; made once, since every keystroke sends it.
    """

    path: str = ""
    held: Held = field(default_factory=Held)
    signals: Fitted = field(default_factory=Fitted)
    outline: str = ""
    outline_tokens: int = 0
    notes: tuple[str, ...] = ()
    segments: tuple[Segment, ...] = ()

    @property
    def kept(self) -> tuple[Kept, ...]:
        """What is shown besides the outline, in the order of the prompt."""
        return self.held.kept + self.signals.kept

    @property
    def paths(self) -> list[str]:
        """The files that what is held is from."""
        return list(dict.fromkeys(kept.snippet.path for kept in self.held.kept))

    def parts(self) -> tuple[Part, ...]:
        """Return its account for a card."""
        shown = [
            Part(
                "outline" if self._of_file(kept) else "repo",
                kept.snippet.source,
                kept.snippet.path,
                f"{kept.snippet.reason}; {kept.note}" if kept.note else kept.snippet.reason,
                kept.tokens,
                kept.snippet.score,
            )
            for kept in self.kept
        ]
        if self.outline:
            reason = "what the file declares"
            shown.insert(0, Part("outline", OUTLINE, self.path, reason, self.outline_tokens))
        return tuple(shown)

    def dropped(self) -> tuple[Left, ...]:
        """Return what was offered and is not shown."""
        return tuple(
            Left(item.source, item.path, item.reason, item.tokens)
            for item in self.held.dropped + self.signals.dropped
        )

    def _of_file(self, kept: Kept) -> bool:
        """Tell whether something is said of the file itself, right before its window."""
        return kept.snippet.path == self.path and kept in self.signals.kept


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
    count = Tokens(counts)
    outline, tokens, notes = _outline(gathered, budget, count)
    names = count.text(f"{gathered.name}\n{gathered.path}\n")
    room = max(budget - tokens - names, 0)
    if outline:
        seen = (*seen, outline)
    lasting, signals = parted(gathered)
    kept_free = reserved(signals, room, counts)
    before = previous.held if previous else None
    held = hold(lasting, room - kept_free, counts, seen=seen, previous=before)
    seen = (*seen, *(kept.text for kept in held.kept))
    said = signals_of(signals, kept_free, counts, seen)
    segments = _segments(gathered, outline, held.kept, said.kept)
    return Head(gathered.path, held, said, outline, tokens, notes, segments)


def _outline(gathered: Gathered, budget: int, count: Tokens) -> tuple[str, int, tuple[str, ...]]:
    """Return the outline that is shown, its tokens, and notes."""
    outline = gathered.outline
    tokens = count.text(outline)
    if tokens <= budget * _MOST_OUTLINE:
        return outline, tokens, gathered.notes
    note = f"the outline of the file would take {tokens} tokens, and is left out"
    return "", 0, (*gathered.notes, note)


def _segments(
    gathered: Gathered, outline: str, held: Sequence[Kept], said: Sequence[Kept]
) -> tuple[Segment, ...]:
    of_file = [one for one in said if one.snippet.path == gathered.path]
    kept = [*held, *(one for one in said if one.snippet.path != gathered.path)]
    path = scrub(gathered.path)
    folded = (Segment("outline", f"{path}\n{scrub(outline)}"),) if outline else ()
    own = scrub("".join(one.text for one in of_file))
    if not kept:
        return (*folded, Segment("outline", f"{path}\n{own}")) if own else folded
    name, *texts = repository_texts(kept, gathered.name)
    files = (Segment("repo", text) for text in texts)
    # What follows is of the current file again.
    return (Segment("repo", name), *folded, *files, Segment("outline", f"{path}\n{own}"))
