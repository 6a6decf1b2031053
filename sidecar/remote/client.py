"""A front's connection to a server that stands in for the engine: the same calls, other wires.

Used on one asyncio loop. What fails here fails as an engine does, so that whoever asks needs not
know: a request raises `EngineError` or `EngineGone`, and a server that is not there any more
disconnects. Must never import llama_cpp or numpy.
"""

from __future__ import annotations

import asyncio
import secrets
from time import perf_counter
from typing import TYPE_CHECKING, Any, TypeVar

from sidecar.engine.interface import EngineState
from sidecar.engine.messages import Completion, ModelInfo, Request, Segment, Stats
from sidecar.errors import EngineError, EngineGone, ModelError
from sidecar.remote.connection import Connection, RemoteFailure
from sidecar.remote.discovery import look
from sidecar.remote.exchange import exchange
from sidecar.remote.turns import Superseded, Turns
from sidecar.remote.vocabulary import Vocabulary
from sidecar.text import encode_utf8

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence

    from sidecar.remote.breaker import Breaker
    from sidecar.remote.discovery import Server
    from sidecar.remote.spec import RemoteSpec

__all__ = ["RemoteClient"]

Answer = TypeVar("Answer")

_FIX = "look at the server, or empty sidecar.engine.remote to complete on this machine"
_KEY_FIX = (
    "put its key into the environment as SIDECAR_REMOTE_KEY, or into the keyring:"
    " `keyring set sidecar {url}`"
)
_MODEL_FIX = "set sidecar.engine.remoteModel to one that it has"
#: Words of the text with which a server's speed is measured at the start.
_MEASURED_WORDS = 100


