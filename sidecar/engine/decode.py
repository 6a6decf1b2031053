"""Greedy decoding of one request in a lane: reuse, evaluate, heal, generate, draft, stop.

Most keystrokes need no forward pass: the boundary of healing has not moved, so the row after the
prompt's last token is remembered, and where the text typed agrees with what the model would have
said, the rows behind it are there as well. Drafts take the same path: guesses are evaluated along
with a token, and stand there with their rows when the model chooses them. Rows of larger passes are
rounded differently, so where two tokens are about as likely what was drafted is computed again one
by one. Runs on the inference thread; knows nothing of sockets.
"""

from __future__ import annotations

from contextlib import suppress
from time import perf_counter
from typing import TYPE_CHECKING

from sidecar.engine.drafts import Drafts
from sidecar.engine.guessing import Guessing
from sidecar.engine.healing import Healer
from sidecar.engine.lanes import LITTLE, common_prefix
from sidecar.engine.messages import Completion
from sidecar.engine.model import Interrupted
from sidecar.engine.run import Account, Run
from sidecar.engine.stream import TextStream, around_of
from sidecar.errors import EngineError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sidecar.engine.drafter import Drafter
    from sidecar.engine.drafts import Controller
    from sidecar.engine.lane import Lane, Row
    from sidecar.engine.lanes import Lanes
    from sidecar.engine.messages import Request
    from sidecar.engine.model import Model
    from sidecar.engine.template import Assembled, Assembler

__all__ = ["Decoder"]

#: Logits closer than this may change places in a pass of several tokens, or after one. llama.cpp
#: takes other kernels for matrices from 4 tokens on; and where it attends to 512 cells or more, a
#: single token's are split among the threads. Measured on the 0.5B model, how far the distance of
#: the best two moves: by 0.06 at the median, 0.15 at the 90th percentile, 0.29 at most. Of 1,562
#: tokens computed four at a time, four came out otherwise; the best two lay up to 0.08 apart
#: there, once 0.14.
_CLOSE = 0.2
#: What is said ahead stands behind what was just evaluated; more than that nobody asked for.
_MOST_GUESSED = 64


