"""Line endings and columns: the small facts about one string that everything else is built on.

LSP knows three line breaks (LF, CRLF and CR); `str.splitlines` knows eleven, so it must never be
used on documents.
Must never hold state. May import nothing but the standard library.
"""

from __future__ import annotations

import re
from itertools import accumulate
from typing import Literal

__all__ = [
    "Encoding",
    "encode_utf8",
    "from_lf",
    "join_pairs",
    "line_starts",
    "scrub",
    "split_lines",
    "to_lf",
    "units",
    "units_to_index",
]

Encoding = Literal["utf-8", "utf-16", "utf-32"]

_BREAK = re.compile(r"\r\n|\n|\r")
_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_SURROGATE = re.compile("[\ud800-\udfff]")


def to_lf(text: str) -> str:
    """Return `text` with a line feed for every line break."""
    if "\r" not in text:
        return text
    return text.replace("\r\n", "\n").replace("\r", "\n")


def from_lf(text: str, newline: str) -> str:
    """Return `text`, whose breaks are line feeds, with `newline` in their place."""
    return text if newline == "\n" else text.replace("\n", newline)


def line_starts(text: str) -> tuple[int, ...]:
    """Return where each line of `text` starts; a text of n breaks has n + 1 lines."""
    if "\r" not in text:
        # Splitting in C is three times as fast as a regular expression, and typing pays this for a
        # leaf.
        return tuple(accumulate((len(line) + 1 for line in text.split("\n")[:-1]), initial=0))
    return (0, *(match.end() for match in _BREAK.finditer(text)))


def split_lines(text: str) -> list[str]:
    """Return the lines of `text` with their breaks; the last has none and may be empty."""
    starts = line_starts(text)
    return [text[a:b] for a, b in zip(starts, (*starts[1:], len(text)), strict=True)]


def join_pairs(text: str) -> str:
    """Return `text` with the halves of each surrogate pair joined to one code point."""
    if text.isascii() or not _PAIR.search(text):
        return text
    return _PAIR.sub(lambda pair: _combine(pair[0]), text)


def scrub(text: str) -> str:
    """Return `text` with U+FFFD for lone surrogates: it can be encoded, and keeps its length."""
    return text if text.isascii() else _SURROGATE.sub("\ufffd", text)


def encode_utf8(text: str) -> bytes:
    """Encode `text` as valid UTF-8; a lone surrogate becomes U+FFFD, also of three bytes."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        return scrub(text).encode()


def units(text: str, encoding: Encoding) -> int:
    """Return the length of `text` in units of `encoding`."""
    if encoding == "utf-32" or text.isascii():
        return len(text)
    if encoding == "utf-8":
        return len(text.encode("utf-8", "surrogatepass"))
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def units_to_index(text: str, count: int, encoding: Encoding) -> tuple[int, bool]:
    """Find the code point at which `count` units of `text` end.

    Returns:
        The index, at most the length of `text`, and whether `count` falls between the halves of a
        surrogate pair, whose index it then is. Inside the bytes of a UTF-8 character the index is
        that of the character.
    """
    count = max(count, 0)
    if encoding == "utf-32" or text.isascii():
        return min(count, len(text)), False
    # A unit is at most one code point, so only this much of a long line needs a look.
    head = text[: count + 1]
    if encoding == "utf-8":
        data = head.encode("utf-8", "surrogatepass")
        while 0 < count < len(data) and data[count] & 0xC0 == 0x80:
            count -= 1
        return len(data[:count].decode("utf-8", "surrogatepass")), False
    data = head.encode("utf-16-le", "surrogatepass")
    total = len(data) // 2
    if count >= total:
        return len(head), False
    # Adjacent halves are always one code point here, see `join_pairs`, so this is the middle of a
    # pair.
    half = count > 0 and data[2 * count - 1] & 0xFC == 0xD8 and data[2 * count + 1] & 0xFC == 0xDC
    kept = data[: 2 * (count - half)]
    return len(kept.decode("utf-16-le", "surrogatepass")), half


def _combine(pair: str) -> str:
    return chr(0x10000 + ((ord(pair[0]) - 0xD800) << 10) + (ord(pair[1]) - 0xDC00))
