"""Lanes: the sequences that hold the evaluated state of anchors, and which of them serves a prompt.

What a lane says that it holds stays true when a decode is interrupted, fails, or finds no room. May
import nothing of llama.cpp but `model`.
"""

from __future__ import annotations

from itertools import count, islice
from time import monotonic, perf_counter
from typing import TYPE_CHECKING

from sidecar.engine.keeping import (
    cells_used,
    common_prefix,
    expendable,
    expired,
    goes_on,
    least_worth,
    oldest,
    room_in_background,
    untyped,
)
from sidecar.engine.lane import Lane, Row
from sidecar.engine.model import MAX_CHUNK, Interrupted, NoRoom
from sidecar.errors import EngineError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sidecar.engine.model import Model
    from sidecar.engine.pace import Pace
    from sidecar.engine.shelf import Shelf

__all__ = ["LITTLE", "Lanes", "common_prefix"]

#: Tokens that are not worth a lane of their own: a pass of so many takes little longer than the one
#: that a request needs anyway.
LITTLE = 8
#: Tokens whose evaluation takes longer than reading a lane from disk, wherever that may be.
_WORTH_READING = 64


class Lanes:
    """All lanes of a model: chooses one for a prompt, evaluates into it, and makes room.

    Args:
        model: The model, whose sequences they are.
        pace: Measured speeds, from which the size of a chunk comes.
        clock: Tells seconds.
        shelf: Lanes of sessions before.
    """

    def __init__(
        self,
        model: Model,
        pace: Pace,
        clock: Callable[[], float] = monotonic,
        shelf: Shelf | None = None,
    ) -> None:
        self._model = model
        self._shelf = shelf
        self.pace = pace
        self._clock = clock
        self._uses = count(1)
        self._level = 0
        self._cells = count()
        self.all = [Lane(number) for number in range(model.options.lanes)]
        #: How many lanes were read from disk.
        self.restored = 0

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

    def held(self, prompt: Sequence[int]) -> int:
        """Count the tokens at the start of a prompt that some lane holds."""
        return self._nearest(prompt)[0]

    def choose(self, prompt: Sequence[int], *, guessed: bool = False) -> Lane:
        """Pick the lane that holds most of a prompt, or fork its head into a spare lane.

        Args:
            prompt: Tokens of the whole prompt.
            guessed: Whether nobody waits for the answer: then nobody types in that lane either.
        """
        self._restore(prompt)
        shared, best = self._nearest(prompt)
        others = untyped(self.all, self._clock())
        if not shared or not goes_on(best, shared, len(prompt)):
            best = self._forked(best, least_worth(others or self.all) or best, shared)
        best = self._touched(best)
        if not guessed:
            best.served = best.used
            for lane in others:
                if lane is not best:
                    lane.leave()
        return best

    def spare(self, prompt: Sequence[int]) -> Lane | None:
        """Pick the lane in which a prompt is evaluated that nobody waits for yet.

        Nothing that somebody uses is pushed out or cut off. A lane that lacks `LITTLE` tokens of
        the prompt, or fewer, is left as it is.

        Args:
            prompt: Tokens of the whole prompt.

        Returns:
            None if there is no room for it beside what is in use.
        """
        self._restore(prompt, background=True)
        shared, best = self._nearest(prompt)
        if shared and len(prompt) - shared <= LITTLE:
            return self._touched(best)
        candidates = expendable(self.all, self._clock())
        grows = 0 < shared == len(best.tokens)
        if grows or (shared and not best.served and goes_on(best, shared, len(prompt))):
            target = best
        elif candidates:
            target = candidates[0]
        else:
            return None
        # First see whether giving up lanes makes enough room, then give them up.
        kept = {lane.number: lane.cells for lane in self.all}
        kept[target.number] = best.cells[:shared]
        limit = room_in_background(self.room) - (len(prompt) - shared)
        given_up: list[Lane] = []
        for lane in (*(other for other in candidates if other is not target), None):
            if cells_used(kept.values()) <= limit:
                break
            if lane is None:
                return None
            given_up.append(lane)
            del kept[lane.number]
        target = self._forked(best, target, shared)
        if not grows:
            target.served = 0
        for lane in given_up:
            self.clear(lane)
        return self._touched(target)

    def expire(self) -> None:
        """Give up the lanes that nobody used for long."""
        for lane in expired(self.all, self._clock()):
            self.clear(lane)

    def places(self) -> tuple[int, ...]:
        """List the names of the prompts that lanes hold."""
        return tuple({place for lane in self.all for place in lane.places})

    def cells_used(self) -> int:
        """Count the cells in use."""
        return cells_used(lane.cells for lane in self.all)

    def lost(self) -> int:
        """Count the lanes of which the model holds something else than they say; 0 is right."""
        return sum(
            not len(lane.tokens) == len(lane.cells) == self._model.length(lane.number)
            for lane in self.all
        )

    def keep(self, stopped: Callable[[], bool] = lambda: False) -> None:
        """Keep on disk what somebody used, the newest first, unless it is there already.

        Args:
            stopped: Asked before each lane.
        """
        if self._shelf is None:
            return
        for lane in sorted(self.all, key=lambda lane: -lane.served):
            if stopped():
                return
            # What is not worth reading is not worth writing.
            worth = lane.served and len(lane.tokens) >= _WORTH_READING
            if worth and not self._shelf.holds(lane.tokens, _WORTH_READING // 2):
                self._shelf.put(lane.tokens, self._model.save(lane.number))
        self._shelf.tidy()

    def _restore(self, prompt: Sequence[int], *, background: bool = False) -> None:
        """Bring a lane back from disk, if one holds much more of a prompt than any lane does."""
        if self._shelf is None or not self._shelf.lanes:
            return
        known, _ = self._nearest(prompt)
        if len(prompt) - known < _WORTH_READING:
            return
        found, stored = self._shelf.nearest(prompt)
        if stored is None or found - known < _WORTH_READING:
            return
        now = self._clock()
        free = expendable(self.all, now) if background else untyped(self.all, now) or self.all
        target = least_worth(free)
        room = room_in_background(self.room) if background else self.room
        others = [lane for lane in self.all if lane is not target and lane.tokens]
        held = cells_used(lane.cells for lane in others)
        if target is None or (background and held + len(stored.tokens) > room):
            return
        state = self._shelf.read(stored)
        if state is None:
            return
        self.clear(target)
        while others and cells_used(lane.cells for lane in others) + len(stored.tokens) > room:
            cleared = oldest(others, now)
            others.remove(cleared)
            self.clear(cleared)
        if self._model.restore(target.number, state, len(stored.tokens)):
            target.tokens = list(stored.tokens)
            target.cells = list(islice(self._cells, len(target.tokens)))
            self.restored += 1
            self._touched(target)
        else:
            self._shelf.remove(stored)

    def _nearest(self, prompt: Sequence[int]) -> tuple[int, Lane]:
        """Return how much of a prompt some lane holds at most, and the one with least besides."""
        shares = [(common_prefix(lane.tokens, prompt), lane) for lane in self.all]
        return max(shares, key=lambda pair: (pair[0], len(pair[1].tokens) == pair[0], pair[1].used))

    def _forked(self, source: Lane, target: Lane, shared: int) -> Lane:
        """Make a lane hold the first tokens of another one, and nothing else."""
        if source is not target:
            self.clear(target)
            if shared:
                self._model.fork(source.number, target.number, shared)
                target.tokens = source.tokens[:shared]
                target.cells = source.cells[:shared]
                target.places = dict(source.places)
                target.forget_from(shared)
        elif not goes_on(target, shared):
            self._age(target)
        return target

    def _touched(self, lane: Lane) -> Lane:
        lane.used, lane.floor, lane.touched = next(self._uses), self._level, self._clock()
        return lane

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
        self._age(lane)
        self._model.truncate(lane.number, 0)
        lane.forget_from(0)
        lane.served = lane.cursor = 0

    def _age(self, lane: Lane) -> None:
        """Take in that a lane is given up: from now on what is used is worth more than it was."""
        self._level = max(self._level, lane.worth)

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
        lane.cells.extend(islice(self._cells, len(tokens)))
        last = len(lane.tokens) - 1
        if guesses:
            self.pace.batches.note(len(tokens) + len(guesses), spent)
            lane.tokens.extend(guesses)
            lane.cells.extend(islice(self._cells, len(guesses)))
            lane.guessed = dict(enumerate(rows[1:], last + 1))
        else:
            self.pace.note(len(tokens), spent)
        return lane.remember(last, rows[0], boundary) if last >= boundary else Row(rows[0])

    def chunk(self, left: int, *, background: bool = False) -> int:
        """Tell how many prompt tokens one decode should take now.

        Args:
            left: Tokens of the prompt that are left.
            background: Whether nobody waits for it.
        """
        interruptible = self._model.options.gpu_layers == 0
        size = self.pace.chunk(left, interruptible=interruptible, background=background)
        return min(MAX_CHUNK, size)

    def _make_room(self, keep: Lane) -> None:
        others = [lane for lane in self.all if lane is not keep and lane.tokens]
        if not others:
            self.clear(keep)
            raise EngineError("the KV cache has no room", "raise `engine.contextTokens`")
        self.clear(oldest(others, self._clock()))
