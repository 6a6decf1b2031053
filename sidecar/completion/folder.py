"""A workspace for commands: one folder's index as it is, and no open documents but the asked one.

May import `index`, `syntax`, `text`, and this package.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sidecar.completion.snapshots import Snapshots
from sidecar.index.query.overlay import Overlay, Unsaved
from sidecar.index.roots import relative
from sidecar.syntax import Languages, Trees
from sidecar.syntax.facts import facts_of
from sidecar.text.notebook import is_notebook

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    from sidecar.context.snapshot import Snapshot
    from sidecar.index.query.reader import Reader
    from sidecar.syntax import Language
    from sidecar.text import Document

    T = TypeVar("T")

__all__ = ["Folder", "unsaved_of"]


class Folder:
    """Answers for documents below one root.

    Args:
        root: Its absolute path.
        reader: Its index.
    """

    def __init__(self, root: str, reader: Reader) -> None:
        self._root = root
        self._reader = reader
        self._snapshots = Snapshots(root)

    async def ask(self, document: Document, question: Callable[[str, Snapshot], T]) -> T | None:
        """Ask about the folder."""
        path = relative(self._root, document.path)
        if path is None:
            return None
        own = _declared(path, document)
        with self._reader.holding():
            index = Overlay(self._reader, {path: own} if own else {})
            return question(path, self._snapshots.take(index, {path: document}))


def unsaved_of(
    path: str, document: Document, language: Language | None, trees: Trees
) -> Unsaved | None:
    """Return what a document declares, or None where nobody can tell.

    Args:
        path: Its path in the workspace.
        document: The document.
        language: Its language, if it is known.
        trees: The parse trees of open documents.
    """
    parsed = trees.parse(document.uri, language, document.buffer) if language else None
    if parsed is None or parsed.grammar.facts is None:
        return None
    facts = facts_of(parsed.grammar, parsed.tree.root_node, parsed.source)
    return Unsaved(path, parsed.grammar.language.name, facts)


def _declared(path: str, document: Document) -> Unsaved | None:
    """Return what a notebook declares, of which the index knows nothing."""
    language = Languages.load().find(document.language) if is_notebook(path) else None
    return unsaved_of(path, document, language, Trees())
