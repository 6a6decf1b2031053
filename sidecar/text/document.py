"""One immutable snapshot of an open document: what every handler takes before its first await.

Must never know LSP types or do I/O. May import `text/buffer.py`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sidecar.text.buffer import Buffer

__all__ = ["Document"]


@dataclass(frozen=True, slots=True)
class Document:
    """A document as the editor showed it at one moment.

    Args:
        uri: The editor's name of the document.
        path: Its file system path, or whatever stands for one.
        language: The editor's language identifier, which may be unknown or empty.
        version: The editor's version number.
        buffer: The text.
    """

    uri: str
    path: str
    language: str
    version: int
    buffer: Buffer
