"""How near two files are to each other: by folders, and by what imports what.

Must never read files. May import `index.storage`, and `answers` and `view` of this package.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sidecar.index.query.answers import Related
from sidecar.index.storage.externals import is_external
from sidecar.index.storage.rows import folder_of, stem_of

if TYPE_CHECKING:
    from sidecar.index.query.view import View

__all__ = ["distance", "near", "related", "standing"]

#: What a relation is worth in `near`. A test and its subject say most about each other.
_SAME_STEM: Final = 4.0
_IMPORTED: Final = 3.0
_IMPORTER: Final = 2.0
_SAME_FOLDER: Final = 1.0
#: Neighbours of one kind that are looked at, so that a folder of 100,000 files costs no more.
_MOST = 256


def distance(path: str, other: str) -> int:
    """Return how many folders one has to go up and down to come from one file to another."""
    here, there = path.split("/")[:-1], other.split("/")[:-1]
    shared = 0
    for mine, theirs in zip(here, there, strict=False):
        if mine != theirs:
            break
        shared += 1
    return len(here) + len(there) - 2 * shared


def standing(path: str, near: str | None, *, named: bool, imported: bool) -> tuple[int, int]:
    """Return how a declaration in a file ranks for another file, and how far away it is.

    Args:
        path: The file of the declaration.
        near: The file from which one looks; None if from nowhere.
        named: Whether `near` imports the very name from there.
        imported: Whether it imports the file.
    """
    outside = is_external(path)
    if near is None:
        return (5 if outside else 0), 0
    away = distance(near, path)
    if path == near:
        return 0, away
    if named:
        return 1, away
    if imported:
        return 2, away
    if outside:
        return 5, away
    return (4 if away else 3), away


def related(view: View, file: int | None) -> set[int]:
    """Return the files that a file imports, where names are declared included."""
    if file is None:
        return set()
    rows = view.rows(
        "SELECT target FROM edges WHERE file = ?1 UNION"
        " SELECT definer FROM imports WHERE file = ?1 AND definer IS NOT NULL",
        file,
    )
    return {found for (found,) in rows}


def near(view: View, path: str, limit: int) -> tuple[Related, ...]:
    """Return files of the workspace that have to do with a file, best first.

    What counts is their names, imports and folders. The file itself need not be known: a new one
    has a name and a folder as well.
    """
    file = view.file(path)
    scores: dict[int, float] = {}

    def add(rows: list[tuple[int]], worth: float) -> None:
        for (found,) in rows:
            scores[found] = scores.get(found, 0.0) + worth

    if stem := stem_of(path):
        add(view.rows("SELECT id FROM files WHERE stem = ? LIMIT ?", stem, _MOST), _SAME_STEM)
    if file is not None:
        add([(found,) for found in related(view, file)], _IMPORTED)
        add(view.rows("SELECT file FROM edges WHERE target = ? LIMIT ?", file, _MOST), _IMPORTER)
    add(
        view.rows("SELECT id FROM files WHERE folder = ? LIMIT ?", folder_of(path), _MOST),
        _SAME_FOLDER,
    )
    scores.pop(file if file is not None else -1, None)
    found = [
        Related(other, worth - 0.1 * min(distance(path, other), 9))
        for other, worth in ((view.path(id_), worth) for id_, worth in scores.items())
        if not is_external(other)
    ]
    found.sort(key=lambda item: (-item.score, item.path))
    return tuple(found[:limit])
