"""Tells whether an edit stayed inside of one body, so that what a file declares is what it was.

Must never do I/O, nor know any language by name. May import this package.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sidecar.syntax.trees import changed_bytes

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tree_sitter import Node

    from sidecar.syntax.folds import Fold
    from sidecar.syntax.parse import Parsed

__all__ = ["differs_inside"]


def differs_inside(before: Parsed, now: Parsed, bodies: Iterable[Fold]) -> bool:
    """Tell whether a file differs from what it was only inside of one body.

    Args:
        before: The file as it was.
        now: The file.
        bodies: The folds of its bodies, as it was.
    """
    old, new = before.source, now.source
    # Another file differs in its first lines.
    start, old_end, new_end = changed_bytes(old, new)
    body = next((one for one in bodies if one.start < start and old_end < one.end), None)
    if body is None:
        return False
    grown = new_end - old_end
    root, other = before.tree.root_node, now.tree.root_node
    if _around(root, body.start, body.end, 0) != _around(
        other, body.start, body.end + grown, grown
    ):
        # What was one body is closed by now, and something else begins in it.
        return False
    if body.text.startswith((b"\n", b";")):
        # It begins behind its documentation, which goes on to the end of a line.
        if b"\n" not in old[body.start : start]:
            return False
        if not _holds_code(other, body.start, body.end + grown):
            # Nothing is folded where nothing is left.
            return False
    else:
        # What it begins with may be its documentation.
        if not _is_behind_first(root, body.start, body.end, start, old_end):
            return False
        if not _is_behind_first(other, body.start, body.end + grown, start, new_end):
            return False
    tree = before.tree.copy()
    tree.edit(
        start_byte=start,
        old_end_byte=old_end,
        new_end_byte=new_end,
        start_point=_point(old, start),
        old_end_point=_point(old, old_end),
        new_end_point=_point(new, new_end),
    )
    return all(
        body.start < changed.start_byte and changed.end_byte < body.end + grown
        for changed in tree.changed_ranges(now.tree)
    )


def _around(root: Node, low: int, high: int, grown: int) -> list[tuple[str, int, int]]:
    """Return the nodes that a range lies in, smallest first: kinds, starts, ends before it grew."""
    around: list[tuple[str, int, int]] = []
    node = root.descendant_for_byte_range(low, high)
    while node is not None:
        around.append((node.type, node.start_byte, node.end_byte - grown))
        node = node.parent
    return around


def _holds_code(root: Node, low: int, high: int) -> bool:
    """Tell whether something in a range is more than words and comments."""
    node = root.descendant_for_byte_range(low, high)
    return node is not None and any(
        low <= child.start_byte and child.end_byte <= high and "comment" not in child.type
        for child in node.named_children
    )


def _is_behind_first(root: Node, low: int, high: int, start: int, end: int) -> bool:
    """Tell whether a place in a body lies behind the first statement of it."""
    node = root.descendant_for_byte_range(start, end)
    while node is not None and node.parent is not None:
        parent = node.parent
        if parent.start_byte < low or high < parent.end_byte:
            break
        node = parent
    if node is None or node.start_byte < low or high < node.end_byte:
        return False
    first = next((child for child in node.named_children if "comment" not in child.type), None)
    return first is not None and first.end_byte < start


def _point(source: bytes, at: int) -> tuple[int, int]:
    return source.count(b"\n", 0, at), at - source.rfind(b"\n", 0, at) - 1
