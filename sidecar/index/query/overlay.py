"""The index as the user sees it: what stands in open documents wins over what is on disk.

Facts of documents that are not saved hide everything that the index holds of those files, in every
answer. What only a resolver could tell about them is taken from the index: where an import leads
that stands on disk as well, and how well a file matches words. Must never write, read a file or
parse. May import `syntax`, `index.storage`, and `reader` and what it is made of.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from sidecar.index.query.answers import Counts, Definition, Imported, Reference, Related
from sidecar.index.query.definitions import DEEPEST, inherit
from sidecar.index.query.nearness import distance, standing
from sidecar.index.storage.externals import is_external
from sidecar.index.storage.rows import folder_of
from sidecar.text.notebook import is_notebook

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import TypeVar

    from sidecar.index.query.reader import Reader
    from sidecar.syntax.facts import Facts

    T = TypeVar("T", Definition, Reference)

__all__ = ["Overlay", "Unsaved"]

#: Kinds of declarations that have members, as in `definitions`.
_TYPES: Final = frozenset({"class", "struct", "interface", "enum", "type", "module"})
#: The last name of a type as it is written.
_LAST_NAME = re.compile(r"(?:[\w$]+(?:\.|::|\\|->))*([\w$]+)")
#: What separates the parts of a qualified name in a question.
_QUALIFIED = re.compile(r"\.|::|#|/")


class Unsaved(NamedTuple):
    """What a document holds that differs from what the index knows of its file.

    Args:
        path: Relative to the workspace.
        language: Its language's name.
        facts: What it holds.
    """

    path: str
    language: str
    facts: Facts


class Overlay:
    """Answers of the index with some documents in place of their files.

    Args:
        reader: The index.
        unsaved: The documents, by path.
    """

    def __init__(self, reader: Reader, unsaved: Mapping[str, Unsaved]) -> None:
        self._reader = reader
        self._unsaved = unsaved
        #: What the documents declare, by name, once a name is asked for.
        self._own: dict[str, list[Definition]] = {}

    @property
    def available(self) -> bool:
        """Whether there is an index, or a document to ask."""
        return bool(self._unsaved) or self._reader.available

    @property
    def generation(self) -> int:
        """The state of the index; documents do not count in it."""
        return self._reader.generation

    def hides(self, path: str) -> bool:
        """Tell whether answers about a file come from a document."""
        return path in self._unsaved

    def digest(self, path: str) -> bytes | None:
        """Return the digest of a file's content on disk, or None if the file is not known."""
        return self._reader.digest(path)

    def definitions(
        self, name: str, near: str | None = None, limit: int = 20, *, types_only: bool = False
    ) -> tuple[Definition, ...]:
        """Return declarations of exactly this name, those nearest to a file first."""
        own = [
            item
            for item in self._named(name)
            if (not types_only or item.symbol.kind in _TYPES)
            # What a notebook declares is nobody else's.
            and (near in (None, item.path) or not is_notebook(item.path))
        ]
        stored = self._unhidden(
            lambda most: self._reader.definitions(name, near, most, types_only=types_only), limit
        )
        if not own:
            return tuple(stored)
        named: set[str | None] = set()
        imported: set[str | None] = set()
        if near is not None:
            for item in self.imports(near):
                imported |= {item.target, item.definer}
                if name in (item.name, item.alias):
                    named.add(item.definer)
        top = {item.path for item in (*own, *stored) if item.symbol.container < 0}

        def rank(item: Definition) -> tuple[object, ...]:
            path = item.path
            place, away = standing(path, near, named=path in named, imported=path in imported)
            return place, away, path not in top, path, item.symbol.container >= 0, item.place

        return tuple(sorted((*own, *stored), key=rank)[:limit])

    def members(
        self, type_name: str, path: str, limit: int = 200, depth: int = DEEPEST
    ) -> tuple[Definition, ...]:
        """Return the members of a type as it is written in a file, then those of its bases."""
        if not self._unsaved:
            return self._reader.members(type_name, path, limit, depth)
        found: dict[str, list[Definition]] = {}
        seen: set[tuple[str, str]] = set()
        level = [(type_name, path)]
        for _ in range(depth):
            bases: list[tuple[str, str]] = []
            for written, where in level:
                declared = self._type(written, where)
                if declared is None or (declared.path, declared.symbol.name) in seen:
                    continue
                seen.add((declared.path, declared.symbol.name))
                inherit(found, self._own_members(declared, limit))
                bases += [(base, declared.path) for base in declared.symbol.bases]
            level = bases
            if not level or len(found) >= limit:
                break
        return tuple([member for overloads in found.values() for member in overloads][:limit])

    def symbols(self, path: str) -> tuple[Definition, ...]:
        """Return what a file declares, in the order of the text."""
        document = self._unsaved.get(path)
        return self._reader.symbols(path) if document is None else tuple(_definitions(document))

    def find(self, query: str, limit: int = 50, near: str | None = None) -> tuple[Definition, ...]:
        """Return declarations whose names match: exactly, as a beginning, or with gaps."""
        stored = self._unhidden(lambda most: self._reader.find(query, most, near), limit)
        *around, wanted = [part for part in _QUALIFIED.split(query.strip()) if part] or [""]
        own = [
            item
            for document in self._unsaved.values()
            for item in _definitions(document)
            if _match(wanted, item.symbol.name) < _NO_MATCH
            and (not around or item.container.startswith(around[-1]))
        ]
        if not own:
            return tuple(stored)
        # What the index found stays in its order, name by name.
        order: dict[str, int] = {}
        for item in stored:
            order.setdefault(item.symbol.name, len(order))

        def rank(item: Definition) -> tuple[object, ...]:
            name = item.symbol.name
            away = 0 if near is None else distance(near, item.path)
            known = order.get(name, -1), len(name), name
            inner = item.symbol.container >= 0
            how = is_external(item.path), _match(wanted, name)
            return *how, *known, away, inner, item.path, item.place

        return tuple(sorted((*own, *stored), key=rank)[:limit])

    def imports(self, path: str) -> tuple[Imported, ...]:
        """Return what a file imports, and where that leads as far as the index knows."""
        document = self._unsaved.get(path)
        known = self._reader.imports(path)
        if self._unsaved:
            known = tuple(map(self._defined, known))
        if document is None:
            return known
        led = {item[:3]: (item.target, item.definer) for item in known}
        return tuple(
            [
                Imported(module, name, alias, line, *led.get((module, name, alias), (None, None)))
                for module, name, alias, line in document.facts.imports
            ]
        )

    def imported_files(self, path: str) -> tuple[str, ...]:
        """Return the files that a file imports, and those that declare what it imports."""
        if path not in self._unsaved:
            return self._reader.imported_files(path)
        imports = self.imports(path)
        if imports == self._reader.imports(path):
            # An import may mean more files than the one that is named with it.
            return self._reader.imported_files(path)
        found = {file for item in imports for file in (item.target, item.definer) if file}
        return tuple(sorted(found - {path}))

    def importers(self, path: str) -> tuple[str, ...]:
        """Return the files that import a file, or a name that it declares."""
        stored = {other for other in self._reader.importers(path) if other not in self._unsaved}
        own = {other for other in self._unsaved if path in self.imported_files(other)}
        return tuple(sorted((stored | own) - {path}))

    def references(
        self, name: str, near: str | None = None, limit: int = 1_000
    ) -> tuple[Reference, ...]:
        """Return the files that refer to a name, and how often."""
        found = self._unhidden(lambda most: self._reader.references(name, near, most), limit)
        found += [
            Reference(document.path, *counts)
            for document in self._unsaved.values()
            if (counts := document.facts.references.get(name)) is not None
        ]

        def rank(item: Reference) -> tuple[object, ...]:
            away = 0 if near is None else distance(near, item.path)
            return away, -sum(item[1:]), item.path

        return tuple(sorted(found, key=rank)[:limit])

    def search(
        self, words: str, limit: int = 20, near: str | None = None, without: str | None = None
    ) -> tuple[Related, ...]:
        """Return the files that hold the most telling of some words, as they are on disk."""
        return self._reader.search(words, limit, near, without)

    def near(self, path: str, limit: int = 20) -> tuple[Related, ...]:
        """Return files that have to do with a file by name, imports or folder."""
        return self._reader.near(path, limit)

    def paths(self) -> tuple[str, ...]:
        """Return all files, in the order of their names."""
        known = self._reader.paths()
        return tuple(sorted((*known, *added))) if (added := self._unsaved.keys() - known) else known

    def skipped(self) -> tuple[tuple[str, str], ...]:
        """Return what is not indexed one by one, with the reason of each."""
        return self._reader.skipped()

    def counts(self) -> Counts:
        """Return the size of the index, for the status."""
        return self._reader.counts()

    def _named(self, name: str) -> Sequence[Definition]:
        """Return what the documents declare by this name."""
        own = self._own
        if not own:
            for document in self._unsaved.values():
                for item in _definitions(document):
                    own.setdefault(item.symbol.name, []).append(item)
        return own.get(name, ())

    def _unhidden(self, ask: Callable[[int], Sequence[T]], limit: int) -> list[T]:
        """Ask for as many answers as leave `limit` when those about hidden files are left out."""
        most = limit
        while True:
            answers = ask(most)
            kept = [item for item in answers if item.path not in self._unsaved]
            if len(kept) >= limit or len(answers) < most:
                return kept[:limit]
            most *= 4

    def _defined(self, item: Imported) -> Imported:
        """Return an import with the file that declares its name now, in a document or on disk."""
        target, definer = item.target, item.definer
        if target is None or item.name in ("", "*"):
            return item
        if definer != target and self._declares(target, item.name):
            return item._replace(definer=target)
        if definer in self._unsaved and not self._declares(definer, item.name):
            return item._replace(definer=None)
        return item

    def _declares(self, path: str | None, name: str) -> bool:
        document = None if path is None else self._unsaved.get(path)
        return document is not None and any(
            symbol.name == name and symbol.container < 0 for symbol in document.facts.symbols
        )

    def _type(self, written: str, path: str) -> Definition | None:
        """Return the declaration of a type as it is meant in a file."""
        match = _LAST_NAME.search(written)
        if match is None:
            return None
        name = match[1]
        for item in self.imports(path):
            if name == (item.alias or item.name) and item.name and item.alias:
                # Under another name here: look for the name that it has there.
                for file in (item.definer, item.target):
                    for declared in self.symbols(file) if file else ():
                        if declared.symbol.name == item.name and declared.symbol.kind in _TYPES:
                            return declared
        return next(iter(self.definitions(name, path, 1, types_only=True)), None)

    def _own_members(self, declared: Definition, limit: int) -> Iterable[Definition]:
        """Return what a type has itself, also what stands outside of it in files beside."""
        name, home = declared.symbol.name, declared.path
        folder = folder_of(home)
        if home in self._unsaved:
            yield from _members(self._unsaved[home], declared)
        for member in self._reader.members(name, home, limit, 1):
            path = member.path
            if member.container == name and path not in self._unsaved and folder_of(path) == folder:
                yield member
        for document in self._unsaved.values():
            if document.path != home and folder_of(document.path) == folder:
                yield from _members(document, declared)


#: The kind of match that is none.
_NO_MATCH: Final = 5


def _match(wanted: str, name: str) -> int:
    """Return how a name matches, less being better."""
    if name == wanted:
        return 0
    if name.startswith(wanted):
        return 1
    low, part = name.lower(), wanted.lower()
    if low.startswith(part):
        return 2
    if part in low:
        return 3
    letters = iter(low)
    return 4 if part and all(letter in letters for letter in part) else _NO_MATCH


def _definitions(document: Unsaved) -> Iterable[Definition]:
    path, language, facts = document
    for symbol, place in zip(facts.symbols, facts.places, strict=True):
        around = symbol.owner
        if not around and 0 <= symbol.container < len(facts.symbols):
            around = facts.symbols[symbol.container].name
        yield Definition(path, language, symbol, place, around)


def _members(document: Unsaved, declared: Definition) -> Iterable[Definition]:
    """Return the members of a type that stand in a document."""
    facts = document.facts
    for item in _definitions(document):
        container, owner = item.symbol.container, item.symbol.owner
        if container < 0:
            if owner == declared.symbol.name:
                yield item
        elif document.path == declared.path and facts.places[container] == declared.place:
            yield item
