"""A lane: one sequence of the KV cache, what it holds, and logits of its last positions.

A lane's `tokens` are always exactly what the KV cache holds for its sequence; rows stand only for
positions that exist. The last tokens may be guesses, until they are settled or dropped. May import
numpy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["ROWS", "ROWS_LEFT", "Lane", "Row"]

#: Rows kept by a lane: the tokens of a line and a few before it. A row of Qwen's vocabulary is
#: 600 KB.
ROWS = 32
#: Rows that a lane keeps once somebody types elsewhere: who comes back goes on near the cursor.
ROWS_LEFT = 8


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

    def gap(self, allowed: NDArray[np.int64] | None = None) -> float:
        """Return how far the second best logit lies below the best, of all or those allowed."""
        logits = self.logits if allowed is None else self.logits[allowed]
        if logits.size == 1:
            return float("inf")
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

    __slots__ = (
        "_rows",
        "cells",
        "cursor",
        "floor",
        "guessed",
        "number",
        "places",
        "served",
        "tokens",
        "touched",
        "used",
    )

    def __init__(self, number: int) -> None:
        self.number = number
        self.tokens: list[int] = []
        #: Stands for the cell of each token; lanes that share a cell hold the same number.
        self.cells: list[int] = []
        #: Names of the prompts that it holds, each with how many tokens that is.
        self.places: dict[int, int] = {}
        #: Order and time of the last use.
        self.used = 0
        self.touched = 0.0
        #: What the lanes were worth that were given up by then.
        self.floor = 0
        #: The last use by somebody who waited; 0 while what it holds is a guess.
        self.served = 0
        #: Position of the last token of the prompt that somebody waited for last.
        self.cursor = 0
        #: Rows after the guesses at the end of `tokens`, by position; valid until the next decode.
        self.guessed: dict[int, NDArray[np.float32]] = {}
        self._rows: dict[int, Row] = {}

    @property
    def worth(self) -> int:
        """How late this lane is to be given up: what it would cost to evaluate, in tokens, and age.

        Source: Cao and Irani, Cost-Aware WWW Proxy Caching Algorithms (GreedyDual), 1997.
        """
        return self.floor + len(self.tokens)

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

    def leave(self) -> None:
        """Keep no more than the `ROWS_LEFT` rows nearest to the cursor."""
        if len(self._rows) > ROWS_LEFT:
            by_distance = sorted(self._rows, key=lambda position: abs(position - self.cursor))
            for position in by_distance[ROWS_LEFT:]:
                del self._rows[position]

    def name(self, place: int, size: int) -> None:
        """Take in what the prompt is called that its first tokens are, if they are there.

        Args:
            place: The front's name; 0 for none.
            size: How many tokens that is.
        """
        if place and 0 < size <= len(self.tokens):
            self.places[place] = size

    def forget_from(self, length: int) -> None:
        """Drop tokens, names and rows from position `length` on."""
        del self.tokens[length:]
        del self.cells[length:]
        self.places = {place: size for place, size in self.places.items() if size <= length}
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
