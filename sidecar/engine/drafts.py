"""Drafts: what may follow is guessed from what stood in the lane before, and how far that pays.

Code repeats itself, and a pass of a few tokens costs less than as many passes of one. Guesses
change how many passes it takes, not what is generated: the decoder takes each token from the
model's own row. Pure: no model, no clock.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["LONGEST", "MOST_GUESSES", "Controller", "Costs", "Drafts", "Lookup", "copy_of"]

#: Most guesses verified in one pass.
MOST_GUESSES = 7
#: Tokens that have to agree before what followed them is believed, the more telling ones first.
_SIZES = (6, 3)
#: Matches are measured no further than this.
LONGEST = 16

#: Chance that the next token is the one that followed, by how many tokens agreed before it (the
#: bounds of each class, and where it starts). Counted on real code: 360 places of 60 files of seven
#: Python packages, 800 tokens before and the 48 that people wrote; what a model writes follows its
#: prompt more.
_CLASSES = (3, 4, 5, 6, 8, 12, LONGEST)
_START = (0.5, 0.6, 0.65, 0.7, 0.8, 0.8, 0.9)
#: Weight of a new outcome.
_BLEND = 0.04
#: What drafts must promise to save before they are used: estimates are never exact.
_MARGIN = 1.1
#: Chance of all guesses at which costs are measured again that nobody has seen for long. Costs seen
#: in a bad moment would else forbid drafts for ever, and here little is lost.
_PROBE_CHANCE = 0.8

#: Longest piece that is noticed when a generation goes round in circles.
_LONGEST_PIECE = 24
#: Copies of a piece that make a circle, and for short pieces how many tokens they must fill: rows
#: of equal numbers are code.
_COPIES = 3
_LEAST_CIRCLE = 16


class Costs(Protocol):
    """What passes cost on this machine."""

    def of(self, tokens: int) -> float:
        """Tell how long a pass of a few tokens takes, as a multiple of one token's."""
        ...

    @property
    def stale(self) -> bool:
        """Whether no pass of several tokens was measured for long."""
        ...


class Lookup:
    """Finds where the newest tokens stood before, and what followed there.

    A match that goes on to agree is followed; else the latest place of the same n-gram is taken.

    Args:
        tokens: Tokens so far.
    """

    def __init__(self, tokens: Sequence[int]) -> None:
        self._tokens = list(tokens)
        #: For each size, the position behind the latest n-gram of that size.
        self._behind = [_positions(self._tokens, size) for size in _SIZES]
        self._source = 0
        #: How many of the newest tokens agree, up to `LONGEST`; 0 where nothing was found.
        self.matched = 0
        self._find()

    def feed(self, token: int) -> None:
        """Take the token that really came."""
        tokens = self._tokens
        for size, behind in zip(_SIZES, self._behind, strict=True):
            if len(tokens) >= size:
                behind[tuple(tokens[-size:])] = len(tokens)
        agrees = self.matched and tokens[self._source] == token
        tokens.append(token)
        if agrees:
            self._source += 1
            self.matched = min(self.matched + 1, LONGEST)
        else:
            self._find()

    def guess(self, most: int) -> list[int]:
        """List what followed, at most so many tokens; of a circle, what it goes on with."""
        if not self.matched:
            return []
        tokens = self._tokens
        guesses: list[int] = []
        for position in range(self._source, self._source + most):
            beyond = position - len(tokens)
            guesses.append(tokens[position] if beyond < 0 else guesses[beyond])
        return guesses

    def _find(self) -> None:
        for size, behind in zip(_SIZES, self._behind, strict=True):
            source = behind.get(tuple(self._tokens[-size:]))
            if source is not None:
                self._source, self.matched = source, self._agreed(source, size)
                return
        self.matched = 0

    def _agreed(self, source: int, size: int) -> int:
        tokens = self._tokens
        while size < min(source, LONGEST) and tokens[source - size - 1] == tokens[-size - 1]:
            size += 1
        return size


def _positions(tokens: list[int], size: int) -> dict[tuple[int, ...], int]:
    """Map each n-gram that something follows to the position of that, of the latest."""
    grams = zip(*(tokens[start:] for start in range(size)), strict=False)
    return dict(zip(grams, range(size, len(tokens)), strict=False))


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

    def note(self, matched: int, right: bool) -> None:
        """Learn from a token: whether it was the one that followed after so many agreed."""
        place = _class_of(matched)
        self._rates[place] += _BLEND * (right - self._rates[place])

    def rate(self, matched: int) -> float:
        """Tell the chance that a guess is right after so many tokens agreed."""
        return self._rates[_class_of(matched)]

    def length(self, matched: int, most: int) -> int:
        """Tell how many guesses to verify: as many as give most tokens in least time.

        Args:
            matched: Tokens that agreed, 0 for none.
            most: Guesses that there are.
        """
        if not matched:
            return 0
        best = probe = 0
        gain = _MARGIN
        chance = expected = 1.0
        for count in range(1, min(most, MOST_GUESSES) + 1):
            chance *= self.rate(matched + count - 1)
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
    """

    def __init__(
        self, controller: Controller, prompt: Sequence[int], fits: Callable[[int], bool]
    ) -> None:
        self._controller = controller
        self._prompt = prompt
        self._fits = fits
        self._lookup: Lookup | None = None
        #: Generated tokens that the lookup has not seen.
        self._new: list[int] = []

    def feed(self, token: int) -> None:
        """Take the token that was chosen, the one that ends the generation too."""
        self._new.append(token)

    def guess(self, most: int) -> list[int]:
        """List the tokens that should be verified behind the newest one."""
        lookup = self._lookup
        if lookup is None:
            lookup = self._lookup = Lookup([*self._prompt, *self._new])
            self._new.clear()
        self.learn()
        guesses = lookup.guess(min(most, MOST_GUESSES))
        usable = next((n for n, token in enumerate(guesses) if not self._fits(token)), len(guesses))
        return guesses[: self._controller.length(lookup.matched, usable)]

    def learn(self) -> None:
        """Let the lookup and the rates catch up with what was generated."""
        lookup = self._lookup
        if lookup is None:
            return
        for token in self._new:
            # One that does not fit is never drafted, so it says nothing.
            for guess in lookup.guess(1):
                if self._fits(guess):
                    self._controller.note(lookup.matched, guess == token)
            lookup.feed(token)
        self._new.clear()


def copy_of(tokens: Sequence[int]) -> int:
    """Tell how many tokens at the end only repeat those before them, 0 unless it is a circle.

    Args:
        tokens: What was generated.
    """
    for size in range(1, _LONGEST_PIECE + 1):
        copies = max(_COPIES, -(-_LEAST_CIRCLE // size))
        length = copies * size
        if length > len(tokens):
            continue
        tail = tokens[-length:]
        if tail[size:] == tail[:-size]:
            return length - size
    return 0
