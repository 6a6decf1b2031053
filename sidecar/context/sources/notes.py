"""The source `notes`: what the project's notes say, each section cut to what fits.

May import `context`'s values.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from sidecar.context.snapshot import Snippet

if TYPE_CHECKING:
    from sidecar.context.snapshot import Place, Snapshot

__all__ = ["NAME", "offer"]

NAME: Final = "notes"

#: Where the notes of a project lie.
_PATH: Final = ".sidecar/notes.md"
#: The most characters of a section and of all of them, and of what is never left out.
_OF_SECTION: Final = 400
_OF_ALL: Final = 1_600
_SHORT: Final = 600
#: Characters of notes that are looked at.
_READ: Final = 50_000
_HEADING: Final = re.compile(r"#{1,6}\s+(.*?)\s*#*$")
_FENCE: Final = re.compile(r"\s*(```|~~~)")
#: Sections that come first where there is no room for all of them.
_KNOWN: Final = re.compile(r"goal|constraint|decision|open", re.IGNORECASE)
_BLANKS: Final = re.compile(r"\n\s*\n+")


class _Section(NamedTuple):
    heading: str
    text: str

    def cut(self, most: int) -> str:
        """Return the section in so many characters: whole lines of it, or nothing."""
        lines = [line.rstrip() for line in f"{self.heading}\n{self.text}".strip().split("\n")]
        kept: list[str] = []
        for number, line in enumerate(lines):
            room = most - sum(map(len, kept)) - len(kept) - 1
            if len(line) > room or (number + 1 < len(lines) and len(line) + 4 > room):
                if room > 40 and (not kept or kept == lines[:1]):
                    # One line that is longer than all there is room for: the words that fit.
                    kept.append(line[: room - 4].rsplit(" ", 1)[0] + " ...")
                elif kept[1:]:
                    kept.append("...")
                break
            kept.append(line)
        if self.heading and len(kept) < 2:
            # A heading alone says nothing.
            return ""
        return "".join([line + "\n" for line in kept])


def offer(place: Place, snapshot: Snapshot) -> list[Snippet]:
    """Return the notes as one piece."""
    sections = _sections(snapshot.notes[:_READ])
    text = _fitted(sections, _OF_SECTION, _OF_ALL)
    if not text:
        return []
    if len(text) <= _SHORT:
        return [Snippet(NAME, NAME, _PATH, text, 1.0, "notes of the project", tier="core")]
    short = _fitted(sections, _OF_SECTION // 3, _SHORT)
    return [Snippet(NAME, NAME, _PATH, text, 1.0, "notes of the project", short)]


def _sections(notes: str) -> list[_Section]:
    """Return the sections that say something; what stands before the first heading is one."""
    sections: list[_Section] = []
    heading, lines, fenced = "", list[str](), False
    for line in [*notes.split("\n"), "# "]:
        fenced ^= bool(_FENCE.match(line))
        if (fenced and line != "# ") or not _HEADING.match(line):
            lines.append(line)
            continue
        text = _BLANKS.sub("\n", "\n".join(lines)).strip()
        if text:
            sections.append(_Section(heading, text))
        heading, lines = line.strip(), []
    return sections


def _fitted(sections: list[_Section], most: int, most_of_all: int) -> str:
    """Return sections in their order, the known ones at the cost of others."""
    order = sorted(range(len(sections)), key=lambda at: not _KNOWN.search(sections[at].heading))
    taken: dict[int, str] = {}
    left = most_of_all
    for number in order:
        text = sections[number].cut(min(most, left))
        taken[number] = text
        left -= len(text)
    return "".join([taken[number] for number in sorted(taken)])
