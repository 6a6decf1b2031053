"""Shows a context card on a terminal. May import `context`, and `output` of this package."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sidecar.cli.output import emit, printable

if TYPE_CHECKING:
    from sidecar.context.card import Card

__all__ = ["print_card"]

_STATES = {None: "", True: "reused", False: "evaluated"}


def print_card(card: Card) -> None:
    """Print what a prompt holds and why, what was left out, and notes."""
    emit(f"{'part':8} {'tokens':>6}  {'':9}  reason")
    for part in card.parts:
        state = _STATES[part.reused]
        of = f" of {part.path}" if part.part == "repo" else ""
        line = f"{part.part:8} {part.tokens:>6}  {state:9}  {part.source}{of}, {part.reason}"
        emit(printable(line))
    for left in card.dropped:
        line = f"{left.source} of {left.path}, {left.reason}"
        emit(printable(f"{'left out':8} {left.tokens:>6}  {'':9}  {line}"))
    for line in card.notes:
        emit(printable(f"note: {line}"))
