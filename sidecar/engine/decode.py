"""Greedy decoding of one request in a lane: reuse, evaluate, heal, generate, draft, stop.

Most keystrokes need no forward pass: the boundary of healing has not moved, so the row after the
prompt's last token is remembered, and where the text typed agrees with what the model would have
said, the rows behind it are there as well. Drafts take the same path: guesses are evaluated along
with a token, and stand there with their rows when the model chooses them. Rows of larger passes are
rounded differently, so where two tokens are about as likely what was drafted is computed again one
by one. Runs on the inference thread; knows nothing of sockets.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from statistics import median
from time import perf_counter
from typing import TYPE_CHECKING

from sidecar.engine.drafts import Drafts, copy_of
from sidecar.engine.healing import Healer
from sidecar.engine.lanes import common_prefix
from sidecar.engine.messages import Completion, Stats
from sidecar.engine.model import Interrupted
from sidecar.engine.stream import TextStream
from sidecar.errors import EngineError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sidecar.engine.drafts import Controller
    from sidecar.engine.lanes import Lane, Lanes, Row
    from sidecar.engine.messages import Request
    from sidecar.engine.model import Model
    from sidecar.engine.template import Assembled, Assembler

__all__ = ["Decoder"]

#: Logits closer than this may change places in a pass of several tokens, or after one. llama.cpp
#: takes other kernels for matrices from 4 tokens on; and where it attends to 512 cells or more, a
#: single token's are split among the threads. Measured on the 0.5B model, how far the distance of
#: the best two moves: by 0.06 at the median, 0.15 at the 90th percentile, 0.29 at most.
_CLOSE = 0.2


@dataclass(slots=True)
class _Account:
    """What one request has cost so far."""

    arrived: float
    evaluated: int = 0
    reused: int = 0
    generated: int = 0
    passes: int = 0
    queue_ms: float = 0.0
    prompt_ms: float = 0.0
    first_token_ms: float = 0.0
    visible_ms: float | None = None
    llama_ms: float = 0.0
    visible_passes: int = 0
    drafted: int = 0
    accepted: int = 0
    one_token_ms: list[float] = field(default_factory=list)
    logprobs: list[float] = field(default_factory=list)

    def since(self) -> float:
        return (perf_counter() - self.arrived) * 1000.0


@dataclass(slots=True)
class _Run:
    """One request under way."""

    request: Request
    prompt: Assembled
    stream: TextStream
    account: _Account
    stopped: Callable[[], bool]
    on_text: Callable[[str], None]
    drafts: Drafts | None
    #: The tokens generated, and how long the text was after each.
    chosen: list[int] = field(default_factory=list)
    lengths: list[int] = field(default_factory=list)
    #: The first position that was computed together with guesses, unless all are single by now.
    rough: int | None = None

    @property
    def boundary(self) -> int:
        """Position of the prompt's last token."""
        return len(self.prompt.tokens) - 1

    def rows_from(self, lane: Lane) -> int:
        """Return the position from which rows are kept when there is no room for all.

        A guess of what comes later must not cost the user's next key its row.
        """
        speculates = self.request.priority == "speculative"
        return min(lane.cursor, self.boundary) if speculates else self.boundary


