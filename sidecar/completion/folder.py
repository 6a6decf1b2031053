"""A workspace for commands: one folder's index as it is, and no open documents but the asked one.

May import `index`, and this package.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sidecar.completion.snapshots import Snapshots
from sidecar.index.query.overlay import Overlay
from sidecar.index.roots import relative

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    from sidecar.context.snapshot import Snapshot
    from sidecar.index.query.reader import Reader
    from sidecar.text import Document

    T = TypeVar("T")

__all__ = ["Folder"]


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
        with self._reader.holding():
            index = Overlay(self._reader, {})
            return question(path, self._snapshots.take(index, {path: document}))
