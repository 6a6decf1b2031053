"""What becomes of one file: read, compared with what is known of it, parsed and packed.

Runs in a worker. A result is one of
    ("record", fields of a FileRecord, settled)
    ("same", size, mtime_ns, digest, settled)    the content is what it was
    ("skip", reason, size, mtime_ns)
where `settled` says whether a later change will show in the file's time. Must never write. May
import `syntax`, `content` of `index.files`, and `records` of this package.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from sidecar.index.extract.records import make_record
from sidecar.index.files.content import Skip, read_source
from sidecar.syntax.facts import Facts, extract
from sidecar.syntax.languages import Languages
from sidecar.syntax.parse import Grammar
from sidecar.text import encode_utf8
from sidecar.text.notebook import NotebookError, is_notebook, read_notebook

if TYPE_CHECKING:
    from sidecar.syntax.languages import Language

__all__ = ["Extraction"]

log = logging.getLogger(__name__)


class Extraction:
    """Extracts the files of one root.

    Args:
        root: Absolute path of the root.
        max_bytes: Larger files are skipped.
        outside: Whether they are outside of the workspace: of those only the declarations count,
            and their paths are absolute.
    """

    def __init__(self, root: str, max_bytes: int, *, outside: bool = False) -> None:
        self._root = root
        self._max_bytes = max_bytes
        self._outside = outside
        self._languages = Languages.load()

    def prepare(self, path: str) -> None:
        """Load what a file of this name needs, which is no fault of the file."""
        language = self._languages.find("", path)
        if language is not None:
            Grammar.of(language)

    def run(self, path: str, digest: bytes) -> tuple[Any, ...]:
        """Extract a file.

        Args:
            path: Relative to the root, or absolute.
            digest: Of the content that is known; empty if none is.
        """
        root, name = path.rpartition("/")[::2] if self._outside else (self._root, path)
        source = read_source(root, name, self._max_bytes, generated=self._outside)
        if isinstance(source, Skip):
            return ("skip", *source)
        if source.digest == digest:
            return ("same", source.size, source.mtime_ns, digest, source.settled)
        try:
            if is_notebook(path):
                language, facts = self._of_notebook(source.data)
            else:
                language = self._languages.find("", path)
                facts = (
                    extract(language, source.data, declarations_only=self._outside)
                    if language
                    else None
                )
        except Exception:
            # One file that we cannot understand must not keep the others from being known.
            log.exception("a file could not be extracted")
            return ("skip", "crashed", source.size, source.mtime_ns)
        record = make_record(
            path,
            "" if language is None else language.name,
            source.size,
            source.mtime_ns,
            source.digest,
            facts,
            external=self._outside,
        )
        return ("record", record, source.settled)

    def _of_notebook(self, data: bytes) -> tuple[Language | None, Facts | None]:
        """Return what a notebook imports: nobody can import what it declares itself."""
        try:
            notebook = read_notebook(data.decode("utf-8", "replace"))
        except NotebookError:
            return None, None
        language = self._languages.of_kernel(notebook.language)
        source = encode_utf8(notebook.text)
        found = extract(language, source, declarations_only=True) if language else None
        if found is None:
            return language, None
        return language, Facts((), (), found.imports, {}, "", found.errors)
