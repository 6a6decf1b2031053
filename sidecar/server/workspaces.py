"""What completions know besides a document: indexes, open documents, what was done and is told.

May import `completion`, `context` and this package.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import PurePath
from typing import TYPE_CHECKING

from sidecar.completion.snapshots import Snapshots
from sidecar.context.snapshot import EMPTY
from sidecar.index.roots import relative
from sidecar.server.recent import Recent
from sidecar.server.told import Told

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    from sidecar.context.snapshot import Snapshot
    from sidecar.index.query.overlay import Overlay
    from sidecar.server.documents import Documents
    from sidecar.server.indexing import Indexing
    from sidecar.text import Document

    T = TypeVar("T")

__all__ = ["Workspaces"]


class Workspaces:
    """Answers for the documents of a session.

    Args:
        indexing: The indexes.
        documents: The open documents.
    """

    def __init__(self, indexing: Indexing, documents: Documents) -> None:
        self._indexing = indexing
        self._told = Told(documents)
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

    def told(self, document: Document, said: object) -> None:
        """Take in what the client says of the moment with a request about a document."""
        self._told.take(document, said)

    def closed(self, uri: str) -> None:
        """Take in that a document was closed."""
        self._told.forget(uri)

    async def ask(self, document: Document, question: Callable[[str, Snapshot], T]) -> T | None:
        """Ask about the workspace of a document, on the thread that reads its index."""
        lookups = self._indexing.lookups
        root = lookups.root_of(document.path)
        path = relative(root, document.path) if root is not None else None
        diagnostics = self._told.diagnostics(document)
        if root is None or path is None:
            if not diagnostics:
                return None
            alone = replace(EMPTY, diagnostics=diagnostics)
            return question(PurePath(document.path).name, alone)
        snapshots = self._snapshots.setdefault(root, Snapshots(root))
        documents = lookups.inside(root)
        recent = self._recent.get(root)
        edits, viewed = (recent.edits, recent.viewed) if recent else ((), ())
        selected = self._told.selected(documents)

        def answer(index: Overlay) -> T:
            def known(other: str) -> bool:
                # What the index leaves out is not shown, whoever opens, edits or selects it.
                return other == path or index.digest(other) is not None

            shown_edits = tuple([edit for edit in edits if known(edit.path)])
            shown_views = tuple([view for view in viewed if known(view.path)])
            snapshot = snapshots.take(index, documents, shown_edits, shown_views)
            if not diagnostics and selected is None:
                return question(path, snapshot)
            shown = selected if selected and known(selected.path) else None
            return question(path, replace(snapshot, diagnostics=diagnostics, selected=shown))

        return await self._indexing.ask(root, answer, None)

    def _place(self, path: str) -> tuple[Recent, str] | None:
        root = self._indexing.lookups.root_of(path)
        inside = None if root is None else relative(root, path)
        if root is None or inside is None:
            return None
        return self._recent.setdefault(root, Recent()), inside
