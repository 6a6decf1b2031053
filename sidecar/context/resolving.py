"""Where the names of a file are declared: through its imports, and what it sees without them.

Asks the index few questions, bounded in number. Must never do I/O. May import `syntax`, `index`'s
answers, and `context`'s values.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from sidecar.index.storage.externals import is_external

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sidecar.context.snapshot import Index
    from sidecar.index.query.answers import Definition, Imported
    from sidecar.syntax import Language

__all__ = ["Found", "Resolver"]

#: Questions asked for one place and source, imports left out.
_MOST_QUESTIONS: Final = 24
#: Those about names in name spaces that no import names.
_MOST_GUESSES: Final = 6
#: Files that pass a name on, followed from one import.
_MOST_STEPS: Final = 4
#: Declarations of one name in one file: overloads.
_MOST_SAME: Final = 8
#: Declarations of one name in several files: each further file has to be unpacked.
_MOST_OTHERS: Final = 3
#: What declares members and may stand in a name space.
TYPES: Final = frozenset({"class", "struct", "interface", "enum", "type"})
_LOOSE: Final = TYPES | {"function", "constant", "variable"}
#: Methods that libraries have as well: the only one of a workspace need not be the one.
_COMMON: Final = frozenset(
    (
        "add all any append clear close copy count decode each encode entries extend filter find"
        " first forEach format get group index insert isEmpty items iter join keys last len length"
        " lower map match open pop print push put read reduce remove replace reverse send set size"
        " slice some sort split startswith strip sub submit sum then toString trim unwrap update"
        " upper values with write"
    ).split()
)
_PARTS: Final = re.compile(r"::|[./\\]+")
_VERSION: Final = re.compile(r"v\d+\Z")


class Found(NamedTuple):
    """Declarations that a name leads to.

    Args:
        definitions: Those of one name in one file: one, or overloads.
        how: How it was found, for people.
    """

    definitions: tuple[Definition, ...]
    how: str


class Resolver:
    """Finds declarations of names as one file means them.

    Args:
        index: The index.
        path: The file.
        language: Its language.
    """

    def __init__(self, index: Index, path: str, language: Language | None) -> None:
        self._index = index
        self._path = path
        self._reach = language.form.reach if language else ""
        self._overloads = language.form.overloads if language else None
        self._questions = _MOST_QUESTIONS
        self._guesses = _MOST_GUESSES
        self._imports: Sequence[Imported] = index.imports(path)
        #: By the name that each has here; those of modules by their dotted names.
        self._names: dict[str, Imported] = {}
        self._modules: dict[str, Imported] = {}
        self._all: list[Imported] = []
        for item in self._imports:
            if item.name == "*" and not item.alias:
                self._all.append(item)
            elif item.name not in ("", "*"):
                self._names.setdefault(item.alias or item.name, item)
            else:
                parts = [part for part in _PARTS.split(item.module) if part]
                if len(parts) > 1 and _VERSION.match(parts[-1]):
                    parts.pop()
                last = parts[-1] if parts else ""
                for key in (item.alias,) if item.alias else (".".join(parts), last):
                    self._modules.setdefault(key, item)

    def find(self, name: str, qualifier: str = "", *, loose: bool = True) -> Found | None:
        """Return what a name means, or None if that is in this file, or not known.

        Args:
            name: The name.
            qualifier: The names before it, joined with `.`.
            loose: Whether to look for what needs no import as well.
        """
        if qualifier:
            return self._qualified(name, qualifier)
        if (item := self._names.get(name)) is not None:
            return self._imported(item)
        if (item := self._modules.get(name)) is not None and item.target:
            # `import com.a.Order`, `use a\Order as B`: the module is the name.
            last = _last(item.module)
            return self._exported(
                item.target, last, _through(item.module, "imported from", name, last)
            )
        return self._unimported(name) if loose and (self._all or self._reach) else None

    def own_name(self, name: str) -> str:
        """Return what an imported name is called where it is declared."""
        if (item := self._names.get(name)) is not None:
            return item.name
        item = self._modules.get(name)
        return _last(item.module) if item is not None else name

    def type(self, name: str, qualifier: str = "") -> Found | None:
        """Return the type that a name means, which may be in this file."""
        if not qualifier and name not in self._names:
            own = [
                item
                for item in self._ask(name, self._path, 1)
                if item.path == self._path and item.symbol.kind in TYPES
            ]
            if own:
                return Found((own[0],), "declared in the same file")
        return self.find(name, qualifier)

    def method(self, name: str, qualifier: str) -> Found | None:
        """Return the only method of this name in the files that this one sees.

        Args:
            name: The name.
            qualifier: What it is called on.
        """
        if not qualifier or name in _COMMON or name.startswith("__"):
            return None
        files: set[str] | None = None
        found: list[Definition] = []
        for item in self._ask(name, self._path):
            if item.path == self._path:
                return None
            if item.symbol.kind != "method":
                continue
            if files is None:
                files = set(self._index.imported_files(self._path))
            if item.path in files or (self._reach and _folder(item.path) == _folder(self._path)):
                found.append(item)
        if not found or len({(item.path, item.container) for item in found}) > 1:
            return None
        return Found(tuple(found), "the only method of this name in imported files")

    def _ask(self, name: str, near: str, most: int = _MOST_OTHERS) -> Sequence[Definition]:
        if not self._questions:
            return ()
        self._questions -= 1
        return self._index.definitions(name, near, most)

    def _in_file(self, name: str, path: str) -> tuple[Definition, ...]:
        """Return what a file declares by a name, outside of types."""
        found = self._ask(name, path, 1)
        if not found or found[0].path != path:
            return ()
        first, overloads = found[0], self._overloads
        if not _is_loose(first) or (
            first.symbol.kind == "function"
            and (
                overloads is None
                or not overloads.pattern
                or overloads.match(first.symbol.signature)
            )
        ):
            # There may be more of this name.
            found = self._ask(name, path, _MOST_SAME)
        found = [item for item in found if item.path == path and _is_loose(item)]
        return _same(found, found[0]) if found else ()

    def _imported(self, item: Imported) -> Found | None:
        local = item.alias or item.name
        how = _through(item.module, "imported from", local, item.name)
        if item.name == "default":
            return self._default(item, how)
        if item.definer:
            declared = self._in_file(item.name, item.definer)
            if declared:
                if item.target and item.definer != item.target:
                    how += f", which has it from {_short(item.definer)}"
                return Found(declared, how)
        if not item.target:
            return None
        if found := self._exported(item.target, item.name, how):
            return found
        # A member of a type: `import static com.a.Order.MAX`.
        members = [d for d in self._ask(item.name, item.target) if d.path == item.target]
        return Found(tuple(members), how) if members else None

    def _default(self, item: Imported, how: str) -> Found | None:
        """Return what a module exports without a name: mostly it is called the same."""
        path = item.definer or item.target
        if path is None:
            return None
        if found := self._in_file(item.alias, path):
            return Found(found, how)
        for declared in self._index.symbols(path):
            if declared.symbol.container < 0 and "export default" in declared.symbol.signature:
                return Found((declared,), how)
        return None

    def _exported(self, path: str, name: str, how: str) -> Found | None:
        """Return what a file declares or passes on by a name."""
        level = [(path, name)]
        seen = set(level)
        for _ in range(_MOST_STEPS):
            following: list[tuple[str, str]] = []
            for file, wanted in level:
                if found := self._in_file(wanted, file):
                    if file != path:
                        how += f", which has it from {_short(file)}"
                    return None if file == self._path else Found(found, how)
                if not self._questions:
                    return None
                self._questions -= 1
                for item in self._index.imports(file):
                    if item.name == "*" and not item.alias:
                        passed = wanted
                    elif wanted == (item.alias or item.name) and item.name:
                        passed = item.name
                    else:
                        continue
                    # Where it is declared, it may have yet another name.
                    for step in ((item.definer, passed), (item.target, passed)):
                        if step[0] and step not in seen:
                            seen.add((step[0], step[1]))
                            following.append((step[0], step[1]))
            level = following[:_MOST_STEPS]
            if not level:
                break
        return None

    def _qualified(self, name: str, qualifier: str) -> Found | None:
        if qualifier == "?" or qualifier.startswith("?"):
            return None
        head, _, rest = qualifier.partition(".")
        last = qualifier.rpartition(".")[2]
        for key in dict.fromkeys((qualifier, head, last)):
            item = self._modules.get(key)
            if item is not None and item.target and (key != head or not rest or key == qualifier):
                how = _through(item.module, "of the imported", item.alias, "")
                if found := self._exported(item.target, name, how):
                    return found
                for beside in self._ask(name, self._path):
                    # A package that is a folder: its module leads to the first of its files.
                    if _folder(beside.path) == _folder(item.target) and _is_loose(beside):
                        same = [d for d in self._ask(name, beside.path) if d.path == beside.path]
                        # There may be no question left to ask for the others of its name.
                        return Found(tuple(filter(_is_loose, same)) or (beside,), how)
        around = self._names.get(head)
        if around is not None and not rest and around.definer and around.is_module:
            how = _through(around.module, "of a module imported from", head, around.name)
            return self._exported(around.definer, name, how)
        if self._reach == "all" and self._guesses and around is None:
            # The name space need not be imported.
            self._guesses -= 1
            for other in self._ask(name, self._path):
                inside = other.container and _last(other.container) == last
                if inside and other.path != self._path and _is_loose(other):
                    return Found((other,), f"of {other.container}")
        return None

    def _unimported(self, name: str) -> Found | None:
        """Return what is seen without being named in an import."""
        found = self._ask(name, self._path)
        if not found or found[0].path == self._path:
            return None
        reached = [item for item in found if _is_loose(item) and not is_external(item.path)]
        if self._all:
            files = set(self._index.imported_files(self._path))
            for item in reached:
                if item.path in files:
                    return Found(_same(reached, item), "imported with all of its module")
            if not self._reach:
                for star in self._all:
                    if star.target and (
                        through := self._exported(
                            star.target, name, f"imported with all of {star.module}"
                        )
                    ):
                        return through
                return None
        here = _folder(self._path)
        for item in reached:
            if _folder(item.path) == here:
                return Found(_same(reached, item), "declared in the same package")
        if self._reach == "all" and reached:
            return Found(_same(reached, reached[0]), "the nearest of this name")
        return None


def _last(module: str) -> str:
    """Return the last part of a module's name."""
    return ([part for part in _PARTS.split(module) if part] or [module])[-1]


def _is_loose(item: Definition) -> bool:
    """Tell whether a declaration is no member: what stands in name spaces is none."""
    symbol = item.symbol
    if symbol.kind in TYPES or (symbol.kind == "function" and symbol.owner):
        return True
    return symbol.container < 0 and not symbol.owner and symbol.kind in _LOOSE


def _same(found: Sequence[Definition], first: Definition) -> tuple[Definition, ...]:
    return tuple(
        [item for item in found if item.path == first.path and item.container == first.container]
    )


def _through(module: str, how: str, local: str, name: str) -> str:
    alias = f" as {local}" if local and local != name and name != "default" else ""
    return f"{how} {module}{alias}"


def _short(path: str) -> str:
    return path.rpartition("/")[2] if is_external(path) else path


def _folder(path: str) -> str:
    return path.rpartition("/")[0]
