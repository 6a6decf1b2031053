"""How long an answer will take, told before it begins: from how fast this machine was so far.

Arithmetic only; must never wait or do I/O. May import the engine's messages.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    from sidecar.engine.messages import ModelInfo, Stats

__all__ = ["LINE_MS", "STREAM_MS", "Latency", "Manner", "Speeds", "manner"]

#: Whoever sees words sooner than this takes them as typed along; later ones are read as a line.
STREAM_MS: Final = 200.0
#: Whoever waits longer is better served by less, at once.
LINE_MS: Final = 800.0

#: `stream`: as it grows. `line`: lines once they are whole. `offer`: what is known without the
#: model, until that answers.
Manner = Literal["stream", "line", "offer"]

#: Weight of a new observation.
_BLEND: Final = 0.2
#: Tokens of a prompt that tell its speed, and generated ones that tell theirs.
_LEAST_EVALUATED: Final = 16
_LEAST_GENERATED: Final = 4
#: Tokens of a prompt of which nothing is known yet: a window of the default settings.
_PROMPT: Final = 352.0


def manner(expected_ms: float) -> Manner:
    """Return how an answer is shown that takes so long to become visible."""
    if expected_ms < STREAM_MS:
        return "stream"
    return "line" if expected_ms <= LINE_MS else "offer"


class Speeds(NamedTuple):
    """How fast a model is on a machine.

    Args:
        prompt_ms: Milliseconds for each token of a prompt.
        token_ms: Milliseconds for each token that is generated.
    """

    prompt_ms: float
    token_ms: float

    @classmethod
    def of(cls, info: ModelInfo | None) -> Speeds | None:
        """Return what the engine measured when it loaded the model, if it did."""
        if info is None or info.prompt_tokens_per_s <= 0 or info.one_token_ms <= 0:
            return None
        return cls(1000.0 / info.prompt_tokens_per_s, info.one_token_ms)


class Latency:
    """Predicts how long it takes until something is visible.

    Without speeds it expects everything at once: nothing is held back, nor offered instead.

    Args:
        on_learned: Called when speeds were learned.
    """

    def __init__(self, on_learned: Callable[[], None] = lambda: None) -> None:
        self._on_learned = on_learned
        self.speeds: Speeds | None = None
        #: Answers that it learned from since the speeds were given.
        self.learned = 0
        self._prompt = _PROMPT
        #: Tokens that are generated until the first one is visible.
        self._passes = 1.0

    def begin(self, speeds: Speeds | None) -> None:
        """Begin with a model, at the speeds that are known of it."""
        self.speeds = speeds
        self.learned = 0

    def learn(self, stats: Stats, *, moved: bool) -> None:
        """Learn from an answer of the engine.

        Args:
            stats: Its account.
            moved: Whether its prompt was a new one.
        """
        if moved and stats.evaluated:
            self._prompt += _BLEND * (stats.evaluated - self._prompt)
        speeds = self.speeds
        if speeds is None:
            return
        prompt_ms, token_ms = speeds
        if stats.evaluated >= _LEAST_EVALUATED and stats.prompt_ms > 0:
            prompt_ms += _BLEND * (stats.prompt_ms / stats.evaluated - prompt_ms)
        if stats.generated >= _LEAST_GENERATED and stats.total_ms > stats.first_token_ms:
            each = (stats.total_ms - stats.first_token_ms) / (stats.generated - 1)
            token_ms += _BLEND * (each - token_ms)
        if stats.visible_ms is not None and token_ms > 0:
            spent = max(stats.visible_ms - stats.queue_ms - stats.prompt_ms, 0.0)
            self._passes += _BLEND * (min(spent / token_ms, 8.0) - self._passes)
        if (prompt_ms, token_ms) != speeds:
            self.speeds = Speeds(prompt_ms, token_ms)
            self.learned += 1
            self._on_learned()

    def expected_ms(self, left: int | None, most: float = math.inf) -> float:
        """Tell after how many milliseconds something will be visible.

        Args:
            left: Tokens of the prompt that were not evaluated yet; None for a new prompt.
            most: Tokens that a new prompt has at most.
        """
        if self.speeds is None:
            return 0.0
        prompt_ms, token_ms = self.speeds
        tokens = min(self._prompt, most) if left is None else left
        # Reading all weights costs a short pass as much as one of a single token.
        prompt = max(tokens * prompt_ms, token_ms) if tokens else 0.0
        return prompt + self._passes * token_ms
