"""Parse trees of open documents, each made from the one before and the bytes that changed.

Must never do I/O, besides what `parse` does, nor decide anything about code. May import `text`,
`parse` of this package and tree_sitter.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from typing import TYPE_CHECKING

from sidecar.syntax.parse import MAX_PARSE_SECONDS, Grammar, Parsed
from sidecar.text import Buffer, encode_utf8

if TYPE_CHECKING:
    from collections.abc import Callable

    from tree_sitter import Tree

    from sidecar.syntax.languages import Language

__all__ = ["MAX_REPARSE_SECONDS", "Trees", "changed_bytes"]

#: Longer documents are not parsed: a first parse of so much takes longer than a keystroke may wait.
_MAX_CHARACTERS = 1_000_000
#: Time of the processor for a document that was parsed before, where a keystroke usually takes a
#: millisecond.
MAX_REPARSE_SECONDS = 0.2
#: A document is not parsed again, after a parse that was given up or a keystroke that took longer
#: than this, until so many times as much time has passed as was lost with it.
_SLOW = 0.1
_REST = 30
#: Bytes of text whose trees are kept; a tree takes about 25 times as many.
_KEPT_BYTES = 2_000_000


class Trees:
    """The trees of the documents used last; each parse starts from the one before.

    For one thread.

    Args:
        limit: Bytes of text whose trees are kept; the document used last keeps its tree, whatever
            its size.
    """

    def __init__(self, limit: int = _KEPT_BYTES) -> None:
        self._limit = limit
        self._bytes = 0
        self._kept: OrderedDict[str, tuple[Buffer, Parsed]] = OrderedDict()
        #: Until when documents are left alone that took too long.
        self._resting: dict[str, float] = {}
        #: Bytes in edits given to re-parses, for tests of the mechanism: a keystroke adds a few.
        self.edited_bytes = 0

    def parse(self, uri: str, language: Language, buffer: Buffer) -> Parsed | None:
        """Return the tree of a document as it is now.

        Returns:
            None where no grammar serves, and for texts that take too long: no keystroke waits for
            what a hostile document costs.
        """
        grammar = Grammar.of(language)
        if grammar is None or len(buffer) > _MAX_CHARACTERS:
            self._drop(uri)
            return None
        kept = self._kept.get(uri)
        if kept is not None and kept[1].grammar is not grammar:
            kept = None
        if kept is not None and kept[0] is buffer:
            self._kept.move_to_end(uri)
            return kept[1]
        if time.monotonic() < self._resting.get(uri, 0.0):
            return None
        start = time.thread_time()
        source = encode_utf8(buffer.text)
        known = kept is not None
        if kept is not None:
            tree = self._reparse(*kept, buffer, source)
        else:
            tree = grammar.shape_within(MAX_PARSE_SECONDS, source, None)
        if tree is not None:
            # Where there are errors all of a tree may be made anew: two at once are enough.
            kept = None
            self._drop(uri)
            tree = grammar.complete(source, tree)
        spent = time.thread_time() - start
        if tree is None or (known and spent > _SLOW):
            self._resting[uri] = time.monotonic() + _REST * spent
        if tree is None:
            return None
        parsed = Parsed(source, tree, grammar)
        self._kept[uri] = (buffer, parsed)
        self._bytes += len(source)
        while self._bytes > self._limit and len(self._kept) > 1:
            self._drop(next(iter(self._kept)))
        return parsed

    def forget(self, uri: str) -> None:
        """Drop the tree of a document that was opened or closed."""
        self._drop(uri)
        self._resting.pop(uri, None)

    def _drop(self, uri: str) -> None:
        dropped = self._kept.pop(uri, None)
        if dropped is not None:
            self._bytes -= len(dropped[1].source)

    def _reparse(self, before: Buffer, old: Parsed, after: Buffer, source: bytes) -> Tree | None:
        # Editing a tree changes it in place, and the old snapshot may still be in use.
        tree = old.tree.copy()
        # From the end, so that the places of the edits before it are still those of the old text.
        for start, end, new_start, new_end in reversed(before.differences(after)):
            removed = encode_utf8(before.slice(start, end))
            added = encode_utf8(after.slice(new_start, new_end))
            first, removed_end, added_end = changed_bytes(removed, added)
            self.edited_bytes += max(removed_end, added_end) - first
            origin = len(encode_utf8(before.slice(0, start)))
            start_point = _advance((0, 0), old.source[: origin + first])
            tree.edit(
                start_byte=origin + first,
                old_end_byte=origin + removed_end,
                new_end_byte=origin + added_end,
                start_point=start_point,
                old_end_point=_advance(start_point, removed[first:removed_end]),
                new_end_point=_advance(start_point, added[first:added_end]),
            )
        return old.grammar.shape_within(MAX_REPARSE_SECONDS, source, tree)


def changed_bytes(old: bytes, new: bytes) -> tuple[int, int, int]:
    """Return where two texts begin to differ, and where the difference ends in each."""
    limit = min(len(old), len(new))
    start = _common(limit, lambda n: old[:n] == new[:n])
    rest = limit - start
    tail = _common(rest, lambda n: old[len(old) - n :] == new[len(new) - n :])
    # An edit must not cut a character: step back to the first byte of one.
    while start and _inside(old, new, start):
        start -= 1
    while tail and _inside(old, new, len(old) - tail, len(new) - tail):
        tail -= 1
    return start, len(old) - tail, len(new) - tail


def _common(limit: int, equal: Callable[[int], bool]) -> int:
    """Find by halving the largest n at which `equal(n)` holds."""
    low, high = 0, limit
    while low < high:
        middle = (low + high + 1) // 2
        if equal(middle):
            low = middle
        else:
            high = middle - 1
    return low


def _inside(old: bytes, new: bytes, at: int, new_at: int | None = None) -> bool:
    new_at = at if new_at is None else new_at
    return (at < len(old) and old[at] & 0xC0 == 0x80) or (
        new_at < len(new) and new[new_at] & 0xC0 == 0x80
    )


def _advance(point: tuple[int, int], text: bytes) -> tuple[int, int]:
    """Return where a text ends that begins at a row and column."""
    rows = text.count(b"\n")
    if not rows:
        return point[0], point[1] + len(text)
    return point[0] + rows, len(text) - text.rindex(b"\n") - 1
