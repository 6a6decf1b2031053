"""The text of one document as an immutable value, cheap to edit.

A buffer is a row of leaves, each a few kilobytes of whole lines. An edit rebuilds the leaves it
touches and shares the others, so typing costs the size of a leaf and one pass over the leaf table,
never the size of the file. Offsets are code points. Must never know LSP types or do I/O. May import
`text/lines.py`.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING

from sidecar.text.lines import Encoding, join_pairs, line_starts, units, units_to_index

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["LEAF_CHARS", "Buffer", "Change", "Position"]

#: Size that new leaves aim at. A leaf is rebuilt on each keystroke in it (some 10 µs); the table of
#: leaves as well.
LEAF_CHARS = 2048


@dataclass(frozen=True, slots=True, order=True)
class Position:
    """A place in a document: zero-based line, and column in units of some encoding."""

    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Change:
    """One edit as an editor sends it; without a range, `text` replaces everything."""

    start: Position | None
    end: Position | None
    text: str


class _Leaf:
    """Whole lines: ends with a line break unless it is the last leaf of its buffer."""

    __slots__ = ("crlf", "lone_cr", "starts", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.starts = line_starts(text)
        self.crlf = text.count("\r\n") if "\r" in text else 0
        self.lone_cr = text.count("\r") - self.crlf if "\r" in text else 0


class Buffer:
    """An immutable text with a line index; make one with `Buffer.of`."""

    __slots__ = ("_breaks", "_chars", "_leaves", "_text")

    def __init__(self, leaves: tuple[_Leaf, ...], text: str | None = None) -> None:
        self._leaves = leaves
        self._text = text
        #: Code points, and line breaks, before each leaf; one more entry than leaves.
        self._chars = list(accumulate((len(leaf.text) for leaf in leaves), initial=0))
        self._breaks = list(accumulate((len(leaf.starts) - 1 for leaf in leaves), initial=0))

    @classmethod
    def of(cls, text: str) -> Buffer:
        """Make a buffer that holds `text`."""
        text = join_pairs(text)
        return cls(_leaves_of(text), text)

    @property
    def text(self) -> str:
        """The whole text; joined on first use and kept."""
        if self._text is None:
            self._text = "".join([leaf.text for leaf in self._leaves])
        return self._text

    def __len__(self) -> int:
        return self._chars[-1]

    def __repr__(self) -> str:
        return f"<Buffer of {len(self)} characters in {self.line_count} lines>"

    @property
    def line_count(self) -> int:
        """Number of lines: line breaks plus one."""
        return self._breaks[-1] + 1

    @property
    def newline(self) -> str:
        """The most frequent line ending, a line feed when there is none."""
        crlf = sum(leaf.crlf for leaf in self._leaves)
        lone_cr = sum(leaf.lone_cr for leaf in self._leaves)
        lf = self._breaks[-1] - crlf - lone_cr
        if crlf > max(lf, lone_cr):
            return "\r\n"
        return "\r" if lone_cr > lf else "\n"

    def line_start(self, line: int) -> int:
        """Return the offset at which a line starts; beyond the last line, the end of the text."""
        if line <= 0:
            return 0
        if line >= self.line_count:
            return len(self)
        index = self._leaf_of_line(line)
        return self._chars[index] + self._leaves[index].starts[line - self._breaks[index]]

    def line_end(self, line: int) -> int:
        """Return the offset of a line's break, or of the end of the text."""
        if line >= self.line_count - 1:
            return len(self)
        line = max(line, 0)
        index = self._leaf_of_line(line)
        leaf = self._leaves[index]
        within = line - self._breaks[index]
        end = leaf.starts[within + 1]
        width = 2 if leaf.text[max(end - 2, leaf.starts[within]) : end] == "\r\n" else 1
        return self._chars[index] + end - width

    def line(self, line: int) -> str:
        """Return a line without its break; beyond the last line, nothing."""
        last = self._breaks[-1]
        if line > last:
            return ""
        line = max(line, 0)
        index = bisect_right(self._breaks, line) - 1 if line < last else len(self._leaves) - 1
        leaf = self._leaves[index]
        within = line - self._breaks[index]
        if line == last:
            return leaf.text[leaf.starts[within] :]
        text = leaf.text[leaf.starts[within] : leaf.starts[within + 1]]
        return text[:-2] if text.endswith("\r\n") else text[:-1]

    def line_at(self, offset: int) -> int:
        """Return the line that holds an offset; a break belongs to the line it ends."""
        offset = min(max(offset, 0), len(self))
        index = self._leaf_at(offset)
        return self._breaks[index] + (
            bisect_right(self._leaves[index].starts, offset - self._chars[index]) - 1
        )

    def slice(self, start: int, end: int) -> str:
        """Return the text between two offsets, which are clamped to the text."""
        start = max(start, 0)
        end = min(end, len(self))
        if start >= end:
            return ""
        first = self._leaf_at(start)
        origin = self._chars[first]
        if end <= self._chars[first + 1]:
            return self._leaves[first].text[start - origin : end - origin]
        last = self._leaf_at(end)
        parts = [self._leaves[first].text[start - origin :]]
        parts += [leaf.text for leaf in self._leaves[first + 1 : last]]
        parts.append(self._leaves[last].text[: end - self._chars[last]])
        return "".join(parts)

    def offset(self, position: Position, encoding: Encoding) -> int:
        """Return the offset of a position, which is clamped to its line and to the text."""
        return self._locate(position, encoding)[0]

    def position(self, offset: int, encoding: Encoding) -> Position:
        """Return the position of an offset; inside a line break it is that of the line's end."""
        line = self.line_at(offset)
        start = self.line_start(line)
        end = min(max(offset, 0), self.line_end(line))
        return Position(line, units(self.slice(start, end), encoding))

    def edit(self, start: int, end: int, text: str) -> Buffer:
        """Return the buffer with the text between two offsets replaced.

        Halves of a surrogate pair that meet at a seam become one code point, as they are in the
        editor's UTF-16.

        Raises:
            IndexError: The offsets are not ordered, or lie outside the text.
        """
        if not 0 <= start <= end <= len(self):
            raise IndexError(f"edit of {start}:{end} in a text of {len(self)}")
        leaves = self._leaves
        first = self._leaf_at(start)
        last = first if end < self._chars[first + 1] else self._leaf_at(end)
        before = leaves[first].text[: start - self._chars[first]]
        after = leaves[last].text[end - self._chars[last] :]
        middle = join_pairs(before + text + after)
        # Every leaf but the last must end with a break, and a break must not be torn apart.
        while last + 1 < len(leaves) and (
            not middle.endswith(("\n", "\r"))
            or (middle.endswith("\r") and leaves[last + 1].text.startswith("\n"))
            or len(middle) < LEAF_CHARS // 4
        ):
            last += 1
            middle += leaves[last].text
        if first and (middle.startswith("\n") and leaves[first - 1].text.endswith("\r")):
            first -= 1
            middle = leaves[first].text + middle
        if not middle and first:
            # The last leaf vanished: the one before becomes the last, and its final break opens an
            # empty line.
            return Buffer(leaves[:first])
        return Buffer((*leaves[:first], *_leaves_of(middle), *leaves[last + 1 :]))

    def apply(self, changes: Sequence[Change], encoding: Encoding) -> Buffer:
        """Return the buffer after changes, each of which sees the result of the one before."""
        buffer = self
        for change in changes:
            if change.start is None or change.end is None:
                buffer = Buffer.of(change.text)
                continue
            low, high = sorted((change.start, change.end))
            start, start_is_half = buffer._locate(low, encoding)
            end, end_is_half = buffer._locate(high, encoding)
            text = change.text
            # A UTF-16 position inside a pair leaves one half of it standing on its own.
            if start_is_half:
                text = _halves(buffer.slice(start, start + 1))[0] + text
            if end_is_half:
                text += _halves(buffer.slice(end, end + 1))[1]
                end += 1
            buffer = buffer.edit(start, end, text)
        return buffer

    def differences(self, new: Buffer) -> list[tuple[int, int, int, int]]:
        """Return the ranges in which another version of this text may differ from it.

        Leaves that both share are known to be equal without a look at their text, so this costs a
        pass over the leaf table. A buffer made afresh shares nothing and differs as a whole.

        Returns:
            Start and end here, and start and end in `new`, in order.
        """
        theirs = {id(leaf): index for index, leaf in enumerate(new._leaves)}
        ranges: list[tuple[int, int, int, int]] = []
        i = j = 0
        for index, leaf in enumerate((*self._leaves, None)):
            match = len(new._leaves) if leaf is None else theirs.get(id(leaf), -1)
            if match < j:
                continue
            if index > i or match > j:
                ranges.append(
                    (self._chars[i], self._chars[index], new._chars[j], new._chars[match])
                )
            i, j = index + 1, match + 1
        return ranges

    def _locate(self, position: Position, encoding: Encoding) -> tuple[int, bool]:
        if position.line >= self.line_count:
            return len(self), False
        if position.line < 0:
            return 0, False
        start = self.line_start(position.line)
        index, half = units_to_index(
            self.slice(start, self.line_end(position.line)), position.column, encoding
        )
        return start + index, half

    def _leaf_at(self, offset: int) -> int:
        return min(bisect_right(self._chars, offset) - 1, len(self._leaves) - 1)

    def _leaf_of_line(self, line: int) -> int:
        return min(bisect_right(self._breaks, line) - 1, len(self._leaves) - 1)


def _leaves_of(text: str) -> tuple[_Leaf, ...]:
    if len(text) <= 2 * LEAF_CHARS:
        return (_Leaf(text),)
    starts = line_starts(text)
    cuts = [0]
    while len(text) - cuts[-1] > 2 * LEAF_CHARS:
        # The last line start within reach, or the end of a line that is longer than a leaf.
        index = bisect_right(starts, cuts[-1] + LEAF_CHARS) - 1
        if starts[index] <= cuts[-1]:
            index += 1
        if index >= len(starts) or starts[index] >= len(text):
            break
        cuts.append(starts[index])
    return tuple(_Leaf(text[a:b]) for a, b in zip(cuts, (*cuts[1:], len(text)), strict=True))


def _halves(character: str) -> tuple[str, str]:
    data = character.encode("utf-16-le", "surrogatepass")
    high, low = data[:2], data[2:]
    return high.decode("utf-16-le", "surrogatepass"), low.decode("utf-16-le", "surrogatepass")
