"""Plans an editing session: which lines are written again, in which order, key by key; pure.

Blocks of lines are taken out of files, and the session puts them back: it looks around, goes to the
line above a block, and types, with pauses and slips of a human kind. All of it is drawn beforehand,
so that whoever it is played to gets the same. May import nothing.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator, Mapping, Sequence

__all__ = [
    "Glance",
    "Hole",
    "Page",
    "Rhythm",
    "Stroke",
    "Visit",
    "choose_holes",
    "keys_of",
    "plan_visits",
    "without",
]

#: A block begins with a line of so many characters besides blanks, in the body of something.
_LEAST_CHARACTERS: Final = 12
_MOST_LINES: Final = 3
#: Lines between two blocks of a file, and from its first and to its last line.
_APART: Final = 10
#: Somebody stays in a file for three or four blocks.
_SWITCHES: Final = 0.3
_GLANCES: Final = 0.35
_SLIPS: Final = 0.03
_THINKS: Final = 0.04
_LETTERS: Final = "etaoinsrhl"


@dataclass(frozen=True, slots=True)
class Rhythm:
    """How long somebody waits before a key: the median, and how far it spreads (log-normal).

    In words it is that of people who type some 50 words a minute.

    Args:
        longest: Pauses are cut to this many seconds.
        inside: Within a word.
        between: After the end of a word.
        line: Before a line is begun.
        slip: Before a slip is noticed.
        thought: In the middle of a line, now and then.
        arrival: At a place that one came to, before the first key.
        glance: At a place that is only looked at.
    """

    longest: float = 3.0
    inside: tuple[float, float] = (0.16, 0.4)
    between: tuple[float, float] = (0.24, 0.5)
    line: tuple[float, float] = (0.6, 0.7)
    slip: tuple[float, float] = (0.3, 0.3)
    thought: tuple[float, float] = (1.5, 0.5)
    arrival: tuple[float, float] = (1.3, 0.6)
    glance: tuple[float, float] = (0.7, 0.6)

    def draw(self, rng: random.Random, pause: tuple[float, float]) -> float:
        """Draw one pause."""
        median, spread = pause
        return min(rng.lognormvariate(math.log(median), spread), self.longest)


@dataclass(frozen=True, slots=True)
class Hole:
    """Lines that were taken out of a file.

    Args:
        line: Number of the first of them in the file as it was, from 0.
        lines: The lines.
    """

    line: int
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Stroke:
    """One key.

    Args:
        wait: Seconds before it.
        text: What it puts at the cursor; empty if it takes a character back.
        done: Characters of the visit's text that stand there before it.
        slip: Whether a wrong character stands there as well.
    """

    wait: float
    text: str
    done: int
    slip: bool = False


@dataclass(frozen=True, slots=True)
class Glance:
    """A place of a file that the cursor passes: its line, and for how long it stays there."""

    line: int
    wait: float


@dataclass(frozen=True, slots=True)
class Visit:
    """A block that is written.

    Args:
        path: The file.
        line: The line at whose end writing begins, in the file as it stands by then.
        text: What is written: begins with a line break.
        glances: Where the cursor is before.
        strokes: The keys, if no suggestion is taken.
        rest: Seconds at the end, before one goes elsewhere.
    """

    path: str
    line: int
    text: str
    glances: tuple[Glance, ...]
    strokes: tuple[Stroke, ...]
    rest: float

    @property
    def seconds(self) -> float:
        """How long it takes without suggestions."""
        waits = [one.wait for one in self.strokes] + [one.wait for one in self.glances]
        return math.fsum([*waits, self.rest])


class Page:
    """The text of an open file, and the cursor in it.

    Args:
        path: The file.
        lines: Its lines, without their breaks.
    """

    def __init__(self, path: str, lines: Sequence[str]) -> None:
        self.path = path
        self.lines = list(lines)
        self.line = 0
        self.column = 0

    @property
    def text(self) -> str:
        """All of it."""
        return "\n".join(self.lines)

    @property
    def before(self) -> str:
        """The cursor's line up to the cursor."""
        return self.lines[self.line][: self.column]

    def go_to_end_of(self, line: int) -> None:
        """Put the cursor behind a line."""
        self.line, self.column = line, len(self.lines[line])

    def insert(self, text: str) -> None:
        """Put a text at the cursor, which stands behind it afterwards."""
        old = self.lines[self.line]
        new = (old[: self.column] + text).split("\n")
        column = len(new[-1])
        new[-1] += old[self.column :]
        self.lines[self.line : self.line + 1] = new
        self.line, self.column = self.line + len(new) - 1, column

    def take_back(self) -> None:
        """Take the character before the cursor away, which is not a line break."""
        assert self.column > 0
        old = self.lines[self.line]
        self.lines[self.line] = old[: self.column - 1] + old[self.column :]
        self.column -= 1


