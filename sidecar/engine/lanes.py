"""Lanes: sequences that hold the evaluated state of anchors, and logits of the last positions.

A lane's `tokens` are always exactly what the KV cache holds for its sequence; rows stand only for
positions that exist. Both are kept true when a decode is interrupted, fails, or finds no room. The
last tokens may be guesses, until they are settled or dropped. May import numpy.
"""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np

from sidecar.engine.model import MAX_CHUNK, Interrupted, NoRoom
from sidecar.errors import EngineError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from sidecar.engine.model import Model
    from sidecar.engine.pace import Pace

__all__ = ["ROWS", "Lane", "Lanes", "Row", "common_prefix"]

#: Rows kept by a lane: the tokens of a line and a few before it. A row of Qwen's vocabulary is
#: 600 KB.
ROWS = 32

#: A lane is used in place when this share of it is kept; else its head is forked and the lane
#: stays for its anchor.
_SHARE_IN_PLACE = 0.75


class Row:
    """The remembered logits of one position.

    Args:
        logits: One value for each token of the vocabulary.
    """

    __slots__ = ("_total", "logits")

    def __init__(self, logits: NDArray[np.float32]) -> None:
        self.logits = logits
        self._total: float | None = None

    def best(self, allowed: NDArray[np.int64] | None) -> int:
        """Return the likeliest token, among all or those allowed."""
        if allowed is None:
            return int(self.logits.argmax())
        return int(allowed[self.logits[allowed].argmax()])

    def gap(self) -> float:
        """Return how far the second best logit lies below the best."""
        logits = self.logits
        place = int(logits.argmax())
        best = logits[place]
        logits[place] = -np.inf
        second = logits.max()
        logits[place] = best
        return float(best - second)

    def log_probability(self, token: int, allowed: NDArray[np.int64] | None = None) -> float:
        """Return a token's log-probability among all tokens, or those allowed.

        The sum over all of them is made once.
        """
        if allowed is not None:
            return float(self.logits[token]) - _log_sum(self.logits[allowed])
        if self._total is None:
            self._total = _log_sum(self.logits)
        return float(self.logits[token]) - self._total


def _log_sum(logits: NDArray[np.float32]) -> float:
    peak = logits.max()
    return float(peak + np.log(np.exp(logits - peak).sum()))


class Lane:
    """One sequence of the KV cache.

    Args:
        number: The sequence's id.
    """

    __slots__ = ("_rows", "cursor", "guessed", "number", "tokens", "used")

    def __init__(self, number: int) -> None:
        self.number = number
        self.tokens: list[int] = []
        self.used = 0
        #: Rows after the guesses at the end of `tokens`, by position; valid until the next decode.
        self.guessed: dict[int, NDArray[np.float32]] = {}
        #: Position of the last token of the prompt that somebody waited for last.
        self.cursor = 0
        self._rows: dict[int, Row] = {}

    def row(self, position: int) -> Row | None:
        """Give the row after the token at `position`, if it is remembered."""
        return self._rows.get(position)

    def remember(self, position: int, logits: NDArray[np.float32], boundary: int) -> Row:
        """Keep a row; when the ring is full, the one furthest behind `boundary` makes room.

        Args:
            position: Position of the token that the row follows.
            logits: Copied, unless there is no room for the row.
            boundary: Position of the prompt's last token, whose row the next keystroke needs first.
        """
        if position not in self._rows and len(self._rows) >= ROWS:
            oldest = min(self._rows)
            if oldest >= boundary:
                return Row(logits)
            del self._rows[oldest]
        row = self._rows[position] = Row(logits.copy())
        return row

    def forget_from(self, length: int) -> None:
        """Drop tokens and rows from position `length` on."""
        del self.tokens[length:]
        for rows in (self._rows, self.guessed):
            for position in [position for position in rows if position >= length]:
                del rows[position]

    def settle(self, position: int, boundary: int) -> Row | None:
        """Give the row after the token at `position`, which was chosen, as `extend` would have.

        Args:
            position: Where a guess turned out right, or a token stands since longer.
            boundary: Position from which rows are kept first.
        """
        logits = self.guessed.pop(position, None)
        return self.row(position) if logits is None else self.remember(position, logits, boundary)

    def positions_with_rows(self) -> list[int]:
        """List the positions whose rows are remembered."""
        return sorted(self._rows)


