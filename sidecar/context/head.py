"""The head of a prompt: what stands before the window of the current file, and its account.

Nothing in it depends on what is typed, so that it is evaluated once; and little of it changes as
one moves about in a file. It begins with the file's outline, which does not depend on the cursor.
Then come snippets of other files: those that were chosen when one came to the file stay (the
settled ones), and those that only a later place asked for have what room is left behind them. If
what a place asks for is shown no more, time and again, all are chosen anew. Pure values. May import
`text`, `engine/messages.py`, and this package.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from sidecar.context.card import Left, Part
from sidecar.context.fit import Budget, Fitted, Kept, fit, texts_to_count
from sidecar.context.gathering import OUTLINE
from sidecar.context.repository import repository_texts
from sidecar.engine.messages import Segment
from sidecar.text import scrub

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sidecar.context.gathering import Gathered
    from sidecar.context.snapshot import Snippet

__all__ = ["Head", "head_of", "texts_of"]

#: Tokens of a byte where nobody has counted.
_TOKENS_PER_BYTE: Final = 0.4
#: The part of the room for snippets that is given when one comes to a file.
_SETTLED: Final = 0.75
#: An outline that takes more of the head is left out: what others declare would have no room.
_MOST_OUTLINE: Final = 0.6
#: A head misses a place where it shows less than this part of what would be chosen there; after so
#: many in a row all is chosen anew.
_COVERED: Final = 0.34
_MOST_MISSES: Final = 3


@dataclass(frozen=True, slots=True)
class Head:
    """The head of a prompt.

    Args:
        path: The current file, as the prompt names it.
        settled: What is shown of other files since one came to this one.
        later: What was asked for later.
        versions: By path, what the files of these held then.
        outline: The current file folded.
        outline_tokens: Its tokens.
        notes: What a reader of the card should know.
        misses: How many places in a row the head had little for.
        segments: The head as the engine reads it; made once, since every keystroke sends it.
    """

    path: str = ""
    settled: Fitted = field(default_factory=Fitted)
    later: Fitted = field(default_factory=Fitted)
    versions: Mapping[str, bytes | None] = field(default_factory=dict)
    outline: str = ""
    outline_tokens: int = 0
    notes: tuple[str, ...] = ()
    misses: int = 0
    segments: tuple[Segment, ...] = ()

    @property
    def kept(self) -> tuple[Kept, ...]:
        """What is shown of other files, in the order of the prompt."""
        return self.settled.kept + self.later.kept

    @property
    def paths(self) -> list[str]:
        """The files that it is from."""
        return list(dict.fromkeys(kept.snippet.path for kept in self.kept))

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
            for kept in self.kept
        ]
        if self.outline:
            reason = "what the file declares"
            shown.insert(0, Part("outline", OUTLINE, self.path, reason, self.outline_tokens))
        return tuple(shown)

    def dropped(self) -> tuple[Left, ...]:
        """Return what was offered and is not shown."""
        shown = {kept.snippet.key for kept in self.kept}
        left = {
            item.key: Left(item.source, item.path, item.reason, item.tokens)
            for item in (*self.settled.dropped, *self.later.dropped)
            if item.key not in shown
        }
        return tuple(left.values())


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
    outline, tokens, notes = _outline(gathered, budget, counts)
    room = max(budget - tokens - _tokens(gathered.name + gathered.path), 0)
    if outline:
        seen = (*seen, outline)
    offered = gathered.snippets
    fresh = fit(offered, Budget(int(room * _SETTLED)), counts, seen=seen)
    settled, misses = fresh, 0
    before = Fitted()
    if previous is not None and previous.kept:
        misses = previous.misses + 1 if _misses(fresh, previous) else 0
        if misses < _MOST_MISSES:
            stay = _still(previous, previous.settled.kept, gathered)
            budget_before = Budget(max(int(room * _SETTLED), _sum(previous.settled.kept)))
            settled = fit(stay, budget_before, counts, previous=previous.settled)
            before = previous.later
        else:
            misses = 0
    known = {kept.snippet.key for kept in settled.kept}
    texts = [kept.text for kept in settled.kept]
    others = [snippet for snippet in offered if snippet.key not in known]
    if previous is not None:
        keys = {snippet.key for snippet in others}
        others += [
            snippet
            for snippet in _still(previous, before.kept, gathered)
            if snippet.key not in keys and snippet.key not in known
        ]
    left = max(room - _sum(settled.kept), 0)
    later = Fitted()
    if settled is not fresh:
        later = fit(others, Budget(left), counts, previous=before, seen=(*seen, *texts))
    kept = settled.kept + later.kept
    segments = _segments(gathered, outline, kept)
    return Head(
        gathered.path, settled, later, gathered.versions, outline, tokens, notes, misses, segments
    )


def _outline(
    gathered: Gathered, budget: int, counts: Mapping[str, int]
) -> tuple[str, int, tuple[str, ...]]:
    """Return the outline that is shown, its tokens, and notes."""
    outline = gathered.outline
    tokens = counts.get(outline, _tokens(outline)) if outline else 0
    if tokens <= budget * _MOST_OUTLINE:
        return outline, tokens, gathered.notes
    note = f"the outline of the file would take {tokens} tokens, and is left out"
    return "", 0, (*gathered.notes, note)


def _still(previous: Head, kept: Sequence[Kept], gathered: Gathered) -> list[Snippet]:
    """Return what was shown as it is offered now, or as it was if its file has not changed."""
    offered: dict[str, Snippet] = {}
    for snippet in gathered.snippets:
        # Several sources may offer one declaration.
        offered.setdefault(snippet.key, snippet)
    found = []
    for one in kept:
        snippet, path = one.snippet, one.snippet.path
        version = gathered.versions.get(path)
        if snippet.key in offered:
            found.append(offered[snippet.key])
        elif version is not None and version == previous.versions.get(path):
            found.append(snippet)
    return found


def _misses(fresh: Fitted, previous: Head) -> bool:
    """Tell whether a head shows little of what would be chosen now."""
    shown = {kept.snippet.key for kept in previous.kept}
    known = sum(kept.tokens for kept in fresh.kept if kept.snippet.key in shown)
    return known < _COVERED * _sum(fresh.kept)


def _segments(gathered: Gathered, outline: str, kept: Sequence[Kept]) -> tuple[Segment, ...]:
    if not kept and not outline:
        return ()
    path = scrub(gathered.path)
    folded = (Segment("outline", f"{path}\n{scrub(outline)}"),) if outline else ()
    if not kept:
        return folded
    name, *texts = repository_texts(kept, gathered.name)
    files = (Segment("repo", text) for text in texts)
    # What follows is of the current file again.
    return (Segment("repo", name), *folded, *files, Segment("outline", f"{path}\n"))


def _sum(kept: Sequence[Kept]) -> int:
    return sum(one.tokens for one in kept)


def _tokens(text: str) -> int:
    return round(len(text.encode("utf-8", "replace")) * _TOKENS_PER_BYTE)
