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
from sidecar.syntax.insides import differs_inside
from sidecar.text import to_lf

if TYPE_CHECKING:
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
        if made.parsed is parsed or differs_inside(made.parsed, parsed, made.bodies):
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
