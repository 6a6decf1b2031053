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
from typing import Any

from sidecar.index.extract.records import make_record
from sidecar.index.files.content import Skip, read_source
from sidecar.syntax.facts import extract
from sidecar.syntax.languages import Languages
from sidecar.syntax.parse import Grammar

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
        language = self._languages.find("", path)
        try:
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
