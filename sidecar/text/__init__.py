"""Immutable buffers, LSP's line breaks, and positions in UTF-8, UTF-16 and UTF-32.

May import nothing of sidecar but `errors`, and nothing third-party.
"""

from __future__ import annotations

from sidecar.text.buffer import Buffer, Change, Position
from sidecar.text.document import Document
from sidecar.text.lines import Encoding, encode_utf8, from_lf, scrub, split_lines, to_lf

__all__ = [
    "Buffer",
    "Change",
    "Document",
    "Encoding",
    "Position",
    "encode_utf8",
    "from_lf",
    "scrub",
    "split_lines",
    "to_lf",
]
