"""The context card: the account of one prompt, for people who ask why the engine read what it read.

Must never hold code, only names, reasons and numbers: a card may be logged. May import nothing of
sidecar.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["ORDERS", "Card", "Left", "Part"]

#: The order in which each layout of a model's template reads the parts.
ORDERS: dict[str, tuple[str, ...]] = {
    "psm": ("repo", "outline", "prefix", "suffix", "typed"),
    "spm": ("repo", "outline", "suffix", "prefix", "typed"),
    "none": ("repo", "outline", "prefix", "typed"),
}


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a prompt.

    Args:
        part: Kind of the segment it is in.
        source: What offered it.
        path: The file it is from.
        reason: Why it was chosen.
        tokens: Its tokens, as estimated before the engine has counted.
        score: Its relevance, where it was ranked.
        reused: Whether the engine found all of it evaluated; None before it has answered.
    """

    part: str
    source: str
    path: str
    reason: str
    tokens: int
    score: float | None = None
    reused: bool | None = None


@dataclass(frozen=True, slots=True)
class Left:
    """What was offered and left out of a prompt.

    Args:
        source: What offered it.
        path: The file it is from.
        reason: Why it is not there.
        tokens: The tokens that it would have taken.
    """

    source: str
    path: str
    reason: str
    tokens: int


@dataclass(frozen=True, slots=True)
class Card:
    """The account of one prompt."""

    parts: tuple[Part, ...]
    notes: tuple[str, ...] = ()
    dropped: tuple[Left, ...] = ()

    def as_dict(self) -> dict[str, object]:
        """Return plain values for JSON."""
        return asdict(self)

    def noting(self, *notes: str) -> Card:
        """Return the card with notes added."""
        return replace(self, notes=(*self.notes, *notes))

    def settled(self, tokens: Mapping[str, int], reused: int, layout: str = "psm") -> Card:
        """Return the card with the engine's own counts.

        Args:
            tokens: Tokens of each kind of segment, as the engine counted them.
            reused: Tokens at the head of the prompt that were evaluated already.
            layout: The order in which the model's template reads the segments.
        """
        order = ORDERS.get(layout, ORDERS["psm"])
        parts: list[Part] = []
        end = 0
        counted = self.counted(tokens).parts
        for part in sorted(counted, key=lambda p: order.index(p.part) if p.part in order else 9):
            end += part.tokens
            parts.append(replace(part, reused=end <= reused))
        return replace(self, parts=tuple(parts))

    def counted(self, tokens: Mapping[str, int]) -> Card:
        """Return the card with parts that add up to what was counted.

        Parts of one kind share what their segments have in common, such as the repository's name,
        by their size.

        Args:
            tokens: Tokens of each kind of segment.
        """
        estimated = Counter[str]()
        for part in self.parts:
            estimated[part.part] += part.tokens
        left = {kind: (tokens.get(kind, total), total) for kind, total in estimated.items()}
        parts: list[Part] = []
        for part in self.parts:
            counted, total = left[part.part]
            share = round(counted * part.tokens / total) if total else counted
            # What is left goes on to the next ones, so that rounding loses nothing.
            left[part.part] = counted - share, total - part.tokens
            parts.append(replace(part, tokens=share))
        return replace(self, parts=tuple(parts))
