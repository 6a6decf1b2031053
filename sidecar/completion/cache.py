"""What the model said, found again by the text around the cursor.

An answer is kept under the text that the model was shown: an anchor's frozen text, and what stood
typed behind it. So it makes no difference how a cursor got there: by typing along a suggestion, by
undoing and typing again, or by going away and coming back. Text alone decides, so an answer for
text that is no longer there cannot be found. Must never ask the engine or do I/O. May import this
package's values.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sidecar.completion.anchor import MAX_CLOSERS, extend
from sidecar.completion.anchored import Anchored
from sidecar.completion.finish import finish
from sidecar.completion.suggestion import Suggestion
from sidecar.context.guard import PLACEHOLDER
from sidecar.index.roots import relative
from sidecar.text import scrub, to_lf

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from sidecar.completion.anchor import Anchor, Extension
    from sidecar.completion.suggestion import Refusal
    from sidecar.context.card import Card
    from sidecar.context.head import Head
    from sidecar.engine.messages import Request
    from sidecar.text import Document

__all__ = ["Cache", "Hit", "Known", "Terms", "placeholder_of", "rests_on", "typed_of"]

#: Anchors whose answers are kept; each holds the text of its window, some 10 KB.
MOST_ANCHORS = 64
#: Of one document: each that might serve costs a request that finds nothing a few microseconds.
MOST_ANCHORS_OF_ONE = 24
#: Answers kept behind one anchor.
MOST_ANSWERS = 64
#: So much of a frozen suffix tells most places of a file apart.
_GLANCE = 32
#: Answers of an anchor that are finished before it counts as a miss.
_TRIED = 3


@dataclass(frozen=True, slots=True)
class Terms:
    """What a request allows: an answer to other terms might have ended elsewhere.

    Args:
        multiline: Whether a suggestion may pass a line.
        max_tokens: Most tokens.
        least_confidence: How likely a line has to be.
    """

    multiline: bool
    max_tokens: int
    least_confidence: float = 0.0

    @classmethod
    def of(cls, request: Request) -> Terms:
        """Return the terms of a request."""
        return cls(request.multiline, request.max_tokens, request.least_confidence)

    def served_by(self, other: Terms) -> bool:
        """Tell whether what was generated under other terms serves under these.

        The first line of several is what one line would have been. What was asked for explicitly
        stays when one types along; what was held back as unlikely is not all there is to say.
        """
        return (
            self.max_tokens == other.max_tokens
            and (other.multiline or not self.multiline)
            and other.least_confidence <= self.least_confidence
        )


@dataclass(frozen=True, slots=True)
class Known:
    """One answer of the model.

    Args:
        typed: What stood between anchor and cursor, with LF breaks.
        text: What the model said then.
        stop: Why it ended.
        terms: What it was allowed.
        card: The account of its prompt.
        guessed: Whether it was generated before anybody asked.
    """

    typed: str
    text: str
    stop: str
    terms: Terms
    card: Card | None = None
    guessed: bool = False

    def rest(self, typed: str) -> str | None:
        """Return what the model's text has beyond `typed`, or None if that says something else."""
        if not typed.startswith(self.typed):
            return None
        ahead = typed[len(self.typed) :]
        return self.text[len(ahead) :] if self.text.startswith(ahead) else None


@dataclass(frozen=True, slots=True)
class Hit:
    """An answer that serves at a cursor.

    Args:
        known: The answer.
        anchored: The anchor that it was given for, applied to the cursor, and the head of its
            prompt.
        finished: What it comes to at the cursor.
    """

    known: Known
    anchored: Anchored
    finished: Suggestion | Refusal


@dataclass(slots=True)
class _Place:
    """The answers behind one anchor, the newest last."""

    path: str
    anchor: Anchor
    head: Head
    answers: dict[tuple[str, bool], Known] = field(default_factory=dict)

    def asked_alike(self, anchor: Anchor, head: Head) -> bool:
        """Tell whether another anchor at the same text makes the same prompts."""
        return (
            self.anchor.shown_prefix == anchor.shown_prefix
            and self.anchor.shown_suffix == anchor.shown_suffix
            and self.head.segments == head.segments
        )


