"""Reads the comments of declarations, and takes comments out of them.

Must never do I/O, nor know any language by name. May import this package.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node

    from sidecar.syntax.languages import Language
    from sidecar.syntax.parse import Grammar

__all__ = ["doc_above", "first_line_of", "without_comments"]

_DOC_CHARACTERS = 160
#: What documentation of C# and Java marks its parts with.
_TAGS = re.compile(r"</?(?:summary|remarks|para|p|inheritdoc)\s*/?>")
_MARKS = re.compile(r"^[\s/*#!;\-\"'%]+|[\s*/\"']+$")


def doc_above(language: Language, source: bytes, start: int) -> str:
    """Return the first line of the comments that end on the line above a declaration.

    Args:
        language: The file's language.
        source: The file.
        start: Where the declaration begins, in bytes.
    """
    line_start = source.rfind(b"\n", 0, start) + 1
    if language.block_comments:
        line_start = _below_doc_block(source, line_start)
    elif source.startswith(b"\n", line_start - 2):
        # Nothing stands on the line above, as before most declarations.
        return ""
    doc = b""
    while line_start:
        above = source.rfind(b"\n", 0, line_start - 1) + 1
        line = source[above : line_start - 1].strip()
        if language.block_comments and line.endswith(b"*/"):
            opening = source.rfind(b"/*", 0, line_start)
            if opening < 0 or source[source.rfind(b"\n", 0, opening) + 1 : opening].strip():
                break
            doc = source[opening : line_start - 1]
            break
        if language.decorators and line.startswith(language.decorators):
            pass
        elif line.startswith(language.comments):
            doc = line + b"\n" + doc[:_DOC_CHARACTERS]
        else:
            break
        line_start = above
    return first_line_of(doc.decode("utf-8", "replace")) if doc else ""


def first_line_of(comment: str) -> str:
    """Return the first line that says something, without the marks of a comment or string."""
    for line in comment.splitlines():
        text = _MARKS.sub("", line.lstrip("rRbBuUfF") if line[1:2] in "\"'" else line)
        if text.startswith("@"):
            # From the first tag on, tags go on for several lines.
            break
        if "<" in text:
            text = _TAGS.sub("", text).strip()
        if text:
            return text[:_DOC_CHARACTERS]
    return ""


def _below_doc_block(source: bytes, line_start: int) -> int:
    """Step over one empty line, where what stands above it can only be documentation.

    Args:
        source: The file.
        line_start: Where the line of the declaration begins.
    """
    above = source.rfind(b"\n", 0, max(line_start - 1, 0)) + 1
    if not above or source[above:line_start].strip():
        return line_start
    if not source[max(above - 4, 0) : above].rstrip().endswith(b"*/"):
        return line_start
    opening = source.rfind(b"/*", 0, above)
    # What opens the file speaks of the file.
    return above if opening > 0 and source.startswith(b"/**", opening) else line_start


def without_comments(grammar: Grammar, node: Node, start: int, text: bytes) -> bytes:
    """Cut what the tree calls a comment; a comment's mark alone may stand in a string as well.

    Args:
        grammar: The file's grammar.
        node: What to look in.
        start: Where the text begins in the file, in bytes.
        text: The text.
    """
    import tree_sitter

    if grammar.comments is None:
        return text
    cursor = tree_sitter.QueryCursor(grammar.comments)
    cursor.set_byte_range(start, start + len(text))
    found = cursor.captures(node).get("comment", ())
    for comment in sorted(found, key=lambda node: node.start_byte, reverse=True):
        if start <= comment.start_byte < start + len(text):
            text = text[: comment.start_byte - start] + b" " + text[comment.end_byte - start :]
    return text
