"""Asks queries of trees, within what a hostile text may cost.

Must never do I/O, nor know any language by name. May import nothing of sidecar.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node, Query

    from sidecar.syntax.parse import Grammar

__all__ = ["captures", "captures_in", "count_errors"]

#: What a query costs grows with the square of the depth that it looks into. Code is rarely deeper
#: than a tenth of this; what lies deeper is left out.
_DEEPEST = 500


def count_errors(grammar: Grammar, root: Node) -> int:
    """Return how many regions below a node did not parse."""
    if not root.has_error:
        return 0
    return sum(map(len, captures(grammar.errors, root).values())) or 1


def captures(query: Query, root: Node) -> dict[str, list[Node]]:
    """Return what a query marks, no deeper than code goes."""
    import tree_sitter

    # A query tells how it gets on to a place on the stack that is gone by then (tree-sitter 0.26):
    # it cannot be stopped by time.
    cursor = tree_sitter.QueryCursor(query)
    cursor.set_max_start_depth(_DEEPEST)
    return cursor.captures(root)


def captures_in(query: Query, root: Node, start: int, end: int) -> dict[str, list[Node]]:
    """Return what a query marks that touches a range of bytes, no deeper than code goes."""
    import tree_sitter

    cursor = tree_sitter.QueryCursor(query)
    cursor.set_max_start_depth(_DEEPEST)
    cursor.set_byte_range(start, end)
    return cursor.captures(root)
