"""One completion by a server: the stream read, cut where the engine would end, and accounted for.

May import the front's side of `engine`, and its text stream.
"""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING

from sidecar.engine.messages import Completion, Stats
from sidecar.engine.stream import TextStream, around_of
from sidecar.remote.connection import RemoteFailure

if TYPE_CHECKING:
    from collections.abc import Callable

    from sidecar.engine.messages import Request
    from sidecar.engine.template import Assembled
    from sidecar.remote.connection import Connection
    from sidecar.remote.dialects import Dialect, Said

__all__ = ["exchange"]

#: A prompt of which no more than so much is evaluated was there already.
_LITTLE = 8


@dataclass(slots=True)
class _Account:
    """What one request has cost so far; `Stats` says what the numbers mean."""

    arrived: float
    queue_ms: float = 0.0
    first_token_ms: float = 0.0
    first_at: float = 0.0
    visible_ms: float | None = None
    generated: int = 0
    evaluated: int = 0
    reused: int = 0
    prompt_ms: float = 0.0

    def since(self) -> float:
        """Return the milliseconds since the request arrived."""
        return (perf_counter() - self.arrived) * 1000.0

    def take(self, said: Said) -> None:
        """Take what an event tells of numbers."""
        if (said.text or said.tokens) and not self.first_at:
            self.first_at = perf_counter()
            self.first_token_ms = self.since()
        self.generated += len(said.tokens) or bool(said.text)
        self.evaluated = self.evaluated if said.evaluated is None else said.evaluated
        self.reused = self.reused if said.reused is None else said.reused
        self.generated = self.generated if said.generated is None else said.generated
        self.prompt_ms = self.prompt_ms if said.prompt_ms is None else said.prompt_ms


async def exchange(
    connection: Connection,
    dialect: Dialect,
    request: Request,
    prompt: Assembled,
    stops: frozenset[int],
    arrived: float,
    on_text: Callable[[str], None],
) -> Completion:
    """Have a prompt completed.

    Args:
        connection: The server.
        dialect: How it is spoken with.
        request: What is wanted.
        prompt: The prompt's tokens.
        stops: Tokens at which generation ends besides the model's own.
        arrived: `perf_counter` when the request arrived.
        on_text: Called with the whole text so far, each time it grew.

    Raises:
        RemoteFailure: The server did not do it.
    """
    account = _Account(arrived)
    account.queue_ms = account.since()
    wanted = bool(request.max_tokens)
    healed = prompt.healed if wanted else b""
    around = around_of(request.segments) if request.block else None
    stream = TextStream(healed, multiline=request.multiline, around=around)
    body = dialect.completion(prompt.tokens, healed.decode(), request, sorted(stops))
    stop = ""
    async with connection.stream(dialect.path, body) as events:
        async for event in events:
            try:
                said = dialect.read(event)
            except (KeyError, TypeError, ValueError, IndexError):
                raise RemoteFailure("sent an event that says nothing", "sick") from None
            account.take(said)
            if stop:
                # All that may still come are numbers.
                continue
            if wanted:
                _heard(stream, said, account, on_text)
                stop = _end(stream, said, stops, account, request)
            else:
                stop = said.end
            if stop and stop != said.end:
                # Leaving now is what ends it there.
                break
    if not stop:
        raise RemoteFailure("broke off its answer", "sick")
    return Completion(stream.text, _stats(account, prompt, stop, wanted=wanted))


def _heard(
    stream: TextStream, said: Said, account: _Account, on_text: Callable[[str], None]
) -> None:
    piece = said.text.encode("utf-8", "replace")
    expected = stream.remaining[: len(piece)]
    if piece[: len(expected)] != expected:
        # Served as if it were what comes next, it would double what was typed.
        raise RemoteFailure("does not begin with what was typed", "refused")
    if piece and stream.feed(piece):
        if account.visible_ms is None:
            account.visible_ms = account.since()
        on_text(stream.text)


def _end(
    stream: TextStream, said: Said, stops: frozenset[int], account: _Account, request: Request
) -> str:
    """Tell why generation ends with what was said, or that it does not."""
    if stream.ended:
        return stream.ended
    if not stops.isdisjoint(said.tokens):
        return "eog"
    if said.end:
        return said.end
    late = account.first_at and (perf_counter() - account.first_at) * 1e3 >= request.time_limit_ms
    return "time" if late else ""


def _stats(account: _Account, prompt: Assembled, stop: str, *, wanted: bool) -> Stats:
    if not wanted:
        held = account.reused and account.evaluated <= _LITTLE
        stop = "held" if held else "warmed"
    return Stats(
        evaluated=account.evaluated,
        reused=account.reused,
        generated=account.generated if wanted else 0,
        healed_bytes=len(prompt.healed),
        # It is one pass after the prompt's that gives the first token; more is not known.
        passes=1 if account.visible_ms is not None else 0,
        queue_ms=account.queue_ms,
        prompt_ms=account.prompt_ms,
        first_token_ms=account.first_token_ms,
        visible_ms=account.visible_ms,
        total_ms=account.since(),
        stop=stop,
        segment_tokens=prompt.segment_tokens,
        trimmed=prompt.trimmed,
    )
