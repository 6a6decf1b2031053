"""Which files' imports have to be resolved, and where they lead: the memory behind `store.link`.

Holds the tree of the files that are indexed, which the resolvers ask. Reads project files
(`go.mod`, `tsconfig.json` and the like) and nothing else; must never write. May import
`index.files`, `index.storage` and `index.resolve`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sidecar.index.files.repository import read_regular
from sidecar.index.resolve import Projects, Resolvers, Tree, affected, keys_of_path
from sidecar.index.storage.store import Links
from sidecar.syntax.imports import Import

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["Concerned", "Linker"]


class Concerned(NamedTuple):
    """Whose imports may lead elsewhere now.

    Args:
        keys: Those that wait for one of these keys.
        languages: All files of a language below a folder.
    """

    keys: set[str]
    languages: set[tuple[str, str]]

    def __bool__(self) -> bool:
        return bool(self.keys or self.languages)


class Linker:
    """The tree of one root, and the resolvers that look into it.

    Args:
        root: Absolute path of the root.
    """

    def __init__(self, root: str) -> None:
        self._root = root
        self.tree = Tree()
        self._resolvers = Resolvers(self.tree)

    def replace(self, paths: Iterable[str]) -> None:
        """Know exactly these files, without asking who is concerned."""
        self.tree = Tree(paths)
        self._resolvers = Resolvers(self.tree)
        for path in list(self.tree.files):
            if Projects.wants(path):
                self._configure(path)

    def change(
        self, added: Iterable[str], removed: Iterable[str], edited: Iterable[str] = ()
    ) -> Concerned:
        """Take in files that came, went or have other content; tell who is concerned."""
        concerned = Concerned(set(), set())
        for path in removed:
            if path in self.tree.files:
                self.tree.remove(path)
                self._concern(concerned, path)
        for path in added:
            if path not in self.tree.files:
                self.tree.add(path)
                self._concern(concerned, path)
                if Projects.wants(path):
                    self._configure(path)
        for path in edited:
            if Projects.wants(path):
                self._configure(path)
                self._concern(concerned, path, keys=False)
        return concerned

    def links(self, path: str, language: str, imports: Sequence[tuple[str, str, str]]) -> Links:
        """Resolve the imports of a file."""
        answer = self._resolvers.answer
        targets = []
        keys: set[str] = set()
        for module, name, alias in imports:
            found = answer(language, Import(module, name, alias, 0), path)
            targets.append(found.targets)
            keys |= found.keys
        return Links(path, targets, keys)

    def forget_answers(self) -> None:
        """Free what is remembered of a pass over many files."""
        self._resolvers.forget_answers()

    def _concern(self, concerned: Concerned, path: str, *, keys: bool = True) -> None:
        if keys:
            concerned.keys.update(keys_of_path(path))
        languages, folder = affected(path)
        concerned.languages.update((language, folder) for language in languages)

    def _configure(self, path: str) -> None:
        text = read_regular(f"{self._root}/{path}")
        if text is None:
            self.tree.forget(path)
        else:
            self.tree.configure(path, text.decode(errors="replace"))
