"""How sure the model is of the line that it is saying, and whether that is enough to show it.

Whether a line is right to its end depends on every token of it, so a line is as likely as its
tokens together: that only falls as it grows, and once it is too little nothing mends it. Pure; may
import nothing.
"""

from __future__ import annotations

from math import inf, log

__all__ = ["Sureness"]


class Sureness:
    """Watches the lines of one generation.

    Args:
        least: The chance below which a line is not wanted; 0 wants all.
    """

    def __init__(self, least: float) -> None:
        #: Whether anything is unwanted.
        self.matters = least > 0.0
        self._least = log(least) if least > 0.0 else -inf
        self._sum = 0.0
        #: Where the line begins that grows.
        self._start = 0

    def falls(self, logprob: float) -> bool:
        """Take in the next token; tell whether its line is too unlikely by now.

        Args:
            logprob: Its log-probability among the tokens that could stand there.
        """
        self._sum += logprob
        return self._sum < self._least

    def begins(self, text: str) -> None:
        """Take in the text so far, of which a new line may have begun.

        Args:
            text: The text.
        """
        start = text.rfind("\n") + 1
        if start > self._start:
            self._start, self._sum = start, 0.0

    def without_line(self, text: str) -> str:
        """Return the lines of a text before the one that grew last."""
        return text[: self._start].rstrip("\n")
