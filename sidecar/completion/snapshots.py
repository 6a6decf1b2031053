"""Makes snapshots of one workspace: its index, its texts without secrets, and its notes.

Runs on the thread that asks the index. May import `index`, `context` and `text`.
"""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING

from sidecar.context.guard import blanked
from sidecar.context.snapshot import Snapshot
from sidecar.index.files.content import digest
from sidecar.index.query.texts import Texts
from sidecar.text import encode_utf8, scrub, to_lf
from sidecar.text.notebook import HEAD, is_raw

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sidecar.context.snapshot import Edit, Viewed
    from sidecar.index.query.overlay import Overlay
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
        #: Texts of open documents and their digests, by their paths.
        self._open: dict[str, tuple[Buffer, str, bytes]] = {}

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

        def opened(document: Document, path: str) -> tuple[Buffer, str, bytes]:
            kept = self._open.get(path)
            if kept is None or kept[0] is not document.buffer:
                shown = _clean(to_lf(scrub(document.buffer.text)))
                kept = document.buffer, shown, digest(encode_utf8(shown))
                self._open[path] = kept
            return kept

        def text(path: str) -> str | None:
            document = documents.get(path)
            if document is not None:
                if is_raw(path, document.buffer.slice(0, HEAD)):
                    # What cells have put out is nobody's code.
                    return None
                return opened(document, path)[1]
            return self._texts.read(path, index.digest(path))

        def version(path: str) -> bytes | None:
            document = documents.get(path)
            return opened(document, path)[2] if document is not None else index.digest(path)

        return Snapshot(index, text, version, self._name, edits, viewed, self._texts.notes())


def _clean(text: str) -> str:
    return blanked(text).text
