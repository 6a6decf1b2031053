"""A front's connection to its engine: completions, counts and the engine's state.

Used on one asyncio loop. Knows nothing of editors; must never import llama_cpp or numpy.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections import OrderedDict
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from sidecar import PROTOCOL
from sidecar.engine.interface import EngineState
from sidecar.engine.launch import connect_or_launch
from sidecar.engine.messages import ModelInfo, completion_from_wire, pack, to_wire
from sidecar.errors import EngineError, EngineGone, ModelError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from sidecar.engine.launch import Link
    from sidecar.engine.messages import Completion, Request
    from sidecar.engine.spec import EngineSpec

__all__ = ["EngineClient"]

#: Lines of windows and snippets that were counted lately; a window has some hundred.
_COUNTS_KEPT = 4096
_ANSWER_SECONDS = 10.0


class EngineClient:
    """One front's engine; `start` may be called again after the engine died.

    Args:
        spec: The engine wanted.
        on_state: Called on the loop with every new state.
        check: Called before an engine is started; raises when the machine has no memory for it.
    """

    def __init__(
        self,
        spec: EngineSpec,
        on_state: Callable[[EngineState], None] | None = None,
        check: Callable[[], None] | None = None,
    ) -> None:
        self.spec = spec
        self.state = EngineState()
        self.held: Collection[int] | None = ()
        self._on_state = on_state
        self._check = check
        self._writer: asyncio.StreamWriter | None = None
        self._reading: asyncio.Task[None] | None = None
        self._numbers = 0
        self._pending: dict[int, asyncio.Future[Any]] = {}
        self._listeners: dict[int, Callable[[str], None]] = {}
        self._cancelled: dict[int, Callable[[Completion], None]] = {}
        self._changed = asyncio.Event()
        #: Tokens of texts, by digest: thousands of texts themselves would be held for nothing.
        self._counts: OrderedDict[bytes, int] = OrderedDict()

    @property
    def connected(self) -> bool:
        """Whether there is a connection to a living engine."""
        return self._writer is not None

    async def start(self) -> None:
        """Connect to the engine, starting it if none runs; does not wait for the model.

        Raises:
            EngineError: The engine did not start.
        """
        if self.connected:
            return
        self._set(EngineState(phase="starting"))
        try:
            link = await connect_or_launch(self.spec, self._check)
            _check_protocol(link.hello)
        except (EngineError, ModelError) as error:
            self._set(EngineState(phase="failed", detail=error.what, fix=error.fix))
            raise
        self._writer = link.writer
        self._set(EngineState(phase="loading", pid=link.hello["pid"]))
        self._reading = asyncio.create_task(self._read(link))

    async def ready(self) -> ModelInfo:
        """Wait until the model is loaded.

        Raises:
            ModelError: The model cannot be used.
            EngineError: The engine failed or died.
        """
        while True:
            state = self.state
            if state.info is not None:
                return state.info
            if state.phase in {"failed", "stopped"}:
                raise ModelError(
                    state.detail or "the engine is not running", state.fix or "start it"
                )
            self._changed.clear()
            await self._changed.wait()

    async def complete(
        self,
        request: Request,
        on_text: Callable[[str], None] | None = None,
        on_cancelled: Callable[[Completion], None] | None = None,
    ) -> Completion:
        """Complete a request; cancelling the task cancels it in the engine.

        Args:
            request: What to complete.
            on_text: Called on the loop with the whole text so far, whenever it grew.
            on_cancelled: Called on the loop when a request that was cancelled has ended in the
                engine, with what was done until then.

        Raises:
            EngineGone: The engine died.
            EngineError: The engine refused.
        """
        self._numbers += 1
        number = self._numbers
        answer = self._sent("complete", number, request=to_wire(request))
        if on_text is not None:
            self._listeners[number] = on_text
        try:
            body = await answer
        except asyncio.CancelledError:
            if answer.cancelled():
                if on_cancelled is not None and self.connected:
                    self._cancelled[number] = on_cancelled
                self._send("cancel", {"id": number})
            elif on_cancelled is not None and answer.exception() is None:
                # It was answered in the same turn of the loop.
                on_cancelled(completion_from_wire(answer.result()["completion"]))
            raise
        finally:
            self._pending.pop(number, None)
            self._listeners.pop(number, None)
        return completion_from_wire(body["completion"])

    def waited(self, document: str) -> None:
        """Tell that somebody waits for what was begun for a document before they asked.

        Args:
            document: Key of the document, as in the request.
        """
        self._send("waited", {"document": document})

    async def count(self, texts: Sequence[str]) -> list[int]:
        """Count the tokens of each text by itself, asking the engine only for new ones.

        Raises:
            EngineGone: The engine died.
            EngineError: The model is not loaded.
        """
        keys = {text: _digest(text) for text in texts}
        missing = {key: text for text, key in keys.items() if key not in self._counts}
        if missing:
            self._numbers += 1
            async with asyncio.timeout(_ANSWER_SECONDS):
                body = await self._ask("count", self._numbers, texts=list(missing.values()))
            self._counts.update(zip(missing, body["counts"], strict=True))
        found = [self._counts[keys[text]] for text in texts]
        while len(self._counts) > _COUNTS_KEPT:
            self._counts.popitem(last=False)
        return found

    async def status(self) -> dict[str, Any]:
        """Ask the engine what it holds and does."""
        self._numbers += 1
        async with asyncio.timeout(_ANSWER_SECONDS):
            body = await self._ask("status", self._numbers)
        status: dict[str, Any] = body["status"]
        return status

    async def close(self) -> None:
        """End the connection; the engine stays for others."""
        if self._reading is not None:
            self._reading.cancel()
            with suppress(asyncio.CancelledError):
                await self._reading
        self._disconnected("the front closed the connection")

    async def _ask(self, kind: str, number: int, **body: object) -> Any:
        try:
            return await self._sent(kind, number, **body)
        finally:
            self._pending.pop(number, None)

    def _sent(self, kind: str, number: int, **body: object) -> asyncio.Future[Any]:
        """Send a question, and return what its answer comes in."""
        if self._writer is None:
            raise EngineGone("the engine is not running", "it is started again by the next request")
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._pending[number] = answer
        self._send(kind, {"id": number, **body})
        return answer

    def _send(self, kind: str, body: object) -> None:
        # Requests are few and small; the transport's buffer needs no draining.
        if self._writer is not None and not self._writer.is_closing():
            self._writer.write(pack(kind, body))

    async def _read(self, link: Link) -> None:
        reason = "the engine ended"
        try:
            data = b""
            while True:
                link.messages.feed(data)
                for kind, body in link.messages:
                    self._receive(kind, body)
                data = await link.reader.read(65536)
                if not data:
                    break
        except (ConnectionError, ValueError, TypeError, KeyError, EngineError) as error:
            reason = f"the connection to the engine broke ({error})"
        self._disconnected(reason)

    def _receive(self, kind: str, body: Any) -> None:
        if kind == "done":
            # Also of what was cancelled: it may have taken a lane.
            self._hold(body["completion"]["held"])
        match kind:
            case "state":
                self._set_state(body)
            case "text":
                listener = self._listeners.get(body["id"])
                if listener is not None:
                    listener(body["text"])
            case "done" if body["id"] in self._cancelled:
                self._cancelled.pop(body["id"])(completion_from_wire(body["completion"]))
            case "error":
                self._cancelled.pop(body["id"], None)
                self._resolve(body["id"], EngineError(body["what"], body["fix"]))
            case _:
                self._resolve(body["id"], body)

    def _hold(self, held: Sequence[int] | None) -> None:
        if held is not None:
            self.held = frozenset(held)

    def _set_state(self, body: Any) -> None:
        info = body["info"]
        self._set(
            EngineState(
                phase=body["phase"],
                progress=body["progress"],
                detail=body["detail"],
                fix=body["fix"],
                info=ModelInfo(**info) if info else None,
                pid=self.state.pid,
            )
        )

    def _resolve(self, number: int, answer: Any) -> None:
        future = self._pending.get(number)
        if future is None or future.done():
            return
        if isinstance(answer, EngineError):
            future.set_exception(answer)
        else:
            future.set_result(answer)

    def _disconnected(self, reason: str) -> None:
        if self._writer is None:
            return
        self._writer.close()
        self._writer = None
        self._cancelled.clear()
        for future in self._pending.values():
            if not future.done():
                future.set_exception(EngineGone(reason, "it is started again by the next request"))
        if self.state.phase != "failed":
            self._set(EngineState(phase="stopped", detail=reason, fix="run `sidecar doctor`"))

    def _set(self, state: EngineState) -> None:
        self.state = state
        self._changed.set()
        if self._on_state is not None:
            self._on_state(state)


def _check_protocol(hello: dict[str, Any]) -> None:
    if hello["protocol"] != PROTOCOL:
        raise EngineError(
            f"the engine speaks protocol {hello['protocol']}, this front {PROTOCOL}",
            f"end the other engine (process {hello['pid']})",
        )


def _digest(text: str) -> bytes:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
