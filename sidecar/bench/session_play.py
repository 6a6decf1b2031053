"""Plays a planned session in real time to whoever suggests, and takes what is worth taking.

A suggestion is taken when what it says is what would be typed, up to the end of a line, and it was
there long enough to be read. May import this package.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from sidecar.bench.editor import columns
from sidecar.bench.session_plan import Page

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence

    from sidecar.bench.session_plan import Stroke, Visit
    from sidecar.bench.session_waits import Waits

__all__ = ["Cost", "Edit", "Ghost", "Played", "Typist", "play", "press", "put", "taken"]

#: Nobody reads and takes a suggestion faster, …
REACTION_SECONDS: Final = 0.25
#: … or one that spares hardly a key.
_LEAST_TAKEN: Final = 3


@dataclass(frozen=True, slots=True)
class Ghost:
    """A suggestion on the screen.

    Args:
        text: What it adds at the cursor.
        since: `perf_counter` when it appeared, be it for an earlier key that was typed along it.
    """

    text: str
    since: float

    def typed_along(self, text: str) -> Ghost | None:
        """Return what is left of it behind a typed text, if that agrees."""
        rest = self.text[len(text) :]
        return Ghost(rest, self.since) if rest and self.text.startswith(text) else None


@dataclass(frozen=True, slots=True)
class Edit:
    """A change on one line, as editors send it: columns count UTF-16 units."""

    line: int
    start: int
    end: int
    text: str


class Cost(NamedTuple):
    """What a key cost whoever answers.

    Args:
        evaluated: Prompt tokens.
        asked: Whether the model was asked, and not only what it said before.
    """

    evaluated: int
    asked: bool


class Typist(Protocol):
    """An editor with a plugin that suggests.

    Attributes:
        waits: How long keys waited.
    """

    waits: Waits

    def show(self, page: Page) -> None:
        """Look at a file, which is opened if it was not."""

    def move(self, page: Page) -> None:
        """Move the cursor without an edit."""

    def typed(self, page: Page, edit: Edit) -> None:
        """Take in a key; never waits."""

    def accepted(self, page: Page, edit: Edit) -> None:
        """Take in that the suggestion on the screen, or its first line, was taken."""

    def ghost(self) -> Ghost | None:
        """Return what is on the screen."""

    def leave(self, page: Page) -> None:
        """End typing here: nobody waits for a suggestion any longer."""

    def save(self, page: Page) -> None:
        """Write a file to the disk."""

    def filled(self, page: Page, edit: Edit) -> None:
        """Take in an edit that nothing is asked for."""

    async def settled(self) -> Cost:
        """Wait until the last key is answered, and return what that cost."""


@dataclass(slots=True)
class Played:
    """What was done in a session.

    Args:
        keys: Keys pressed.
        accepted: Suggestions taken.
        accepted_characters: Characters that they spared.
        seconds: How long it took.
    """

    keys: int = 0
    accepted: int = 0
    accepted_characters: int = 0
    seconds: float = 0.0


async def play(
    visits: Sequence[Visit],
    files: Mapping[str, Sequence[str]],
    typist: Typist,
    on_done: Callable[[int, int], None] | None = None,
    *,
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    clock: Callable[[], float] = perf_counter,
) -> Played:
    """Play a session.

    Args:
        visits: What is written.
        files: The lines of the files, without what is written.
        typist: The editor.
        on_done: Called with the number of visits that are over, and of all.
        sleep: Waits.
        clock: Tells the time in seconds.
    """
    pages: dict[str, Page] = {}
    page: Page | None = None
    played = Played()
    started = clock()
    for number, visit in enumerate(visits):
        if page is None or page.path != visit.path:
            if page is not None:
                typist.save(page)
            page = pages.get(visit.path)
            if page is None:
                page = pages[visit.path] = Page(visit.path, files[visit.path])
            typist.show(page)
        for glance in visit.glances:
            page.go_to_end_of(glance.line)
            typist.move(page)
            await sleep(glance.wait)
        page.go_to_end_of(visit.line)
        typist.move(page)
        done = 0
        for stroke in visit.strokes:
            if stroke.done < done:
                # That came with a suggestion.
                continue
            await sleep(stroke.wait)
            ghost = typist.ghost()
            text = ""
            if ghost is not None and not stroke.slip and clock() - ghost.since >= REACTION_SECONDS:
                text = taken(visit.text[stroke.done :], ghost.text)
            if text:
                typist.accepted(page, put(page, text))
                played.accepted += 1
                played.accepted_characters += len(text)
                done = stroke.done + len(text)
            else:
                typist.typed(page, press(page, stroke))
                played.keys += 1
        await sleep(visit.rest)
        typist.leave(page)
        if on_done is not None:
            on_done(number + 1, len(visits))
    played.seconds = clock() - started
    return played


def taken(wanted: str, offered: str) -> str:
    """Return what is taken of a suggestion by somebody who is about to type a text.

    All of it or its first line, where that ends as a line of the text does.
    """
    for text in (offered, offered.partition("\n")[0]):
        ends = wanted[len(text) : len(text) + 1] in ("", "\n")
        if len(text.strip()) >= _LEAST_TAKEN and wanted.startswith(text) and ends:
            return text
    return ""


def press(page: Page, stroke: Stroke) -> Edit:
    """Change a page as a key does."""
    if stroke.text:
        return put(page, stroke.text)
    before = page.before
    page.take_back()
    return Edit(page.line, columns(before[:-1]), columns(before), "")


def put(page: Page, text: str) -> Edit:
    """Put a text at the cursor of a page."""
    line, column = page.line, columns(page.before)
    page.insert(text)
    return Edit(line, column, column, text)
