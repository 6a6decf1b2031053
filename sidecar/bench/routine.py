"""What somebody does at a keyboard for as long as one likes, in files of a folder.

Goes to a line, types its start again, takes some of it back, accepts, saves, and goes elsewhere:
the same seed gives the same routine. Reads the files, and does nothing else. May import `syntax`,
`index`, `errors` and `keystrokes` of this package.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sidecar.bench.keystrokes import Case, Keystroke, choose_lines, type_line
from sidecar.errors import UsageError
from sidecar.index.files.walk import Walk
from sidecar.syntax import Languages

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator, Sequence
    from pathlib import Path

__all__ = ["Press", "Round", "Source", "key_pause", "routine", "sources", "tour", "typed_round"]

#: A file that is gone to again and again has so many lines to type at least.
_LEAST_LINES = 3
_KEYS = range(5, 13)
#: Seconds between keys, and at a place before the first: half of the pauses are shorter.
_KEY_SECONDS, _KEY_SPREAD, _KEY_LIMITS = 0.16, 0.45, (0.05, 1.5)
_LOOK_SECONDS, _LOOK_SPREAD, _LOOK_LIMITS = 1.0, 0.6, (0.2, 3.0)
#: One goes on in a file, or goes to one of those that one was in lately, or to any.
_STAYS, _RETURNS, _LATELY = 0.6, 0.6, 4
_HASTY, _TAKES_BACK, _ACCEPTS, _SAVES, _CLOSES = 0.12, 0.3, 0.3, 0.15, 0.04


@dataclass(frozen=True, slots=True)
class Source:
    """A file that somebody works in.

    Args:
        path: The file.
        language: The editor's name of its language.
        lines: Its lines, without their breaks.
        worth: Numbers of the lines that are worth typing.
    """

    path: Path
    language: str
    lines: tuple[str, ...]
    worth: tuple[int, ...]

    def case(self, number: int) -> Case:
        """Return one of its lines."""
        return Case(str(self.path), self.path.as_uri(), self.lines, number)


@dataclass(frozen=True, slots=True)
class Press:
    """One key.

    Args:
        stroke: What the editor makes of it.
        pause: Seconds until the next one.
        hasty: Whether the next one comes before there is an answer, which is given up then.
    """

    stroke: Keystroke
    pause: float
    hasty: bool = False


@dataclass(frozen=True, slots=True)
class Round:
    """One visit of a line.

    Args:
        file: Number of the source.
        number: Number of the line.
        look: Seconds at the line before the first key.
        presses: The keys.
        takes_back: How many characters are deleted then.
        accepts: Whether what is suggested in the end is accepted.
        saves: Whether the file is saved afterwards, with another declaration in it.
        closes: Whether the document is closed afterwards.
    """

    file: int
    number: int
    look: float
    presses: tuple[Press, ...]
    takes_back: int = 0
    accepts: bool = False
    saves: bool = False
    closes: bool = False


def sources(folder: Path, most: int, rng: random.Random) -> list[Source]:
    """Choose files of a folder that have lines worth typing.

    Args:
        folder: A folder of code.
        most: How many files; fewer where there are not so many.
        rng: Chooses them.

    Raises:
        UsageError: There are none.
    """
    if not folder.is_dir():
        raise UsageError(f"{folder} is not a folder", "name a folder of source code")
    languages = Languages.load()
    found: list[Source] = []
    # Sorted: folders do not list files in the same order everywhere.
    paths = sorted(file.path for file in Walk(folder).files())
    rng.shuffle(paths)
    for path in paths:
        language = languages.find("", path)
        if language is None or not language.ids:
            continue
        try:
            text = (folder / path).read_text("utf-8")
        except (OSError, UnicodeDecodeError):
            continue
        lines = tuple(text.split("\n"))
        worth = sorted(choose_lines(lines, len(lines), rng))
        if len(worth) < _LEAST_LINES:
            continue
        found.append(Source((folder / path).resolve(), language.ids[0], lines, tuple(worth)))
        if len(found) == most:
            break
    if not found:
        raise UsageError(
            f"{folder} has no file with lines to type again",
            "name a folder with source files of more than 80 lines",
        )
    return found


def routine(files: Sequence[Source], rng: random.Random) -> Iterator[Round]:
    """Go about in files without end."""
    lately: list[int] = []
    file = rng.randrange(len(files))
    while True:
        lately = [file, *(other for other in lately if other != file)][:_LATELY]
        visit = _visit(files[file], file, rng)
        yield visit
        if rng.random() >= _STAYS or visit.closes:
            returns = len(lately) > 1 and rng.random() < _RETURNS
            file = rng.choice(lately[1:]) if returns else rng.randrange(len(files))


def tour(files: Sequence[Source], rng: random.Random) -> Iterator[Round]:
    """Go to each of the files once: what is kept of a file is there then."""
    for file in rng.sample(range(len(files)), len(files)):
        yield _visit(files[file], file, rng)


def typed_round(source: Source, file: int, number: int, keys: int, rng: random.Random) -> Round:
    """Make a visit at which a line is typed, each key once the answer to the last one is there."""
    look = _pause(rng, _LOOK_SECONDS, _LOOK_SPREAD, _LOOK_LIMITS)
    return Round(file, number, look, _presses(source.lines[number], keys, rng))


def _visit(source: Source, file: int, rng: random.Random) -> Round:
    number = rng.choice(source.worth)
    closes = rng.random() < _CLOSES
    return Round(
        file,
        number,
        _pause(rng, _LOOK_SECONDS, _LOOK_SPREAD, _LOOK_LIMITS),
        _presses(source.lines[number], rng.choice(_KEYS), rng, hasty=_HASTY),
        takes_back=rng.randint(1, 3) if rng.random() < _TAKES_BACK else 0,
        accepts=rng.random() < _ACCEPTS,
        saves=rng.random() < _SAVES,
        closes=closes,
    )


def key_pause(rng: random.Random) -> float:
    """Return seconds between two keys."""
    return _pause(rng, _KEY_SECONDS, _KEY_SPREAD, _KEY_LIMITS)


def _presses(line: str, keys: int, rng: random.Random, *, hasty: float = 0.0) -> tuple[Press, ...]:
    return tuple(
        Press(stroke, key_pause(rng), rng.random() < hasty)
        for stroke in type_line(line, keys=keys, autoclose=True)
    )


def _pause(rng: random.Random, middle: float, spread: float, limits: tuple[float, float]) -> float:
    low, high = limits
    return min(max(rng.lognormvariate(math.log(middle), spread), low), high)
