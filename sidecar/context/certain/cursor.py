"""A cursor in code: what was typed of a name there, and what stands before it.

Must never do I/O. May import `context`, `syntax` and `text`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from sidecar.text import encode_utf8

if TYPE_CHECKING:
    from sidecar.context.snapshot import Place
    from sidecar.syntax import Language
    from sidecar.syntax.parse import Parsed

__all__ = ["Cursor", "cursor_of", "opened_at"]

#: Bytes before a cursor that belong to one statement; longer ones are data.
_MOST: Final = 2_000
_TYPED: Final = re.compile(r"[^\W\d]\w*\Z")
_TEXT: Final = re.compile(r"comment|string|heredoc|regex|char(?:acter)?_literal|str_text")
_CODE_IN_TEXT: Final = re.compile(r"interpolat|substitution|embedded")


@dataclass(frozen=True, slots=True)
class Cursor:
    """A cursor in code.

    Args:
        parsed: The file.
        language: Its language.
        place: The cursor, in bytes.
        before: The text before it, at least of its statement.
        line: The text of its line before it.
        after: The text of its line behind it.
        typed: What was typed of a name.
    """

    parsed: Parsed
    language: Language
    place: int
    before: str
    line: str
    after: str
    typed: str


def cursor_of(place: Place) -> Cursor | None:
    """Return a place as a cursor in code; None where there is no code, or nobody can tell."""
    parsed, language = place.parsed, place.language
    if parsed is None or language is None:
        return None
    buffer = place.document.buffer
    number = buffer.line_at(place.cursor)
    at = len(encode_utf8(buffer.slice(0, place.cursor)))
    before = buffer.slice(max(place.cursor - _MOST, 0), place.cursor)
    line = buffer.slice(buffer.line_start(number), place.cursor)
    after = buffer.slice(place.cursor, buffer.line_end(number))
    is_text = _in_text(parsed, at)
    if is_text or (is_text is None and _in_open_text(parsed, at, line)):
        return None
    found = _TYPED.search(line)
    typed = found[0] if found else ""
    if not typed and (line[-1:].isalnum() or line[-1:] == "_"):
        # A number.
        return None
    return Cursor(parsed, language, at, before, line, after, typed)


def opened_at(before: str) -> int | None:
    """Return where the bracket was opened that a place is directly in, if it is a round one."""
    depth = 0
    at = len(before)
    while at > 0:
        at -= 1
        char = before[at]
        if char in ")]}":
            depth += 1
        elif char in "([{":
            if not depth:
                return at if char == "(" else None
            depth -= 1
        elif char in "\"'":
            # Strings are left out whole.
            line = before.rfind("\n", 0, at) + 1
            begun = before.rfind(char, line, at)
            if begun < 0:
                return None
            at = begun
        elif char == "#":
            return None
    return None


def _in_text(parsed: Parsed, at: int) -> bool | None:
    """Tell whether a comment or a string reaches up to a place; None if there is none around."""
    node = parsed.tree.root_node.descendant_for_byte_range(max(at - 1, 0), at)
    while node is not None:
        if _CODE_IN_TEXT.search(node.type):
            return False
        if _TEXT.search(node.type):
            return True
        node = node.parent
    return None


def _in_open_text(parsed: Parsed, at: int, line: str) -> bool:
    """Tell whether a comment or a string may be open that is not closed, which no grammar parses.

    Lifetimes and apostrophes count as quotes: it is enough to be right where this says no.
    """
    source, language = parsed.source, parsed.grammar.language
    if language.block_comments and source.rfind(b"/*", 0, at) > source.rfind(b"*/", 0, at):
        return True
    if any(source.count(mark, 0, at) % 2 for mark in (b'"""', b"'''")):
        return True
    quote = ""
    escaped = False
    for char in line:
        if escaped:
            escaped = False
        elif char == "\\":
            escaped = True
        elif quote:
            quote = "" if char == quote else quote
        elif char in "\"'`":
            quote = char
    return bool(quote)
