"""Symbols whose names look like what somebody typed: exactly, as a beginning, or with gaps.

Must never read files. May import `index.storage`, and `answers`, `definitions`, `nearness` and
`view` of this package.
"""

from __future__ import annotations

import re
from functools import lru_cache
from operator import itemgetter
from typing import TYPE_CHECKING, Final

from sidecar.index.query.definitions import definition
from sidecar.index.query.nearness import distance
from sidecar.index.storage.externals import is_external

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sidecar.index.query.answers import Definition
    from sidecar.index.query.view import View

__all__ = ["NO_MATCH", "find_symbols", "parts_of", "quality"]

#: Longer questions match nothing but themselves.
_LONGEST = 64
#: Names that are ranked. A question that more match is too short to tell them apart.
_MOST_NAMES = 5_000
#: Files of one name that are looked at.
_MOST_FILES = 50
#: So many times more than it may give, a question looks at of what is outside.
_OUTSIDE = 4
#: The kind of match that is none.
NO_MATCH: Final = 8
_QUALIFIED = re.compile(r"\.|::|#|/")


def find_symbols(view: View, query: str, limit: int, near: str | None) -> tuple[Definition, ...]:
    """Return declarations by how well their names match: exact, prefix, then with gaps.

    Those outside of the workspace come behind all others that are looked at.

    Args:
        view: The database.
        query: Part of a name; `Type.part` looks among the members of types alone.
        limit: How many to return.
        near: The file from which one looks.
    """
    around, wanted = _split(query)
    if not wanted or len(wanted) > _LONGEST:
        return ()
    if around:
        return tuple(_members(view, around, wanted, near)[:limit])
    found: list[Definition] = []
    outside: list[Definition] = []
    for name in _names(view, wanted):
        for item in _declarations(view, name, near):
            (outside if is_external(item.path) else found).append(item)
        # What is imported comes behind all that is one's own, for which one does not look for ever.
        if len(found) >= limit or len(outside) >= _OUTSIDE * limit:
            break
    return tuple([*found, *outside][:limit])


def parts_of(query: str) -> tuple[str, str]:
    """Return the container of a query in lower case, or nothing, and its part of a name."""
    around, wanted = _split(query)
    return around.lower(), wanted


def _split(query: str) -> tuple[str, str]:
    *around, wanted = [part for part in _QUALIFIED.split(query.strip()) if part] or [""]
    return around[-1] if around else "", wanted


def _members(view: View, around: str, wanted: str, near: str | None) -> list[Definition]:
    """Return what is declared inside of, or for, whatever begins with `around`."""
    files: dict[int, None] = {}
    for start in dict.fromkeys((around, around.lower(), around[0].upper() + around[1:])):
        rows = view.rows(
            "SELECT file FROM names WHERE name >= ?1 AND name < ?2 UNION"
            " SELECT file FROM owners WHERE owner >= ?1 AND owner < ?2 LIMIT ?3",
            start,
            f"{start}\U0010ffff",
            _MOST_FILES,
        )
        files.update(dict.fromkeys(file for (file,) in rows))
    low = around.lower()
    found = []
    for file in files:
        declared = view.declared(file)
        for ordinal, name in enumerate(declared.names):
            inside = declared.around(ordinal)
            if not inside.lower().startswith(low):
                continue
            how = quality(wanted, name)
            if how[0] < NO_MATCH:
                item = definition(declared, ordinal)
                away = 0 if near is None else distance(near, item.path)
                outside = is_external(item.path)
                found.append(((outside, how, inside != around, away, item.path, item.place), item))
    return [item for _, item in sorted(found, key=itemgetter(0))]


def _declarations(view: View, name: str, near: str | None) -> list[Definition]:
    """Return the declarations of a name, the nearest first."""
    found: list[Definition] = []
    for (file,) in view.rows(
        "SELECT file FROM names WHERE name = ?"
        " ORDER BY file IN (SELECT file FROM outside_files), top DESC, file LIMIT ?",
        name,
        _MOST_FILES,
    ):
        declared = view.declared(file)
        found += [definition(declared, ordinal) for ordinal in declared.named(name)]
    found.sort(
        key=lambda item: (
            is_external(item.path),
            0 if near is None else distance(near, item.path),
            item.symbol.container >= 0,
            item.path,
            item.place,
        )
    )
    return found


def _names(view: View, wanted: str) -> Iterator[str]:
    """Return the names that match, the best first, looking no further than somebody asks."""
    rows = view.rows(
        "SELECT DISTINCT name FROM names WHERE name >= ? AND name < ? LIMIT ?",
        wanted,
        f"{wanted}\U0010ffff",
        _MOST_NAMES,
    )
    beginning = sorted((name for (name,) in rows), key=lambda name: (len(name), name))
    yield from beginning
    # One look through all names: LIKE knows no case for ASCII letters, and is written in C.
    gaps = "%".join(re.sub(r"([%_\\])", r"\\\1", letter) for letter in wanted)
    rows = view.rows(
        r"SELECT DISTINCT name FROM names WHERE name LIKE ? ESCAPE '\' LIMIT ?",
        f"%{gaps}%",
        _MOST_NAMES,
    )
    yield from sorted(
        {name for (name,) in rows}.difference(beginning),
        key=lambda name: (*quality(wanted, name), name),
    )


def quality(wanted: str, name: str) -> tuple[int, int, int]:
    """Return how well a name matches, less being better: kind of match, gaps, length.

    Args:
        wanted: What somebody typed.
        name: The name.

    Returns:
        First the kind of match: `NO_MATCH` if it is none.
    """
    if name.startswith(wanted):
        return (0, 0, len(name))
    low, part = name.lower(), wanted.lower()
    if low.startswith(part):
        return (1, 0, len(name))
    at = low.find(part)
    if at >= 0:
        # At the start of a word inside of the name it says more than in the middle of one.
        inside = not name[at - 1].isalnum() or name[at].isupper()
        return (2 if inside else 4, 0, len(name))
    gaps, position = 0, -1
    for letter in part:
        here = low.find(letter, position + 1)
        if here < 0:
            return (NO_MATCH, 0, len(name))
        gaps += here != position + 1
        position = here
    return (3 if _word_starts(wanted).match(name) else 5, gaps, len(name))


@lru_cache(64)
def _word_starts(wanted: str) -> re.Pattern[str]:
    """Return a pattern of names in which each letter goes on, or starts another word."""
    start = r"(?:.*?(?:(?<=[^a-zA-Z0-9])|(?=[A-Z])))??"
    letters = [
        f"[{letter.lower()}{letter.upper()}]"
        if letter.isalpha() and letter.isascii()
        else re.escape(letter)
        for letter in wanted
    ]
    return re.compile(start + start.join(letters))
