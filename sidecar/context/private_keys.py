"""Finds the bodies of private keys, also of those that a window shows in half.

Pure and linear: whatever was looked at is not looked at again. May import nothing of sidecar.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["key_bodies"]

_BEGIN = re.compile(r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_END = re.compile(r"-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
#: From a name in a marker's middle back to its dashes.
_MARKER_REACH = 60
#: No key has a longer body: RSA of 16,384 bits takes some 12,600 characters.
_BODY_REACH = 16_384
#: A line of a body: base64 with what quotes, comments and string concatenation put around it.
_LINE = re.compile(
    r"[\s\"'`#*>|+]*(?://)?\s*(?:\\n)*(?:[A-Za-z0-9+/]{16,}={0,2}|[A-Za-z0-9+/]+={1,2}|=[A-Za-z0-9+/]{4}"
    r"|(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset):.{0,100})?"
    r"(?:\\[nr])*[\s\"'`+.,;\\)]*"
)
#: Such lines, one after another, are key material if nobody can see what they belong to.
_MATERIAL = re.compile(r"[\s\"'`#*]{0,20}([A-Za-z0-9+/]{60,76}={0,2})(?:\\n)?[\s\"'`+,\\]{0,12}")
_SHORT_END = re.compile(r"[A-Za-z0-9+/]{1,75}={0,2}")
_PUTTY = re.compile(r"Private-Lines: (\d{1,3})\r?\n")


def key_bodies(text: str, raw: bytes, cut: tuple[bool, bool]) -> Iterator[tuple[int, int]]:
    """Yield where bodies of private keys begin and end.

    Args:
        text: The text.
        raw: The same with one ASCII byte for each character.
        cut: Whether the text goes on before its start and behind its end.
    """
    done = 0
    place = raw.find(b"PRIVATE KEY")
    marked = place >= 0
    while place >= 0:
        begin = _BEGIN.search(text, max(place - _MARKER_REACH, done), place + 24)
        end = _END.search(text, max(place - _MARKER_REACH, done), place + 24)
        after = place + 11
        if begin is not None and begin.start() <= place:
            stop = _end_of_body(text, begin.end(), cut[1])
            matter = _MATTER if stop < len(text) else _LETTER
            if matter.search(text, begin.end(), stop):
                yield begin.end(), stop
            done = after = max(stop, after)
        elif end is not None and end.start() <= place:
            # Its beginning is out of sight, or the loop would have passed its end with it.
            yield _start_of_body(text, end.start(), done), end.start()
            done = after = end.end()
        place = raw.find(b"PRIVATE KEY", after)
    putty = raw.find(b"Private-Lines: ")
    if putty >= 0 and (lines := _PUTTY.match(text, putty)):
        stop = lines.end()
        for _ in range(int(lines[1])):
            stop = text.find("\n", stop) + 1 or len(text)
        yield lines.end(), stop
    if not marked:
        yield from _cut_material(text, cut)


def _end_of_body(text: str, start: int, cut: bool) -> int:
    dashes = text.find("-----", start, start + _BODY_REACH)
    if dashes >= 0 and text.startswith("-----END", dashes):
        return dashes
    # The end is out of sight, or missing because somebody is at it: as far as it looks like one.
    limit = min(len(text), start + _BODY_REACH)
    place = start
    while place < limit:
        stop = text.find("\n", place, limit)
        stop = limit if stop < 0 else stop
        line = _LINE.match(text, place, stop)
        if line is None or line.end() < stop:
            rest = text[place:stop].strip()
            if cut and stop == len(text):
                return stop  # Half a line.
            if place == start and (inline := _LINE_OF_ESCAPES.match(text, place, stop)):
                return inline.end()
            known = place > start and _SHORT_END.fullmatch(rest) and re.search(r"[\d+/]", rest)
            return stop if known else place
        place = stop + 1
    return limit


#: Without this much base64, somebody only speaks of keys.
_MATTER, _LETTER = re.compile(r"[A-Za-z0-9+/]{16}"), re.compile(r"[A-Za-z0-9+/]")
#: A whole body on one line, with its line breaks written out.
_LINE_OF_ESCAPES = re.compile(r"(?:[A-Za-z0-9+/=]|\\[nr])+")


def _start_of_body(text: str, end: int, done: int) -> int:
    start = end
    lowest = max(done, end - _BODY_REACH)
    while start > lowest:
        above = max(text.rfind("\n", lowest, start - 1) + 1, lowest)
        line = text[above:start].strip()
        # Everything in the expression is optional, so its first way through is its longest.
        whole = _LINE.match(line)
        fits = (whole and whole.end() == len(line)) or _SHORT_END.fullmatch(line)
        if not fits and (start < end or not re.fullmatch(r".{0,80}?(?:[\w+/=]|\\[nr]){4,}", line)):
            break
        start = above
    return start


def _cut_material(text: str, cut: tuple[bool, bool]) -> Iterator[tuple[int, int]]:
    """Find lines of base64 at the edges of a text that goes on beyond them."""
    if cut[0]:
        stop = lines = 0
        first = text.find("\n") + 1
        # The first line may be a half one.
        if _MATERIAL.match(text[:first]) or not _SHORT_END.fullmatch(text[:first].strip()):
            first = 0
        place = first
        while (line := _MATERIAL.match(text, place)) and (
            line.end() == len(text) or text[line.end() - 1] == "\n"
        ):
            place = stop = line.end()
            lines += 1
        if lines >= 2:
            last = text.find("\n", stop)
            rest = text[stop : last if last >= 0 else len(text)]
            short = _SHORT_END.fullmatch(rest.strip()) and re.search(r"[\d+/=]", rest)
            yield 0, stop + len(rest) if short else stop
    if cut[1]:
        start = text.rfind("\n") + 1
        if not _SHORT_END.fullmatch(text[start:].strip() or "A"):
            return
        lines = 0
        while start:
            above = text.rfind("\n", 0, start - 1) + 1
            if not _MATERIAL.fullmatch(text[above:start]):
                break
            start = above
            lines += 1
        if lines >= 2:
            yield start, len(text)