class Cache:
    """Keeps answers of the model, the most recently used ones."""

    def __init__(self) -> None:
        #: By document and frozen text, the last used last.
        self._places: OrderedDict[tuple[str, str, str, bool], _Place] = OrderedDict()

    def __len__(self) -> int:
        """Count the answers that are kept."""
        return sum(len(place.answers) for place in self._places.values())

    def add(self, document: Document, anchored: Anchored, known: Known) -> None:
        """Keep an answer.

        Args:
            document: The document it was given for.
            anchored: The anchor, and the head of the prompt.
            known: The answer.
        """
        anchor = anchored.extension.anchor
        key = (document.uri, anchor.prefix, anchor.suffix, anchor.to_end)
        place = self._places.get(key)
        if place is None:
            place = self._places[key] = _Place(document.path, anchor, anchored.head)
        elif not place.asked_alike(anchor, anchored.head):
            # What stands around the window is another, so what was said before is out of date.
            place.answers.clear()
        place.anchor, place.head = anchor, anchored.head
        name = (known.typed, known.terms.multiline)
        older = place.answers.pop(name, None)
        if (
            older is not None
            and known.stop == "unsure"
            and older.terms.least_confidence < known.terms.least_confidence
        ):
            # Who asked was shown what a guess holds back, and it stays.
            known = older
        place.answers[name] = known
        while len(place.answers) > MOST_ANSWERS:
            del place.answers[next(iter(place.answers))]
        self._places.move_to_end(key)
        own = [other for other in self._places if other[0] == document.uri]
        for old in own[:-MOST_ANCHORS_OF_ONE]:
            del self._places[old]
        while len(self._places) > MOST_ANCHORS:
            self._places.popitem(last=False)

    def find(self, document: Document, offset: int, terms: Terms) -> Hit | None:
        """Find what is offered at a cursor, as far as it is known.

        What the model said for exactly this text is the answer, whatever it comes to. What it said
        for less text is one only while it still offers something.

        Args:
            document: The document.
            offset: The cursor.
            terms: What is wanted.
        """
        for key, place, extension in self._serving(document, offset):
            typed = typed_of(extension)
            anchored = Anchored(extension, place.head)
            placeholder = placeholder_of(anchored)
            fitting = [
                (known, rest)
                for known in place.answers.values()
                if terms.served_by(known.terms) and (rest := known.rest(typed)) is not None
            ]
            # The one that was asked for nearest to the cursor, and of those the newest. What was
            # held back does not take away what is known all the same.
            fitting.reverse()
            fitting.sort(key=lambda pair: (pair[0].stop == "unsure", -len(pair[0].typed)))
            for known, rest in fitting[:_TRIED]:
                finished = finish(
                    rest,
                    document,
                    offset,
                    extension.closers,
                    stop=known.stop,
                    multiline=terms.multiline,
                    placeholder=placeholder,
                )
                # What ran out of time may come to more the next time.
                whole = known.typed == typed and known.stop != "time"
                if whole or isinstance(finished, Suggestion):
                    self._places.move_to_end(key)
                    return Hit(known, anchored, finished)
        return None

    def covers(self, document: Document, offset: int, terms: Terms) -> bool:
        """Tell whether it is known what the model says at the end of a line."""
        return any(
            terms.served_by(known.terms)
            and (rest := known.rest(typed)) is not None
            and (
                bool(rest.strip())
                # It had nothing more to say, and not for want of a second line.
                or (known.typed == typed and known.stop != "newline")
            )
            for _, place, extension in self._serving(document, offset)
            for typed in (typed_of(extension),)
            for known in place.answers.values()
        )

    def forget(self, uri: str) -> None:
        """Drop the answers of a document."""
        for key in [key for key in self._places if key[0] == uri]:
            del self._places[key]

    def drop(self, root: str, paths: Collection[str]) -> int:
        """Drop what was said of files that declare other things now, or where these were shown.

        Args:
            root: Absolute path of a workspace.
            paths: The files, relative to it.

        Returns:
            How many they were.
        """
        gone = [
            key
            for key, place in self._places.items()
            if rests_on(place.path, place.head, root, paths)
        ]
        return sum(len(self._places.pop(key).answers) for key in gone)

    def clear(self) -> None:
        """Drop all answers."""
        self._places.clear()

    def _serving(
        self, document: Document, offset: int
    ) -> Iterator[tuple[tuple[str, str, str, bool], _Place, Extension]]:
        """Give the anchors that serve at a cursor, the last used first."""
        after = document.buffer.slice(offset, offset + MAX_CLOSERS + _GLANCE)
        for key in reversed(list(self._places)):
            if key[0] == document.uri and 0 <= after.find(key[2][:_GLANCE]) <= MAX_CLOSERS:
                place = self._places[key]
                extension = extend(place.anchor, document, offset)
                if extension is not None:
                    yield key, place, extension


def rests_on(path: str, head: Head, root: str, paths: Collection[str]) -> bool:
    """Tell whether a prompt is of, or shows code of, one of some files below a root.

    Args:
        path: Absolute path of the prompt's file.
        head: What it shows of others.
        root: Absolute path of a workspace.
        paths: Paths relative to that.
    """
    inside = relative(root, path)
    return inside is not None and (
        inside in paths or any(kept.snippet.path in paths for kept in head.kept)
    )


def typed_of(extension: Extension) -> str:
    """Return what stands between anchor and cursor, as the model is shown it."""
    return to_lf(scrub(extension.typed))


def placeholder_of(anchored: Anchored) -> str:
    """Return what a prompt shows in place of secrets, as far as the model may repeat it."""
    hides = anchored.extension.anchor.hidden or any(
        PLACEHOLDER in segment.text for segment in anchored.head.segments
    )
    return PLACEHOLDER[:4] if hides else ""
