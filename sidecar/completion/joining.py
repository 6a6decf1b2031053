"""Where a suggestion meets the code that stands after the cursor on its line.

Pure, and it only ever removes text. Must never look at other lines. May import this package's
`closers`.
"""

from __future__ import annotations

import re

from sidecar.completion.closers import CLOSERS, QUOTES, scan

__all__ = ["before_the_rest", "joins", "without_overlap"]

#: Words with which an expression goes on; everything else begins something of its own.
_INFIX = frozenset("if else and or in is not for as from while async import".split())
#: Words after which an operand follows.
_PREFIX = frozenset("if elif else and or in is not for as from while return yield await".split())
_PREFIX_MORE = frozenset("assert raise del lambda import async with except global".split())
#: Languages in which two operands never stand beside each other, as a type and a name do in C.
_NO_NEIGHBOURS = frozenset({"python"})
_LAST_WORD = re.compile(r"[^\W\d]\w*$")
_FIRST_WORD = re.compile(r"\w+")


def before_the_rest(before: str, text: str, tail: str) -> str:
    """Cut a suggestion where it begins to write the whole rest of its line again.

    Args:
        before: The line up to the cursor.
        text: The suggestion.
        tail: The line after the cursor, without the closers that an editor added.
    """
    rest = tail.strip()
    if len(rest) < 2 or all(c in CLOSERS or c in ",; \t" for c in rest):
        # Closers are matched by what opened them, not by how they look.
        return text
    end = text.find("\n")
    line = text if end < 0 else text[:end]
    outer = scan(before).open
    position = line.find(rest)
    while position >= 0:
        # Inside brackets that the suggestion opens, the same text is something else.
        if _whole(line, position, rest) and len(scan(line[:position], outer).open) <= len(outer):
            return line[:position]
        position = line.find(rest, position + 1)
    return text


def without_overlap(text: str, tail: str) -> str:
    """Remove what a suggestion's end has in common with the text after the cursor."""
    if tail[0] in CLOSERS:
        # Closers at the end pair with openers inside the suggestion; the others are gone already.
        return text
    for size in range(min(len(text), len(tail)), 0, -1):
        if text.endswith(tail[:size]):
            return text[:-size]
    # Blanks after the cursor stand between the two; they do not make them different.
    rest = tail.lstrip()
    for size in range(min(len(text), len(rest)), 0, -1):
        start = len(text) - size
        cut = size < len(rest) and _is_word(rest[size - 1 : size + 1])
        if text.endswith(rest[:size]) and not cut and _whole(text, start, rest[:size]):
            return text[:start].rstrip(" \t")
    return text


def joins(language: str, before: str, text: str, tail: str) -> bool:
    """Tell whether two operands would stand side by side, as in `return a + b data`."""
    rest = tail.lstrip()
    first = _FIRST_WORD.match(rest)
    if language not in _NO_NEIGHBOURS or first is None or first[0] in _INFIX:
        return False
    whole = (before + text).rpartition("\n")[2].rstrip()
    due = scan(whole).open
    if not whole or "#" in whole or (due and due[-1][0] in QUOTES):
        return False
    word = _LAST_WORD.search(whole)
    if word is not None:
        return word[0] not in _PREFIX | _PREFIX_MORE
    return whole[-1].isdigit() or whole[-1] in CLOSERS - {">"}


def _whole(text: str, position: int, found: str) -> bool:
    """Tell whether a piece that was found in a text begins and ends where words do."""
    end = position + len(found)
    return not _is_word(text[max(position - 1, 0) : position + 1]) and not _is_word(
        text[end - 1 : end + 1]
    )


def _is_word(pair: str) -> bool:
    return len(pair) == 2 and all(c.isalnum() or c == "_" for c in pair)
