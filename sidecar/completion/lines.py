"""Keeps suggestions to the number of lines that the user wants.

Pure. May import this package's values.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

    from sidecar.completion.suggestion import Suggestion

__all__ = ["at_most", "growing_at_most"]

_LINE: Final = re.compile(r"[^\r\n]*\S[^\r\n]*")


def at_most(suggestion: Suggestion, lines: int) -> Suggestion:
    """Return a suggestion without what is beyond so many lines with something to see.

    Args:
        suggestion: The suggestion.
        lines: Most lines; 0 for as many as there are.
    """
    if lines == 0:
        return suggestion
    found = list(_LINE.finditer(suggestion.shown))
    if len(found) <= lines:
        return suggestion
    shown = suggestion.shown[: found[lines - 1].end()]
    # The closers behind the cursor were closed by what is left out now.
    cursor = suggestion.start + len(suggestion.typed)
    return replace(suggestion, end=cursor, insert=suggestion.typed + shown, shown=shown)


def growing_at_most(
    on_text: Callable[[Suggestion], None] | None, lines: int
) -> Callable[[Suggestion], None] | None:
    """Return what takes a suggestion that grows, and tells of it while it has no more lines.

    Args:
        on_text: Told of it.
        lines: Most lines; 0 for as many as there are.
    """
    if on_text is None or lines == 0:
        return on_text
    told = ""

    def show(so_far: Suggestion) -> None:
        nonlocal told
        kept = at_most(so_far, lines)
        # What is beyond the last line makes it no longer.
        if not told.startswith(kept.insert):
            told = kept.insert
            on_text(kept)

    return show
