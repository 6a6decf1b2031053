"""What is offered while the model is not heard yet: what the index knows for certain.

Asked on the thread that reads the index; what it is comes from `context/certain`. May import
`context`, `syntax`, and this package's values.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sidecar.completion.suggestion import Suggestion
from sidecar.context.certain import certain
from sidecar.context.snapshot import EMPTY, Place

if TYPE_CHECKING:
    from sidecar.completion.contexts import Workspace
    from sidecar.context.snapshot import Snapshot
    from sidecar.syntax import Languages, Trees
    from sidecar.telemetry import Metrics
    from sidecar.text import Document

__all__ = ["Offers"]


class Offers:
    """Finds what is certain at a cursor.

    Args:
        workspace: What is known of other files.
        languages: The languages there are.
        trees: The parse trees of open documents.
        metrics: Where is counted how often something is, and how long it took.
    """

    def __init__(
        self, workspace: Workspace, languages: Languages, trees: Trees, metrics: Metrics
    ) -> None:
        self._workspace = workspace
        self._languages = languages
        self._trees = trees
        self._metrics = metrics

    async def find(self, document: Document, offset: int) -> Suggestion | None:
        """Return what certainly comes next at a cursor, if anything is known to."""
        language = self._languages.find(document.language, document.path)
        parsed = self._trees.parse(document.uri, language, document.buffer) if language else None
        if parsed is None:
            return None

        def question(path: str, snapshot: Snapshot) -> str:
            return certain(Place(document, path, language, parsed, offset, offset), snapshot)

        with self._metrics.span("offers.find_ms"):
            text = await self._workspace.ask(document, question)
            if text is None:
                # It lies in no workspace: only what it holds itself is known.
                text = question(document.path.rpartition("/")[2], EMPTY)
        if not text:
            self._metrics.count("offers.none")
            return None
        buffer = document.buffer
        start = buffer.line_start(buffer.line_at(offset))
        typed = buffer.slice(start, offset)
        return Suggestion(start, offset, typed + text, text, typed, "index")
