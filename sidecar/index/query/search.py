"""Files found by the words in them: text search, and references of a name.

Must never read files. May import `records` of `index.extract`, and `answers`, `nearness` and `view`
of this package.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sidecar.index.extract.records import read_reference, search_words
from sidecar.index.query.answers import Reference, Related
from sidecar.index.query.nearness import distance

if TYPE_CHECKING:
    from sidecar.index.query.view import View

__all__ = ["references", "search"]

#: Words of a question that are looked up; the cost grows with each.
_MOST_WORDS = 32
#: What a file in the same folder gains over one that is just as good and far away.
_NEARNESS = 0.3
_WORD = re.compile(r"[^\W\d][\w$]+")


def search(
    view: View, words: str, limit: int, near: str | None, without: str | None
) -> tuple[Related, ...]:
    """Return the files that hold the most telling of some words.

    Args:
        view: The database.
        words: Identifiers or any text; parts of compound identifiers count as well.
        limit: How many files to return.
        near: The file from which one looks: the nearer of two that are just as good comes first.
        without: A file to leave out.
    """
    wanted = dict.fromkeys(search_words(" ".join(_WORD.findall(words))).split())
    if not wanted:
        return ()
    # In quotes, words are words and never operators; each is one token, as the index has it.
    question = " OR ".join(f'"{word}"' for word in list(wanted)[:_MOST_WORDS])
    rows = view.rows(
        "SELECT path, -bm25(words) FROM words JOIN files ON files.id = words.rowid"
        " WHERE words MATCH ? AND path <> ? ORDER BY bm25(words) LIMIT ?",
        question,
        without or "",
        limit * (1 if near is None else 4),
    )
    found = list(map(Related._make, rows))
    if near is not None:
        found = [
            Related(path, score * (1 + _NEARNESS / (1 + distance(near, path))))
            for path, score in found
        ]
        found.sort(key=lambda item: (-item.score, item.path))
    return tuple(found[:limit])


def references(view: View, name: str, near: str | None, limit: int) -> tuple[Reference, ...]:
    """Return the files that refer to a name and how often: the nearest first, or the most.

    Words find candidates, and what is kept of each file decides.
    """
    word = _WORD.search(name)
    if word is None:
        return ()
    wanted = name.encode("utf-8", "replace")
    matching = view.rows("SELECT rowid FROM words WHERE words MATCH ?", f'"{word[0]}"')
    files = [(view.path(file), file) for (file,) in matching]
    if near is not None:
        # From the nearest on, so that a name which stands everywhere costs no more than others.
        files.sort(key=lambda item: (distance(near, item[0]), item[0]))
    found: list[Reference] = []
    for path, file in files:
        ((packed,),) = view.rows("SELECT refs FROM blobs WHERE file = ?", file)
        counts = read_reference(packed, wanted)
        if counts is not None:
            found.append(Reference(path, *counts))
            if near is not None and len(found) == limit:
                break
    if near is None:
        found.sort(key=lambda item: (-sum(item[1:]), item.path))
    return tuple(found[:limit])
