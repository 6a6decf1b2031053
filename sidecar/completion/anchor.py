"""Anchors: where the frozen part of a prompt ends and what is typed begins.

An anchor keeps raw text, so whether it still serves is decided by comparing text and needs no
history of edits. Pure functions of snapshots; must never do I/O. May import `text` and
`context`'s windows and guard.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from sidecar.completion.closers import CLOSERS, closers_after
from sidecar.context.guard import blanked, blanked_spans
from sidecar.context.window import Tokens, WindowLimits, prefix_start, suffix_end
from sidecar.text import Buffer, Document, encode_utf8, to_lf

if TYPE_CHECKING:
    from collections.abc import Callable

    from sidecar.syntax import Body

__all__ = ["Anchor", "AnchorLimits", "Extension", "choose", "extend", "known_by"]

#: Closers in front of the suffix that count as added by the editor: no one nests deeper in one go.
MAX_CLOSERS = 16
#: By so many characters before an anchor its place is known. Where a document has fewer, it is not
#: looked for elsewhere: they could stand anywhere.
_FINDABLE = 64


@dataclass(frozen=True, slots=True)
class AnchorLimits:
    """How far an anchor may be from the cursor.

    Args:
        lines: The anchor stands this many lines above the cursor, or at the start of a body that is
        further.
        tokens: Most tokens of typed text at the time of choosing.
        bytes: An anchor moves when typed text has grown beyond this.
    """

    lines: int = 8
    tokens: int = 256
    bytes: int = 1536


_LIMITS = AnchorLimits()


@dataclass(frozen=True, slots=True)
class Anchor:
    """A place in a document with the frozen text around it.

    Args:
        offset: Where `prefix` ends and typed text begins.
        prefix: The window before the anchor, raw.
        suffix: The window after the cursor, raw, without closers that the editor added.
        to_end: Whether the suffix reaches the end of the document.
        reason: Why it stands here: `body`, `lines`, `start`, `long line` or `secret`.
        shown_prefix: What a prompt shows of `prefix`, without secrets, behind what it shows of the
            text above. Found once, when the anchor is chosen, so that it holds still.
        shown_suffix: The same of `suffix`.
        above: What `shown_prefix` begins with that is no part of the window.
        known_by: Raw text before a window that is short, by which its place is known as well. What
            stands behind an anchor is shown as it is, so it must never slip over other text.
        hidden: Kinds of the secrets that are not shown.
    """

    offset: int
    prefix: str
    suffix: str
    to_end: bool
    reason: str
    shown_prefix: str
    shown_suffix: str
    above: str = ""
    known_by: str = ""
    hidden: tuple[str, ...] = ()

    @property
    def window_start(self) -> int:
        """Offset at which the window before the anchor begins."""
        return self.offset - len(self.prefix)

    def shows(self, offset: int) -> bool:
        """Tell whether a place stands in the text around it."""
        return self.window_start <= offset <= self.offset + len(self.suffix)


@dataclass(frozen=True, slots=True)
class Extension:
    """An anchor applied to a cursor.

    Args:
        anchor: The anchor, at the place where it now stands.
        typed: Raw text between anchor and cursor.
        closers: Number of closers after the cursor that the editor added.
    """

    anchor: Anchor
    typed: str
    closers: int


def extend(
    anchor: Anchor, document: Document, offset: int, limits: AnchorLimits = _LIMITS
) -> Extension | None:
    """Apply an anchor to a cursor, or return None if it must move.

    It serves if the text before it and the text after the cursor are what they were, apart from
    closers that the editor added, and what was typed is not too long.
    """
    buffer = document.buffer
    place = _place(anchor, buffer, offset, limits)
    if place is None:
        return None
    typed = buffer.slice(place, offset)
    if len(typed) > limits.bytes or len(encode_utf8(typed)) > limits.bytes:
        return None
    closers = _closers_before(anchor, buffer, offset)
    if closers is None:
        return None
    if place != anchor.offset:
        anchor = replace(anchor, offset=place)
    return Extension(anchor, typed, closers)


def choose(
    document: Document,
    offset: int,
    body: Body | None = None,
    *,
    tokens: Tokens | None = None,
    limits: AnchorLimits = _LIMITS,
    window: WindowLimits | None = None,
    previous: Anchor | None = None,
    above: Callable[[int], str] | None = None,
) -> Extension:
    """Choose an anchor for a cursor.

    Args:
        document: The document.
        offset: The cursor.
        body: The body of the function around the cursor.
        tokens: Token counts of lines.
        limits: How far the anchor may be from the cursor.
        window: How much is frozen around it.
        previous: The document's last anchor, whose window's start is kept where possible.
        above: Returns what is shown of the text above a window that starts at an offset.
    """
    buffer = document.buffer
    tokens = tokens or Tokens()
    window = window or WindowLimits()
    place, reason = _best_place(buffer, offset, body, tokens, limits)
    closers = closers_after(buffer, offset)
    suffix_start = offset + closers
    suffix_stop = suffix_end(buffer, suffix_start, tokens, window)
    kept = (previous.window_start, previous.prefix) if previous else None
    while True:
        start = prefix_start(buffer, place, offset, tokens, window, kept)
        spans = ((start, place), (place, offset), (suffix_start, suffix_stop))
        before, between, after = blanked_spans(buffer, spans)
        # What stands between anchor and cursor is shown as it is. A secret in lines above was not
        # typed just now, so the anchor goes behind it.
        line = buffer.line_start(buffer.line_at(offset))
        earlier = [secret for secret in between.found if place + secret.start < line]
        if not earlier:
            break
        end = min(place + earlier[-1].end, line)
        place, reason = buffer.line_start(buffer.line_at(end - 1) + 1), "secret"
    skipped = blanked(above(start) if above is not None and start else "")
    anchor = Anchor(
        offset=place,
        prefix=buffer.slice(start, place),
        suffix=buffer.slice(suffix_start, suffix_stop),
        to_end=suffix_stop >= len(buffer),
        reason=reason,
        shown_prefix=skipped.text + before.text,
        shown_suffix=after.text,
        above=skipped.text,
        known_by=known_by(buffer, start, place),
        hidden=tuple(secret.kind for secret in (*skipped.found, *before.found, *after.found)),
    )
    return Extension(anchor, buffer.slice(place, offset), closers)


def known_by(buffer: Buffer, start: int, place: int) -> str:
    """Return the text before a window by which its place is known, which is none if it is long.

    Args:
        buffer: The text.
        start: Where the window begins.
        place: Where it ends.
    """
    return buffer.slice(min(place - _FINDABLE, start), start)


def _place(anchor: Anchor, buffer: Buffer, offset: int, limits: AnchorLimits) -> int | None:
    """Find the place where the anchor's window now ends."""
    place, before = anchor.offset, anchor.known_by + anchor.prefix
    if place <= offset and buffer.slice(place - len(before), place) == before:
        return place
    if len(before) < _FINDABLE or anchor.window_start == 0:
        # Short, or it began with the document: what now stands before it would be missing.
        return None
    # Something above was edited: the same window stands higher or lower.
    low = max(offset - limits.bytes - len(before), 0)
    found = buffer.slice(low, offset).rfind(before)
    return None if found < 0 else low + found + len(before)


