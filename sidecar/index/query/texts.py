"""The texts of a workspace's files as they are on disk, of those only that the index knows.

What is ignored, secret, generated or too large is not in the index, so nothing of it is read here.
May import `text`, `content` of `index.files`, and `index.storage`.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Final

from sidecar.index.files.content import Skip, read_source
from sidecar.index.storage.externals import is_external
from sidecar.text import scrub, to_lf
from sidecar.text.notebook import NotebookError, is_notebook, read_notebook

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["NOTES", "Texts"]

#: Where a project's notes are, below its root.
NOTES: Final = ".sidecar/notes.md"
_MOST_NOTES = 64_000

#: Characters of texts that are kept.
_MOST_KEPT = 16_000_000


class Texts:
    """Reads files of one root; for one caller at a time.

    Args:
        root: Absolute path of the root.
        clean: Applied to each text once it was read.
    """

    def __init__(self, root: str, clean: Callable[[str], str]) -> None:
        self._root = root
        self._clean = clean
        self._kept: OrderedDict[str, tuple[bytes, str]] = OrderedDict()
        self._size = 0

    def notes(self) -> str:
        """Return the project's notes, which their author wants to be read; or nothing."""
        source = read_source(self._root, NOTES, _MOST_NOTES)
        if isinstance(source, Skip):
            return ""
        return self._clean(to_lf(source.data.decode("utf-8", "replace")))

    def read(self, path: str, digest: bytes | None) -> str | None:
        """Return a file's text with LF breaks, or None if it may not be read or is gone.

        Args:
            path: Relative to the root.
            digest: What the index knows of its content; None if it does not know the file.
        """
        if digest is None or is_external(path):
            return None
        kept = self._kept.get(path)
        if kept is not None and kept[0] == digest:
            self._kept.move_to_end(path)
            return kept[1]
        source = read_source(self._root, path)
        if isinstance(source, Skip):
            return None
        text = source.data.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace")
        if is_notebook(path):
            try:
                text = scrub(read_notebook(text).text)
            except NotebookError:
                return None
        text = self._clean(to_lf(text))
        if kept is not None:
            self._size -= len(kept[1])
        self._kept[path] = source.digest, text
        self._kept.move_to_end(path)
        self._size += len(text)
        while self._size > _MOST_KEPT and len(self._kept) > 1:
            self._size -= len(self._kept.popitem(last=False)[1][1])
        return text
