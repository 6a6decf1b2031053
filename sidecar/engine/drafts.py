"""Drafts: what may follow is guessed from what stood in the lane before, and how far that pays.

Code repeats itself, and a pass of a few tokens costs less than as many passes of one. Guesses
change how many passes it takes, not what is generated: the decoder takes each token from the
model's own row. Pure: no model, no clock.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import takewhile
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = [
    "LONGEST",
    "MOST_GUESSES",
    "Controller",
    "Costs",
    "Drafts",
    "Fits",
    "Guess",
    "Lookup",
    "Second",
]

#: Most guesses verified in one pass.
MOST_GUESSES = 7
#: Tokens that have to agree before what followed them is believed, the more telling ones first.
_SIZES = (6, 3)
#: Matches are measured no further than this.
LONGEST = 16

#: Kinds of guesses: by how many tokens agreed before (the bounds of each class; few after one that
#: did not), and by what came behind the last three of them the time before: nothing, the same
#: token, another one.
_CLASSES = (0, 1, 2, 3, 4, 5, 6, 8, 12, LONGEST)
_NEW, _SAME, _OTHER = range(3)
_HABITS = 3
#: How often guesses of a kind are right, to start with. Counted on real code: 480 places in 60
#: files of seven Python packages, 800 tokens before each and the 48 that people wrote.
_START = (
    *(0.18, 0.23, 0.02),
    *(0.58, 0.62, 0.29),
    *(0.65, 0.68, 0.20),
    *(0.52, 0.75, 0.17),
    *(0.60, 0.84, 0.23),
    *(0.67, 0.83, 0.35),
    *(0.72, 0.85, 0.37),
    *(0.78, 0.88, 0.50),
    *(0.92, 0.95, 0.58),
    *(0.94, 0.99, 0.82),
)
#: Weight of a new outcome.
_BLEND = 0.04
#: What drafts must promise to save before they are used: estimates are never exact, and a part of
#: what is drafted is computed again. Replayed on 58 places of code with the costs of two cores, 1.1
#: took 0.92 and 1.08 of the plain time (where code repeats itself, and elsewhere), 1.2 took 0.94
#: and 1.00, 1.4 took 0.97 and 0.97, 1.5 took 0.96 and 0.98.
_MARGIN = 1.4
#: Chance of all guesses at which costs are measured again that nobody has seen for long. Costs seen
#: in a bad moment would else forbid drafts for ever, and here little is lost.
_PROBE_CHANCE = 0.8


class Costs(Protocol):
    """What passes cost on this machine."""

    def of(self, tokens: int) -> float:
        """Tell how long a pass of a few tokens takes, as a multiple of one token's."""
        ...

    @property
    def stale(self) -> bool:
        """Whether no pass of several tokens was measured for long."""
        ...


Fits = Callable[[int], bool]


class Guess(NamedTuple):
    """What may come next.

    Args:
        token: The token.
        kind: How far that can be trusted: an index of the rates of who guessed.
    """

    token: int
    kind: int


class Second(Protocol):
    """Who guesses where nothing was found."""

    drafted: int
    accepted: int

    def guess(self, tokens: Sequence[int], most: int, fits: Fits, generated: int) -> list[int]:
        """List tokens that should be verified.

        Args:
            tokens: All that was read and said.
            most: Most guesses.
            fits: Whether a token can stand in a draft.
            generated: Tokens that were generated.
        """
        ...

    def feed(self, token: int) -> None:
        """Take the token that really came."""
        ...

    def again(self, passes: int) -> None:
        """Learn that passes had to be made again, one by one."""
        ...

    def end(self, generated: int) -> None:
        """Take in that so many tokens were all."""
        ...


