"""What indentation tells of code whose tree is broken around a place.

Must never do I/O, nor know any language by name. May import nothing of sidecar.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["class_around", "is_inside", "width_at", "widths"]

#: Lines that are looked at above a place.
_REACH_LINES: Final = 400
_CLASS: Final = re.compile(
    rb"(?:class|struct|interface|trait|impl(?:<[^>\n]*>)?(?:\s+[\w:<>]+\s+for)?|enum|object|extension"
    rb"|module|record|actor|protocol)\s+([A-Za-z_]\w*)"
)


def width_at(source: bytes, place: int) -> int:
    """Return the indentation of the line of a place."""
    start = source.rfind(b"\n", 0, place) + 1
    text = source[start : start + 200]
    return len(text) - len(text.lstrip(b" \t"))


def widths(source: bytes, start: int, end: int) -> Iterator[int]:
    """Return the indentations of the lines from one place to another, but blank ones."""
    at = source.find(b"\n", start, end) + 1
    while 0 < at <= end:
        stop = source.find(b"\n", at)
        stop = len(source) if stop < 0 else stop
        if source[at : min(stop, at + 200)].strip():
            yield width_at(source, at)
        at = stop + 1 if stop < end else -1


def is_inside(source: bytes, place: int, before: int, header: re.Pattern[str]) -> bool:
    """Tell by indentation whether a place is seen from another, where a scope may be lost.

    Args:
        source: The code.
        place: Where a name is bound.
        before: Where it is used, further down.
        header: Finds the first line of a function.
    """

    def is_header(at: int, stop: int) -> bool:
        return (
            header.search(source[at : min(stop, at + 300)].decode("utf-8", "replace")) is not None
        )

    start = source.rfind(b"\n", 0, place) + 1
    line = source.find(b"\n", place, before)
    if line < 0:
        return True
    head = width_at(source, place)
    of_function = is_header(start, line)
    while 0 <= line:
        stop = source.find(b"\n", line + 1, before)
        text = source[line + 1 : min(before if stop < 0 else stop, line + 200)]
        mark = text.strip()[:1]
        if mark and mark not in b"})]#":
            width = len(text) - len(text.lstrip(b" \t"))
            if width < head and (mark.isalpha() or mark in b"@_"):
                return False
            # A parameter is not seen from the next function.
            if of_function and width == head and 0 <= stop and is_header(line + 1, stop):
                return False
        line = stop
    return True


def class_around(source: bytes, place: int) -> str:
    """Find the class around the cursor by climbing to lines that are indented less."""
    start = source.rfind(b"\n", 0, place) + 1
    level = width_at(source, start)
    for _ in range(_REACH_LINES):
        if not start or not level:
            break
        end = start - 1
        start = source.rfind(b"\n", 0, max(end, 0)) + 1
        text = source[start : min(end, start + 300)]
        if not text.strip():
            continue
        width = len(text) - len(text.lstrip(b" \t"))
        if width < level:
            level = width
            if found := _CLASS.search(text):
                return found[1].decode("utf-8", "replace")
    return ""
