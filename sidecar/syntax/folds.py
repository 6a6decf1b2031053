"""Folds, and what stands in place of a long value, a comment or a documentation string.

Must never do I/O, nor know any language by name. May import nothing of sidecar.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

__all__ = [
    "Fold",
    "first_comment_line",
    "first_doc_line",
    "nested",
    "outside_bodies",
    "shortened",
]

_QUOTED: Final = re.compile(rb"""([A-Za-z@$]{0,3}#*)(\"{3,}|'{3}|["'`])""")
#: What may stand before the bracket that a value ends with.
_CALLED: Final = re.compile(rb"[\w.:$@*&!?<>,\[\] ]{0,80}")
_OPENING: Final = {b")": b"(", b"]": b"[", b"}": b"{"}
_LETTER: Final = re.compile(rb"\w|[^\x00-\x7f]")
#: What documentation of C# marks its parts with.
_TAG: Final = re.compile(rb"</?\w+[^<>]*>")
#: What blocks of comments begin their lines with.
_STARS: Final = re.compile(rb"^[ \t]*\*(?!/)[ \t]?")


class Fold(NamedTuple):
    """A range of bytes, and what stands in its place.

    Args:
        start: Where it starts.
        end: Where it ends.
        kind: body, value, statement, comment (documents nothing), doc (shortened), or cut (a part
            of a signature that belongs to the body).
        text: What stands in its place.
        head: Where the line starts on which what the body belongs to does; for others, -1.
    """

    start: int
    end: int
    kind: str
    text: bytes
    head: int = -1


def shortened(value: bytes) -> bytes:
    """Return a value with `...` between its first and its last bracket or quote."""
    if (quoted := _QUOTED.match(value)) and value.endswith(quoted[2]):
        return quoted[0] + b"..." + quoted[2]
    closing = value[-1:]
    opening = _OPENING.get(closing)
    if opening is None:
        return b"..."
    head = value[: value.index(opening)] if opening in value else value
    if not _CALLED.fullmatch(head):
        return b"..."
    inner = b" ... " if opening == b"{" else b"..."
    return head + opening + inner + closing


def first_doc_line(string: bytes) -> bytes:
    """Return a documentation string that ends with the first line that says something."""
    quoted = _QUOTED.match(string)
    if quoted is None or b"\n" not in string or not string.endswith(quoted[2]):
        return string
    inner = string[quoted.end() : -len(quoted[2])]
    line = next((line.strip() for line in inner.splitlines() if line.strip()), b"")
    return quoted[0] + line + quoted[2]


def first_comment_line(comments: bytes, blocks: bool) -> bytes:
    """Return the first line of comments that says something, as a comment of its own.

    Args:
        comments: One comment or several, each on lines of its own.
        blocks: Whether a comment that begins with `/*` ends with `*/`.
    """
    lines = comments.splitlines()
    if blocks and comments.startswith(b"/*"):
        opening = re.match(rb"/\*[*!]?", comments)
        assert opening is not None
        end = comments.find(b"*/", 2)
        inner = comments[opening.end() : len(comments) if end < 0 else end]
        for line in inner.splitlines():
            text = _STARS.sub(b"", line).strip()
            if _LETTER.search(text):
                return opening[0] + b" " + text + b" */"
        return b""
    said = [line.strip() for line in lines if _LETTER.search(line)]
    return next((line for line in said if _LETTER.search(_TAG.sub(b"", line))), b"".join(said[:1]))


def outside_bodies(ranges: list[tuple[int, int]], folds: list[Fold]) -> list[tuple[int, int]]:
    """Return the ranges that lie in no body; both are in order."""
    bodies = [fold for fold in folds if fold.kind == "body"]
    number = until = 0
    found = []
    for start, end in ranges:
        while number < len(bodies) and bodies[number].start <= start:
            until = max(until, bodies[number].end)
            number += 1
        if until < end or until <= start:
            found.append((start, end))
    return found


def nested(folds: list[Fold]) -> list[Fold]:
    """Sort folds, without those that begin in another and end outside of it."""
    folds.sort(key=lambda fold: (fold.start, -fold.end))
    ends: list[int] = []
    found: list[Fold] = []
    for fold in folds:
        while ends and ends[-1] <= fold.start:
            ends.pop()
        if not ends or fold.end <= ends[-1]:
            ends.append(fold.end)
            found.append(fold)
    return found
