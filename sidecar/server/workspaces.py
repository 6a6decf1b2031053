"""What completions know of the files around a document: indexes, open documents, and what was done.

May import `completion`, `context` and this package.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sidecar.completion.snapshots import Snapshots
from sidecar.index.roots import relative
from sidecar.server.recent import Recent

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    from sidecar.context.snapshot import Snapshot
    from sidecar.index.query.overlay import Overlay
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
        self._recent: dict[str, Recent] = {}

    def edited(self, before: Document, after: Document) -> None:
        """Take in that the user changed a document."""
        known = self._place(after.path)
        if known is not None:
            recent, path = known
            recent.edited(path, before, after)

    def looked(self, path: str, line: int = -1) -> None:
        """Take in that the user looks at a file.

        Args:
            path: Its absolute path.
            line: Where the cursor is, from 0; -1 if that is not known.
        """
        known = self._place(path)
        if known is not None:
            recent, relative_path = known
            recent.looked(relative_path, line)

    async def ask(self, document: Document, question: Callable[[str, Snapshot], T]) -> T | None:
        """Ask about the workspace of a document, on the thread that reads its index."""
        lookups = self._indexing.lookups
        root = lookups.root_of(document.path)
        path = relative(root, document.path) if root is not None else None
        if root is None or path is None:
            return None
        snapshots = self._snapshots.setdefault(root, Snapshots(root))
        documents = lookups.inside(root)
        recent = self._recent.get(root)
        edits, viewed = (recent.edits, recent.viewed) if recent else ((), ())

        def answer(index: Overlay) -> T:
            return question(path, snapshots.take(index, documents, edits, viewed))

        return await self._indexing.ask(root, answer, None)

    def _place(self, path: str) -> tuple[Recent, str] | None:
        root = self._indexing.lookups.root_of(path)
        inside = None if root is None else relative(root, path)
        if root is None or inside is None:
            return None
        return self._recent.setdefault(root, Recent()), inside
