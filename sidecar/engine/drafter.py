"""A second, smaller model of the same vocabulary, which guesses what the main model will say.

It reads only the end of a prompt: reading all of it twice would cost more than guesses save. What
it has read stays where it is while the main model's lane grows, so a key costs it a token or two.
What it says is verified like any other draft, so it can be wrong, late or gone and the text is the
same. Runs on the inference thread. May import nothing of llama.cpp but `model`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import count
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from sidecar.engine.drafts import MOST_GUESSES, Guess
from sidecar.engine.keeping import common_prefix
from sidecar.engine.lane import Row
from sidecar.engine.measuring import measure
from sidecar.engine.model import Interrupted, Model, ModelOptions, NoRoom
from sidecar.engine.pace import Batches, Pace
from sidecar.engine.spec import DRAFT_BATCH, DRAFT_CONTEXT
from sidecar.engine.steering import Steering, kind_of
from sidecar.errors import EngineError, ModelError, SidecarError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from sidecar.engine.spec import EngineSpec

__all__ = ["Drafter", "load_drafter", "same_tokens"]

#: Places that it has read and can go on with.
_TAILS: Final = 2
#: Tokens that it reads of a place it does not know, and the most that it goes on to hold of one.
_READ: Final = 256
_ROOM: Final = DRAFT_CONTEXT // _TAILS
_FIX = "choose another draft model, or empty sidecar.engine.draftModel"


@dataclass(slots=True)
class _Tail:
    """What a sequence of the draft model holds: a lead, and the prompt's tokens from `start` on."""

    number: int
    start: int = 0
    lead: tuple[int, ...] = ()
    tokens: list[int] = field(default_factory=list)
    used: int = 0

    def following(self, tokens: Sequence[int], start: int, lead: tuple[int, ...]) -> _Way:
        """Return how it comes to hold the end of a prompt."""
        due = [*lead, *tokens[start:]]
        # The last token is read again in any case, for its row.
        shared = min(common_prefix(self.tokens, due), len(due) - 1)
        return _Way(self, start, lead, due, shared)


class _Way(NamedTuple):
    """How a sequence comes to hold the end of a prompt: what it has to hold, and has already."""

    tail: _Tail
    start: int
    lead: tuple[int, ...]
    due: list[int]
    shared: int

    @property
    def missing(self) -> int:
        """How many tokens are to be read."""
        return len(self.due) - self.shared


