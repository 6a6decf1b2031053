"""What a head says of the moment: it stands last, and is not held.

A selection, diagnostics and the types of names in scope change more often than all else, so what
stands before them is chosen without them, but for the room that they take. Pure. May import
`context`'s values.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from sidecar.context.fit import Budget, Fitted, fit
from sidecar.context.window import Tokens

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sidecar.context.gathering import Gathered
    from sidecar.context.snapshot import Snippet

__all__ = ["SIGNALS", "parted", "reserved", "signals_of"]

#: The sources of what is said of the moment.
SIGNALS: Final = frozenset({"selection", "diagnostics", "scope"})
#: The part of a head's room that they may take together.
_SHARE: Final = 0.25


def parted(gathered: Gathered) -> tuple[Gathered, list[Snippet]]:
    """Return what was gathered without what is said of the moment, and that."""
    signals = [snippet for snippet in gathered.snippets if snippet.source in SIGNALS]
    if not signals:
        return gathered, signals
    lasting = tuple(snippet for snippet in gathered.snippets if snippet.source not in SIGNALS)
    return replace(gathered, snippets=lasting), signals


def reserved(signals: Sequence[Snippet], room: int, counts: Mapping[str, int]) -> int:
    """Return the tokens that are kept free for what is said of the moment.

    Args:
        signals: What is said.
        room: Tokens of all that a head shows of files.
        counts: Tokens of texts, by text.
    """
    tokens = Tokens(counts)
    wanted = sum(tokens.text(one.text) + tokens.text(one.path + "\n") for one in signals)
    return min(wanted, int(room * _SHARE))


def signals_of(
    signals: Sequence[Snippet], room: int, counts: Mapping[str, int], seen: Sequence[str]
) -> Fitted:
    """Choose what is said of the moment.

    Args:
        signals: What may be said.
        room: Most tokens of it.
        counts: Tokens of texts, by text.
        seen: What the prompt shows anyway.
    """
    return fit(signals, Budget(room), counts, seen=seen) if signals else Fitted()
