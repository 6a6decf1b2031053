"""The draft model's part in one request: what it guessed, and what became of that.

Runs on the inference thread. May import `drafts`, `drafter` and `steering`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sidecar.engine.drafter import Drafter
    from sidecar.engine.drafts import Fits, Guess

__all__ = ["Guessing"]


class Guessing:
    """Asks the draft model for one request, and learns from every token that was chosen.

    Args:
        drafter: The draft model.
        stopped: Tells whether the request is to end.
        waited: Whether somebody waits for it.
    """

    def __init__(self, drafter: Drafter, stopped: Callable[[], bool], *, waited: bool) -> None:
        #: Tokens that were guessed and verified, and those of them that were right.
        self.drafted = 0
        self.accepted = 0
        self._drafter = drafter
        self._stopped = stopped
        self._waited = waited
        self._open: list[Guess] = []
        #: How many of the open guesses are verified; of the others it is seen as well if they are
        #: right.
        self._verified = 0
        self._unused = 0

    def guess(self, tokens: Sequence[int], most: int, fits: Fits, generated: int) -> list[int]:
        """List tokens that should be verified.

        Args:
            tokens: All that was read and said.
            most: Most guesses.
            fits: Whether a token can stand in a draft.
            generated: Tokens that were generated.

        Raises:
            Interrupted: The request was stopped.
        """
        self._open, self._verified = self._drafter.guess(
            tokens, most, fits, self._stopped, generated=generated, waited=self._waited
        )
        self.drafted += self._verified
        return [guess.token for guess in self._open[: self._verified]]

    def feed(self, token: int) -> None:
        """Take the token that really came."""
        if not self._open:
            self._unused += 1
            return
        guess = self._open.pop(0)
        right = guess.token == token
        steering = self._drafter.steering
        steering.note(guess.kind, right)
        if not right:
            self._open.clear()
        elif self._verified:
            self.accepted += 1
            steering.won()
        self._verified = max(self._verified - 1, 0)

    def again(self, passes: int) -> None:
        """Learn that passes had to be made again, one by one, and guesses were dropped."""
        self._verified = 0
        if self.drafted:
            self._drafter.steering.lost(passes)

    def end(self, generated: int) -> None:
        """Take in that so many tokens were all."""
        self._drafter.steering.ended(generated, self._unused)
