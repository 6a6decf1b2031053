"""An anchor with its head as a later session can use it, and how that is written down.

The text around an anchor is compared by its digest, and only what the model was shown is written:
without secrets. Values only. May import `anchor`, `places` and `context`'s values.
"""

from __future__ import annotations

import hashlib
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from sidecar.completion.anchor import MAX_CLOSERS, Anchor, known_by
from sidecar.context.arrangement import Kept as Shown
from sidecar.context.fit import Fitted
from sidecar.context.head import Head
from sidecar.context.holding import Held
from sidecar.context.snapshot import Snippet
from sidecar.engine.messages import Segment
from sidecar.text import encode_utf8

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sidecar.completion.places import Kept
    from sidecar.text import Buffer

__all__ = ["Piece", "Remembered", "from_json", "remembered", "to_json"]


class Piece(NamedTuple):
    """A piece of a document: its characters, and their digest."""

    size: int
    digest: str

    @classmethod
    def of(cls, text: str) -> Piece:
        """Return what stands for a text."""
        # Half pairs, which some editors send, have a form here as well.
        raw = encode_utf8(text)
        return cls(len(text), hashlib.blake2b(raw, digest_size=16).hexdigest())


@dataclass(frozen=True, slots=True)
class Remembered:
    """An anchor of a session before.

    Args:
        offset: Where it stood.
        before: Its prefix.
        after: Its suffix.
        to_end: Whether the suffix reaches the end of the document.
        reason: Why it stood there.
        shown_prefix: What a prompt shows before it.
        shown_suffix: What a prompt shows after the cursor.
        above: What of that is no part of the window.
        hidden: Kinds of the secrets that are not shown.
        head: What stands before its window.
        typed_tokens: Tokens behind it when the engine last saw it.
    """

    offset: int
    before: Piece
    after: Piece
    to_end: bool
    reason: str
    shown_prefix: str
    shown_suffix: str
    above: str
    hidden: tuple[str, ...]
    head: Head
    typed_tokens: int

    def in_text(self, buffer: Buffer, cursor: int) -> Anchor | None:
        """Return the anchor, if the text around it and after a cursor is what it was.

        Args:
            buffer: The document's text.
            cursor: Offset of the cursor.
        """
        start = self.offset - self.before.size
        if start < 0 or not self.offset <= cursor <= len(buffer):
            return None
        prefix = buffer.slice(start, self.offset)
        if Piece.of(prefix) != self.before or known_by(buffer, start, self.offset):
            # A short window alone does not tell where it stands.
            return None
        size = self.after.size
        following = buffer.slice(cursor, cursor + size + MAX_CLOSERS)
        for closers in range(len(following) - size + 1):
            suffix = following[closers : closers + size]
            if Piece.of(suffix) == self.after:
                return Anchor(
                    offset=self.offset,
                    prefix=prefix,
                    suffix=suffix,
                    to_end=self.to_end,
                    reason=self.reason,
                    shown_prefix=self.shown_prefix,
                    shown_suffix=self.shown_suffix,
                    above=self.above,
                    hidden=self.hidden,
                )
        return None


def remembered(kept: Kept) -> Remembered:
    """Return what a later session needs of an anchor."""
    anchor = kept.anchor
    return Remembered(
        offset=anchor.offset,
        before=Piece.of(anchor.prefix),
        after=Piece.of(anchor.suffix),
        to_end=anchor.to_end,
        reason=anchor.reason,
        shown_prefix=anchor.shown_prefix,
        shown_suffix=anchor.shown_suffix,
        above=anchor.above,
        hidden=anchor.hidden,
        head=kept.head,
        typed_tokens=kept.typed_tokens,
    )


def to_json(one: Remembered) -> dict[str, Any]:
    """Return plain values of an anchor; what was not shown is left out."""
    head = one.head
    paths = {*head.paths}
    versions = head.held.versions.items()
    return {
        **{name: getattr(one, name) for name in _PLAIN},
        "before": [*one.before],
        "after": [*one.after],
        "hidden": [*one.hidden],
        "head": {
            **{name: getattr(head, name) for name in _PLAIN_OF_HEADS},
            "notes": [*head.notes],
            "segments": [asdict(segment) for segment in head.segments],
            "held": [asdict(shown) for shown in head.held.kept],
            "versions": {path: found.hex() for path, found in versions if path in paths and found},
            "signals": [asdict(shown) for shown in head.signals.kept],
        },
    }


def from_json(found: dict[str, Any]) -> Remembered:
    """Read what `to_json` wrote; raises KeyError, TypeError or ValueError on anything else."""
    head = found["head"]
    versions = {path: bytes.fromhex(text) for path, text in head["versions"].items()}
    return Remembered(
        **{name: found[name] for name in _PLAIN},
        before=Piece(*found["before"]),
        after=Piece(*found["after"]),
        hidden=tuple(found["hidden"]),
        head=Head(
            **{name: head[name] for name in _PLAIN_OF_HEADS},
            held=Held(_shown(head["held"]), versions=versions),
            signals=Fitted(_shown(head["signals"])),
            notes=tuple(head["notes"]),
            segments=tuple(Segment(**segment) for segment in head["segments"]),
        ),
    )


_PLAIN = (
    "offset",
    "to_end",
    "reason",
    "shown_prefix",
    "shown_suffix",
    "above",
    "typed_tokens",
)
_PLAIN_OF_HEADS = ("path", "outline", "outline_tokens")


def _shown(found: Sequence[dict[str, Any]]) -> tuple[Shown, ...]:
    return tuple(Shown(**{**one, "snippet": Snippet(**one["snippet"])}) for one in found)