class Decoder:
    """Runs requests one at a time on the lanes of a model.

    Args:
        model: The model.
        lanes: Its lanes.
        assembler: Makes tokens of requests.
        pieces: Bytes of each token.
        ends: Tokens that end a generation.
        controller: Decides on drafts; None where the model's memory cannot step back.
    """

    def __init__(
        self,
        model: Model,
        lanes: Lanes,
        assembler: Assembler,
        pieces: Sequence[bytes],
        ends: frozenset[int],
        controller: Controller | None,
    ) -> None:
        self._model = model
        self._lanes = lanes
        self._assembler = assembler
        self._pieces = pieces
        self._ends = ends
        self._healer = Healer(pieces)
        self._controller = controller

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
        account = _Account(arrived=arrived)
        account.queue_ms = account.since()
        prompt = self._assembler.assemble(request, self._lanes.room - request.max_tokens)
        self._lanes.check_fits(len(prompt.tokens) + request.max_tokens)
        stream = TextStream(prompt.healed, multiline=request.multiline, indent=request.indent)
        drafts = self._drafts(request, prompt)
        run = _Run(request, prompt, stream, account, stopped, on_text, drafts)
        lane = self._lanes.choose(prompt.tokens)
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
                run.drafts.learn()
        return Completion(
            text=stream.text, stats=_stats(run, stop), logprobs=tuple(account.logprobs)
        )

    def _evaluate(self, lane: Lane, run: _Run) -> Row | None:
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
            waited = run.account.since() - run.account.queue_ms
            chunk = tokens[shared : shared + self._lanes.chunk(waited)]
            row = self._extend(lane, chunk, run)
            run.account.evaluated += len(chunk)
            shared += len(chunk)
        return row

    def _generate(self, lane: Lane, row: Row, run: _Run) -> str:
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
            if run.drafts is not None:
                run.drafts.feed(token)
            if token in self._ends:
                return "eog"
            account.generated += 1
            if account.generated == 1:
                account.first_token_ms = account.since()
            if stream.feed(self._pieces[token]):
                if account.visible_ms is None:
                    account.visible_ms = account.since()
                    account.visible_passes = account.passes
                run.on_text(stream.text)
            # After the text is on its way: the sum over the vocabulary is the dearest step here.
            account.logprobs.append(row.log_probability(token, allowed))
            if stream.ended:
                return stream.ended
            if _goes_round(token, run):
                return "repetition"
            position += 1
            if account.generated < request.max_tokens:
                row = self._row_after(lane, token, position, run)
        return "tokens"

    def _row_after(self, lane: Lane, token: int, position: int, run: _Run) -> Row:
        """Put a token at a position, unless it stands there, and give the row after it."""
        row = self._found_or_made(lane, token, position, run)
        if run.rough is not None and row.gap() < _CLOSE:
            return self._one_by_one(lane, position, run)
        return row

    def _one_by_one(self, lane: Lane, position: int, run: _Run) -> Row:
        """Compute what was drafted as plain decoding would have, and give the last row."""
        start, run.rough = run.rough or 0, None
        tokens = lane.tokens[start : position + 1]
        self._lanes.truncate(lane, start)
        for token in tokens:
            if run.stopped():
                raise Interrupted
            row = self._extend(lane, [token], run)
        return row

    def _found_or_made(self, lane: Lane, token: int, position: int, run: _Run) -> Row:
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

    def _drafts(self, request: Request, prompt: Assembled) -> Drafts | None:
        if self._controller is None or not request.drafts:
            return None

        def fits(token: int) -> bool:
            piece = self._pieces[token]
            if not piece or token in self._ends:
                return False
            # The row before a line break is enough to know that a single line ends.
            return request.multiline or b"\n" not in piece

        return Drafts(self._controller, prompt.tokens, fits)

    def _extend(
        self, lane: Lane, tokens: Sequence[int], run: _Run, guesses: Sequence[int] = ()
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


def _goes_round(token: int, run: _Run) -> bool:
    """Take a token into account; when it closes a circle, leave one copy of it and tell so."""
    run.chosen.append(token)
    run.lengths.append(len(run.stream.text))
    copies = copy_of(run.chosen)
    if copies:
        run.stream.text = run.stream.text[: run.lengths[-copies - 1]]
        del run.account.logprobs[-copies:]
    return copies > 0


def _stats(run: _Run, stop: str) -> Stats:
    account = run.account
    return Stats(
        evaluated=account.evaluated,
        reused=account.reused,
        generated=account.generated,
        healed_bytes=len(run.prompt.healed),
        passes=account.passes if account.visible_ms is None else account.visible_passes,
        queue_ms=account.queue_ms,
        prompt_ms=account.prompt_ms,
        first_token_ms=account.first_token_ms,
        visible_ms=account.visible_ms,
        total_ms=account.since(),
        llama_ms=account.llama_ms,
        one_token_ms=median(account.one_token_ms) if account.one_token_ms else 0.0,
        stop=stop,
        segment_tokens=run.prompt.segment_tokens,
        trimmed=run.prompt.trimmed,
        drafted=account.drafted,
        accepted=account.accepted,
    )
