"""Brackets and quotes of a piece of code, and which of them it leaves open.

It knows no language, and a quote is a quote in each. Pure functions; may import nothing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

__all__ = ["CLOSERS", "QUOTES", "Scan", "scan"]

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


def _is_apostrophe(text: str, index: int) -> bool:
    """Tell whether a quote stands behind a word, as in `don't`, that is no prefix of a string."""
    if text[index] != "'":
        return False
    word = _WORD_BEFORE.search(text, max(index - 12, 0), index)
    return word is not None and word[0].lower() not in _STRING_PREFIXES
