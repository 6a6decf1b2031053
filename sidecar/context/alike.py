"""How much pieces of files have in common with a piece of code, by the names in them.

A file is cut into windows on a fixed grid, so that what is found holds still. What is known of a
text is remembered by the text itself: the same answer, sooner. Must never do I/O, nor know a
language. May import `excerpt` of this package.
"""

from __future__ import annotations

import re
from functools import lru_cache
from math import log
from typing import TYPE_CHECKING, Final, NamedTuple

from sidecar.context.excerpt import starts_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["GRID", "WINDOW", "Hit", "Windows", "compare", "names_of", "windows_of"]

#: Lines of a window, and the lines between the starts of two.
WINDOW: Final = 10
GRID: Final = 5
#: What part of a compound name counts, where the name itself counts 1.
_PART: Final = 0.5
#: Names that stand in more than this share of all windows tell nothing.
_COMMON: Final = 0.25
#: But so few may always hold one.
_FEW: Final = 4
#: What the first of the files gains over one that is far behind: a file that serves in one place of
#: a function should serve in the next.
_EARLIER: Final = 0.4
#: Files that are remembered, and names of which the parts are.
_FILES: Final = 128
_NAMES: Final = 20_000
_NAME: Final = re.compile(r"[^\W\d][\w$]+")
_HUMPS: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[^\W\d_A-Za-z]+")


class Windows(NamedTuple):
    """A file by what its windows hold.

    Args:
        lines: The file.
        where: The windows in which each name, or part of one, stands: their numbers.
        sizes: How many names each window holds; parts count less.
        starts: Lines at which an excerpt may start.
    """

    lines: tuple[str, ...]
    where: dict[str, tuple[int, ...]]
    sizes: tuple[float, ...]
    starts: tuple[int, ...]


class Hit(NamedTuple):
    """A window that has something in common with what was asked.

    Args:
        file: Number of the file among those that were compared.
        window: Number of the window in it; it starts at line `window * GRID`.
        score: How much: 1 is all, and the file's place may add a little.
    """

    file: int
    window: int
    score: float


def names_of(text: str) -> dict[str, float]:
    """Return the names in a text, in its order, and the parts of compound ones behind them.

    Each comes with what it counts.
    """
    found = dict.fromkeys(_NAME.findall(text), 1.0)
    for name in list(found):
        for part in _parts(name):
            found.setdefault(part, _PART)
    return found


@lru_cache(_FILES)
def windows_of(text: str) -> Windows:
    """Return the windows of a file."""
    lines = tuple(text.split("\n"))
    blocks = [
        names_of("\n".join(lines[start : start + GRID])) for start in range(0, len(lines), GRID)
    ]
    where: dict[str, list[int]] = {}
    sizes = []
    span = WINDOW // GRID
    for number in range(max(len(blocks) - span + 1, 1)):
        names = dict(blocks[number])
        for block in blocks[number + 1 : number + span]:
            for name, counts in block.items():
                if names.get(name, 0.0) < counts:
                    names[name] = counts
        for name in names:
            where.setdefault(name, []).append(number)
        sizes.append(sum(names.values()))
    found = {name: tuple(numbers) for name, numbers in where.items()}
    return Windows(lines, found, tuple(sizes), starts_of(lines))


def compare(wanted: Mapping[str, float], files: Sequence[Windows], least: float) -> list[Hit]:
    """Return the windows that share names with what is wanted, the most alike first.

    A name counts by how few of all windows hold it. What is shared is set against all that either
    holds, so that long windows gain nothing by their length.

    Args:
        wanted: Names, and what each counts.
        files: The files to look in, those that should come first among equals first.
        least: The score below which nothing is returned.
    """
    total = sum([len(file.sizes) for file in files])
    weights: dict[str, float] = {}
    asked = 0.0
    for name, counts in wanted.items():
        holding = sum([len(file.where.get(name, ())) for file in files])
        weight = counts * max(log((total + 1) / (holding + 0.5)), 0.0)
        asked += weight
        if 0 < holding <= max(_COMMON * total, _FEW):
            weights[name] = weight
    mean = asked / max(sum(wanted.values()), 1.0)
    hits: list[Hit] = []
    for number, (_, where, sizes, _) in enumerate(files):
        shared: dict[int, float] = {}
        for name, weight in weights.items():
            for window in where.get(name, ()):
                shared[window] = shared.get(window, 0.0) + weight
        gain = 1 + _EARLIER / (1 + number)
        for window, common in shared.items():
            score = gain * common / (asked + sizes[window] * mean - common)
            if score >= least:
                hits.append(Hit(number, window, score))
    hits.sort(key=lambda hit: (-hit.score, hit.file, hit.window))
    return hits


@lru_cache(_NAMES)
def _parts(name: str) -> tuple[str, ...]:
    """Return the lower-case parts of a compound name, or nothing if it is none."""
    parts = [part.lower() for part in _HUMPS.findall(name) if len(part) > 1]
    return tuple(parts) if len(parts) > 1 or (parts and parts[0] != name) else ()