def _closers_before(anchor: Anchor, buffer: Buffer, offset: int) -> int | None:
    """Count the closers between cursor and frozen suffix; None if something else is there."""
    size = len(anchor.suffix)
    after = buffer.slice(offset, offset + size + MAX_CLOSERS)
    if anchor.to_end:
        count = len(buffer) - offset - size
        if not 0 <= count <= MAX_CLOSERS:
            return None
        fits = after.startswith(anchor.suffix, count) and all(c in CLOSERS for c in after[:count])
        return count if fits else None
    for count in range(MAX_CLOSERS + 1):
        if after.startswith(anchor.suffix, count):
            return count
        if after[count : count + 1] not in CLOSERS:
            return None
    return None


def _best_place(
    buffer: Buffer, offset: int, body: Body | None, tokens: Tokens, limits: AnchorLimits
) -> tuple[int, str]:
    line = buffer.line_at(offset)
    # Room is left to type in: an anchor that is too long at once would move at once.
    room = limits.bytes * 2 // 3

    def fits(start: int) -> bool:
        return (
            offset - start <= room
            and len(encode_utf8(buffer.slice(start, offset))) <= room
            and _typed_tokens(buffer, start, offset, tokens) <= limits.tokens
        )

    if body is not None and body.line <= line - limits.lines and fits(body.start):
        return body.start, "body"
    for above in range(max(line - limits.lines, 0), line + 1):
        start = buffer.line_start(above)
        if fits(start):
            return start, "lines" if above else "start"
    # One endless line: a multiple, so that the place holds still while typing; less of it where
    # characters take several bytes.
    reach = room
    while True:
        step = max(reach // 4, 1)
        start = max((offset - reach) // step * step + step, buffer.line_start(line))
        if len(encode_utf8(buffer.slice(start, offset))) <= limits.bytes:
            return start, "long line"
        reach //= 2


def _typed_tokens(buffer: Buffer, start: int, offset: int, tokens: Tokens) -> int:
    first, last = buffer.line_at(start), buffer.line_at(offset)
    total = sum(tokens.line(buffer, line) for line in range(first, last))
    return total + tokens.text(to_lf(buffer.slice(max(buffer.line_start(last), start), offset)))
