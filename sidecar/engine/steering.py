"""Whether a draft model pays, and how far it should guess: rates and costs, learned as it goes.

All costs are multiples of the main model's pass of one token, at the same load. Pure: no model, no
clock.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from sidecar.engine.drafts import MOST_GUESSES

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Steering", "kind_of"]

#: Kinds of guesses: how far the draft model's second best logit lies below the one that it chose.
_GAPS = (0.0, 0.5, 1.0, 2.0, 4.0, 8.0)
#: How often guesses of a kind are right, to start with: a guess, which is soon forgotten.
_START = (0.45, 0.5, 0.6, 0.75, 0.9, 0.97)
_START_USUAL = 0.7
#: Weight of a new outcome.
_BLEND = 0.04
#: What drafts must promise to save before they are used: estimates are never exact.
_MARGIN = 1.1
#: What is known of gain and loss is forgotten by this much with each round. Some that lost are
#: needed before that says something.
_MEMORY = 0.98
_ENOUGH_SPENT = 12.0
#: Tokens of a suggestion, to start with.
_START_LENGTH = 12.0
_BLEND_LENGTH = 0.1
#: Tokens generated without the draft model, after which it is tried again where nobody waits:
#: what was measured in a bad moment would else forbid it for ever.
_STALE_TOKENS = 384


class Passes(Protocol):
    """What passes of the main model cost on this machine."""

    def of(self, tokens: int) -> float:
        """Tell how long a pass of a few tokens takes, as a multiple of one token's."""
        ...


class Steering:
    """Decides when a draft model guesses, and how far.

    Args:
        costs: What passes of the main model cost.
    """

    def __init__(self, costs: Passes) -> None:
        self.costs = costs
        #: What a pass of one token of the draft model costs.
        self.each = 1.0
        self._rates = list(_START)
        self._usual = _START_USUAL
        self._length = _START_LENGTH
        #: Tokens that were got with it, each of which is worth one pass, and what they cost.
        self._won = 0.0
        self._spent = 0.0
        self._unused = 0

    @property
    def worth(self) -> float | None:
        """How many times as fast it was lately; None while too little is known."""
        return self._won / self._spent if self._spent > _ENOUGH_SPENT else None

    @property
    def stale(self) -> bool:
        """Whether it was not used for long."""
        return self._unused > _STALE_TOKENS

    def left(self, generated: int, most: int) -> float:
        """Tell how many tokens are probably still to be generated.

        Args:
            generated: Tokens so far.
            most: How many more there may be.
        """
        return min(float(most), max(self._length - generated, 2.0))

    def pays(self, behind: float = 0.0, left: float = _START_LENGTH) -> bool:
        """Tell whether guessing is faster than not to guess.

        Args:
            behind: What it costs the draft model to read what it has not read yet.
            left: Tokens that are probably still to be generated.
        """
        if (self.worth or _MARGIN) < 1.0:
            return False
        value = self._best_value()
        return value > _MARGIN and left * (1.0 - 1.0 / value) > behind

    def tried(self) -> None:
        """Take in that it is tried again after long: what was gained or lost then is forgotten."""
        self._won = self._spent = 0.0
        self._unused = 0

    def goes_on(self, kinds: Sequence[int]) -> bool:
        """Tell whether one guess more is worth its pass.

        Args:
            kinds: Kinds of the guesses so far.
        """
        count = len(kinds)
        if count >= MOST_GUESSES:
            return False
        chance, expected = self._expected(kinds)
        cost = self.costs.of(count + 1) + count * self.each
        more = self.costs.of(count + 2) - self.costs.of(count + 1) + self.each
        return chance * self._usual * cost > expected * more

    def length(self, kinds: Sequence[int]) -> int:
        """Tell how many of the guesses, which are made, should be verified.

        Args:
            kinds: Their kinds.
        """
        best, gain = 0, 1.0
        for count in range(1, len(kinds) + 1):
            value = self._expected(kinds[:count])[1] / self.costs.of(count + 1)
            if value > gain:
                best, gain = count, value
        return best

    def note(self, kind: int, right: bool) -> None:
        """Learn from a token: whether it was the one that was guessed."""
        self._rates[kind] += _BLEND * (right - self._rates[kind])
        self._usual += _BLEND * (right - self._usual)

    def began(self, cost: float) -> None:
        """Learn that a round began, whose pass gives a token at least.

        Args:
            cost: What it costs, with what the draft model had to read.
        """
        self._won = self._won * _MEMORY + 1.0
        self._spent = self._spent * _MEMORY + cost
        self._unused = 0

    def won(self) -> None:
        """Learn that a guess was right, which saved a pass."""
        self._won += 1.0

    def lost(self, passes: int) -> None:
        """Learn that passes had to be made again."""
        self._spent += passes

    def ended(self, generated: int, unused: int) -> None:
        """Learn from the end of a request.

        Args:
            generated: Tokens of it.
            unused: Those of them that were generated without the draft model.
        """
        if generated:
            self._length += _BLEND_LENGTH * (generated - self._length)
        self._unused += unused

    def _expected(self, kinds: Sequence[int]) -> tuple[float, float]:
        """Return the chance that all guesses are right, and the tokens that they give."""
        chance = expected = 1.0
        for kind in kinds:
            chance *= self._rates[kind]
            expected += chance
        return chance, expected

    def _best_value(self) -> float:
        """Return the tokens for the cost of one that the best number of guesses gives."""
        chance = expected = best = 1.0
        for count in range(1, MOST_GUESSES + 1):
            chance *= self._usual
            expected += chance
            best = max(best, expected / (self.costs.of(count + 1) + count * self.each))
        return best


def kind_of(gap: float) -> int:
    """Return the kind of a guess.

    Args:
        gap: How far the second best logit lay below it.
    """
    return max(kind for kind, least in enumerate(_GAPS) if gap >= least)
