"""Makes snapshots of one workspace: its index, its texts without secrets, and its notes.

Runs on the thread that asks the index. May import `index`, `context` and `text`.
"""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING

from sidecar.context.guard import blanked
from sidecar.context.snapshot import Snapshot
from sidecar.index.texts import Texts
from sidecar.text import scrub, to_lf

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sidecar.context.snapshot import Edit, Viewed
    from sidecar.index.overlay import Overlay
    from sidecar.text import Buffer, Document

__all__ = ["Snapshots"]


class Snapshots:
    """Makes snapshots of one root.

    Args:
        root: Its absolute path.
    """

    def __init__(self, root: str) -> None:
        self._name = PurePath(root).name
        self._texts = Texts(root, _clean)
        #: Texts of open documents, by their paths.
        self._open: dict[str, tuple[Buffer, str]] = {}

    def take(
        self,
        index: Overlay,
        documents: Mapping[str, Document],
        edits: tuple[Edit, ...] = (),
        viewed: tuple[Viewed, ...] = (),
    ) -> Snapshot:
        """Return what is known at this moment.

        Args:
            index: The index.
            documents: Open documents that may be shown, by their paths in the root.
            edits: Where was edited lately.
            viewed: What was looked at lately.
        """
        for path in self._open.keys() - documents.keys():
            del self._open[path]

        def text(path: str) -> str | None:
            document = documents.get(path)
            if document is None:
                return self._texts.read(path, index.digest(path))
            kept = self._open.get(path)
            if kept is None or kept[0] is not document.buffer:
                shown = _clean(to_lf(scrub(document.buffer.text)))
                kept = self._open[path] = document.buffer, shown
            return kept[1]

        return Snapshot(index, text, self._name, edits, viewed, self._texts.notes())


def _clean(text: str) -> str:
    return blanked(text).text
