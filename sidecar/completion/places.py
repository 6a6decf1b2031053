"""The anchors that are kept of each document: the one in use, those used before, and guesses.

Whoever comes back to a place finds its state in a lane, if the anchor is the one that was evaluated
there. What became of guesses is counted here, since it is here that they are used or dropped.
Bookkeeping only. May import `anchor` and `short`.
"""

from __future__ import annotations

from dataclasses import dataclass
from time import monotonic
from typing import TYPE_CHECKING, Final

from sidecar.completion.short import is_short

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from sidecar.completion.anchor import Anchor
    from sidecar.context.head import Head
    from sidecar.telemetry import Metrics

__all__ = ["LATE", "Kept", "Places"]

#: Why an anchor is kept that was not asked for, since its prompt would have taken too long.
LATE: Final = "late"

#: Reasons that foretell nothing: the user is there, or another prompt is kept for the place.
_BESIDE: Final = (LATE, "whole", "short", "answer")

#: Places that are kept of a document besides the one in use, and guesses.
_MOST_USED: Final = 3
#: A place may take two: a short prompt, and the whole one.
_MOST_GUESSES: Final = 6
#: As long as the engine keeps a lane that nobody uses.
_SECONDS: Final = 600.0


@dataclass(slots=True, eq=False)
class Kept:
    """An anchor with its head.

    Args:
        anchor: The anchor.
        head: What stands before its window.
        typed_tokens: Tokens behind it when the engine last saw it.
        guess: Why the user was expected there, until somebody came.
        spent: Tokens that were evaluated for the guess.
        held: Characters behind it that the engine has evaluated as well; -1 before it came to it.
        name: What the engine calls its prompt, once it is evaluated.
        outdated: Whether more is known by now of what should stand in the head of a guess.
        at: When it was last used, in seconds.
    """

    anchor: Anchor
    head: Head
    typed_tokens: int = 0
    guess: str = ""
    spent: int = 0
    held: int = -1
    name: int = 0
    outdated: bool = False
    at: float = 0.0

    @property
    def is_late(self) -> bool:
        """Whether its prompt takes too long, since nobody has evaluated it."""
        return self.guess == LATE and self.held < 0

    def is_same(self, anchor: Anchor, head: Head) -> bool:
        """Tell whether it makes the same prompts, wherever its window stands now."""
        mine = self.anchor
        windows = (mine.known_by, mine.prefix, mine.suffix)
        return head is self.head and windows == (anchor.known_by, anchor.prefix, anchor.suffix)


class Places:
    """Keeps the anchors of documents.

    Args:
        metrics: Where guesses are counted.
        clock: Tells seconds.
    """

    def __init__(self, metrics: Metrics, clock: Callable[[], float] = monotonic) -> None:
        self._metrics = metrics
        self._clock = clock
        self._current: dict[str, Kept] = {}
        #: The newest last.
        self._others: dict[str, list[Kept]] = {}

    def current(self, uri: str) -> Kept | None:
        """Return the anchor in use in a document."""
        return self._current.get(uri)

    def of(self, uri: str) -> list[Kept]:
        """List the anchors of a document: the one in use, then the others, the newest first."""
        current = self._current.get(uri)
        others = self._others.get(uri, ())
        oldest = self._clock() - _SECONDS
        found = [kept for kept in reversed(others) if kept.at >= oldest and not kept.outdated]
        return [current, *found] if current else found

    def use(self, uri: str, used: Kept, typed_tokens: int | None) -> None:
        """Take an anchor into use.

        Args:
            uri: The document.
            used: The anchor, where it now stands.
            typed_tokens: Tokens behind it, if they are known.
        """
        current = self._current.get(uri)
        kept = current
        if current is None or not current.is_same(used.anchor, used.head):
            kept = self._taken(uri, used) or used
            if current is not None:
                self._add(uri, current)
            self._current[uri] = kept
            if kept.guess:
                self._count("hits", kept.guess)
                self._metrics.count("warming.used_tokens", kept.spent)
                kept.guess, kept.spent = "", 0
        assert kept is not None
        kept.anchor, kept.at = used.anchor, self._clock()
        if typed_tokens is not None:
            kept.typed_tokens = typed_tokens

    def guess(self, uri: str, guessed: Kept, reason: str) -> None:
        """Keep an anchor for a place where the user may be next."""
        guessed.guess, guessed.at = reason, self._clock()
        self._count("guesses", reason)
        self._add(uri, guessed)

    def outdate_guesses(self) -> None:
        """Let no guess serve any more; what was evaluated for them is found in lanes all the same.

        Anchors that were used stay: the user saw suggestions of them, and they hold still. So do
        short prompts, which show nothing of what is learned.
        """
        for others in self._others.values():
            for kept in others:
                kept.outdated = bool(kept.guess) and not is_short(kept.head)

    def find(self, uri: str, anchor: Anchor, head: Head) -> Kept | None:
        """Return what is kept of an anchor, wherever its window stands now."""
        return next((kept for kept in self._all(uri) if kept.is_same(anchor, head)), None)

    def lose(self, uri: str, held: Collection[int]) -> None:
        """Take in which prompts the engine holds; the others of a document are not evaluated."""
        for kept in self._all(uri):
            if kept.name not in held:
                kept.held = -1

    def spent(self, uri: str, anchor: Anchor, head: Head, tokens: int) -> None:
        """Note how many tokens were evaluated for an anchor."""
        kept = self.find(uri, anchor, head)
        if kept is not None and kept.guess:
            kept.spent += tokens
        else:
            # Of a place that somebody came to meanwhile, or of one that was dropped.
            self._metrics.count(f"warming.{'used' if kept else 'wasted'}_tokens", tokens)

    def forget(self, uri: str) -> None:
        """Drop the anchors of a document."""
        self._current.pop(uri, None)
        for kept in self._others.pop(uri, ()):
            self._drop(kept)

    def clear(self) -> None:
        """Drop all anchors."""
        for uri in [*self._others]:
            self.forget(uri)
        self._current.clear()

    def _all(self, uri: str) -> list[Kept]:
        return [*self._others.get(uri, ()), *filter(None, [self._current.get(uri)])]

    def _taken(self, uri: str, wanted: Kept) -> Kept | None:
        others = self._others.get(uri, [])
        for kept in others:
            if kept.is_same(wanted.anchor, wanted.head):
                others.remove(kept)
                return kept
        return None

    def _add(self, uri: str, kept: Kept) -> None:
        others = self._others.setdefault(uri, [])
        others.append(kept)
        alike = [other for other in others if bool(other.guess) == bool(kept.guess)]
        if len(alike) > (_MOST_GUESSES if kept.guess else _MOST_USED):
            others.remove(alike[0])
            self._drop(alike[0])

    def _count(self, what: str, reason: str) -> None:
        self._metrics.count(f"warming.{what}.{reason}")
        if reason not in _BESIDE:
            self._metrics.count(f"warming.{what}")

    def _drop(self, kept: Kept) -> None:
        if kept.guess:
            self._count("misses", kept.guess)
            self._metrics.count("warming.wasted_tokens", kept.spent)
