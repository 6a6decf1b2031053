"""Whether to suggest anything at all: the first and cheapest question of a keystroke.

Its reasons are words to count and to show, never code. Reads no file, and asks the file system
for nothing but where links lead. May import `text` and `index.files.secrets`.
"""

from __future__ import annotations

import fnmatch
from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING, get_args

from sidecar.index.files.secrets import is_secret
from sidecar.settings.schema import ScopeName
from sidecar.text.notebook import HEAD, is_raw

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from sidecar.settings.schema import CompletionSettings
    from sidecar.syntax.scopes import Scope
    from sidecar.text import Document

__all__ = ["GateLimits", "gate", "refused"]

#: Before these a line of its own may be missing, such as the last item of a list.
_BRACKETS = ")]}"
_SCOPES = frozenset(get_args(ScopeName))


@dataclass(frozen=True, slots=True)
class GateLimits:
    """Sizes beyond which a file is data rather than code that somebody writes.

    Args:
        characters: Most characters of a document.
        line_characters: Most characters of the cursor's line; minified files have such lines.
    """

    characters: int = 2_000_000
    line_characters: int = 2_000


_LIMITS = GateLimits()


def refused(
    document: Document,
    offset: int,
    settings: CompletionSettings,
    scope_at: Callable[[Document, int], Scope],
) -> str | None:
    """Return why nothing is suggested at a place, whatever the model would say.

    Args:
        document: The document.
        offset: The cursor.
        settings: What the user wants.
        scope_at: Tells what a place stands in; not asked when all is wanted.
    """
    if not settings.enabled:
        return "disabled"
    name = PurePath(document.path).name
    if any(fnmatch.fnmatchcase(name, pattern) for pattern in settings.disabled_files):
        return "file_disabled"
    reason = gate(document, offset, disabled=settings.disabled_languages)
    if reason is not None or _SCOPES.issubset(settings.scopes):
        return reason
    return None if scope_at(document, offset) in settings.scopes else "scope_disabled"


def gate(
    document: Document,
    offset: int,
    *,
    disabled: Collection[str] = (),
    limits: GateLimits = _LIMITS,
) -> str | None:
    """Return why nothing should be suggested, or None to go on.

    Args:
        document: The document.
        offset: The cursor.
        disabled: Language identifiers for which the user wants nothing.
        limits: Sizes of files that are served.
    """
    if document.language in disabled:
        return "language_disabled"
    if is_secret(document.path):
        return "secret_file"
    buffer = document.buffer
    if is_raw(document.path, buffer.slice(0, HEAD)):
        # An editor that knows no notebooks: whatever cells have put out stands in there.
        return "raw_notebook"
    if len(buffer) > limits.characters:
        return "file_too_large"
    line = buffer.line_at(offset)
    if buffer.line_end(line) - buffer.line_start(line) > limits.line_characters:
        return "line_too_long"
    after = buffer.slice(offset, offset + 1)
    if after.isalnum() or after == "_":
        return "middle_of_word"
    rest = buffer.slice(offset, buffer.line_end(line)).strip()
    # A whole line is suggested there, and the one that follows would be glued to its end.
    before = buffer.slice(buffer.line_start(line), offset)
    if rest and rest[0] not in _BRACKETS and not before.strip():
        return "before_code"
    return None