class Lanes:
    """All lanes of a model: chooses one for a prompt, evaluates into it, and makes room.

    Args:
        model: The model, whose sequences they are.
        pace: Measured speeds, from which the size of a chunk comes.
    """

    def __init__(self, model: Model, pace: Pace) -> None:
        self._model = model
        self._pace = pace
        self._clock = 0
        self.all = [Lane(number) for number in range(model.options.lanes)]

    @property
    def room(self) -> int:
        """Most tokens of a prompt and its answer together."""
        return self._model.options.context_tokens

    def check_fits(self, tokens: int) -> None:
        """Refuse what cannot fit before any of it is evaluated.

        Args:
            tokens: Tokens of the prompt and of what may be generated.

        Raises:
            EngineError: The context is smaller.
        """
        if tokens > self.room:
            raise EngineError(
                f"a prompt and answer of {tokens} tokens do not fit into {self.room}",
                "raise `engine.contextTokens`, or lower the limits under `context`",
            )

    def choose(self, prompt: Sequence[int]) -> Lane:
        """Pick the lane that holds most of a prompt, or fork its head into a spare lane.

        Args:
            prompt: Tokens of the whole prompt.
        """
        shares = [(common_prefix(lane.tokens, prompt), lane) for lane in self.all]
        shared, best = max(shares, key=lambda pair: (pair[0], pair[1].used))
        in_place = shared >= _SHARE_IN_PLACE * min(len(best.tokens), len(prompt))
        if not in_place or shared == 0:
            # A lane never used costs nothing to take; among used ones the least recent goes.
            spare = min(self.all, key=lambda lane: (bool(lane.tokens), lane.used))
            if spare is not best:
                self.clear(spare)
                if shared:
                    self._model.fork(best.number, spare.number, shared)
                    spare.tokens = best.tokens[:shared]
                best = spare
        self._clock += 1
        best.used = self._clock
        return best

    def truncate(self, lane: Lane, length: int) -> None:
        """Drop a lane's positions from `length` on."""
        if length >= len(lane.tokens):
            return
        if self._model.truncate(lane.number, length):
            lane.forget_from(length)
        else:
            # A memory that cannot drop a part (recurrent, sliding window) starts again.
            self.clear(lane)

    def clear(self, lane: Lane) -> None:
        """Empty a lane."""
        self._model.truncate(lane.number, 0)
        lane.forget_from(0)

    def drop_guesses(self, lane: Lane) -> None:
        """Drop the guesses at a lane's end that were not settled."""
        if lane.guessed:
            self.truncate(lane, min(lane.guessed))

    def extend(
        self, lane: Lane, tokens: Sequence[int], boundary: int, guesses: Sequence[int] = ()
    ) -> Row:
        """Evaluate one chunk behind a lane's tokens, remember its last row, and return it.

        Args:
            lane: The lane.
            tokens: 1 to `MAX_CHUNK` tokens.
            boundary: Position from which rows are kept first.
            guesses: What may follow, evaluated in the same pass if there is room, and left in
                `guessed`. Whoever guesses settles them one after the other, and drops the rest
                before the next decode.

        Returns:
            The row after the last token; valid until the next decode, if it is not remembered.

        Raises:
            Interrupted: The chunk was stopped; the lane holds what was evaluated before it.
            EngineError: The prompt does not fit, or llama.cpp failed; the lane is empty then.
        """
        position = len(lane.tokens)
        started = perf_counter()
        while True:
            try:
                rows = self._model.decode_rows(
                    lane.number, [*tokens, *guesses], position, 1 + len(guesses)
                )
                break
            except NoRoom:
                if guesses:
                    guesses = ()
                else:
                    self._make_room(lane)
            except Interrupted:
                # Chunks are at most one micro-batch, so all of the chunk is gone; ask all the same.
                self._model.truncate(lane.number, position)
                lane.forget_from(self._model.length(lane.number))
                raise
            except EngineError:
                self.clear(lane)
                raise
        spent = perf_counter() - started
        lane.tokens.extend(tokens)
        last = len(lane.tokens) - 1
        if guesses:
            self._pace.batches.note(len(tokens) + len(guesses), spent)
            lane.tokens.extend(guesses)
            lane.guessed = dict(enumerate(rows[1:], last + 1))
        else:
            self._pace.note(len(tokens), spent)
        return lane.remember(last, rows[0], boundary) if last >= boundary else Row(rows[0])

    def chunk(self, waited_ms: float) -> int:
        """Tell how many prompt tokens one decode should take now.

        Args:
            waited_ms: Milliseconds since the evaluation of the prompt began.
        """
        interruptible = self._model.options.gpu_layers == 0
        return min(MAX_CHUNK, self._pace.chunk(waited_ms if interruptible else 0.0))

    def _make_room(self, keep: Lane) -> None:
        others = [lane for lane in self.all if lane is not keep and lane.tokens]
        if not others:
            self.clear(keep)
            raise EngineError("the KV cache has no room", "raise `engine.contextTokens`")
        self.clear(min(others, key=lambda lane: lane.used))


def common_prefix(left: Sequence[int], right: Sequence[int]) -> int:
    """Count the equal tokens at the start of two lists, by bisection over slices compared in C."""
    low, high = 0, min(len(left), len(right))
    if left[:high] == right[:high]:
        return high
    while high - low > 1:
        middle = (low + high) // 2
        if left[low:middle] == right[low:middle]:
            low = middle
        else:
            high = middle
    return low
