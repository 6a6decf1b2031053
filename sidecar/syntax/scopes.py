"""Whether a place lies in code, in a comment, or in a string.

Must never do I/O, nor know any language by name. May import nothing but the tree it is given.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, Literal

if TYPE_CHECKING:
    from tree_sitter import Node

__all__ = ["Scope", "scope_at"]

Scope = Literal["code", "comments", "strings"]

_COMMENT: Final = re.compile("comment")
#: Several strings in a row have code between them.
_STRING: Final = re.compile(
    r"string(?!s)|heredoc|^template_literal$|rune_literal|char(acter)?_literal"
)
_ROW: Final = re.compile("concatenated|chained")
#: Code again, within a string.
_CODE: Final = re.compile("interpolat|substitution|injection")
#: What ends a comment, so that code follows at once.
_CLOSED: Final = re.compile(rb"(\*/|-->|-\}|\]\]|\*\)|=end)\s*$")


def scope_at(root: Node, source: bytes, cursor: int) -> Scope:
    """Return what a cursor stands in.

    Args:
        root: The tree.
        source: What it was made of.
        cursor: The cursor, in bytes.
    """
    begins_line = cursor == 0 or source[cursor - 1 : cursor] == b"\n"
    node = root.descendant_for_byte_range(cursor if begins_line else cursor - 1, cursor)
    found: Scope = "code"
    while node is not None:
        if node.is_named and _CODE.search(node.type) and _is_within(node, cursor):
            break
        if (scope := _scope_of(node, source, cursor)) is not None:
            # The outermost counts: what a string consists of ends before it does.
            found = scope
        node = node.parent
    return found


def _scope_of(node: Node, source: bytes, cursor: int) -> Scope | None:
    if not node.is_named or cursor <= node.start_byte:
        return None
    if _COMMENT.search(node.type):
        # One that ends with its line goes on where one types, and one that has an end does not.
        closed = _CLOSED.search(source[node.start_byte : node.end_byte]) is not None
        return None if closed and cursor >= node.end_byte else "comments"
    if _STRING.search(node.type) and not _ROW.search(node.type):
        return "strings" if _is_within(node, cursor) else None
    return None


def _is_within(node: Node, cursor: int) -> bool:
    return node.start_byte < cursor < node.end_byte
