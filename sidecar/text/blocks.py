"""Where code of several lines has said enough: it leaves its block, or comes to what follows it.

The engine stops there while it generates, and what was generated for another cursor is cut there.
Pure functions. May import `brackets`.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from sidecar.text.brackets import CLOSERS, QUOTES, scan

__all__ = [
    "BELOW",
    "Around",
    "block_end",
    "first_code",
    "paragraph_end",
    "repeated_at",
    "same_line",
    "width",
]

_TAB = 8
#: Lines below the cursor among which the next line with code is looked for.
BELOW = 20
#: A line of so many characters is recognised at any indentation.
_TELLING = 10
_KEYWORDS = "else elif except finally catch case default rescue ensure end"
#: A line that begins with one of these goes on with the block before it.
_CONTINUES = re.compile(rf"\s*([)\]}}]|({_KEYWORDS.replace(' ', '|')})\b)")
_ONE_WORD = re.compile(r"\s*([a-z]*)\Z")


class Around(NamedTuple):
    """What stands around code of several lines.

    Args:
        before: The line that it begins on, up to it.
        below: The next line with code behind it, or nothing.
    """

    before: str
    below: str


def width(text: str) -> int:
    """Return the columns of a line's indentation."""
    return len(text[: len(text) - len(text.lstrip(" \t"))].expandtabs(_TAB))


def same_line(line: str, other: str) -> bool:
    """Tell whether two lines are the same, long ones also at different depths."""
    if line.rstrip() == other.rstrip():
        return True
    return len(line.strip()) >= _TELLING and line.strip() == other.strip()


def first_code(text: str) -> str:
    """Return the first line of a text that is not blank, or nothing if none is near."""
    lines = text.split("\n", BELOW)[:BELOW]
    return next((line for line in lines if line.strip()), "")


def repeated_at(before: str, text: str, below: str, *, growing: bool = False) -> int | None:
    """Return where a text begins to write the line that follows it, behind its first one.

    Args:
        before: The line that the text begins on, up to it.
        text: The text.
        below: The line that follows.
        growing: Whether the last line may go on.
    """
    if not below:
        return None
    due: tuple[str, ...] | None = None
    position = text.find("\n") + 1
    while position:
        end = text.find("\n", position)
        if end < 0 and growing:
            return None
        line = text[position : end if end >= 0 else len(text)]
        if line.strip() and same_line(line, below):
            if any(c not in CLOSERS and c not in ",; \t" for c in line):
                return position
            # A closing line is a repetition only if the text did not open what it closes.
            due = scan(before).open if due is None else due
            first = position + len(line) - len(line.lstrip())
            if any(index == first for index, _ in scan(text, due).unmatched):
                return position
        position = end + 1
    return None


def block_end(around: Around, text: str, base: int, *, growing: bool = False) -> int | None:
    """Return where a text of several lines leaves the block that it began in.

    Lines between brackets that were opened above are one as well; it ends behind the line that
    closes them, unless more of it stands below.

    Args:
        around: What stands around the text.
        text: The text.
        base: How deep its first line stands.
        growing: Whether the last line may go on.
    """
    before, below = around
    deeper: bool | None = None
    closed = False
    position = text.find("\n") + 1
    while position:
        end = text.find("\n", position)
        last = end < 0
        line = text[position : len(text) if last else end]
        if line.strip():
            depth = width(line)
            if deeper is None:
                deeper = depth > base
            outside = depth < base or (deeper and depth == base)
            if closed:
                return position
            if outside and not (depth == base and _goes_on(line, growing=growing and last)):
                state = scan(text[:position], scan(before).open)
                if not (state.open and state.open[-1][0] in QUOTES):
                    closed = width(below) < base and _closes(before, text, position, line)
                    if not closed:
                        return position
        position = end + 1
    return None


def paragraph_end(before: str, text: str) -> int | None:
    """Return where a blank line follows code, outside of strings."""
    start = len(text) - len(text.lstrip())
    for blank in re.finditer(r"\n[ \t]*(?=\n)", text):
        if blank.start() >= start:
            state = scan(text[: blank.start()], scan(before).open)
            if not (state.open and state.open[-1][0] in QUOTES):
                return blank.start()
    return None


def _goes_on(line: str, *, growing: bool) -> bool:
    """Tell whether a line goes on with the block before it, or may once its first word is whole."""
    if _CONTINUES.match(line):
        return True
    word = _ONE_WORD.match(line) if growing else None
    return word is not None and any(known.startswith(word[1]) for known in _KEYWORDS.split())


def _closes(before: str, text: str, position: int, line: str) -> bool:
    """Tell whether a line begins with the closer of what was opened above the text."""
    first = position + len(line) - len(line.lstrip())
    if text[first] not in ")]":
        return False
    unmatched = scan(text, scan(before).open).unmatched
    return any(index == first for index, _ in unmatched)
