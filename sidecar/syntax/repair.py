"""Parses again what did not parse, without what was in the way.

That may be another language than the file's name says, macros that no grammar can know, or the line
that is being written. What is parsed looks like the file, byte for byte, so that all places are its
own. Must never do I/O, nor know any language by name. May import this package.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sidecar.syntax.languages import Languages
from sidecar.syntax.parse import MAX_PARSE_SECONDS, Grammar, Parsed
from sidecar.syntax.queries import count_errors

if TYPE_CHECKING:
    from tree_sitter import Tree

__all__ = ["completed", "repaired"]

#: Larger files are not parsed again at each place.
_MOST_COMPLETED = 60_000
#: It is given up after so much time of the processor, many times as long as code takes.
_SECONDS = 0.03
_CLOSING = {b"(": b")", b"[": b"]", b"{": b"}"}


def repaired(
    parsed: Parsed, unfinished: int | None = None
) -> tuple[Parsed, tuple[int, int] | None]:
    """Return a file with a tree that has fewer errors, if there is one, and the line left out.

    Args:
        parsed: The file.
        unfinished: A place in the line that is being written, in bytes.
    """
    if not parsed.tree.root_node.has_error:
        return parsed, None
    left_out = None
    source, grammar, tree = parsed.source, parsed.grammar, parsed.tree
    language = Languages.load().of_source(grammar.language, source)
    text = language.blanked(source)
    other = Grammar.of(language)
    if other is not None and (other is not grammar or text != source):
        again = other.parse(text)
        if again is not None:
            grammar, tree = other, again
    if unfinished is not None and tree.root_node.has_error:
        start = text.rfind(b"\n", 0, unfinished) + 1
        end = text.find(b"\n", unfinished)
        end = len(text) if end < 0 else end
        without = _without(grammar, tree, text, start, end)
        if without is not None and count_errors(grammar, without.root_node) < count_errors(
            grammar, tree.root_node
        ):
            tree, left_out = without, (start, end)
    return Parsed(source, tree, grammar), left_out


def _without(grammar: Grammar, tree: Tree, text: bytes, start: int, end: int) -> Tree | None:
    """Parse a text with spaces in place of one line."""
    if not text[start:end].strip():
        return None
    row = text.count(b"\n", 0, start)
    edited = tree.copy()
    edited.edit(start, end, end, (row, 0), (row, end - start), (row, end - start))
    blanked = text[:start] + b" " * (end - start) + text[end:]
    return grammar.parse_within(MAX_PARSE_SECONDS, blanked, edited)


def completed(parsed: Parsed, cursor: int) -> Parsed | None:
    """Return a file as if the line at a cursor were finished, or None where that is of no use.

    What stands before the cursor stands where it stood; behind it come a name, where a member
    operator waits for one, and what closes brackets and the statement.

    Args:
        parsed: The file.
        cursor: The place, in bytes.
    """
    source, grammar = parsed.source, parsed.grammar
    if not parsed.tree.root_node.has_error or _MOST_COMPLETED < len(source):
        return None
    start = source.rfind(b"\n", 0, cursor) + 1
    end = source.find(b"\n", cursor)
    rest = source[cursor : len(source) if end < 0 else end].strip()
    before = source[start:cursor].rstrip()
    added = b"_" if before[-1:] in (b".", b">", b":") else b""
    if not rest:
        opened: list[bytes] = []
        for byte in re.findall(rb"[()\[\]{}]", before[-400:]):
            if byte in _CLOSING:
                opened.append(_CLOSING[byte])
            elif opened:
                opened.pop()
        added += b"".join(reversed(opened)) + grammar.language.form.ends.encode()
    if not added:
        return None
    edited = parsed.tree.copy()
    row, column = source.count(b"\n", 0, cursor), cursor - start
    edited.edit(
        cursor,
        cursor,
        cursor + len(added),
        (row, column),
        (row, column),
        (row, column + len(added)),
    )
    text = source[:cursor] + added + source[cursor:]
    tree = grammar.parse_within(_SECONDS, text, edited)
    return None if tree is None else Parsed(text, tree, grammar)
