"""What is made ready after something that the user did: which places, and which prompts of each.

Decides, and has nothing evaluated. May import `anchoring`, `beginnings`, `shortening`,
`predicting`, `latency`, `context`, and the front's side of `engine`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from sidecar.completion.anchor import extend
from sidecar.completion.beginnings import at_end, ended
from sidecar.completion.latency import Speeds
from sidecar.completion.predicting import Guess, next_blank_line, places_in_file
from sidecar.completion.short import is_short
from sidecar.completion.shortening import at_once, shorter

if TYPE_CHECKING:
    from sidecar.completion.anchored import Anchored
    from sidecar.completion.anchoring import Anchors
    from sidecar.completion.planning import EnginePlan
    from sidecar.completion.surroundings import Surroundings
    from sidecar.context.snapshot import Snapshot
    from sidecar.engine.interface import Engine
    from sidecar.text import Document

__all__ = [
    "Event",
    "Occasion",
    "opened",
    "places_of",
    "short_at_once",
    "short_before",
    "whole_at",
]

#: Places of one warm-up.
_MOST_PLACES: Final = 2

Occasion = Literal["cursor", "switch", "answer", "accept"]


class Event(NamedTuple):
    """Something that the user did.

    Args:
        occasion: What.
        uri: The document.
        offset: The cursor in it, if it is known.
        name: The identifier at the cursor in the document that was left; empty if there was none.
    """

    occasion: Occasion
    uri: str
    offset: int | None
    name: str = ""


async def places_of(
    event: Event,
    document: Document,
    cursor: tuple[str, int] | None,
    anchors: Anchors,
    around: Surroundings,
) -> list[Guess]:
    """List the places where the user may type next, the likeliest first.

    Args:
        event: What the user did.
        document: The document.
        cursor: The document in which the user is, and the cursor's offset.
        anchors: The documents' anchors.
        around: What is asked about documents.
    """
    offset = event.offset
    if event.occasion == "accept":
        if cursor is None or cursor[0] != event.uri:
            return []
        offset = cursor[1]
    if offset is None:

        def question(path: str, snapshot: Snapshot) -> list[Guess]:
            return places_in_file(document, path, snapshot, event.name)

        found = await around.workspace.ask(document, question)
        return (found or [Guess(0, "start")])[:_MOST_PLACES]
    places: list[Guess] = []
    served = anchors.serving(document, offset)
    waits = served is not None and (is_short(served.head) or anchors.is_late(document.uri, served))
    if event.occasion != "answer" or waits:
        places.append(Guess(offset, event.occasion))
    if anchors.moves_soon(document, offset):
        places.append(Guess(offset, "ahead"))
    below = next_blank_line(document, offset)
    if below is not None and event.occasion in ("answer", "accept"):
        # Only who writes there goes on there: who looks around may go anywhere.
        places.append(Guess(below, "blank_line"))
    return places[:_MOST_PLACES]


async def whole_at(
    anchors: Anchors, engine: Engine, plan: EnginePlan | None, document: Document, guess: Guess
) -> Anchored:
    """Return the whole prompt that would be asked for at a place, as it is known or made anew.

    Args:
        anchors: The documents' anchors.
        engine: Counts tokens.
        plan: The engine that is wanted.
        document: The document.
        guess: The place.
    """
    place, ahead = guess.offset, guess.reason == "ahead"
    if ahead:
        known = anchors.next_one(document, place)
    else:
        known = anchors.serving(document, place, whole=True)
    if known is not None:
        return known
    return await anchors.guessed(document, place, engine, plan, guess.reason, ahead=ahead)


def short_at_once(
    anchors: Anchors, engine: Engine, document: Document, guess: Guess, window_tokens: int
) -> Anchored | None:
    """Return a short prompt for a place where the window alone of a whole one would take too long.

    Args:
        anchors: The documents' anchors.
        engine: Knows how fast it is.
        document: The document.
        guess: The place.
        window_tokens: Tokens of the current file that a whole prompt shows.
    """
    per_token = _prompt_ms(engine, guess)
    place = guess.offset
    if per_token is None or anchors.serving(document, place) is not None:
        return None
    return at_once(anchors, engine, document, place, window_tokens, lambda left: left * per_token)


def short_before(
    anchors: Anchors, engine: Engine, document: Document, guess: Guess, whole: Anchored
) -> Anchored | None:
    """Return a short prompt for a place, where it is there much sooner than the whole one.

    Of places further on one prompt is enough: each takes a lane from those in use.

    Args:
        anchors: The documents' anchors.
        engine: Knows how fast it is.
        document: The document.
        guess: The place.
        whole: The whole prompt.
    """
    per_token = _prompt_ms(engine, guess)
    if per_token is None:
        return None
    return shorter(anchors, engine, document, guess.offset, whole, lambda left: left * per_token)


def opened(anchored: Anchored, document: Document, offset: int) -> Anchored:
    """Return a prompt as it is once a line is opened at the end of another one; else as it is."""
    if not at_end(document, offset):
        return anchored
    extension = extend(anchored.extension.anchor, *ended(document, offset))
    return anchored if extension is None else replace(anchored, extension=extension)


def _prompt_ms(engine: Engine, guess: Guess) -> float | None:
    """Return how long a token of a prompt takes; None where no short one is wanted."""
    speeds = Speeds.of(engine.state.info)
    far = guess.reason in ("ahead", "blank_line")
    return None if speeds is None or far else speeds.prompt_ms