class Lookup:
    """Finds where the newest tokens stood before, and what followed there.

    A match that goes on to agree is followed; else the latest place of the same n-gram is taken.
    Where there is none, one token may just stand in place of another, as in rows of a table.

    Args:
        tokens: Tokens so far.
    """

    def __init__(self, tokens: Sequence[int]) -> None:
        self._tokens: list[int] = []
        #: For each size, the position behind the latest n-gram of that size.
        self._behind: list[dict[tuple[int, ...], int]] = [{} for _ in _SIZES]
        #: For each position, whether the same token stood behind the same short n-gram before it.
        self._habits: list[int] = []
        #: Position of what followed, 0 where nothing was found.
        self._source = 0
        #: How many of the newest tokens agree, up to `LONGEST`.
        self.matched = 0
        for token in tokens:
            self._append(token)
        self._find()

    @property
    def tokens(self) -> Sequence[int]:
        """All tokens so far."""
        return self._tokens

    def feed(self, token: int) -> None:
        """Take the token that really came."""
        source = self._source
        agrees = source and self._tokens[source] == token
        self._append(token)
        if agrees:
            self._source += 1
            self.matched = min(self.matched + 1, LONGEST)
            return
        sure = self.matched >= min(_SIZES)
        self._find()
        if source and sure and not self._source:
            self._source = source + 1

    def guess(self, most: int) -> list[Guess]:
        """List what followed, at most so many tokens; of a circle, what it goes on with."""
        if not self._source:
            return []
        tokens = self._tokens
        guesses: list[Guess] = []
        for ahead in range(most):
            position = self._source + ahead
            beyond = position - len(tokens)
            if beyond >= 0:
                guesses.append(guesses[beyond])
                continue
            kind = _class_of(self.matched + ahead) * _HABITS + self._habits[position]
            guesses.append(Guess(tokens[position], kind))
        return guesses

    def _append(self, token: int) -> None:
        tokens = self._tokens
        end = len(tokens)
        before: int | None = None
        for size, behind in zip(_SIZES, self._behind, strict=True):
            if end >= size:
                gram = tuple(tokens[-size:])
                before = behind.get(gram)
                behind[gram] = end
        if before is None:
            self._habits.append(_NEW)
        else:
            self._habits.append(_SAME if tokens[before] == token else _OTHER)
        tokens.append(token)

    def _find(self) -> None:
        for size, behind in zip(_SIZES, self._behind, strict=True):
            source = behind.get(tuple(self._tokens[-size:]))
            if source is not None:
                self._source, self.matched = source, self._agreed(source, size)
                return
        self._source = self.matched = 0

    def _agreed(self, source: int, size: int) -> int:
        tokens = self._tokens
        while size < min(source, LONGEST) and tokens[source - size - 1] == tokens[-size - 1]:
            size += 1
        return size


class Controller:
    """Decides how many guesses a pass should verify; learns from every token that is generated.

    Whether a guess would have been right is seen without verifying it, so the rates stay true while
    drafts do not pay.

    Args:
        costs: What passes cost.
    """

    def __init__(self, costs: Costs) -> None:
        self.costs = costs
        self._rates = list(_START)

    def note(self, kind: int, right: bool) -> None:
        """Learn from a token: whether it was the one that was guessed."""
        self._rates[kind] += _BLEND * (right - self._rates[kind])

    def rate(self, kind: int) -> float:
        """Tell the chance that a guess of a kind is right if those before it are."""
        return self._rates[kind]

    def length(self, kinds: Sequence[int]) -> int:
        """Tell how many guesses to verify: as many as give most tokens in least time.

        Args:
            kinds: Kinds of the guesses there are, in their order.
        """
        best = probe = 0
        gain = _MARGIN
        chance = expected = 1.0
        for count, kind in enumerate(kinds[:MOST_GUESSES], 1):
            chance *= self._rates[kind]
            expected += chance
            value = expected / self.costs.of(count + 1)
            if value > gain:
                best, gain = count, value
            if chance >= _PROBE_CHANCE:
                probe = count
        return probe if best == 0 and self.costs.stale else best


def _class_of(matched: int) -> int:
    place = len(_CLASSES) - 1
    while place and matched < _CLASSES[place]:
        place -= 1
    return place


class Drafts:
    """The drafts of one request.

    Looking up starts at the first pass that could use it: most keystrokes need none.

    Args:
        controller: What is known of rates and costs.
        prompt: Tokens of the prompt.
        fits: Whether a token can stand in a draft: none that would end the generation.
        second: Who guesses where nothing stood before.
    """

    def __init__(
        self,
        controller: Controller,
        prompt: Sequence[int],
        fits: Fits,
        second: Second | None = None,
    ) -> None:
        self.second = second
        self._count = 0
        self._controller = controller
        self._prompt = prompt
        self._fits = fits
        self._lookup: Lookup | None = None
        #: Generated tokens that the lookup has not seen.
        self._new: list[int] = []

    def feed(self, token: int) -> None:
        """Take the token that was chosen, the one that ends the generation too."""
        self._new.append(token)
        self._count += 1
        if self.second is not None:
            self.second.feed(token)

    def guess(self, most: int) -> list[int]:
        """List the tokens that should be verified behind the newest one."""
        lookup = self._lookup
        if lookup is None:
            lookup = self._lookup = Lookup([*self._prompt, *self._new])
            self._new.clear()
        self.learn()
        guesses = lookup.guess(min(most, MOST_GUESSES))
        usable = list(takewhile(lambda guess: self._fits(guess.token), guesses))
        length = self._controller.length([guess.kind for guess in usable])
        if length or self.second is None:
            return [guess.token for guess in usable[:length]]
        return self.second.guess(lookup.tokens, min(most, MOST_GUESSES), self._fits, self._count)

    def end(self) -> None:
        """Learn from the last tokens."""
        self.learn()
        if self.second is not None:
            self.second.end(self._count)

    def learn(self) -> None:
        """Let the lookup and the rates catch up with what was generated."""
        lookup = self._lookup
        if lookup is None:
            return
        for token in self._new:
            # One that does not fit is never drafted, so it says nothing.
            for guess in lookup.guess(1):
                if self._fits(guess.token):
                    self._controller.note(guess.kind, guess.token == token)
            lookup.feed(token)
        self._new.clear()
