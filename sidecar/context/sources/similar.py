"""The source `similar`: pieces of other files that look like the code at the cursor.

Candidates come from the index, windows of them are compared by names, and the best are shown from
the boundary before them on. Names near the cursor count more than the rest of its function, both in
whole steps of lines, so that the answer mostly holds still while one moves. May import `text`,
`syntax`, and `context`'s values.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from functools import lru_cache
from heapq import nlargest
from math import log1p
from typing import TYPE_CHECKING, Final

from sidecar.context.alike import GRID, WINDOW, compare, names_of, windows_of
from sidecar.context.excerpt import excerpt, text_of
from sidecar.context.snapshot import Snippet
from sidecar.syntax.bodies import body_by_indentation
from sidecar.syntax.languages import Languages
from sidecar.text import to_lf

if TYPE_CHECKING:
    from sidecar.context.alike import Windows
    from sidecar.context.snapshot import Place, Snapshot
    from sidecar.syntax import Language
    from sidecar.text import Buffer

__all__ = ["NAME", "offer"]

NAME: Final = "similar"

#: Pieces that are shown, and the lines of each.
SHOWN: Final = 2
LINES: Final = 20
#: Lines that are shown before the middle of a window, at least.
BEFORE: Final = 6
#: Files that are looked at: those that hold the same names, and those that are near.
_ALIKE: Final = 8
_NEAR: Final = 3
#: Names that the index is asked for.
_ASKED: Final = 24
#: Longer names tell no more.
_LONG: Final = 12
#: The lines around the cursor that count most are its block of so many, and some beside that.
_STEP: Final = 8
_ABOVE: Final = 10
_BELOW: Final = 6
#: Lines of the function that count, on either side of these.
_REACH: Final = 32
#: What names below the cursor count, and what those of the rest of its function count.
_AFTER: Final = 0.5
_FAR: Final = 0.2
#: What is read of a file, and of all together, in characters.
_OF_FILE: Final = 50_000
_OF_ALL: Final = 120_000
#: What has less in common helped nowhere.
_LEAST: Final = 0.06
_NAME: Final = re.compile(r"[^\W\d][\w$]+")


def offer(place: Place, snapshot: Snapshot) -> list[Snippet]:
    """Return the pieces of other files that are most alike, the best first."""
    wanted = _wanted(place)
    if not wanted:
        return []
    paths, files = _candidates(place, snapshot)
    found: list[Snippet] = []
    shown: list[tuple[str, int, int]] = []
    for hit in compare(wanted, files, _LEAST):
        path, file = paths[hit.file], files[hit.file]
        first = hit.window * GRID + WINDOW // 2 - BEFORE
        start = file.starts[max(bisect_right(file.starts, first) - 1, 0)]
        lines = file.lines
        start, end = excerpt(lines, start, start + LINES, LINES)
        if any(path == other and start < last and first < end for other, first, last in shown):
            continue
        text = text_of(lines, start, end)
        if not text or any(text == snippet.text for snippet in found):
            continue
        shown.append((path, start, end))
        score = round(hit.score, 3)
        reason = f"lines {start + 1}-{end}: names like those near the cursor"
        found.append(Snippet(NAME, f"{NAME}:{path}:{start + 1}", path, text, score, reason))
        if len(found) == SHOWN:
            break
    return found


def _wanted(place: Place) -> dict[str, float]:
    """Return the names around the cursor and what each counts.

    The rest of the cursor's line is left out: it is about to be written.
    """
    buffer = place.document.buffer
    line = buffer.line_at(place.cursor)
    low, high = line // _STEP * _STEP - _ABOVE, line // _STEP * _STEP + _STEP + _BELOW
    top, bottom = low, high
    body = body_by_indentation(buffer, place.cursor, place.language)
    if body is not None:
        # Its head is part of it: one line, and one more of a signature or a decorator.
        top = max(body.line - 2, low - _REACH)
        bottom = _end(buffer, body.line, line + 1, high + _REACH)
    low, high = max(low, top), min(high, bottom)
    names: dict[str, float] = {}
    for text, share in (
        (buffer.slice(buffer.line_start(low), place.cursor), 1.0),
        (_lines(buffer, line + 1, high), _AFTER),
        (_lines(buffer, top, low) + _lines(buffer, high, bottom), _FAR),
    ):
        for name, counts in names_of(to_lf(text)).items():
            names[name] = max(names.get(name, 0.0), counts * share)
    return names


def _lines(buffer: Buffer, first: int, last: int) -> str:
    return buffer.slice(buffer.line_start(first), buffer.line_start(last))


def _end(buffer: Buffer, body: int, first: int, last: int) -> int:
    """Return the first line, from one on, that is indented less than a body, or `last`."""
    last = min(last, buffer.line_count)
    while body < last and not buffer.line(body).strip():
        body += 1
    depth = _depth(buffer.line(body))
    for line in range(first, last):
        text = buffer.line(line)
        if _depth(text) < depth and text.strip():
            return line
    return max(last, first)


def _depth(text: str) -> int:
    return len(text) - len(text.lstrip(" \t"))


def _candidates(place: Place, snapshot: Snapshot) -> tuple[list[str], list[Windows]]:
    """Return files to compare, with their paths."""
    index = snapshot.index
    telling = _telling(to_lf(place.document.buffer.text))
    found = index.search(telling, _ALIKE, place.path, place.path)
    paths: list[str] = []
    files: list[Windows] = []
    left = _OF_ALL
    for path in dict.fromkeys([item.path for item in (*found, *index.near(place.path, _NEAR))]):
        if path == place.path or not _same_family(place.language, path):
            continue
        text = snapshot.text(path)
        if text:
            text = text[: min(_OF_FILE, left)]
            left -= len(text)
            paths.append(path)
            files.append(windows_of(path, text))
        if left <= 0:
            break
    return paths, files


@lru_cache(4)
def _telling(text: str) -> str:
    """Return the names of a file that tell most of it, to ask the index for.

    Those of all of it, so that the same files are compared wherever one is in it: to find others,
    read them and take them apart costs more than all else here. A name tells the more the longer it
    is, and the more often it stands there.
    """
    times = Counter(_NAME.findall(text[:_OF_FILE]))
    often = [(name, count) for name, count in times.items() if count > 1]
    asked = nlargest(_ASKED, [(min(len(name), _LONG) * log1p(n), name) for name, n in often])
    if len(asked) < _ASKED or asked[-1][0] <= _LONG * log1p(1):
        # Else no name that stands there once tells as much, and most do.
        asked = nlargest(
            _ASKED, [(min(len(name), _LONG) * log1p(n), name) for name, n in times.items()]
        )
    # In an order that an edit seldom changes: the same question has the same answer, at once.
    return " ".join(sorted([name for _, name in asked]))


def _same_family(language: Language | None, path: str) -> bool:
    """Tell whether a file is in a language, or in one that shares queries with it."""
    other = Languages.load().find("", path)
    if language is None or other is None:
        return language is other
    if language is other or other.name == language.instead or language.name == other.instead:
        return True
    return not set(language.queries).isdisjoint(other.queries)
