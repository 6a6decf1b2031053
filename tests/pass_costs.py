"""What passes of several tokens cost on machines that tests of drafts think of."""

from __future__ import annotations

__all__ = ["GPU", "NO_GAIN", "PassCosts"]


class PassCosts:
    """Costs of a model's passes, as multiples of one token's."""

    def __init__(self, *costs: float, stale: bool = False) -> None:
        self.costs = costs
        self.stale = stale

    def of(self, tokens: int) -> float:
        return self.costs[min(tokens, len(self.costs)) - 1]


#: A machine on which a pass of several costs as many passes; a GPU.
NO_GAIN = PassCosts(*(float(n) for n in range(1, 9)))
GPU = PassCosts(1.0, 1.02, 1.03, 1.04, 1.05, 1.06, 1.08, 1.1)