class Drafter:
    """Guesses with a model of its own.

    Args:
        model: The draft model; nothing else uses it.
        passes: What passes of the main model cost.
        lead: The token that marks the text before the cursor, which stands before what is read when
            that begins behind it.
        pace: What passes of the draft model cost.
    """

    def __init__(self, model: Model, passes: Batches, lead: tuple[int, ...], pace: Pace) -> None:
        self.model = model
        self.pace = pace
        self.steering = Steering(passes)
        #: Why it guesses no more.
        self.problem = ""
        self._passes = passes
        self._lead = lead
        self._tails = [_Tail(number) for number in range(_TAILS)]
        self._uses = count(1)
        self._price()

    def guess(
        self,
        tokens: Sequence[int],
        most: int,
        fits: Callable[[int], bool],
        stopped: Callable[[], bool],
        *,
        generated: int,
        waited: bool,
    ) -> tuple[list[Guess], int]:
        """Guess what follows, if that pays, and tell how many of the guesses to verify.

        Args:
            tokens: All that the main model has read and said.
            most: Most guesses.
            fits: Whether a token can stand in a draft.
            stopped: Asked before every pass.
            generated: Tokens of the request that were generated.
            waited: Whether somebody waits.

        Raises:
            Interrupted: It was stopped.
        """
        steering = self.steering
        self._price()
        if most <= 0 or self.problem:
            return [], 0
        if not steering.pays():
            if waited or not steering.stale:
                return [], 0
            steering.tried()
        way = self._shortest(tokens)
        behind = self._cost(way.missing) - steering.each
        if waited and not steering.pays(behind, steering.left(generated, most)):
            return [], 0
        try:
            guesses, passes = self._guessed(way, most, fits, stopped)
        except EngineError as error:
            self.problem = f"the draft model failed: {error.what}"
            return [], 0
        verified = steering.length([guess.kind for guess in guesses])
        # What it read where nobody waited was no loss.
        spent = passes * steering.each + (max(behind, 0.0) if waited else 0.0)
        steering.began(spent + steering.costs.of(verified + 1))
        return guesses, verified

    def warm(self, tokens: Sequence[int], stopped: Callable[[], bool]) -> None:
        """Read the end of a prompt for which somebody may come, if guessing pays then.

        Args:
            tokens: The prompt.
            stopped: Asked before every pass.

        Raises:
            Interrupted: It was stopped.
        """
        self._price()
        if self.problem or not self.steering.pays():
            return
        way = self._shortest(tokens)
        if way.missing <= 1:
            return
        try:
            self._read(way, stopped)
        except EngineError as error:
            self.problem = f"the draft model failed: {error.what}"

    def told(self) -> dict[str, Any]:
        """Tell what it holds and does."""
        steering = self.steering
        return {
            "tokens": [len(tail.tokens) for tail in self._tails],
            "decode_calls": self.model.decode_calls,
            "decode_s": self.model.decode_s,
            "one_token_ms": self.pace.one_token_ms,
            "pays": not self.problem and steering.pays(),
            "worth": steering.worth,
            "problem": self.problem,
        }

    def _guessed(
        self,
        way: _Way,
        most: int,
        fits: Callable[[int], bool],
        stopped: Callable[[], bool],
    ) -> tuple[list[Guess], int]:
        """Return guesses, and the passes that were made for them."""
        row = self._read(way, stopped)
        passes = 1
        guesses: list[Guess] = []
        while True:
            token = row.best(None)
            if not fits(token):
                return guesses, passes
            guesses.append(Guess(token, kind_of(row.gap())))
            kinds = [guess.kind for guess in guesses]
            if len(guesses) >= most or not self.steering.goes_on(kinds):
                return guesses, passes
            if stopped():
                raise Interrupted
            row = self._pass(way.tail, [token])
            passes += 1

    def _shortest(self, tokens: Sequence[int]) -> _Way:
        """Return the way that reads least: on with what is held, or anew in the oldest tail."""
        ways = [
            tail.following(tokens, tail.start, tail.lead)
            for tail in self._tails
            if tail.start < len(tokens) < tail.start + _ROOM - MOST_GUESSES
        ]
        best = min(ways, key=lambda way: way.missing, default=None)
        if best is not None and best.missing < min(len(tokens), _READ):
            return best
        start = max(0, len(tokens) - _READ)
        marked = not self._lead or not start or self._lead[0] in tokens[start:]
        oldest = min(self._tails, key=lambda tail: tail.used)
        return oldest.following(tokens, start, () if marked else self._lead)

    def _read(self, way: _Way, stopped: Callable[[], bool]) -> Row:
        tail, due, shared = way.tail, way.due, way.shared
        self._truncate(tail, shared)
        tail.start, tail.lead, tail.used = way.start, way.lead, next(self._uses)
        while True:
            if stopped():
                raise Interrupted
            chunk = due[shared : shared + self._chunk(len(due) - shared)]
            row = self._pass(tail, chunk)
            shared += len(chunk)
            if shared == len(due):
                return row

    def _chunk(self, left: int) -> int:
        return min(self.pace.chunk(left, interruptible=False), DRAFT_BATCH)

    def _pass(self, tail: _Tail, tokens: Sequence[int]) -> Row:
        started = perf_counter()
        try:
            logits = self._decoded(tail, tokens)
        except (Interrupted, EngineError):
            self._truncate(tail, len(tail.tokens))
            del tail.tokens[self.model.length(tail.number) :]
            raise
        self.pace.note(len(tokens), perf_counter() - started)
        tail.tokens.extend(tokens)
        return Row(logits)

    def _decoded(self, tail: _Tail, tokens: Sequence[int]) -> NDArray[np.float32]:
        while True:
            try:
                return self.model.decode(tail.number, tokens, len(tail.tokens))
            except NoRoom:
                # Each place has room of its own, if the model's cache has all the cells it was
                # asked for.
                others = [other for other in self._tails if other is not tail and other.tokens]
                if not others:
                    raise EngineError("its cache is full", _FIX) from None
                for other in others:
                    self._truncate(other, 0)

    def _truncate(self, tail: _Tail, length: int) -> None:
        self.model.truncate(tail.number, length)
        del tail.tokens[length:]

    def _price(self) -> None:
        one = self._passes.one_ms
        if one > 0.0:
            self.steering.each = self.pace.one_token_ms / one

    def _cost(self, tokens: int) -> float:
        """Tell what it costs to read so many tokens."""
        one = self._passes.one_ms
        spent = self.pace.one_token_ms + (tokens - 1) * self.pace.per_token_ms
        return spent / one if one > 0.0 else float(tokens)


def same_tokens(main: Sequence[bytes], draft: Sequence[bytes]) -> bool:
    """Tell whether tokens mean the same to two models; what only one has is padding.

    Args:
        main: Bytes of each token of the one.
        draft: Bytes of each token of the other.
    """
    size = min(len(main), len(draft))
    return main[:size] == draft[:size]


def load_drafter(
    spec: EngineSpec, pieces: Sequence[bytes], lead: tuple[int, ...], passes: Batches
) -> tuple[Drafter | None, str]:
    """Load the draft model of a spec, if it has one.

    Args:
        spec: The engine's.
        pieces: Bytes of each token of the main model.
        lead: The token that marks the text before the cursor.
        passes: What passes of the main model cost.

    Returns:
        The drafter, or why there is none though one is wanted.
    """
    if spec.draft_path is None:
        return None, ""
    options = ModelOptions(
        context_tokens=DRAFT_CONTEXT,
        lanes=_TAILS,
        threads=spec.threads,
        gpu_layers=spec.draft_gpu_layers,
        batch_tokens=DRAFT_BATCH,
    )
    model = None
    try:
        model = Model(spec.draft_path, options)
        if not same_tokens(pieces, model.pieces()):
            raise ModelError(f"{spec.draft_path.name} has another vocabulary than the model", _FIX)
        pace = Pace(spec.chunk_ms)
        if not measure(model, pace):
            raise ModelError(f"the memory of {spec.draft_path.name} cannot step back", _FIX)
    except SidecarError as error:
        if model is not None:
            model.close()
        return None, error.what
    return Drafter(model, passes, lead, pace), ""