class Decoder:
    """Runs requests one at a time on the lanes of a model.

    Args:
        model: The model.
        lanes: Its lanes.
        assembler: Makes tokens of requests.
        pieces: Bytes of each token.
        ends: Tokens that end a generation.
        controller: Decides on drafts; None where the model's memory cannot step back.
        drafter: The draft model, if there is one.
    """

    def __init__(
        self,
        model: Model,
        lanes: Lanes,
        assembler: Assembler,
        pieces: Sequence[bytes],
        ends: frozenset[int],
        controller: Controller | None,
        drafter: Drafter | None = None,
    ) -> None:
        self._model = model
        self._lanes = lanes
        self._assembler = assembler
        self._pieces = pieces
        self._ends = ends
        self._healer = Healer(pieces)
        self._controller = controller
        self._drafter = drafter

    def run(
        self,
        request: Request,
        arrived: float,
        stopped: Callable[[], bool],
        on_text: Callable[[str], None],
    ) -> Completion:
        """Complete one request.

        Args:
            request: What to complete.
            arrived: `perf_counter` when the request arrived.
            stopped: Asked before every chunk and token; a true answer ends the request.
            on_text: Called with the whole text so far, each time it grew.

        Returns:
            The completion; its `stop` is `cancelled` when `stopped` or an interrupt ended it.

        Raises:
            EngineError: The prompt does not fit, or llama.cpp failed.
        """
        account = Account(arrived=arrived)
        account.queue_ms = account.since()
        prompt = self._assembler.assemble(request, self._lanes.room - request.max_tokens)
        self._lanes.check_fits(len(prompt.tokens) + request.max_tokens)
        around = around_of(request.segments) if request.block else None
        stream = TextStream(prompt.healed, multiline=request.multiline, around=around)
        drafts = self._drafts(request, prompt, stopped)
        run = Run(request, prompt, stream, account, stopped, on_text, drafts)
        if not request.max_tokens:
            stop = self._warm(run)
            return Completion(text="", stats=run.stats(stop), held=self._lanes.places())
        guessed = request.priority == "speculative"
        if guessed and len(prompt.tokens) - self._lanes.held(prompt.tokens) > _MOST_GUESSED:
            # Its lane was taken meanwhile, and nobody waits.
            return Completion(text="", stats=run.stats("cancelled"))
        lane = self._lanes.choose(prompt.tokens, guessed=guessed)
        stop = "cancelled"
        try:
            row = self._evaluate(lane, run)
            account.prompt_ms = account.since() - account.queue_ms
            if row is not None:
                stop = self._generate(lane, row, run)
        except Interrupted:
            pass
        finally:
            self._lanes.drop_guesses(lane)
            if run.drafts is not None:
                run.drafts.end()
        return Completion(
            text=stream.text,
            stats=run.stats(stop),
            logprobs=tuple(account.logprobs),
            choices=tuple(account.choices),
            held=self._lanes.places(),
        )

    def _warm(self, run: Run) -> str:
        """Evaluate the prompt, unless it takes room from somebody, and tell how that ended."""
        tokens, account = run.prompt.tokens, run.account
        lane = self._lanes.spare(tokens)
        if lane is None:
            return "no_room"
        account.reused = common_prefix(lane.tokens, tokens)
        if account.reused and len(tokens) - account.reused <= LITTLE:
            lane.name(run.request.place, min(run.prompt.still, account.reused))
            return "held"
        try:
            row = self._evaluate(lane, run)
        except Interrupted:
            self._lanes.pace.lost()
            row = None
        if row is not None and self._drafter is not None and run.request.drafts:
            with suppress(Interrupted):
                self._drafter.warm(tokens, run.stopped)
        account.prompt_ms = account.since() - account.queue_ms
        return "cancelled" if row is None else "warmed"

    def _evaluate(self, lane: Lane, run: Run) -> Row | None:
        """Bring the lane to the prompt and give the row after its last token; None when stopped."""
        tokens = run.prompt.tokens
        if run.request.priority == "interactive":
            lane.cursor = run.boundary
        shared = common_prefix(lane.tokens, tokens)
        row = lane.row(run.boundary) if shared == len(tokens) else None
        if row is None:
            # Logits come only with a forward pass, so at least the last token is computed again.
            self._lanes.truncate(lane, min(shared, run.boundary))
            shared = len(lane.tokens)
        run.account.reused = shared
        while shared < len(tokens):
            if run.stopped():
                return None
            background = not run.request.max_tokens
            size = self._lanes.chunk(len(tokens) - shared, background=background)
            chunk = tokens[shared : shared + size]
            row = self._extend(lane, chunk, run)
            run.account.evaluated += len(chunk)
            if background:
                self._lanes.pace.finished()
            shared += len(chunk)
        # Of one with nothing typed the last token is computed again where its row is gone.
        lane.name(run.request.place, min(run.prompt.still, run.boundary))
        return row

    def _generate(self, lane: Lane, row: Row, run: Run) -> str:
        """Generate into the lane and tell why it ended."""
        request, stream, account = run.request, run.stream, run.account
        deadline = perf_counter() + request.time_limit_ms / 1000.0
        position = run.boundary
        while account.generated < request.max_tokens:
            if run.stopped():
                return "cancelled"
            if account.generated and perf_counter() >= deadline:
                return "time"
            remaining = stream.remaining
            allowed = self._healer.allowed(remaining) if remaining else None
            token = row.best(allowed)
            if request.explain:
                account.choices.append((token, row.gap(allowed)))
            if run.drafts is not None:
                run.drafts.feed(token)
            if token in self._ends:
                return "eog"
            account.generated += 1
            if account.generated == 1:
                account.first_token_ms = account.since()
            grew, matters = stream.feed(self._pieces[token]), run.sureness.matters
            if grew and not matters:
                run.tell()
            # After the text is on its way: the sum over the vocabulary is the dearest step here.
            account.logprobs.append(row.log_probability(token, allowed))
            if matters and run.unsure():
                return "unsure"
            if grew and matters:
                run.tell()
            if stream.ended:
                return stream.ended
            if run.goes_round(token):
                return "repetition"
            position += 1
            if account.generated < request.max_tokens:
                row = self._row_after(lane, token, position, run)
        return "tokens"

    def _row_after(self, lane: Lane, token: int, position: int, run: Run) -> Row:
        """Put a token at a position, unless it stands there, and give the row after it."""
        row = self._found_or_made(lane, token, position, run)
        if run.rough is not None and row.gap() < _CLOSE:
            return self._one_by_one(lane, position, run)
        return row

    def _one_by_one(self, lane: Lane, position: int, run: Run) -> Row:
        """Compute what was drafted as plain decoding would have, and give the last row."""
        start, run.rough = run.rough or 0, None
        tokens = lane.tokens[start : position + 1]
        if run.drafts is not None and run.drafts.second is not None:
            run.drafts.second.again(len(tokens))
        self._lanes.truncate(lane, start)
        for token in tokens:
            if run.stopped():
                raise Interrupted
            row = self._extend(lane, [token], run)
        return row

    def _found_or_made(self, lane: Lane, token: int, position: int, run: Run) -> Row:
        tokens, account = lane.tokens, run.account
        if position < len(tokens) and tokens[position] == token:
            account.accepted += position in lane.guessed
            row = lane.settle(position, run.rows_from(lane))
            if row is not None:
                return row
        self._lanes.truncate(lane, position)
        if len(tokens) < position:
            # Only a memory that cannot drop a part comes here: it starts again from the prompt.
            raise EngineError(
                "this model's memory cannot step back", "choose a model without recurrent layers"
            )
        guesses: Sequence[int] = ()
        # The first thing that can be seen is not kept waiting for a larger pass.
        if run.drafts is not None and account.visible_ms is not None:
            guesses = run.drafts.guess(run.request.max_tokens - account.generated - 1)
        row = self._extend(lane, [token], run, guesses)
        if lane.guessed and run.rough is None:
            run.rough = position
        return row

    def _drafts(
        self, request: Request, prompt: Assembled, stopped: Callable[[], bool]
    ) -> Drafts | None:
        if self._controller is None or not request.drafts:
            return None

        def fits(token: int) -> bool:
            if token >= len(self._pieces):
                # A draft model may have more tokens than the model.
                return False
            piece = self._pieces[token]
            if not piece or token in self._ends:
                return False
            # The row before a line break is enough to know that a single line ends.
            return request.multiline or b"\n" not in piece

        second = None
        if self._drafter is not None:
            waited = request.priority == "interactive"
            second = Guessing(self._drafter, stopped, waited=waited)
        return Drafts(self._controller, prompt.tokens, fits, second)

    def _extend(
        self, lane: Lane, tokens: Sequence[int], run: Run, guesses: Sequence[int] = ()
    ) -> Row:
        account = run.account
        before = self._model.decode_s
        row = self._lanes.extend(lane, tokens, run.rows_from(lane), guesses)
        account.drafted += len(lane.guessed)
        spent = (self._model.decode_s - before) * 1000.0
        account.passes += 1
        if account.visible_ms is None:
            account.llama_ms += spent
        if len(tokens) == 1 and not lane.guessed:
            account.one_token_ms.append(spent)
        return row
