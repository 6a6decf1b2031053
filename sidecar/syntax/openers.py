"""Whether a block begins at a cursor in which nothing stands yet: the place for several lines.

The text says where a line opens a block, which is asked with each keystroke; only where it does is
the tree asked whether that is code at all, and no literal. Must never do I/O. May import `text` and
this package.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from sidecar.text.blocks import BELOW, first_code, width
from sidecar.text.brackets import CLOSERS

if TYPE_CHECKING:
    from tree_sitter import Node

    from sidecar.syntax.languages import Language
    from sidecar.text import Buffer

__all__ = ["is_block", "opener_of"]

#: Lines looked at above the cursor, and of a document string.
_REACH = 30
#: No line that opens a block is longer.
_LONGEST = 400
_LONG_QUOTES = ('"""', "'''")
#: Nodes that hold no code, and those that hold values between braces.
_TEXT: Final = re.compile(r"comment|string|heredoc|regex")
_VALUES: Final = re.compile(
    r"^(object|object_pattern|object_type|dictionary|set|struct_expression|use_list|jsx_expression"
    r"|named_imports|export_clause)$|literal|initializer_|interpolation|substitution|record_pattern"
)


def opener_of(buffer: Buffer, offset: int, language: Language) -> int | None:
    """Return the end of the line that opens a block at a cursor, if nothing stands in that yet.

    The cursor stands at its end, or behind it on the first line, which may be begun.
    """
    line = buffer.line_at(offset)
    before = buffer.slice(buffer.line_start(line), offset)
    rest = buffer.slice(offset, buffer.line_end(line)).strip()
    if any(c not in CLOSERS for c in rest):
        return None
    number, opener = line, before
    if not _opens(before, language):
        number = _code_above(buffer, line, language)
        opener = buffer.line(number) if number >= 0 else ""
        if not _opens(opener, language):
            return None
        # A blank line may be as deep as the editor left it.
        if before.strip() and width(before) <= width(opener):
            return None
    last = min(line + BELOW, buffer.line_count - 1)
    below = first_code(buffer.slice(buffer.line_end(line), buffer.line_end(last)))
    if width(below) > width(opener):
        return None
    return buffer.line_start(number) + len(opener.rstrip())


def is_block(root: Node, end: int) -> bool:
    """Tell whether what opens before a place, in bytes, is a block of code."""
    node = root.descendant_for_byte_range(end - 1, end)
    while node is not None and node.child_count == 0 and not _TEXT.search(node.type):
        # A sign says nothing of itself: what it belongs to does.
        node = node.parent
    return node is None or not (_TEXT.search(node.type) or _VALUES.search(node.type))


def _opens(line: str, language: Language) -> bool:
    return len(line) <= _LONGEST and language.begins.search(line) is not None


def _code_above(buffer: Buffer, line: int, language: Language) -> int:
    """Return the number of the next line above with code, document strings aside, or -1."""
    marks = tuple(mark.decode() for mark in language.comments)
    quotes = ""
    for number in range(line - 1, max(line - _REACH, 0) - 1, -1):
        text = buffer.line(number).strip()
        if quotes:
            quotes = "" if quotes in text else quotes
            continue
        if not text or text.startswith(marks):
            continue
        quote = next((mark for mark in _LONG_QUOTES if text.endswith(mark)), "")
        if not quote:
            return number
        if text.count(quote) == 1:
            quotes = quote
        elif not text.lstrip("rRbBuU").startswith(quote):
            return number
    return -1
