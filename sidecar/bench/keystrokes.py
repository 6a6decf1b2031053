"""Which lines are typed again, and what an editor makes of each key; pure.

Where an editor closes brackets and quotes by itself, one key is more than one character: it inserts
a pair, or goes over a closer that is there. Columns are code points. May import nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator, Sequence

__all__ = ["Case", "Keystroke", "choose_lines", "choose_share", "type_line"]

#: A line that is typed again has so many characters besides blanks, or ten keys would end it.
LEAST_CHARACTERS = 24
#: Lines of a file before and after which none is chosen: a window should be full.
FROM_START = 60
FROM_END = 20

#: What VS Code closes, and before what: `autoClosingPairs` and the default of `autoCloseBefore`.
_BRACKETS = {"(": ")", "[": "]", "{": "}"}
_QUOTES = frozenset("\"'")
_CLOSE_BEFORE = frozenset(";:.,=}])>` \t\n")
_STRING_PREFIXES = frozenset("rRuUfFbB")


@dataclass(frozen=True, slots=True)
class Case:
    """A line to type again.

    Args:
        path: The file it is from.
        uri: The same, for an editor.
        lines: All lines of the file, without their breaks.
        number: The line's number, from 0.
    """

    path: str
    uri: str
    lines: Sequence[str]
    number: int

    @property
    def line(self) -> str:
        """The line as it was."""
        return self.lines[self.number]

    @property
    def indentation(self) -> str:
        """Its blanks at the start, which stay when the line is removed."""
        return self.line[: len(self.line) - len(self.line.lstrip())]


@dataclass(frozen=True, slots=True)
class Keystroke:
    """One key, as the change that an editor sends, and the line after it.

    Args:
        start: Column at which the change begins.
        end: Column at which what it replaces ends.
        text: What it inserts.
        before: The line up to the cursor, afterwards.
        after: The line from the cursor on, afterwards.
    """

    start: int
    end: int
    text: str
    before: str
    after: str


def choose_share(lines: int, files: int) -> list[int]:
    """Divide a number of lines over files as evenly as it goes."""
    return [lines // files + (number < lines % files) for number in range(files)]


def choose_lines(lines: Sequence[str], count: int, rng: random.Random) -> list[int]:
    """Choose numbers of lines that are worth typing; fewer where there are not so many."""
    worth = [
        number
        for number in range(FROM_START, len(lines) - FROM_END)
        if len(text := lines[number].strip()) >= LEAST_CHARACTERS
        and not text.startswith(("#", "//", '"', "'"))
    ]
    return rng.sample(worth, min(count, len(worth)))


def type_line(
    line: str, *, keys: int, autoclose: bool, start: int | None = None
) -> Iterator[Keystroke]:
    """Type the first characters of a line that was emptied up to its indentation.

    Args:
        line: The line as it was.
        keys: How many characters to type.
        autoclose: Whether the editor closes brackets and quotes as VS Code does.
        start: Column at which typing begins; the end of the indentation when None.
    """
    begin = len(line) - len(line.lstrip()) if start is None else start
    before, after = line[:begin], ""
    #: Closers that the editor added and nobody has typed over yet stand first in `after`.
    added = 0
    for character in line[begin : begin + keys]:
        column = len(before)
        before += character
        escaped = character in _QUOTES and before.endswith("\\" + character)
        if added and after.startswith(character) and not escaped:
            # Typing over: the editor replaces the closer by itself.
            after, added = after[1:], added - 1
            yield Keystroke(column, column + 1, character, before, after)
            continue
        closer = _closer(before[:-1], character, after) if autoclose else ""
        after, added = closer + after, added + len(closer)
        yield Keystroke(column, column, character + closer, before, after)


def _closer(before: str, character: str, after: str) -> str:
    """Return what VS Code adds behind a character, or nothing."""
    if after and after[0] not in _CLOSE_BEFORE:
        return ""
    if character in _BRACKETS:
        return _BRACKETS[character]
    if character not in _QUOTES or _in_string(before):
        return ""
    previous = before[-1:]
    # Behind a word it is an apostrophe, but `f"` opens a string.
    word = previous.isalnum() or previous == "_"
    return character if not word or previous in _STRING_PREFIXES else ""


def _in_string(before: str) -> bool:
    """Tell whether the end of a line's start stands in a string that began on the line."""
    quote, escaped = "", False
    for character in before:
        if escaped:
            escaped = False
        elif quote and character == "\\":
            escaped = True
        elif character in _QUOTES and character == (quote or character):
            quote = "" if quote else character
    return bool(quote)
