"""Keeps the outline of a file over edits that cannot change it: those inside of one body.

To fold a file takes longer than all else about it that one edit asks for. What is kept is what
would be made: an edit counts as inside of a body only where the tree has changed nowhere else. May
import `outline`, the guard, `syntax` and `text`.
"""

from __future__ import annotations

from collections import deque
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from sidecar.context.guard import blanked
from sidecar.context.outline import outline_of
from sidecar.syntax.folding import folding_of
from sidecar.syntax.parse import changed_bytes
from sidecar.text import to_lf

if TYPE_CHECKING:
    from tree_sitter import Node

    from sidecar.syntax.folds import Fold
    from sidecar.syntax.parse import Grammar, Parsed

__all__ = ["outlined"]

#: Files of a language that are remembered.
_FILES: Final = 4


class _Made(NamedTuple):
    parsed: Parsed
    bodies: tuple[Fold, ...]
    text: str
    notes: tuple[str, ...]


def outlined(parsed: Parsed, line: int | None) -> tuple[str, tuple[str, ...]]:
    """Return the outline of a file without secrets, and notes on it.

    Args:
        parsed: The file.
        line: Where the line that is being written starts, in bytes, if the file does not parse.
    """
    if line is not None:
        return _folded(parsed, line)[:2]
    recent = _recent(parsed.grammar)
    for made in recent:
        if made.parsed is parsed or _is_inside(made, parsed):
            return made.text, made.notes
    text, notes, bodies = _folded(parsed, None)
    recent.appendleft(_Made(parsed, bodies, text, notes))
    return text, notes


@lru_cache(16)
def _recent(grammar: Grammar) -> deque[_Made]:
    return deque(maxlen=_FILES)


@lru_cache(4)
def _folded(parsed: Parsed, line: int | None) -> tuple[str, tuple[str, ...], tuple[Fold, ...]]:
    folding = folding_of(parsed, line)
    made = None if folding is None else outline_of(parsed, folding)
    if folding is None or made is None:
        return "", (), ()
    bodies = tuple(fold for fold in folding.folds if fold.kind == "body")
    return to_lf(blanked(made.text).text), made.notes, bodies


def _is_inside(made: _Made, now: Parsed) -> bool:
    """Tell whether a file differs from another one only inside of one body."""
    old, new = made.parsed.source, now.source
    # Another file differs in its first lines.
    start, old_end, new_end = changed_bytes(old, new)
    body = next((one for one in made.bodies if one.start < start and old_end < one.end), None)
    if body is None:
        return False
    grown = new_end - old_end
    if body.text.startswith((b"\n", b";")):
        # It begins behind its documentation, which goes on to the end of a line.
        if b"\n" not in old[body.start : start]:
            return False
    else:
        # What it begins with may be its documentation.
        root, other = made.parsed.tree.root_node, now.tree.root_node
        if not _is_behind_first(root, body.start, body.end, start, old_end):
            return False
        if not _is_behind_first(other, body.start, body.end + grown, start, new_end):
            return False
    tree = made.parsed.tree.copy()
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
