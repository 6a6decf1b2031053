"""The outline of a file, and a file pruned around a place: code with `...` in place of bodies.

An outline does not depend on the cursor, nor on what stands inside of bodies, so that a prompt that
begins with it is reused. Pure functions of a parse; must never do I/O. May import `text` and
`syntax`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from sidecar.syntax.foldcomments import BYTE_ORDER
from sidecar.syntax.folding import Folding, folding_of
from sidecar.text import encode_utf8, to_lf

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sidecar.syntax.folds import Fold
    from sidecar.syntax.parse import Parsed
    from sidecar.text import Buffer, Document

__all__ = ["Keep", "Outline", "Pruned", "outline_of", "pruned"]

#: Lines shown at either end of a region that does not parse.
UNPARSED_LINES: Final = 50
#: Places that a note names.
_NOTED: Final = 4
_BLANKS: Final = re.compile(rb"\n(?:[ \t\r]*\n){2,}")
_BEFORE_END: Final = re.compile(rb"\n(?:[ \t\r]*\n)+(?=[ \t]*[)}\]])")
_LEADING: Final = re.compile(rb"\A(?:[ \t\r]*\n)+")


@dataclass(frozen=True, slots=True)
class Outline:
    """A file folded.

    Args:
        text: Its text, with LF breaks.
        notes: What a reader should know of it.
    """

    text: str
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Pruned:
    """A file folded around a place, with LF breaks.

    Args:
        before: What stands before the anchor.
        after: What stands after the cursor.
        notes: What a reader should know of it.
    """

    before: str
    after: str
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Keep:
    """What is shown whole around a place.

    Args:
        function_lines: The enclosing function is shown whole if it has no more lines; of a longer
            one the functions inside are folded, except the one around the place.
        loose_lines: Statements, comments and values are left alone so near a place outside of
            functions.
        sibling_lines: Bodies that stand so near are shown whole.
        constructor_lines: So is what declares the fields of the enclosing class, if it has no more
            lines.
    """

    function_lines: int = 200
    loose_lines: int = UNPARSED_LINES
    sibling_lines: int = 0
    constructor_lines: int = 24


def outline_of(parsed: Parsed, known: Folding | None = None) -> Outline | None:
    """Return the outline of a file, or None where its language has none.

    Args:
        parsed: The file.
        known: Its folds, if they were found already; those that were found without the line that
            is being written make an outline that holds still while it is.
    """
    found = known or folding_of(parsed)
    if found is None:
        return None
    source = parsed.source
    text = _squeezed(_rendered(source, found.folds, found.errors, 0, len(source)))
    text = _LEADING.sub(b"", text.removeprefix(BYTE_ORDER)).rstrip()
    return Outline(_text(text + b"\n" if text else b""), tuple(_notes(source, found.errors)))


def pruned(
    document: Document,
    parsed: Parsed,
    anchor: int,
    cursor: int,
    keep: Keep | None = None,
    known: Folding | None = None,
) -> Pruned | None:
    """Return a file folded around the text between two offsets, or None where it has no folds.

    Args:
        document: The file as it was parsed.
        parsed: The file.
        anchor: Offset where the text before ends.
        cursor: Offset where the text after starts.
        keep: What is shown whole.
        known: Its folds, if they were found already.
    """
    buffer, source = document.buffer, parsed.source
    low = len(encode_utf8(buffer.slice(0, anchor)))
    high = low + len(encode_utf8(buffer.slice(anchor, cursor)))
    found = known or folding_of(parsed, high)
    if found is None:
        return None
    keep = keep or Keep()
    around = _Around(buffer, source, (anchor, cursor), (low, high), found)
    folds, start, end = around.choose(keep)
    before = _squeezed(_rendered(source, folds, found.errors, 0, start))
    before = _LEADING.sub(b"", before) + _rendered(source, folds, (), start, low)
    after = _rendered(source, folds, (), high, end)
    after += _squeezed(_rendered(source, folds, found.errors, end, len(source)))
    return Pruned(_text(before), _text(after), tuple(around.notes))


class _Around:
    """Chooses the folds that are applied around a place."""

    def __init__(
        self,
        buffer: Buffer,
        source: bytes,
        offsets: tuple[int, int],
        places: tuple[int, int],
        found: Folding,
    ) -> None:
        self._buffer = buffer
        self._source = source
        #: Anchor and cursor, in characters and in bytes.
        self._anchor, self._cursor = offsets
        self._low, self._high = places
        #: Where the first of their lines starts, and where the last one ends.
        self._first = source.rfind(b"\n", 0, self._low) + 1
        stop = source.find(b"\n", self._high)
        self._last = len(source) if stop < 0 else stop
        self._found = found
        self.notes: list[str] = []

    def choose(self, keep: Keep) -> tuple[list[Fold], int, int]:
        """Return the folds that are applied, and the range in which lines are left as they are."""
        source, low, high = self._source, self._low, self._high
        start, end, inside = low, high, False
        applied: list[Fold] = []
        until = 0
        fields = {
            start for start, first, last in self._found.constructors if first <= self._low <= last
        }
        near = self._near(keep.sibling_lines) if keep.sibling_lines else (high, low)
        for fold in self._found.folds:
            if fold.start < until:
                continue
            if fold.kind == "body" and self._holds(fold):
                inside = True
                if applied and applied[-1].kind == "doc" and applied[-1].end == fold.start:
                    # The documentation of what is shown whole.
                    fold = fold._replace(start=applied.pop().start)
                start, end = min(start, fold.start), max(end, fold.end)
                if self._short(fold, keep):
                    until = fold.end
                continue
            if fold.start <= self._last and self._first <= fold.end:
                # The place is on its lines.
                continue
            if fold.kind == "body" and (
                (fold.start < near[1] and near[0] < fold.end and self._short(fold, keep))
                or (fold.start in fields and self._lines(fold) <= keep.constructor_lines)
            ):
                until = fold.end
                continue
            applied.append(fold)
            until = max(until, fold.end)
        if not inside:
            start, end = self._near(keep.loose_lines)
            loose = keep.loose_lines and not self._unparsed(start, end)
            applied = [
                fold
                for fold in applied
                if fold.end <= start
                or end <= fold.start
                or (fold.kind == "body" and (loose or not self._short(fold, keep)))
            ]
            if not loose and keep.loose_lines:
                self.notes.append(
                    f"{keep.loose_lines} lines around the cursor are shown as they are, since "
                    "something there does not parse"
                )
        self.notes += _notes(source, self._found.errors)
        for fold in applied:
            # An edge never stands inside of a fold.
            if fold.start < start < fold.end:
                start = fold.start
            if fold.start < end < fold.end:
                end = fold.end
        return applied, start, end

    def _holds(self, fold: Fold) -> bool:
        """Tell whether a body is around the place, or its head or its end is on the same line."""
        if fold.head < self._last and self._first <= fold.end:
            return True
        # One that has no bracket at its end may go on.
        if fold.start >= self._low or fold.text.endswith((b"}", b")", b"end")):
            return False
        between = self._source[fold.end : self._low]
        return not between.strip() and between.endswith((b" ", b"\t"))

    def _short(self, fold: Fold, keep: Keep) -> bool:
        return self._lines(fold) <= keep.function_lines

    def _lines(self, fold: Fold) -> int:
        return self._source.count(b"\n", fold.start, fold.end)

    def _near(self, lines: int) -> tuple[int, int]:
        """Return the bytes of some lines around the place."""
        buffer = self._buffer
        first = buffer.line_start(max(buffer.line_at(self._anchor) - lines, 0))
        last = buffer.line_at(self._cursor) + lines + 1
        stop = len(buffer) if last >= buffer.line_count else buffer.line_start(last)
        start = self._low - len(encode_utf8(buffer.slice(first, self._anchor)))
        return start, self._high + len(encode_utf8(buffer.slice(self._cursor, stop)))

    def _unparsed(self, start: int, end: int) -> bool:
        return any(first < end and start <= last for first, last in self._found.errors)


def _rendered(
    source: bytes,
    folds: Iterable[Fold],
    errors: tuple[tuple[int, int], ...],
    start: int,
    end: int,
) -> bytes:
    """Return a range of a file with folds applied, the outermost only."""
    pieces: list[bytes] = []
    at = start
    for fold in folds:
        if fold.start < at or end < fold.end:
            continue
        first, last = fold.start, fold.end
        if not fold.text and fold.kind != "cut":
            first, last = _whole_lines(source, first, last)
            first, last = max(first, at), min(last, end)
        pieces += (_cut_unparsed(source, at, first, errors), fold.text)
        at = last
    pieces.append(_cut_unparsed(source, at, end, errors))
    return b"".join(pieces)


def _whole_lines(source: bytes, start: int, end: int) -> tuple[int, int]:
    """Widen a range that goes to its lines, where nothing else stands on them."""
    line = source.rfind(b"\n", 0, start) + 1
    stop = source.find(b"\n", end)
    stop = len(source) if stop < 0 else stop + 1
    if source[line:start].strip() or source[end:stop].strip():
        return start, end
    return line, stop


def _cut_unparsed(
    source: bytes, start: int, end: int, errors: tuple[tuple[int, int], ...]
) -> bytes:
    """Return a range without the middle of regions in it that are long and do not parse."""
    if errors and source.count(b"\n", start, end) > 2 * UNPARSED_LINES:
        for first, last in errors:
            low, high = max(start, first), min(end, last)
            if low < high and source.count(b"\n", low, high) > 2 * UNPARSED_LINES:
                lines = source[low:high].splitlines(keepends=True)
                head = b"".join(lines[:UNPARSED_LINES])
                tail = b"".join(lines[-UNPARSED_LINES:])
                return source[start:low] + head + b"...\n" + tail + source[high:end]
    return source[start:end]


def _squeezed(text: bytes) -> bytes:
    return _BEFORE_END.sub(b"\n", _BLANKS.sub(b"\n\n", text))


def _notes(source: bytes, errors: tuple[tuple[int, int], ...]) -> list[str]:
    where: dict[str, None] = {}
    until = -1
    for start, end in errors:
        if start < until:
            continue
        until = max(until, end)
        first = source.count(b"\n", 0, start) + 1
        last = first + source.count(b"\n", start, end)
        where[str(first) if first == last else f"{first}-{last}"] = None
    if not where:
        return []
    shown = ", ".join(list(where)[:_NOTED])
    more = f" and {len(where) - _NOTED} more places" if len(where) > _NOTED else ""
    return [f"what is no body is shown as it is where nothing parses: lines {shown}{more}"]


def _text(text: bytes) -> str:
    return to_lf(text.decode("utf-8", "replace"))