class RemoteClient:
    """A server as one front's engine.

    Args:
        spec: The server.
        on_state: Called on the loop with every new state.
        breaker: Hears of failures, and says when there were too many.
        templates: Returns the texts of the template of a model file, where they are known.
    """

    def __init__(
        self,
        spec: RemoteSpec,
        on_state: Callable[[EngineState], None] | None,
        breaker: Breaker,
        templates: Callable[[str], Mapping[str, str] | None] = lambda file: None,
    ) -> None:
        self.spec = spec
        self.state = EngineState()
        self.held: Collection[int] | None = None
        self._on_state = on_state
        self._breaker = breaker
        self._templates = templates
        self._connection: Connection | None = None
        self._server: Server | None = None
        self._vocabulary: Vocabulary | None = None
        self._turns = Turns(one_at_a_time=False)

    @property
    def connected(self) -> bool:
        """Whether the server is believed to be there."""
        return self._connection is not None

    @property
    def name(self) -> str:
        """The model, and where it is."""
        model = self._server.model if self._server else self.spec.model or "the model"
        return f"{model} at {self.spec.host}"

    async def start(self) -> None:
        """Find out what the server is, and measure it.

        Raises:
            EngineError: It cannot be used.
        """
        if self.connected:
            return
        self._set(EngineState(phase="starting"))
        connection = Connection(self.spec)
        try:
            info = await self._met(connection)
        except RemoteFailure as failure:
            await connection.close()
            self._breaker.trip()
            error = self._error(failure)
            self._set(EngineState(phase="failed", detail=error.what, fix=error.fix))
            raise error from None
        except BaseException:
            await connection.close()
            raise
        self._connection = connection
        self._breaker.succeeded()
        self._set(EngineState(phase="ready", progress=1.0, info=info))

    async def ready(self) -> ModelInfo:
        """Return what is known of the model.

        Raises:
            ModelError: The server was not met, or is gone.
        """
        if self.state.info is None:
            raise ModelError(self.state.detail or "the server was not asked yet", _FIX)
        return self.state.info

    async def complete(
        self,
        request: Request,
        on_text: Callable[[str], None] | None = None,
        on_cancelled: Callable[[Completion], None] | None = None,
    ) -> Completion:
        """Complete a request; cancelling the task ends it at the server.

        Args:
            request: What to complete.
            on_text: Called with the whole text so far, whenever it grew.
            on_cancelled: Called when a request that was cancelled has ended.

        Raises:
            EngineGone: The server is gone.
            EngineError: The server refused, or failed.
        """
        arrived = perf_counter()
        connection, server, vocabulary = self._parts()

        async def work() -> Completion:
            room = server.context_tokens - request.max_tokens
            prompt = await vocabulary.assemble(request, room)
            if len(prompt.tokens) > room:
                raise EngineError(
                    f"the prompt has {len(prompt.tokens)} tokens, and {self.spec.host} has room"
                    f" for {room}",
                    "give the server a larger context, or set sidecar.context.beforeTokens lower",
                )
            return await exchange(
                connection,
                server.dialect,
                request,
                prompt,
                vocabulary.template.stops,
                arrived,
                on_text or _ignored,
            )

        try:
            completion = await self._noted(self._turns.run(request, work))
        except Superseded:
            return _given_up()
        except asyncio.CancelledError:
            if on_cancelled is not None and self.connected:
                # What it has cost until then is the server's secret.
                on_cancelled(_given_up())
            raise
        return completion

    def waited(self, document: str) -> None:
        """Do nothing: a server takes all alike, in the order in which they come."""

    async def count(self, texts: Sequence[str]) -> list[int]:
        """Estimate the tokens of each text by itself, without asking the server.

        What is counted is more than what is shown: it may hold secrets that no prompt does.
        """
        return [-(-len(encode_utf8(text)) * 2 // 5) for text in texts]

    async def status(self) -> dict[str, Any]:
        """Tell what the server is and how much is asked of it."""
        _, server, vocabulary = self._parts()
        return {
            "remote": self.spec.url,
            "server": server.dialect.name,
            "model": server.model,
            "context_tokens": server.context_tokens,
            "slots": server.slots,
            "template": vocabulary.template.order,
            "requests": self._turns.count,
        }

    async def close(self) -> None:
        """End all requests and connections."""
        await self._disconnect("the front closed the connection")

    async def _met(self, connection: Connection) -> ModelInfo:
        server = await look(connection, self.spec.model)
        vocabulary = Vocabulary(connection, server.dialect)
        wanted = self.spec.template or self._templates(server.file)
        known = await vocabulary.find_template(wanted)
        if self.spec.template is not None and not known:
            raise RemoteFailure("has a model that does not know model.template", "refused")
        try:
            speed, one_token_ms = await _measured(connection, server, vocabulary)
        except RemoteFailure as failure:
            if failure.kind != "late":
                raise
            # It is busy, or slow. Prompts are short then.
            speed, one_token_ms = 0.0, 0.0
        self._server, self._vocabulary = server, vocabulary
        self._turns = Turns(one_at_a_time=server.slots == 1)
        return ModelInfo(
            description=f"{server.model}, {server.dialect.name} at {self.spec.host}",
            layout=vocabulary.template.order,
            context_tokens=server.context_tokens,
            lanes=server.slots,
            prompt_tokens_per_s=speed,
            one_token_ms=one_token_ms,
            threads=0,
            gpu_layers=0,
        )

    def _parts(self) -> tuple[Connection, Server, Vocabulary]:
        if self._connection is None or self._server is None or self._vocabulary is None:
            raise EngineGone(f"{self.spec.host} is not connected", _FIX)
        return self._connection, self._server, self._vocabulary

    async def _noted(self, work: Awaitable[Answer]) -> Answer:
        """Wait for work, tell the breaker how it went, and disconnect if that was enough."""
        connection = self._connection
        try:
            result = await work
        except RemoteFailure as failure:
            error = self._error(failure)
            if connection is not self._connection:
                # The server was given up meanwhile, and so was this.
                raise EngineGone(error.what, error.fix) from None
            if failure.kind == "refused":
                raise error from None
            if failure.kind in ("gone", "denied"):
                self._breaker.trip()
            else:
                self._breaker.failed()
            if self._breaker.open:
                await self._disconnect(error.what)
                raise EngineGone(error.what, error.fix) from None
            raise error from None
        self._breaker.succeeded()
        return result

    def _error(self, failure: RemoteFailure) -> EngineError:
        fix = _FIX
        if failure.kind == "denied":
            fix = _KEY_FIX.format(url=self.spec.url)
        elif failure.what.startswith("has no model"):
            fix = _MODEL_FIX
        return EngineError(f"{self.spec.host} {failure.what}", fix)

    async def _disconnect(self, reason: str) -> None:
        connection, self._connection = self._connection, None
        if connection is None:
            return
        # First the state: whoever hears of it must not wait for connections to end.
        self._set(EngineState(phase="stopped", detail=reason, fix=_FIX))
        await connection.close()

    def _set(self, state: EngineState) -> None:
        self.state = state
        if self._on_state is not None:
            self._on_state(state)


async def _measured(
    connection: Connection, server: Server, vocabulary: Vocabulary
) -> tuple[float, float]:
    """Return prompt tokens per second and milliseconds of one token, the network included.

    The text is new each time: what a server has in its cache tells nothing of its speed.
    """
    words = min(_MEASURED_WORDS, server.context_tokens // 8)
    text = " ".join(secrets.token_hex(1) for _ in range(words))
    request = Request("measure", (Segment("typed", text),), max_tokens=8, heal=False)
    prompt = await vocabulary.assemble(request, server.context_tokens - request.max_tokens)
    done = await exchange(
        connection,
        server.dialect,
        request,
        prompt,
        frozenset(),
        perf_counter(),
        _ignored,
    )
    stats = done.stats
    prompt_ms = stats.prompt_ms or stats.first_token_ms - stats.queue_ms
    more = max(stats.generated - 1, 1)
    one_token_ms = max(stats.total_ms - stats.first_token_ms, 0.0) / more
    speed = len(prompt.tokens) / max(prompt_ms, 1.0) * 1000.0
    return speed, one_token_ms


def _ignored(text: str) -> None:
    """Nobody waits for the text."""


def _given_up() -> Completion:
    return Completion(text="", stats=Stats(stop="cancelled"))
