"""How much pieces of files have in common with a piece of code, by the names in them.

A file is cut into windows on a fixed grid, so that what is found holds still. To find names in a
text costs a twentieth of taking it apart, so that is done first, and only with the windows that are
likely. What was found in a text is remembered by the text itself: the same answer, sooner. Must
never do I/O, nor know a language. May import `excerpt` of this package.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from functools import lru_cache
from heapq import nlargest
from itertools import accumulate
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
#: Names that are looked for, the most telling first; each costs a pass over all files.
_SOUGHT: Final = 40
#: Names that stand in more than this share of all windows tell nothing.
_COMMON: Final = 0.25
#: But so few may always hold one.
_FEW: Final = 4
#: Windows that are taken apart.
_LIKELY: Final = 24
#: What the first of the files gains over one that is far behind: a file that serves in one place of
#: a function should serve in the next.
_EARLIER: Final = 0.4
#: Texts that are remembered, and names for each: some 20 KB a file beside its text.
_TEXTS: Final = 1_024
_NAMES: Final = 128
_NAME: Final = re.compile(r"[^\W\d][\w$]+")
_HUMPS: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[^\W\d_A-Za-z]+")


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


class Windows:
    """A file and its windows; make one with `windows_of`.

    Args:
        text: The file, with LF breaks.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        lengths = [len(line) + 1 for line in text.split("\n")]
        #: The last is behind the end of the text.
        self._line_starts = array("I", accumulate(lengths, initial=0))
        #: How many windows there are.
        self.count = max((len(lengths) - 1) // GRID, 1)
        self._found: dict[str, tuple[int, ...]] = {}
        self._starts: tuple[int, ...] | None = None

    @property
    def lines(self) -> list[str]:
        """The lines of the file; they are not kept."""
        return self._text.split("\n")

    @property
    def starts(self) -> tuple[int, ...]:
        """Lines at which an excerpt may start."""
        if self._starts is None:
            self._starts = starts_of(self.lines)
        return self._starts

    def having(self, name: str) -> tuple[int, ...]:
        """Return the windows in which a name stands, also as a part of another one."""
        known = self._found.get(name)
        if known is None:
            if len(self._found) >= _NAMES:
                self._found.clear()
            known = self._found[name] = self._search(name)
        return known

    def names(self, window: int) -> dict[str, float]:
        """Return the names in a window, and what each counts."""
        starts = self._line_starts
        first = window * GRID
        last = min(first + WINDOW, len(starts) - 1)
        return names_of(self._text[starts[first] : starts[last]])

    def _search(self, name: str) -> tuple[int, ...]:
        text, starts = self._text, self._line_starts
        windows: dict[int, None] = {}
        at = text.find(name)
        while at >= 0:
            block = (bisect_right(starts, at) - 1) // GRID
            for window in range(max(block - WINDOW // GRID + 1, 0), min(block + 1, self.count)):
                windows[window] = None
            # Once in a block is enough.
            following = (block + 1) * GRID
            if following >= len(starts):
                break
            at = text.find(name, starts[following])
        return tuple(windows)


def names_of(text: str) -> dict[str, float]:
    """Return the names in a text, in its order, and the parts of compound ones behind them.

    Each comes with what it counts.
    """
    found = dict.fromkeys(_NAME.findall(text), 1.0)
    for name in list(found):
        for part in _parts(name):
            found.setdefault(part, _PART)
    return found


@lru_cache(_TEXTS)
def windows_of(text: str) -> Windows:
    """Return the windows of a file."""
    return Windows(text)


def compare(wanted: Mapping[str, float], files: Sequence[Windows], least: float) -> list[Hit]:
    """Return the windows that share names with what is wanted, the most alike first.

    A name counts by how few of all windows hold it. What is shared is set against all that either
    holds, so that long windows gain nothing by their length.

    Args:
        wanted: Names, and what each counts.
        files: The files to look in, those that should come first among equals first.
        least: The score below which nothing is returned.
    """
    total = sum([file.count for file in files])
    sought = sorted(wanted, key=lambda name: (-wanted[name] * min(len(name), 12), name))[:_SOUGHT]
    weights: dict[str, float] = {}
    asked = 0.0
    shared: list[dict[int, float]] = [{} for _ in files]
    for name in sought:
        found = [file.having(name) for file in files]
        holding = sum(map(len, found))
        weight = wanted[name] * max(log((total + 1) / (holding + 0.5)), 0.0)
        asked += weight
        if not 0 < holding <= max(_COMMON * total, _FEW):
            continue
        weights[name] = weight
        for windows, commons in zip(found, shared, strict=True):
            for window in windows:
                commons[window] = commons.get(window, 0.0) + weight
    mean = asked / max(sum([wanted[name] for name in sought]), 1.0)
    gains = [1 + _EARLIER / (1 + number) for number in range(len(files))]
    likely = nlargest(
        _LIKELY,
        [
            (gain * common, -number, -window)
            for number, (gain, commons) in enumerate(zip(gains, shared, strict=True))
            for window, common in commons.items()
        ],
    )
    hits: list[Hit] = []
    for _, minus_number, minus_window in likely:
        number, window = -minus_number, -minus_window
        names = files[number].names(window)
        common = sum([weight * names[name] for name, weight in weights.items() if name in names])
        size = sum(names.values())
        score = gains[number] * common / (asked + size * mean - common)
        if score >= least:
            hits.append(Hit(number, window, score))
    hits.sort(key=lambda hit: (-hit.score, hit.file, hit.window))
    return hits


@lru_cache(20_000)
def _parts(name: str) -> tuple[str, ...]:
    """Return the lower-case parts of a compound name, or nothing if it is none."""
    parts = [part.lower() for part in _HUMPS.findall(name) if len(part) > 1]
    return tuple(parts) if len(parts) > 1 or (parts and parts[0] != name) else ()