def choose_holes(lines: Sequence[str], most: int, rng: random.Random) -> list[Hole]:
    """Choose blocks to take out of a file, in the order of their lines."""
    starts = [
        number for number in range(_APART, len(lines) - _APART) if _worth_typing(lines[number])
    ]
    rng.shuffle(starts)
    holes: list[Hole] = []
    for start in starts:
        if len(holes) == most:
            break
        if any(abs(start - hole.line) < _APART for hole in holes):
            continue
        block = list(_block(lines[start : start + rng.randint(1, _MOST_LINES)]))
        holes.append(Hole(start, tuple(block)))
    return sorted(holes, key=lambda hole: hole.line)


def without(lines: Sequence[str], holes: Sequence[Hole]) -> list[str]:
    """Return what is left of a file."""
    missing = {hole.line + n for hole in holes for n in range(len(hole.lines))}
    return [line for number, line in enumerate(lines) if number not in missing]


def plan_visits(
    holes: Mapping[str, Sequence[Hole]], rng: random.Random, rhythm: Rhythm | None = None
) -> Iterator[Visit]:
    """Plan visits to all the holes of some files, one after the other.

    Args:
        holes: The holes of each file, in the order of their lines.
        rng: Draws all that is drawn.
        rhythm: How somebody types.
    """
    rhythm = rhythm or Rhythm()
    left = {path: list(found) for path, found in holes.items() if found}
    path = ""
    while left:
        others = sorted(set(left) - {path})
        if path not in left or (others and rng.random() < _SWITCHES):
            path = rng.choice(others)
        hole = left[path].pop(rng.randrange(len(left[path])))
        missing = sum(len(other.lines) for other in left[path] if other.line < hole.line)
        line = hole.line - 1 - missing
        glances: tuple[Glance, ...] = ()
        if rng.random() < _GLANCES:
            glances = tuple(
                Glance(rng.randint(0, line), rhythm.draw(rng, rhythm.glance))
                for _ in range(rng.randint(1, 3))
            )
        text = "".join(f"\n{written}" for written in hole.lines)
        strokes = tuple(_strokes(text, rng, rhythm))
        yield Visit(path, line, text, glances, strokes, rhythm.draw(rng, rhythm.arrival))
        if not left[path]:
            del left[path]


def keys_of(text: str) -> Iterator[str]:
    """Return what each key of a text puts there; an editor indents a new line by itself."""
    done = 0
    while done < len(text):
        key = text[done]
        if key == "\n":
            rest = text[done + 1 :]
            key += rest[: len(rest) - len(rest.lstrip(" \t"))]
        yield key
        done += len(key)


def _worth_typing(line: str) -> bool:
    text = line.strip()
    inside = line[:1] in (" ", "\t")
    return inside and len(text) >= _LEAST_CHARACTERS and not text.startswith(("#", "//", '"', "'"))


def _block(lines: Sequence[str]) -> Iterator[str]:
    """Return lines as long as they are worth typing and in the block of the first."""
    depth = len(lines[0]) - len(lines[0].lstrip())
    for line in lines:
        if not _worth_typing(line) or len(line) - len(line.lstrip()) < depth:
            return
        yield line.rstrip()


def _strokes(text: str, rng: random.Random, rhythm: Rhythm) -> Iterator[Stroke]:
    done = 0
    for key in keys_of(text):
        character = key[0]
        if character == "\n":
            pause = rhythm.line if done else rhythm.arrival
        else:
            word = text[done - 1].isalnum() or text[done - 1] == "_"
            pause = rhythm.inside if word or not character.isalnum() else rhythm.between
            if rng.random() < _THINKS:
                pause = rhythm.thought
        stroke = Stroke(rhythm.draw(rng, pause), key, done)
        if character.isalpha() and rng.random() < _SLIPS:
            wrong = rng.choice([letter for letter in _LETTERS if letter != character])
            yield replace(stroke, text=wrong)
            yield Stroke(rhythm.draw(rng, rhythm.slip), "", done, slip=True)
            stroke = replace(stroke, wait=rhythm.draw(rng, rhythm.inside))
        yield stroke
        done += len(key)
