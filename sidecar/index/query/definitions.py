"""Where names are declared, and what the types of that name have as members.

Must never read files. May import `index.storage`, and `answers`, `nearness` and `view` of this
package.
"""

from __future__ import annotations

import contextlib
import re
from itertools import islice
from typing import TYPE_CHECKING, Final, TypeVar

from sidecar.index.query.answers import Definition
from sidecar.index.query.nearness import related, standing
from sidecar.index.storage.rows import folder_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sidecar.index.query.view import Declared, View

__all__ = ["DEEPEST", "definition", "definitions", "inherit", "members", "symbols"]

T = TypeVar("T")

#: Kinds of declarations that have members.
_TYPES: Final = frozenset({"class", "struct", "interface", "enum", "type", "module"})
#: Files that are ranked for a name which stands in very many.
_MOST_FILES = 1_000
#: Bases of bases that are followed.
DEEPEST: Final = 8
#: The last name of a type as it is written: `List` of `typing.List[int]`, `V` of `K::V<T>`.
_TYPE_NAME = re.compile(r"((?:[\w$]+(?:\.|::|\\|->))*)([\w$]+)")


def definition(declared: Declared, ordinal: int) -> Definition:
    """Return a declaration of a file as an answer."""
    return Definition(
        declared.path,
        declared.language,
        declared.symbol(ordinal),
        declared.place(ordinal),
        declared.around(ordinal),
    )


def symbols(view: View, path: str) -> tuple[Definition, ...]:
    """Return what a file declares, in the order of the text."""
    file = view.file(path)
    if file is None:
        return ()
    declared = view.declared(file)
    return tuple([definition(declared, ordinal) for ordinal in range(len(declared.names))])


def definitions(
    view: View, name: str, near: str | None, limit: int, types_only: bool = False
) -> tuple[Definition, ...]:
    """Return declarations of exactly this name, the nearest first.

    Args:
        view: The database.
        name: The name.
        near: The file from which one looks: what stands in it comes first, then what it imports,
            then its folder, then what is fewer folders away, and at last what others import
            from outside of the workspace.
        limit: How many to return.
        types_only: Whether to leave out what has no members.
    """
    found: list[Definition] = []
    here = view.file(near) if limit == 1 and not types_only else None
    if here is not None and view.rows(
        "SELECT 1 FROM names WHERE name = ? AND file = ?", name, here
    ):
        # What stands in the file itself comes first, whatever else there is.
        declared = view.declared(here)
        return (definition(declared, declared.named(name)[0]),)
    for file in _ranked(view, name, near):
        declared = view.declared(file)
        found += [
            definition(declared, ordinal)
            for ordinal in declared.named(name)
            if not types_only or declared.kinds[ordinal] in _TYPES
        ]
        if len(found) >= limit:
            break
    return tuple(found[:limit])


def _ranked(view: View, name: str, near: str | None) -> list[int]:
    """Return the files that declare a name, the nearest first."""
    rows = view.rows(
        "SELECT file, top FROM names WHERE name = ?"
        " ORDER BY file IN (SELECT file FROM outside_files), top DESC LIMIT ?",
        name,
        _MOST_FILES,
    )
    if len(rows) < 2:
        return [file for file, _ in rows]
    here = view.file(near)
    first: set[int] = set()
    imported: set[int] = set()
    if near is not None:
        if here is not None:
            first = {
                definer
                for (definer,) in view.rows(
                    "SELECT definer FROM imports WHERE file = ? AND definer IS NOT NULL"
                    " AND (name = ? OR alias = ?)",
                    here,
                    name,
                    name,
                )
            }
        imported = related(view, here)
        if len(rows) == _MOST_FILES:
            # The nearest may be among those that were left out.
            rows += [
                (file, top)
                for file in {*imported, *([here] if here else [])}
                for (top,) in view.rows(
                    "SELECT top FROM names WHERE name = ? AND file = ?", name, file
                )
            ]

    def rank(row: tuple[int, int]) -> tuple[int, int, int, str]:
        file, top = row
        path = view.path(file)
        place, away = standing(path, near, named=file in first, imported=file in imported)
        return (place, away, -top, path)

    return [file for file, _ in sorted(dict.fromkeys(rows), key=rank)]


