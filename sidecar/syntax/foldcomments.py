"""Folds comments: those that document what stays to a line, the others to nothing.

Must never do I/O, nor know any language by name. May import this package.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from sidecar.syntax.folds import Fold, first_comment_line

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["BYTE_ORDER", "comment_folds"]

#: What says so stands at the head of files and documents nothing.
_LICENSE: Final = re.compile(rb"(?i)copyright|licen[sc]e|\bSPDX\b|all rights reserved")
#: What speaks of all that it stands in.
_INNER: Final = (b"//!", b"/*!")
BYTE_ORDER: Final = "\ufeff".encode()


def comment_folds(
    source: bytes,
    comments: list[tuple[int, int]],
    folds: list[Fold],
    imports: set[int],
    *,
    blocks: bool,
) -> list[Fold]:
    """Return folds for the comments that stand on lines of their own.

    Args:
        source: The file.
        comments: Where comments start and end, in order.
        folds: The other folds, by their start, the larger first.
        imports: Where lines start that import something.
        blocks: Whether a comment that begins with `/*` ends with `*/`.
    """
    gone = {fold.start for fold in folds if fold.kind == "statement"}
    found: list[Fold] = []
    for number, (start, end) in enumerate(_groups(source, _outside(comments, folds))):
        below = _documented(source, start, end)
        license_ = number == 0 and _LICENSE.search(source, start, end)
        if below < 0 or below in gone or _line_start(source, below) in imports or license_:
            found.append(Fold(start, end, "comment", b""))
            continue
        text = first_comment_line(source[start:end], blocks)
        if len(text) < end - start:
            found.append(Fold(start, end, "doc", text))
    return found


def _outside(comments: list[tuple[int, int]], folds: list[Fold]) -> Iterator[tuple[int, int]]:
    """Yield the comments that lie in no fold."""
    number = until = 0
    for start, end in comments:
        while number < len(folds) and folds[number].start <= start:
            until = max(until, folds[number].end)
            number += 1
        if until <= start:
            yield start, end


def _groups(source: bytes, comments: Iterator[tuple[int, int]]) -> list[tuple[int, int]]:
    """Join comments on lines that follow each other, equally far to the right."""
    groups: list[tuple[int, int]] = []
    last_column = last_next = -1
    for start, end in comments:
        while end > start and source[end - 1] in b"\r\n":
            end -= 1
        line = _line_start(source, start)
        stop = source.find(b"\n", end)
        stop = len(source) if stop < 0 else stop
        before = source[line:start].strip()
        if (before and before != BYTE_ORDER) or source[end:stop].strip():
            continue
        if groups and line == last_next and start - line == last_column:
            groups[-1] = groups[-1][0], end
        else:
            groups.append((start, end))
        last_column, last_next = start - line, stop + 1
    return groups


def _documented(source: bytes, start: int, end: int) -> int:
    """Return where that stands which comments are about, most often right below, or -1."""
    below = source.find(b"\n", end) + 1
    if source.startswith(_INNER, start):
        return start
    if not below:
        return -1
    stop = source.find(b"\n", below)
    text = source[below : len(source) if stop < 0 else stop]
    stripped = text.lstrip()
    column = len(text) - len(stripped)
    if not stripped or stripped[:1] in b")]}" or column != start - _line_start(source, start):
        return -1
    return below + column


def _line_start(source: bytes, at: int) -> int:
    return source.rfind(b"\n", 0, at) + 1
