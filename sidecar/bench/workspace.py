"""A tree with one document open in it, for benchmarks that make prompts without an editor.

May import `syntax`, `index` and `completion`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sidecar.completion.folder import unsaved_of
from sidecar.completion.snapshots import Snapshots
from sidecar.index.files.content import digest
from sidecar.index.query.overlay import Overlay
from sidecar.index.roots import relative
from sidecar.text import encode_utf8

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    from sidecar.bench.quality_tasks import Tree
    from sidecar.context.snapshot import Snapshot
    from sidecar.index.query.overlay import Unsaved
    from sidecar.syntax import Languages, Trees
    from sidecar.text import Document

    T = TypeVar("T")

__all__ = ["OneDocument"]


class OneDocument:
    """A tree with one open document, whose facts stand in place of its file's where they differ.

    Args:
        tree: The tree.
        languages: The languages there are.
        trees: The parse trees of documents.
    """

    def __init__(self, tree: Tree, languages: Languages, trees: Trees) -> None:
        self._root = str(tree.root)
        self._reader = tree.reader
        self._languages = languages
        self._trees = trees
        self._snapshots = Snapshots(self._root)

    async def ask(self, document: Document, question: Callable[[str, Snapshot], T]) -> T | None:
        """Ask about the tree."""
        path = relative(self._root, document.path)
        if path is None:
            return None
        with self._reader.holding():
            unsaved = self._unsaved(document, path)
            index = Overlay(self._reader, {path: unsaved} if unsaved is not None else {})
            return question(path, self._snapshots.take(index, {path: document}))

    def _unsaved(self, document: Document, path: str) -> Unsaved | None:
        if digest(encode_utf8(document.buffer.text)) == self._reader.digest(path):
            return None
        language = self._languages.find(document.language, path)
        return unsaved_of(path, document, language, self._trees)
