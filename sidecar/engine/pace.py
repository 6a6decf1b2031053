"""How fast this machine decodes: the size of prompt chunks, and the cost of one token or a few.

Chunks are sized by time, because between them is where a request can be cancelled or preempted on
every backend. Drafts pay or do not by what a pass of a few tokens costs.
"""

from __future__ import annotations

__all__ = ["Batches", "Pace"]

#: Weight of a new observation.
_BLEND = 0.3
#: Below this, reading the weights again for every chunk costs more than the tokens in it.
_LEAST_CHUNK = 8
#: Where a pass can be stopped inside, it may take so many times as long: small chunks read all
#: weights for few tokens (measured on two cores: 8 tokens a chunk 42 to 73 tokens/s, 64 a chunk 90
#: to 120).
_LONGER = 3
#: llama.cpp's attention on the CPU takes 64 queries at once, and what is less one by one: behind
#: 900 tokens a pass of 64 takes 722 ms and one of 63 takes 925 (0.5B model, two cores).
_TILE = 64
#: So much is read in one pass rather than in two, of which one would not fill a tile.
_IN_ONE = 2 * _TILE
#: A pass seldom takes longer than another for no reason, but then much longer: it counts little,
#: unless what was known is old.
_BLEND_BATCH = 0.15
_BLEND_STALE = 0.5
#: Passes of one token after which the cost of several counts as unknown.
_STALE_PASSES = 256


class Batches:
    """What passes of a few tokens cost, with a row for each, as multiples of one token's.

    Load on the machine changes the times of all passes, and their ratio less.
    """

    def __init__(self) -> None:
        self._one_ms = 0.0
        self._ratios: dict[int, float] = {}
        self._unmeasured = 0

    def note(self, tokens: int, seconds: float) -> None:
        """Learn from a pass.

        Args:
            tokens: Tokens in the pass, all with a row.
            seconds: Time it took.
        """
        spent = seconds * 1000.0
        if tokens == 1:
            self._one_ms = _blend(self._one_ms, spent)
            self._unmeasured += 1
        elif self._one_ms > 0.0:
            # It reads all weights, and can do no worse than as many passes.
            ratio = min(max(spent / self._one_ms, 1.0), float(tokens))
            before = self._ratios.get(tokens, ratio)
            blend = _BLEND_STALE if self.stale else _BLEND_BATCH
            self._ratios[tokens] = before + blend * (ratio - before)
            self._unmeasured = 0

    @property
    def one_ms(self) -> float:
        """How long a pass of one token takes; 0 before one was measured."""
        return self._one_ms

    @property
    def stale(self) -> bool:
        """Whether no pass of several tokens was measured for long."""
        return self._unmeasured > _STALE_PASSES

    def of(self, tokens: int) -> float:
        """Tell how long a pass takes, as a multiple of one token's.

        Args:
            tokens: Tokens in the pass. Between sizes that were measured it lies on a line, beyond
                them every token costs as much as theirs do on average.
        """
        below, cost = 1, 1.0
        for size in sorted(self._ratios):
            ratio = self._ratios[size]
            if size >= tokens:
                return cost + (ratio - cost) * (tokens - below) / (size - below)
            below, cost = size, ratio
        return cost * tokens / below


#: Chunks finished one after the other, until longer ones are tried.
_FINISHED = 2


class Pace:
    """Running estimate of the time of a pass: a fixed part, and a part for each token.

    Reading the weights costs a pass of one token nearly as much as one of many, so a single
    tokens-per-second figure would misjudge small chunks; the two parts are learned from passes of
    one token and of many.

    Args:
        chunk_ms: Milliseconds that a chunk may take.
    """

    def __init__(self, chunk_ms: float = 100.0) -> None:
        self._chunk_ms = chunk_ms
        self.one_token_ms = 0.0
        self.per_token_ms = 0.0
        self.batches = Batches()
        self._halvings = 0
        self._finished = 0

    def note(self, tokens: int, seconds: float) -> None:
        """Learn from a pass.

        Args:
            tokens: Tokens in the pass, of which only the last has a row.
            seconds: Time it took.
        """
        spent = seconds * 1000.0
        if tokens == 1:
            self.batches.note(1, seconds)
            self.one_token_ms = _blend(self.one_token_ms, spent)
            return
        each = max(spent - self.one_token_ms, 0.1 * spent) / (tokens - 1)
        self.per_token_ms = _blend(self.per_token_ms, each)

    def chunk(self, left: int, *, interruptible: bool, background: bool = False) -> int:
        """Tell how many tokens of a prompt the next pass should take.

        Who comes meanwhile waits for its end, unless it can be stopped; then it is lost. So what
        nobody waits for takes half as much after each loss, down to a chunk that could not be
        stopped, and more again while chunks are finished.

        Args:
            left: Tokens of the prompt that are left.
            interruptible: Whether a pass can be stopped before its end.
            background: Whether nobody waits for it.
        """
        size = self._within(self._chunk_ms)
        if interruptible:
            size = max(self._longest, left if left <= _IN_ONE else 0)
        if background:
            size = max(self._within(self._chunk_ms), size >> self._halvings)
        return min(size, left)

    @property
    def _longest(self) -> int:
        return max(self._within(self._chunk_ms * _LONGER), _TILE)

    def _within(self, limit_ms: float) -> int:
        if self.per_token_ms <= 0.0:
            return 16
        return max(_LEAST_CHUNK, 1 + int((limit_ms - self.one_token_ms) / self.per_token_ms))

    def lost(self) -> None:
        """Learn that a chunk in the background was interrupted."""
        if self._longest >> self._halvings > self._within(self._chunk_ms):
            self._halvings += 1
        self._finished = 0

    def finished(self) -> None:
        """Learn that a chunk in the background was finished."""
        self._finished += 1
        if self._finished == _FINISHED:
            self._halvings = max(self._halvings - 1, 0)
            self._finished = 0

    @property
    def prompt_tokens_per_s(self) -> float:
        """Prompt speed in passes of a tile, in tokens a second."""
        spent = self.one_token_ms + (_TILE - 1) * self.per_token_ms
        return 1000.0 * _TILE / spent if spent else 0.0


def _blend(old: float, new: float) -> float:
    return new if old == 0.0 else old + _BLEND * (new - old)