def members(
    view: View, type_name: str, path: str, limit: int, depth: int = DEEPEST
) -> tuple[Definition, ...]:
    """Return the members of a type: its own in order, then those of its bases.

    Args:
        view: The database.
        type_name: The type, as it is written in the file.
        path: The file in which it is written.
        limit: How many to return.
        depth: How many levels of types are looked at, its own being the first.
    """
    found: dict[str, list[Definition]] = {}
    seen: set[tuple[str, str]] = set()
    level = [(type_name, path)]
    for _ in range(depth):
        bases: list[tuple[str, str]] = []
        for written, where in level:
            declared_at = _type(view, written, where)
            if declared_at is None:
                continue
            declared, ordinal = declared_at
            type_ = declared.symbol(ordinal)
            key = (declared.path, type_.name)
            if key in seen:
                continue
            seen.add(key)
            inherit(found, islice(_own(view, declared, ordinal), limit))
            bases += [(base, declared.path) for base in type_.bases]
        level = bases
        if not level or len(found) >= limit:
            break
    return tuple([member for overloads in found.values() for member in overloads][:limit])


def inherit(found: dict[str, list[Definition]], members: Iterable[Definition]) -> None:
    """Add the members of one type to those of types that are nearer, which hide them by name."""
    own: dict[str, list[Definition]] = {}
    for member in members:
        # Overloads do not hide each other.
        own.setdefault(member.symbol.name, []).append(member)
    for name, overloads in own.items():
        found.setdefault(name, overloads)


def _type(view: View, written: str, path: str) -> tuple[Declared, int] | None:
    """Return the declaration of a type as it is meant in a file."""
    match = _TYPE_NAME.search(written)
    if match is None:
        return None
    qualifier, name = match.groups()
    here = view.file(path)
    for file in _meant(view, here, name, re.split(r"[^\w$]+", qualifier)[0]):
        if (at := _in_file(view, file, name)) is not None:
            return at
    # Languages whose packages are folders or name spaces import no names.
    ranked = _ranked(view, name, path)
    same_folder = [file for file in ranked if folder_of(view.path(file)) == folder_of(path)]
    for file in (*same_folder, *ranked[:DEEPEST]):
        if (at := _in_file(view, file, name)) is not None:
            return at
    return None


def _meant(view: View, here: int | None, name: str, qualifier: str) -> Iterator[int]:
    """Return where a name of a file leads: the file itself, then what it imports by that name."""
    if here is None:
        return
    if not qualifier:
        yield here
    statement = (
        "SELECT definer, target FROM imports WHERE file = ? AND target IS NOT NULL"
        " AND (CASE alias WHEN '' THEN name ELSE alias END) = ?"
    )
    for definer, target in view.rows(statement, here, qualifier or name):
        yield from dict.fromkeys(file for file in (definer, target) if file is not None)
    yield from related(view, here)


def _in_file(view: View, file: int, name: str) -> tuple[Declared, int] | None:
    if not view.rows("SELECT 1 FROM names WHERE name = ? AND file = ?", name, file):
        return None
    declared = view.declared(file)
    ordinals = sorted(o for o in declared.named(name) if declared.kinds[o] in _TYPES)
    return (declared, ordinals[0]) if ordinals else None


def _own(view: View, declared: Declared, ordinal: int) -> Iterable[Definition]:
    """Return what a type has itself, also what stands outside of it or in files beside."""
    name = declared.names[ordinal]
    outside = [at for at in _places(declared.owners, name) if declared.containers[at] < 0]
    for at in sorted({*_places(declared.containers, ordinal), *outside}):
        yield definition(declared, at)
    folder = folder_of(declared.path)
    here = view.file(declared.path)
    for (file,) in view.rows("SELECT file FROM owners WHERE owner = ? LIMIT ?", name, _MOST_FILES):
        if file == here:
            continue
        if folder_of(view.path(file)) != folder and here not in related(view, file):
            continue
        other = view.declared(file)
        for at in _places(other.owners, name):
            if other.containers[at] < 0:
                yield definition(other, at)


def _places(column: list[T], value: T) -> list[int]:
    """Return where a value stands in a column: searched in C, since files may declare thousands."""
    found: list[int] = []
    at = -1
    with contextlib.suppress(ValueError):
        while True:
            at = column.index(value, at + 1)
            found.append(at)
    return found
