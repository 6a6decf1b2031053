"""How much pieces of files have in common with a piece of code, by the names in them.

A file is cut into windows on a fixed grid, so that what is found holds still. It is taken apart
once, and what was found is remembered by the text itself: the same answer, sooner. To compare it
with another piece of code is then a look into a dict for each name. Must never do I/O, nor know a
language. May import `excerpt` of this package.
"""

from __future__ import annotations

import re
from array import array
from collections import deque
from collections.abc import Sequence
from functools import lru_cache
from heapq import nlargest
from itertools import chain
from math import log
from typing import TYPE_CHECKING, Final, NamedTuple, overload

from sidecar.context.excerpt import starts_of

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["GRID", "WINDOW", "Hit", "Windows", "compare", "names_of", "windows_of"]

#: Lines of a window, and the lines between the starts of two.
WINDOW: Final = 10
GRID: Final = 5
#: What part of a compound name counts, where the name itself counts 1.
_PART: Final = 0.5
#: Names that are looked for, the most telling first.
_SOUGHT: Final = 40
#: Names that stand in more than this share of all windows tell nothing.
_COMMON: Final = 0.25
#: But so few may always hold one.
_FEW: Final = 4
#: Windows that are looked at closer, those that have most in common.
_LIKELY: Final = 24
#: What the first of the files gains over one that is far behind: a file that serves in one place of
#: a function should serve in the next.
_EARLIER: Final = 0.8
#: Files that are remembered, texts of each (one may be cut where others took the room), and names
#: of each text, more than are looked for: about four times the text in all.
_FILES: Final = 64
_TEXTS: Final = 2
_NAMES: Final = 64
_NOWHERE: Final[frozenset[int]] = frozenset()
_BREAK: Final = re.compile("\n")
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
        self.text = text
        lines = text.split("\n")
        #: Blocks of the grid in which names stand, and those in which they are parts of others.
        self._whole: dict[str, tuple[int, ...]] = {}
        self._parts: dict[str, tuple[int, ...]] = {}
        #: What the names of each window count together.
        self.sizes = array("f")
        before: tuple[set[str], set[str]] = set(), set()
        for block, start in enumerate(range(0, len(lines), GRID)):
            found = set(_NAME.findall("\n".join(lines[start : start + GRID])))
            apart = [*map(_taken_apart, found)]
            names = {name for name, _ in apart}
            parts = set(chain.from_iterable([parts for _, parts in apart]))
            # Most names stand in one block only, and share what tells so.
            here = (block,)
            for ones, where in ((names, self._whole), (parts, self._parts)):
                for name in ones:
                    above = where.get(name)
                    where[name] = here if above is None else above + here
            if block:
                self._measure(before[0] | names, before[1] | parts)
            before = names, parts
        if not self.sizes:
            self._measure(*before)
        #: How many windows there are.
        self.count = len(self.sizes)
        self._found: dict[str, tuple[frozenset[int], frozenset[int]]] = {}
        self._starts: tuple[int, ...] | None = None
        self._lines: _Lines | None = None

    @property
    def lines(self) -> Sequence[str]:
        """The lines of the file, each made when it is looked at: few are."""
        if self._lines is None:
            self._lines = _Lines(self.text)
        return self._lines

    @property
    def starts(self) -> tuple[int, ...]:
        """Lines at which an excerpt may start."""
        if self._starts is None:
            self._starts = starts_of(self.text.split("\n"))
        return self._starts

    def having(self, name: str) -> tuple[frozenset[int], frozenset[int]]:
        """Return the windows in which a name stands, and those in which it is a part only."""
        known = self._found.get(name)
        if known is None:
            if len(self._found) >= _NAMES:
                self._found.clear()
            whole = self._around(self._whole.get(name))
            part = self._around(self._parts.get(name)) - whole
            known = self._found[name] = whole, part
        return known

    def _around(self, blocks: tuple[int, ...] | None) -> frozenset[int]:
        """Return the windows that hold blocks: the one that starts with it, and the one before."""
        if blocks is None:
            return _NOWHERE
        windows = {*blocks, *[block - 1 for block in blocks]}
        windows -= {-1, self.count}
        return frozenset(windows)

    def _measure(self, names: set[str], parts: set[str]) -> None:
        self.sizes.append(len(names) + _PART * len(parts - names))


class _Lines(Sequence[str]):
    def __init__(self, text: str) -> None:
        self._text = text
        #: Where each line ends, its break left out.
        self._ends = array("I", [match.start() for match in _BREAK.finditer(text)])
        self._ends.append(len(text))

    def __len__(self) -> int:
        return len(self._ends)

    @overload
    def __getitem__(self, lines: int) -> str: ...
    @overload
    def __getitem__(self, lines: slice) -> list[str]: ...
    def __getitem__(self, lines: int | slice) -> str | list[str]:
        if isinstance(lines, slice):
            return [self[line] for line in range(*lines.indices(len(self)))]
        line = range(len(self))[lines]
        return self._text[self._ends[line - 1] + 1 if line else 0 : self._ends[line]]


def names_of(text: str) -> dict[str, float]:
    """Return the names in a text, in its order, and the parts of compound ones behind them.

    Each comes with what it counts.
    """
    found = dict.fromkeys(_NAME.findall(text), 1.0)
    for name in list(found):
        for part in _taken_apart(name)[1]:
            found.setdefault(part, _PART)
    return found


def windows_of(path: str, text: str) -> Windows:
    """Return the windows of a file.

    Its last texts are remembered by its path: remembered by themselves, all that a file ever was
    would stay until others need the room.

    Args:
        path: The file, as it is known everywhere.
        text: What it holds, with LF breaks.
    """
    recent = _recent(path)
    for windows in recent:
        if windows.text == text:
            return windows
    made = Windows(text)
    recent.appendleft(made)
    return made


@lru_cache(_FILES)
def _recent(path: str) -> deque[Windows]:
    return deque(maxlen=_TEXTS)


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
    asked = 0.0
    shared: list[dict[int, float]] = [{} for _ in files]
    for name in sought:
        found = [file.having(name) for file in files]
        holding = sum([len(whole) + len(part) for whole, part in found])
        weight = wanted[name] * max(log((total + 1) / (holding + 0.5)), 0.0)
        asked += weight
        if not 0 < holding <= max(_COMMON * total, _FEW):
            continue
        for (whole, part), commons in zip(found, shared, strict=True):
            for window in whole:
                commons[window] = commons.get(window, 0.0) + weight
            for window in part:
                commons[window] = commons.get(window, 0.0) + _PART * weight
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
    for gained, minus_number, minus_window in likely:
        number, window = -minus_number, -minus_window
        common = shared[number][window]
        score = gained / (asked + files[number].sizes[window] * mean - common)
        if score >= least:
            hits.append(Hit(number, window, score))
    hits.sort(key=lambda hit: (-hit.score, hit.file, hit.window))
    return hits


@lru_cache(8_192)
def _taken_apart(name: str) -> tuple[str, tuple[str, ...]]:
    """Return a name with its lower-case parts, if it is a compound one.

    The same name is the same string as long as it is remembered, in whatever files it stands.
    """
    parts = [part.lower() for part in _HUMPS.findall(name) if len(part) > 1]
    compound = len(parts) > 1 or (parts and parts[0] != name)
    return name, tuple(parts) if compound else ()
