"""The guard of every prompt: what looks like a secret is replaced before a model can read it.

Works on text alone and gives the same answer for the same text. Must never keep or log what it
finds: all that leaves this module are kinds and places. May import `text` and `context/scan.py`.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sidecar.context.scan import Secret, secrets_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sidecar.text import Buffer

__all__ = ["PLACEHOLDER", "Guarded", "Secret", "blanked", "blanked_spans", "hidden_note"]

#: What stands in place of a secret: says nothing about its length, and takes few tokens.
PLACEHOLDER = "********"
#: How far around a window secrets are looked for that reach into it: a private key of 8,192 bits,
#: and a line's rest.
_BEFORE, _AFTER = 7_000, 2_000
#: A line of a secret with what quotes, comments and indentation put around it.
_PIECE = re.compile(
    r"(\s*(?:(?:\\n)?[\"'`]|#|\*)?\s*)(.*?)((?:(?:\\[nr])*[\"'`][\s+.,;\\)]*)?\s*)", re.S
)

#: A longer line is replaced as a whole: the expression would take long.
_LONGEST_PIECE = 200


@dataclass(frozen=True, slots=True)
class Guarded:
    """A text without secrets.

    Args:
        text: The text, with the lines that it had.
        found: What was replaced, at its places in the text as it was.
    """

    text: str
    found: tuple[Secret, ...] = ()


def blanked(text: str) -> Guarded:
    """Replace the secrets of a text that may be a piece of a longer one."""
    return _without(text, secrets_in(text))


def blanked_spans(buffer: Buffer, spans: Sequence[tuple[int, int]]) -> list[Guarded]:
    """Replace the secrets of spans of a document, also of those that a span shows in part.

    Args:
        buffer: The document.
        spans: Start and end offsets, in order.
    """
    size = len(buffer)
    low = max(spans[0][0] - _BEFORE, 0)
    high = min(spans[-1][1] + _AFTER, size)
    found = secrets_in(buffer.slice(low, high), cut=(False, False))
    guarded = []
    for start, stop in spans:
        inside = tuple(
            Secret(
                secret.kind,
                max(secret.start + low - start, 0),
                min(secret.end + low, stop) - start,
            )
            for secret in found
            if secret.start + low < stop and start < secret.end + low
        )
        guarded.append(_without(buffer.slice(start, stop), inside))
    return guarded


def hidden_note(kinds: Iterable[str]) -> str:
    """Say for a context card how many secrets of which kinds a model is not shown."""
    counts = sorted(Counter(kinds).items())
    return "hidden from the model: " + ", ".join(f"{n} {kind}" for kind, n in counts)


def _without(text: str, found: tuple[Secret, ...]) -> Guarded:
    if not found:
        return Guarded(text)
    pieces: list[str] = []
    place = 0
    for secret in found:
        pieces.append(text[place : secret.start])
        lines = text[secret.start : secret.end].split("\n")
        pieces.append("\n".join(map(_hidden, lines)) if len(lines) > 1 else PLACEHOLDER)
        place = secret.end
    pieces.append(text[place:])
    return Guarded("".join(pieces), found)


def _hidden(line: str) -> str:
    """Return one line of a secret that has several, with its quotes and its line break."""
    piece = _PIECE.fullmatch(line) if len(line) <= _LONGEST_PIECE else None
    if piece is None or not piece[2]:
        return line if not line.strip() else PLACEHOLDER
    return piece[1] + PLACEHOLDER + piece[3]
