"""What the counters say about how well something works: shares between 0 and 1.

Pure. May import nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Rates", "rates", "share"]

Rates = dict[str, "float | dict[str, float | None] | None"]

_HITS = "warming.hits."
_MISSES = "warming.misses."


def share(part: float, rest: float) -> float | None:
    """Return which share of two numbers together the first is; None if there are none."""
    whole = part + rest
    return part / whole if whole > 0 else None


def rates(counters: Mapping[str, int]) -> Rates:
    """Return the hit rates of a front, or of several together.

    `cache`: requests that were answered with what the model had said before. `joined`: of the
    others those that went on waiting for what was being generated. `speculation`: suggestions
    generated before they were asked for that were used. `drafts`: tokens that were guessed right;
    `draft_model`: of those that the draft model guessed.
    `warming`: places that were evaluated before anybody came, and that somebody came to, among
    those of which it is known; `warming_by_reason` tells it for each reason to expect somebody.
    `warming_tokens`: tokens evaluated for those. `prompt_evaluated`: prompt tokens that were
    computed for a request and not found in a lane. A rate is None while nothing was counted.
    """

    def ratio(part: str, whole: str) -> float | None:
        known = counters.get(whole, 0)
        return min(counters.get(part, 0) / known, 1.0) if known else None

    def between(part: str, rest: str) -> float | None:
        return share(counters.get(part, 0), counters.get(rest, 0))

    reasons = sorted(
        {name.removeprefix(_HITS) for name in counters if name.startswith(_HITS)}
        | {name.removeprefix(_MISSES) for name in counters if name.startswith(_MISSES)}
    )
    return {
        "cache": between("cache.hit", "cache.miss"),
        "joined": ratio("generation.joined", "cache.miss"),
        "speculation": ratio("speculation.used", "speculation.begun"),
        "drafts": ratio("draft.accepted", "draft.tokens"),
        "draft_model": ratio("draft.model_accepted", "draft.model_tokens"),
        "warming": between("warming.hits", "warming.misses"),
        "warming_by_reason": {
            reason: between(_HITS + reason, _MISSES + reason) for reason in reasons
        },
        "warming_tokens": between("warming.used_tokens", "warming.wasted_tokens"),
        "prompt_evaluated": between("prompt.evaluated", "prompt.reused"),
    }
