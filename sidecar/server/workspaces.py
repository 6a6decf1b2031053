"""What completions know of the files around a document: indexes and open documents.

May import `completion`, `context` and this package.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sidecar.completion.snapshots import Snapshots
from sidecar.index.roots import relative

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    from sidecar.context.snapshot import Snapshot
    from sidecar.index.overlay import Overlay
    from sidecar.server.indexing import Indexing
    from sidecar.text import Document

    T = TypeVar("T")

__all__ = ["Workspaces"]


class Workspaces:
    """Answers for the documents of a session.

    Args:
        indexing: The indexes.
    """

    def __init__(self, indexing: Indexing) -> None:
        self._indexing = indexing
        self._snapshots: dict[str, Snapshots] = {}

    async def ask(self, document: Document, question: Callable[[str, Snapshot], T]) -> T | None:
        """Ask about the workspace of a document, on the thread that reads its index."""
        lookups = self._indexing.lookups
        root = lookups.root_of(document.path)
        path = relative(root, document.path) if root is not None else None
        if root is None or path is None:
            return None
        snapshots = self._snapshots.setdefault(root, Snapshots(root))
        documents = lookups.inside(root)

        def answer(index: Overlay) -> T:
            return question(path, snapshots.take(index, documents))

        return await self._indexing.ask(root, answer, None)
