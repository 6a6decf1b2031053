"""Where the body of the function around a cursor begins: the place of an anchor.

The parse tree answers where a grammar serves and the code around the cursor parses; otherwise
indentation does, since a fragment at the cursor is more often broken than not. Must never do I/O.
May import `text` and this package.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from sidecar.syntax.above import above
from sidecar.syntax.languages import GENERIC_HEADER
from sidecar.syntax.openers import is_block, opener_of
from sidecar.syntax.scopes import scope_at
from sidecar.text import Buffer, Document, encode_utf8
from sidecar.text.brackets import scan

if TYPE_CHECKING:
    from sidecar.syntax.languages import Language, Languages
    from sidecar.syntax.parse import Parsed
    from sidecar.syntax.scopes import Scope
    from sidecar.syntax.trees import Trees

__all__ = ["Bodies", "Body", "body_by_indentation"]

#: Lines looked at above the cursor when indentation decides; a body further up is no use to an
#: anchor.
_REACH = 400
_DOCSTRING = re.compile(r"\s*[rRbBuU]{0,2}(\"\"\"|''')")
_SPACE = " \t"


@dataclass(frozen=True, slots=True)
class Body:
    """The start of a function's body.

    Args:
        start: Offset of the first line of the body, after the docstring.
        line: Number of that line.
        source: What found it.
    """

    start: int
    line: int
    source: Literal["syntax", "indentation"]


class Bodies:
    """Finds what is around places: the body that one stands in, and what is above a window.

    Args:
        languages: The languages there are.
        trees: The parse trees of open documents.
    """

    def __init__(self, languages: Languages, trees: Trees) -> None:
        self._languages = languages
        self._trees = trees

    def above(self, document: Document, start: int) -> str:
        """Return what a window that starts at an offset does not show: imports, and heads."""
        buffer = document.buffer
        _, parsed = self._parsed(document)
        if parsed is None:
            return ""
        return above(parsed, len(encode_utf8(buffer.slice(0, start))))

    def find(self, document: Document, offset: int) -> Body | None:
        """Return the body of the innermost function around an offset, or None outside of all."""
        buffer = document.buffer
        language, parsed = self._parsed(document)
        if parsed is None:
            return body_by_indentation(buffer, offset, language)
        by_tree = _body_by_tree(parsed, buffer, offset)
        if not parsed.tree.root_node.has_error:
            return by_tree
        # An error, most often the unfinished line itself, can hide a function or stretch one over
        # its neighbours; indentation then knows better which one is the innermost.
        by_lines = body_by_indentation(buffer, offset, language)
        return max((b for b in (by_tree, by_lines) if b), key=lambda b: b.start, default=None)

    def begins_block(self, document: Document, offset: int) -> bool:
        """Tell whether a block begins at an offset in which nothing stands yet."""
        buffer = document.buffer
        language = self._languages.find(document.language, document.path)
        if language is None:
            return False
        end = opener_of(buffer, offset, language)
        if end is None:
            return False
        _, parsed = self._parsed(document)
        if parsed is None:
            return True
        return is_block(parsed.tree.root_node, len(encode_utf8(buffer.slice(0, end))))

    def scope(self, document: Document, offset: int) -> Scope:
        """Return what an offset lies in; code where no grammar tells."""
        buffer = document.buffer
        _, parsed = self._parsed(document)
        if parsed is None:
            return "code"
        root = parsed.tree.root_node
        scope = scope_at(root, parsed.source, len(encode_utf8(buffer.slice(0, offset))))
        if scope == "code" and root.has_error:
            # A string that is being written has no end yet, and is none to the tree.
            before = buffer.slice(buffer.line_start(buffer.line_at(offset)), offset)
            return "strings" if scan(before).string >= 0 else "code"
        return scope

    def forget(self, uri: str) -> None:
        """Drop what is kept of a document that was opened or closed."""
        self._trees.forget(uri)

    def _parsed(self, document: Document) -> tuple[Language | None, Parsed | None]:
        language = self._languages.find(document.language, document.path)
        if language is None:
            return None, None
        return language, self._trees.parse(document.uri, language, document.buffer)


def body_by_indentation(buffer: Buffer, offset: int, language: Language | None) -> Body | None:
    """Find the enclosing body by climbing to lines that are indented less."""
    header = language.header if language else GENERIC_HEADER
    cursor_line = buffer.line_at(offset)
    here = buffer.slice(buffer.line_start(cursor_line), offset)
    level: int | None = _width(here) if here.strip(_SPACE) else None
    if level is None and here:
        # On a blank line the cursor itself tells how deep it stands.
        level = _width(here + "x")
    line = cursor_line - 1
    closing = bool(here.strip()[:1] and here.strip()[0] in ")]}")
    while line >= 0 and cursor_line - line <= _REACH:
        text = buffer.line(line)
        if not text.strip():
            line -= 1
            continue
        width = _width(text)
        if level is None:
            # A blank line without indentation: it continues what stands above it.
            level = width + 1 if header.search(text) else width
        if width < level or (closing and width == level):
            # `):` and `} else {` close what a line above opened at the same depth.
            closing = text.lstrip()[0] in ")]}"
            if header.search(text) and not (closing and not text.rstrip().endswith("{")):
                start = _after_docstring(buffer, _last_header_line(buffer, line, cursor_line) + 1)
                return (
                    Body(buffer.line_start(start), start, "indentation")
                    if start <= cursor_line
                    else None
                )
            level = width
        line -= 1
    return None


def _body_by_tree(parsed: Parsed, buffer: Buffer, offset: int) -> Body | None:
    from tree_sitter import QueryCursor

    assert parsed.grammar.scopes is not None
    cursor = len(encode_utf8(buffer.slice(0, offset)))
    source = parsed.source
    # A body that is still being written ends before the blank line on which the cursor stands.
    inside = len(source[:cursor].rstrip())
    query = QueryCursor(parsed.grammar.scopes)
    query.set_byte_range(max(inside - 1, 0), cursor + 1)
    best: Body | None = None
    for _, captures in query.matches(parsed.tree.root_node):
        function, opens = captures["function"][0], captures["opens"][0]
        ends = captures.get("docstring", [opens])[-1].end_byte
        last = buffer.line_at(_code_points(source, ends))
        if last >= buffer.line_at(offset):
            continue
        if function.end_byte <= cursor:
            head = buffer.line_at(_code_points(source, function.start_byte))
            if opens.type == "{" or not _still_inside(buffer, head, offset):
                continue
        if best is None or last + 1 > best.line:
            best = Body(buffer.line_start(last + 1), last + 1, "syntax")
    return best


def _still_inside(buffer: Buffer, head: int, offset: int) -> bool:
    """Tell whether a cursor behind a function's last token continues it, by its indentation."""
    before = buffer.slice(buffer.line_start(buffer.line_at(offset)), offset)
    return not before or _width(before + "x") > _width(buffer.line(head))


def _last_header_line(buffer: Buffer, line: int, limit: int) -> int:
    """Return the last line of a function's head, which may span lines until its brackets close."""
    balance = 0
    for number in range(line, min(limit, line + 40)):
        text = buffer.line(number)
        balance += sum(text.count(c) for c in "([") - sum(text.count(c) for c in ")]")
        if balance <= 0:
            return number
    return line


def _after_docstring(buffer: Buffer, line: int) -> int:
    opening = _DOCSTRING.match(buffer.line(line))
    if not opening:
        return line
    quotes = opening[1]
    if quotes in buffer.line(line)[opening.end() :]:
        return line + 1
    for number in range(line + 1, min(buffer.line_count, line + _REACH)):
        if quotes in buffer.line(number):
            return number + 1
    return line


def _width(text: str) -> int:
    """Return the width of a line's indentation, with tab stops of eight."""
    expanded = text[: len(text) - len(text.lstrip(_SPACE))].expandtabs(8)
    return len(expanded)


def _code_points(source: bytes, offset: int) -> int:
    head = source[:offset]
    return len(head) if head.isascii() else len(head.decode("utf-8", "replace"))
