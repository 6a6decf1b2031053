"""How much of the current file goes into a prompt, with edges at places that hold still.

A window moves in whole steps: the head of a prompt must stay the same when the anchor moves, or
everything behind it is evaluated again. Pure functions of a buffer; must never do I/O.
May import `text`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sidecar.text import Buffer, encode_utf8, to_lf

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Tokens", "WindowLimits", "estimated", "lines_needed", "prefix_start", "suffix_end"]

#: Bytes of code that a token holds when nobody has counted; low, so that an estimate errs to the
#: safe side.
BYTES_PER_TOKEN = 2.5
#: Part of the budget that a new window fills, so that the cursor can move on a little; and one that
#: had to move while somebody writes on, so that it need not move again soon.
_FRESH, _AFTER_MOVE = 0.875, 0.75
#: Part of the budget within which an edge may be moved inwards to reach a better place.
_SLACK = 0.25
#: Characters at the head of a window by which the same text is recognised.
_HEAD = 200


@dataclass(frozen=True, slots=True)
class WindowLimits:
    """The most that a window may hold.

    Args:
        before_lines: Lines above the cursor.
        after_lines: Lines below the cursor.
        before_tokens: Tokens before the anchor.
        after_tokens: Tokens after the cursor.
    """

    before_lines: int = 256
    after_lines: int = 64
    before_tokens: int = 256
    after_tokens: int = 96


def estimated(size: int) -> int:
    """Estimate how many tokens a text has, from its bytes or characters."""
    return -int(-size // BYTES_PER_TOKEN)


class Tokens:
    """Token counts of lines, and estimates for those that nobody has counted.

    Args:
        counts: Tokens of lines of text, each with its line feed, by content.
    """

    def __init__(self, counts: Mapping[str, int] | None = None) -> None:
        self._counts = counts or {}

    def line(self, buffer: Buffer, line: int) -> int:
        """Return the tokens of a line and its break."""
        last = line + 1 >= buffer.line_count
        return self.text(buffer.line(line) + ("" if last else "\n"))

    def text(self, text: str) -> int:
        """Return the tokens of a text with LF breaks."""
        known = self._counts.get(text)
        return estimated(len(encode_utf8(text))) if known is None else known


def lines_needed(buffer: Buffer, offset: int, limits: WindowLimits) -> list[str]:
    """Return the lines whose counts decide about a window at a cursor: ask the engine for these."""
    line = buffer.line_at(offset)
    first = max(line - limits.before_lines, 0)
    last = min(line + limits.after_lines + 1, buffer.line_count)
    # A token is at least a byte, mostly three and more, so far lines cannot matter.
    reach = 12 * limits.before_tokens
    while first < line and offset - buffer.line_start(first) > reach:
        first += 1
    reach = 12 * limits.after_tokens
    while last > line + 1 and buffer.line_start(last - 1) - offset > reach:
        last -= 1
    text = to_lf(buffer.slice(buffer.line_start(first), buffer.line_start(last)))
    lines = text.split("\n")
    return [line + "\n" for line in lines[:-1]] + ([lines[-1]] if lines[-1] else [])


def prefix_start(
    buffer: Buffer,
    anchor: int,
    cursor: int,
    tokens: Tokens,
    limits: WindowLimits,
    previous: tuple[int, str] | None = None,
) -> int:
    """Choose where the window before an anchor begins.

    Args:
        buffer: The text.
        anchor: Offset of the anchor.
        cursor: Offset of the cursor, from which lines are counted.
        tokens: Token counts.
        limits: The most that the window may hold.
        previous: Offset and text of the last window, whose start is kept if it still fits.
    """
    anchor_line = buffer.line_at(anchor)
    lowest = max(buffer.line_at(cursor) - limits.before_lines, 0)
    used = tokens.text(to_lf(buffer.slice(buffer.line_start(anchor_line), anchor)))
    if used > limits.before_tokens:
        # One endless line: a piece of it, cut at a multiple so that the cut holds still.
        reach = int(limits.before_tokens * BYTES_PER_TOKEN)
        step = max(reach // 4, 1)
        return max(-(-(anchor - reach) // step) * step, buffer.line_start(anchor_line))
    # Tokens from each line to the anchor, going up.
    costs = {anchor_line: used}
    line = anchor_line
    while line > lowest:
        used += tokens.line(buffer, line - 1)
        if used > limits.before_tokens:
            break
        line -= 1
        costs[line] = used
    if line == 0:
        return 0
    kept = _kept_start(buffer, anchor, previous)
    if kept is not None:
        kept_cost = costs.get(buffer.line_at(kept))
        # A start that is close to the anchor fits, but would waste what could be read.
        if kept_cost is not None and kept_cost >= limits.before_tokens * (1 - 2 * _SLACK):
            return kept
    moved = kept is not None and previous is not None and anchor <= kept + 2 * len(previous[1])
    most = limits.before_tokens * (_AFTER_MOVE if moved else _FRESH)
    least = most - limits.before_tokens * _SLACK
    inside = [n for n, cost in costs.items() if least <= cost <= most]
    if not inside:
        fitting = [n for n, cost in costs.items() if cost <= most]
        inside = [min(fitting, default=anchor_line)]
    return buffer.line_start(min(inside, key=lambda n: (_edge_rank(buffer, n), n)))


def suffix_end(buffer: Buffer, start: int, tokens: Tokens, limits: WindowLimits) -> int:
    """Choose where the window after a cursor ends: a whole line, before a blank one if one is near.

    Args:
        buffer: The text.
        start: Where the suffix begins, the cursor or the end of closers that follow it.
        tokens: Token counts.
        limits: The most that the window may hold.
    """
    if limits.after_tokens <= 0 or limits.after_lines <= 0:
        return start
    line = buffer.line_at(start)
    rest = buffer.slice(start, buffer.line_start(line + 1))
    used = tokens.text(to_lf(rest))
    if used > limits.after_tokens:
        return start + int(limits.after_tokens * BYTES_PER_TOKEN)
    ends = [(line + 1, used)]
    while line + 1 < min(buffer.line_count, buffer.line_at(start) + limits.after_lines):
        line += 1
        used += tokens.line(buffer, line)
        if used > limits.after_tokens:
            break
        ends.append((line + 1, used))
    else:
        return buffer.line_start(ends[-1][0])
    enough = limits.after_tokens * (1 - _SLACK)
    near = [n for n, cost in ends if cost >= enough and not buffer.line(n).strip()]
    return buffer.line_start(near[-1] if near else ends[-1][0])


def _kept_start(buffer: Buffer, anchor: int, previous: tuple[int, str] | None) -> int | None:
    """Find the start of the last window in the text as it is now."""
    if previous is None:
        return None
    offset, text = previous
    head = text[:_HEAD]
    if head and offset < anchor and buffer.slice(offset, offset + len(head)) == head:
        return offset
    if len(head) < _HEAD:
        return None
    # Something above was edited: the same text stands a little higher or lower.
    low = max(offset - 20 * _HEAD, 0)
    found = buffer.slice(low, min(offset + 20 * _HEAD, anchor)).find(head)
    return low + found if found >= 0 else None


def _edge_rank(buffer: Buffer, line: int) -> int:
    """Rate a line as the first of a window: 0 opens something, 3 stands inside of it."""
    text = buffer.line(line)
    if not text.strip():
        return 3
    opens = line == 0 or not buffer.line(line - 1).strip()
    if text[0] not in " \t":
        return 0 if opens else 1
    return 1 if opens else 2
