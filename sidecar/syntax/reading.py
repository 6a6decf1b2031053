"""Hands a text to a parser piece by piece, out of one piece of memory.

py-tree-sitter 0.26.1 never lets go of what it was given to read (`parser_read_wrapper` takes a
buffer of it and keeps the reference as well): a slice of the text, or a view of it, would be left
behind at every keystroke. May import tree_sitter, and nothing of sidecar.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

    import tree_sitter

__all__ = ["PIECE", "Own", "Reader"]

#: Bytes of a piece.
PIECE: Final = 4096
#: The last ones of a text are shorter, and a view of each length stays: so longer ones than this
#: are multiples of it, and what is left comes in one piece more. A character never needs two.
_STEP: Final = 64


class Reader:
    """Reads texts for one parser on one thread, one at a time: a piece is valid until the next."""

    def __init__(self) -> None:
        self._memory = bytearray(PIECE)
        self._views: dict[int, memoryview] = {}

    def of(self, source: bytes) -> Callable[[int, object], memoryview]:
        """Return what a parser asks for a text's bytes from a position on.

        Args:
            source: The text.
        """

        def read(at: int, _point: object) -> memoryview:
            size = min(max(len(source) - at, 0), PIECE)
            if size > _STEP:
                size -= size % _STEP
            self._memory[:size] = source[at : at + size]
            view = self._views.get(size)
            if view is None:
                view = self._views[size] = memoryview(self._memory)[:size]
            return view

        return read


class Own(threading.local):
    """What each thread has of its own to parse with, made when it first asks.

    Callbacks let other threads run in the middle of a parse, and what two do with one parser ends
    the process.

    Args:
        loaded: The grammar.
    """

    def __init__(self, loaded: tree_sitter.Language) -> None:
        import tree_sitter

        self.parser = tree_sitter.Parser(loaded)
        self.reader = Reader()
