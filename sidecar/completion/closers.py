"""Brackets and quotes: which a piece of code leaves open, and which an editor closed for it.

Must never look at more than it is given; it knows no language, and a quote is a quote in each.
Pure functions. May import `text`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sidecar.text import Buffer

__all__ = ["CLOSERS", "QUOTES", "Scan", "closers_after", "due_at_end", "scan"]

PAIRS = {"(": ")", "[": "]", "{": "}"}
QUOTES = "\"'`"
CLOSERS = frozenset(")]}>\"'`")
_WORD_BEFORE = re.compile(r"\w+$")
_STRING_PREFIXES = frozenset({"r", "b", "u", "f", "l", "rb", "br", "fr", "rf"})
_BRACKET_CLOSERS = frozenset(PAIRS.values())


@dataclass(frozen=True, slots=True)
class Scan:
    """What a piece of code leaves open, and what it closes of what was open before.

    Args:
        open: Closers that are still due, the innermost last; a quote, also a triple one, for
        itself.
        unmatched: Index and text of each closer that closes something from outside.
        string: Index at which the content of a string begins that is open at the end, or -1.
    """

    open: tuple[str, ...]
    unmatched: tuple[tuple[int, str], ...]
    string: int = -1


def scan(text: str, due: tuple[str, ...] = ()) -> Scan:
    """Follow brackets and quotes through `text`.

    Args:
        text: The code.
        due: Closers that are due when it begins, the innermost last.
    """
    stack = list(due)
    outside = len(stack)
    unmatched: list[tuple[int, str]] = []
    string = -1
    index = 0
    while index < len(text):
        character = text[index]
        closer = character
        quote = stack[-1] if stack and stack[-1][0] in QUOTES else ""
        if quote:
            if text.startswith(quote, index):
                closer = quote
            elif character == "\\":
                index += 2
                continue
            elif character == "\n" and quote in "\"'":
                # A string that does not end on its line was an apostrophe, or is not finished.
                stack.pop()
                outside = min(outside, len(stack))
                index += 1
                continue
            else:
                index += 1
                continue
        elif character in PAIRS:
            stack.append(PAIRS[character])
            index += 1
            continue
        elif character in QUOTES:
            if not _is_apostrophe(text, index):
                triple = character * 3
                stack.append(triple if text.startswith(triple, index) else character)
                index += len(stack[-1])
                string = index
            else:
                index += 1
            continue
        elif character not in _BRACKET_CLOSERS:
            index += 1
            continue
        if stack and stack[-1] == closer:
            stack.pop()
            if len(stack) < outside:
                outside = len(stack)
                unmatched.append((index, closer))
        elif not stack:
            unmatched.append((index, closer))
        index += len(closer)
    in_string = bool(stack) and stack[-1][0] in QUOTES
    return Scan(tuple(stack), tuple(unmatched), string if in_string else -1)


def due_at_end(text: str, following: str) -> tuple[str, ...]:
    """Return the closers that are due after a line's text, the innermost last.

    Inside an open string a bracket may be code, as in `f"{x`, or not, as in `":(`; what follows the
    cursor tells, since an editor closes both alike.
    """
    outer = scan(text)
    if outer.string < 0:
        return outer.open
    inner = outer.open + due_at_end(text[outer.string :], following)
    return inner if following.startswith(inner[-1]) else outer.open


def closers_after(buffer: Buffer, offset: int) -> int:
    """Count the closers right after a cursor that belong to what its line opens before it.

    They count only when nothing but closers and blanks follows: then an editor may have added them.
    """
    line = buffer.line_at(offset)
    tail = buffer.slice(offset, buffer.line_end(line)).rstrip()
    if not tail or any(character not in CLOSERS for character in tail):
        return 0
    count = 0
    for closer in reversed(due_at_end(buffer.slice(buffer.line_start(line), offset), tail)):
        if not tail.startswith(closer, count):
            break
        count += len(closer)
    return count


def _is_apostrophe(text: str, index: int) -> bool:
    """Tell whether a quote stands behind a word, as in `don't`, that is no prefix of a string."""
    if text[index] != "'":
        return False
    word = _WORD_BEFORE.search(text, max(index - 12, 0), index)
    return word is not None and word[0].lower() not in _STRING_PREFIXES
