"""Indentation of generated code: the first line's, and where a block ends.

A model that is asked to continue after blanks repeats some of them, or is off by one. Pure
functions; must never touch what the user typed. May import `text` and `closers`.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from sidecar.completion.closers import scan
from sidecar.text.blocks import Around, block_end
from sidecar.text.blocks import width as _width

if TYPE_CHECKING:
    from sidecar.text import Document

__all__ = ["fix_indentation", "scope_end"]

_TAB = 8
_DEFAULT_UNIT = 4
#: Lines above the cursor that tell which depths there are.
_ABOVE = 60
_OPENERS = "([{"
#: Here blanks carry a meaning of their own, and any depth is possible.
_PROSE = frozenset(
    {"", "plaintext", "markdown", "restructuredtext", "latex", "yaml", "dockercompose", "makefile"}
)


def fix_indentation(document: Document, line: int, before: str, text: str) -> str:
    """Give the first line of `text` a depth that exists, where only blanks stand before it.

    Args:
        document: The document.
        line: Number of the cursor's line.
        before: The blanks before the cursor.
        text: What the model wrote.
    """
    while "\n" in text and not text.partition("\n")[0].strip():
        text = text.partition("\n")[2]
    body = text.lstrip(" \t")
    blanks = text[: len(text) - len(body)]
    if not body or document.language in _PROSE or body[0] == "*":
        return text
    if before and blanks and ("\t" in before) != ("\t" in blanks):
        # Blanks of another kind than the user's are an accident of the tokeniser.
        blanks = ""
    buffer = document.buffer
    above = [t for n in range(max(line - _ABOVE, 0), line) if (t := buffer.line(n)).strip()]
    if not above:
        return blanks + body
    last = above[-1].rstrip()
    if scan(last).open and last[-1] not in _OPENERS:
        # Inside brackets or a string lines are aligned as one likes.
        return blanks + body
    unit = _unit(above)
    here, wanted = _width(before), _width(before + blanks)
    depths = _depths(above)
    opens = last[-1] in _OPENERS or last[-1] == ":"
    whole = _is_whole(last, document.language)
    if opens or not whole:
        depths.add(_width(last) + unit)
    if wanted in depths or (not whole and not opens and wanted % unit == 0):
        return blanks + body
    possible = [depth for depth in depths if depth >= here]
    if not possible:
        return body
    target = min(possible, key=lambda depth: (abs(depth - wanted), depth))
    if target > wanted and (target - wanted >= unit or not (opens or target == _width(last))):
        return blanks + body
    tabs = "\t" in before or "\t" in blanks
    return ("\t" * ((target - here) // _TAB) if tabs else " " * (target - here)) + body


def _is_whole(last: str, language: str) -> bool:
    """Tell whether a line surely ends a statement, so that the next cannot stand deeper."""
    if language == "python":
        return last[-1] not in "\\:([{"
    return last[-1] in ";}"


def scope_end(before: str, text: str, below: str) -> str:
    """Cut a suggestion of several lines where it leaves the block that it began in.

    Args:
        before: The cursor's line up to the cursor.
        text: The suggestion.
        below: The next line with code.
    """
    base = _width(before + text.partition("\n")[0])
    end = block_end(Around(before, below), text, base)
    return text if end is None else text[:end].rstrip("\n")


def _depths(lines: list[str]) -> set[int]:
    """Return the depths of the blocks that are open after the last of these lines."""
    depths = {0}
    lowest: int | None = None
    for line in reversed(lines):
        width = _width(line)
        if lowest is None or width < lowest:
            depths.add(width)
            lowest = width
    return depths


def _unit(lines: list[str]) -> int:
    """Guess how much deeper one more block stands."""
    widths = sorted({_width(line) for line in lines})
    steps = [b - a for a, b in pairwise(widths) if b - a > 1]
    if steps:
        return min(steps)
    return _TAB if any(line.startswith("\t") for line in lines) else _DEFAULT_UNIT
