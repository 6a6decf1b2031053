"""What the best local plugin for llama-server shows, remembers and collects; pure.

As `facts` tell of it: the text around the cursor, a cache of answers that typing along and
scrolling still find, and a ring of chunks of other code. May import this package.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

    from sidecar.bench.session_plan import Page

__all__ = ["Answers", "Local", "Ring", "Shown", "local_context", "shown"]

_PREFIX_LINES: Final = 256
_SUFFIX_LINES: Final = 64
_KEPT_ANSWERS: Final = 250
#: How many characters may have been typed along an answer, and lines scrolled away above it.
_LOOKS_BACK: Final = 128
_SCROLLED: Final = 3
_CHUNKS: Final = 16
_CHUNK_LINES: Final = 64
_LEAST_CHUNK: Final = 3
_SIMILAR: Final = 0.9


@dataclass(frozen=True, slots=True)
class Local:
    """The text around a cursor, as it is asked about.

    Args:
        prefix: Whole lines above.
        middle: The line up to the cursor; nothing where it is blank.
        suffix: The rest of the line, and lines below.
        indent: Columns of blanks at the start of the line.
    """

    prefix: str
    middle: str
    suffix: str
    indent: int

    @property
    def before(self) -> str:
        """All of it that stands before the cursor."""
        return self.prefix + self.middle


def local_context(page: Page, accepted: Sequence[str] = (), indent: int = 0) -> Local:
    """Return the text around the cursor.

    Args:
        page: The file.
        accepted: Lines of a suggestion, as if they had been taken.
        indent: The indentation there, if lines are given.
    """
    lines, number = page.lines, page.line
    above = lines[max(number - _PREFIX_LINES, 0) : number]
    below = lines[number + 1 : number + 1 + _SUFFIX_LINES]
    before, after = page.before, lines[number][page.column :]
    if accepted:
        whole = [*(before + accepted[0]).split("\n"), *accepted[1:]]
        above, before, after = [*above, *whole[:-1]][-_PREFIX_LINES:], whole[-1], ""
    elif not lines[number].strip():
        # The model writes the indentation itself.
        before, after, indent = "", "", 0
    else:
        indent = len(before) - len(before.lstrip())
    prefix = "\n".join(above) + "\n"
    return Local(prefix, before, after + "\n" + "\n".join(below) + "\n", indent)


class Answers:
    """The answers to the newest questions, by the text around the cursor."""

    def __init__(self) -> None:
        self._known: OrderedDict[tuple[str, str], str] = OrderedDict()

    def add(self, local: Local, text: str) -> None:
        """Keep an answer, also for where one scrolls down a few lines."""
        for before in _scrolled(local.before):
            self._known[before, local.suffix] = text
            self._known.move_to_end((before, local.suffix))
        while len(self._known) > _KEPT_ANSWERS:
            self._known.popitem(last=False)

    def has(self, local: Local) -> bool:
        """Tell whether a question was answered."""
        return any(
            self._get(before, local.suffix) is not None for before in _scrolled(local.before)
        )

    def find(self, local: Local) -> str | None:
        """Return an answer, or what is left of one that was typed along."""
        known = self._get(local.before, local.suffix)
        if known is not None:
            return known
        best = ""
        for back in range(1, min(_LOOKS_BACK, len(local.before)) + 1):
            older = self._get(local.before[:-back], local.suffix)
            typed = local.before[-back:]
            if older is not None and older.startswith(typed) and len(older) - back > len(best):
                best = older[back:]
        if not best:
            return None
        self._known[local.before, local.suffix] = best
        return best

    def _get(self, before: str, suffix: str) -> str | None:
        known = self._known.get((before, suffix))
        if known is not None:
            self._known.move_to_end((before, suffix))
        return known


class Ring:
    """Chunks of code that go before every prompt, and those that wait to be among them.

    Args:
        rng: Chooses which part of a long text is kept.
    """

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._chunks: deque[tuple[str, ...]] = deque(maxlen=_CHUNKS)
        self._queue: deque[tuple[str, ...]] = deque(maxlen=_CHUNKS)

    def pick(self, lines: Sequence[str]) -> None:
        """Take half a chunk out of some lines, unless it is there already or much like one."""
        if len(lines) < _LEAST_CHUNK:
            return
        if len(lines) + 1 >= _CHUNK_LINES:
            start = self._rng.randint(0, max(0, len(lines) - _CHUNK_LINES // 2))
            lines = lines[start : start + _CHUNK_LINES // 2]
        chunk = tuple(lines)
        if chunk in self._chunks or chunk in self._queue:
            return
        for held in (self._queue, self._chunks):
            for other in [other for other in held if _similarity(other, chunk) > _SIMILAR]:
                held.remove(other)
        self._queue.append(chunk)

    def pick_around(self, page: Page) -> None:
        """Take a chunk around the cursor: of a file that is entered, left or saved."""
        first = max(page.line - _CHUNK_LINES // 2, 0)
        self.pick(page.lines[first : page.line + _CHUNK_LINES // 2 + 1])

    def update(self) -> bool:
        """Take the first chunk that waits into the ring, and tell whether there was one."""
        if not self._queue:
            return False
        self._chunks.append(self._queue.popleft())
        return True

    def extra(self) -> list[dict[str, Any]]:
        """Return the chunks as they are sent."""
        return [{"text": "\n".join(chunk) + "\n", "filename": ""} for chunk in self._chunks]


@dataclass(frozen=True, slots=True)
class Shown:
    """What of an answer is shown.

    Args:
        lines: Its lines, the first of them as it continues the cursor's.
    """

    lines: tuple[str, ...]

    @property
    def text(self) -> str:
        """All of it; empty if there is nothing to show."""
        return "\n".join(self.lines)


def shown(page: Page, content: str) -> Shown:
    """Return what of an answer is shown at the cursor: nothing that stands there already."""
    lines = content.split("\n")
    while lines and not lines[-1]:
        lines.pop()
    if not lines:
        return Shown(())
    line = page.lines[page.line]
    before, after = page.before, line[page.column :]
    if not line.strip():
        blanks = len(lines[0]) - len(lines[0].lstrip())
        lead = min(blanks, len(line))
        before, lines[0] = lines[0][:lead], lines[0][lead:]
    below = page.lines[page.line + 1 :]
    if lines[0] == "" and lines[1:] == below[: len(lines) - 1]:
        return Shown(())
    if lines == [after]:
        return Shown(())
    following = next((n for n, text in enumerate(below) if text.strip()), len(below))
    below = below[following:]
    if below and before + lines[0] == below[0]:
        rest = lines[1:]
        if not rest or (len(rest) == 1 and below[1:2] and below[1].startswith(rest[0])):
            return Shown(())
        if rest == below[1 : 1 + len(rest)]:
            return Shown(())
    return Shown(tuple(lines))


def _scrolled(before: str) -> list[str]:
    """Return a text, and what is left of it without its first lines."""
    found = [before]
    for _ in range(_SCROLLED):
        _, line_break, before = before.partition("\n")
        if not line_break or not before:
            break
        found.append(before)
    return found


def _similarity(one: Sequence[str], other: Sequence[str]) -> float:
    others = set(other)
    return 2.0 * sum(line in others for line in one) / (len(one) + len(other))
