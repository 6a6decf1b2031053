"""Keeps one engine for a front: starts it, notices its death, and knows when to stop.

Where the user named a server, that is the engine as long as it answers; else one on this machine
is, until the server is back. Nothing here raises into a request: whoever wants the engine gets it
or gets None, and the status says why. May import the front's side of `engine`, `elsewhere` and
`planning`.
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from sidecar.completion.elsewhere import Elsewhere, nowhere
from sidecar.completion.status import Status
from sidecar.engine.client import EngineClient
from sidecar.errors import EngineError, ModelError, SidecarError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Collection

    from sidecar.completion.planning import EnginePlan
    from sidecar.engine.interface import Engine, EngineState
    from sidecar.engine.messages import ModelInfo
    from sidecar.remote.client import RemoteClient
    from sidecar.remote.spec import RemoteSpec
    from sidecar.telemetry import Metrics

__all__ = ["Supervisor"]

log = logging.getLogger(__name__)

#: Seconds before the engine is started again after its first, second, … death in a row.
BACK_OFF = (0.0, 1.0, 2.0, 4.0)
#: An engine that died this often in a row without an answer in between is not started again.
MOST_DEATHS = 4
#: A request that finds the engine dying waits this long for the next one: the user sees one late
#: suggestion instead of none. At the first start nobody waits.
RECOVERY_SECONDS = 5.0
#: How often a missing model is looked for again while the user works.
LOOK_AGAIN_SECONDS = 5.0
INSPECT_SECONDS = 1.0
_DRAFT_FIX = "choose another draft model, or empty sidecar.engine.draftModel"
_REMOTE_FIX = "look at the server, or empty sidecar.engine.remote"


class Supervisor:
    """Owns the connection to the engine.

    Args:
        plan: Says which engine is wanted now; raises ModelError when there is none.
        on_status: Called on the loop with every new status.
        metrics: Where deaths are counted.
        sleep: Waits between deaths.
        remote: Returns the server that completes instead, if the user named one.
    """

    def __init__(
        self,
        plan: Callable[[], Awaitable[EnginePlan]],
        on_status: Callable[[Status], None],
        metrics: Metrics,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        remote: Callable[[], Awaitable[RemoteSpec | None]] = nowhere,
    ) -> None:
        self.status = Status()
        self.plan: EnginePlan | None = None
        self._make_plan = plan
        self._on_status = on_status
        self._metrics = metrics
        self._sleep = sleep
        self._client: Engine | None = None
        self._elsewhere = Elsewhere(remote, metrics)
        self._task: asyncio.Task[None] | None = None
        self._deaths = 0
        self._looked_at = 0.0
        self._was_ready = False
        self._waiting: list[asyncio.Future[None]] = []

    @property
    def pid(self) -> int | None:
        """The engine's process, if one is connected."""
        client = self._client
        return client.state.pid or None if client is not None and client.connected else None

    @property
    def info(self) -> ModelInfo | None:
        """What the engine tells of its model, once it is loaded."""
        return None if self._client is None else self._client.state.info

    @property
    def held(self) -> Collection[int] | None:
        """Names of the prompts that the engine holds; None if that is not known."""
        return () if self._client is None else self._client.held

    async def inspect(self) -> dict[str, Any] | None:
        """Return what the engine's process tells of itself, if it answers at once."""
        client = self._client
        if client is None or not client.connected:
            return None
        try:
            async with asyncio.timeout(INSPECT_SECONDS):
                return await client.status()
        except (SidecarError, TimeoutError):
            return None

    async def engine(self) -> Engine | None:
        """Return the engine if it can answer now, and see to it that one will be there.

        Waits only for an engine that is started again after it served before.
        """
        self.poke()
        if self.status.busy and self._was_ready:
            try:
                async with asyncio.timeout(RECOVERY_SECONDS):
                    while self.status.busy:
                        await self._next_change()
            except TimeoutError:
                return None
        return self._client if self.status.phase == "ready" else None

    def poke(self) -> None:
        """Start the engine if nothing is under way and nothing speaks against it."""
        if self._task is not None and not self._task.done():
            return
        if self.status.phase == "failed":
            return
        now = time.monotonic()
        if self.status.phase == "no-model" and now - self._looked_at < LOOK_AGAIN_SECONDS:
            return
        self._looked_at = now
        self._task = asyncio.create_task(self._keep())

    def served(self) -> None:
        """Note that the engine has answered: earlier deaths no longer count."""
        self._deaths = 0

    async def restart(self, *, end_engine: bool = False) -> None:
        """Begin anew, whatever happened before: the user asked, or settings changed.

        Args:
            end_engine: Whether to end the engine's process first, for one that hangs. Other fronts
                that share it start a new one as well.
        """
        pid = self.pid if end_engine else None
        await self.close()
        if pid is not None:
            with suppress(OSError):
                # It holds nothing worth saving, and one that hangs hears nothing gentler.
                os.kill(pid, getattr(signal, "SIGKILL", signal.SIGTERM))
        self._deaths = 0
        self._was_ready = False
        self._elsewhere.reset()
        self._set(Status())
        self._looked_at = 0.0
        self.poke()

    async def close(self) -> None:
        """Let go of the engine; it stays for other fronts."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])
            self._task = None
        if self._client is not None:
            client, self._client = self._client, None
            await client.close()

    async def _keep(self) -> None:
        """Have an engine, and have it again when it is lost, until there must not be one."""
        try:
            served: RemoteClient | None = None
            remote = await self._elsewhere.look()
            while True:
                if remote is not None:
                    await self._live_elsewhere(served)
                served = await self._live_here()
                if served is None:
                    if remote is None:
                        return
                    # Only the server can help now.
                    await self._sleep(self._elsewhere.rest or 0.0)
        except SidecarError as error:
            self._set(Status("failed", error.what, fix=error.fix))
        except Exception as error:
            log.exception("the engine could not be supervised")
            name = type(error).__name__
            self._set(Status("failed", f"an unexpected {name} happened", fix="read the log"))

    async def _live_elsewhere(self, client: RemoteClient | None) -> None:
        """Have the server as the engine until it is lost, if it can be used at all.

        Args:
            client: The connection to it, where there is one already.
        """
        if client is None:
            host = self._elsewhere.spec.host if self._elsewhere.spec else ""
            self._set(Status("starting", f"asking {host}"))
            client = await self._elsewhere.meet(self._on_remote_state)
            if client is None:
                return
        self._client, self.plan = client, None
        self._on_remote_state(client, client.state)
        while client.connected:
            await self._next_change()
        self._metrics.count("remote.lost")
        self._elsewhere.lost(EngineError(client.state.detail, client.state.fix))

    async def _live_here(self) -> RemoteClient | None:
        """Have an engine on this machine, started again when it dies, until it must not be.

        Returns:
            A connection to the server, if that is back.
        """
        if self._dies():
            # Nor is it started each time that a server does not answer.
            return None
        if self._elsewhere.reason:
            message = f"{self._elsewhere.reason}, so this machine completes meanwhile"
            self._set(Status("starting", message, fix=_REMOTE_FIX))
        try:
            while True:
                again = await self._live_once()
                if not isinstance(again, bool):
                    return again
                if not again:
                    return None
                self._metrics.count("engine.deaths")
                self._deaths += 1
                if self._dies():
                    return None
                self._set(Status("starting", "the engine is started again", model=self._model))
                await self._sleep(BACK_OFF[self._deaths - 1])
        except ModelError as error:
            reason = f"{self._elsewhere.reason}, and " if self._elsewhere.reason else ""
            self._set(Status("no-model", reason + error.what, fix=error.fix))
        except SidecarError as error:
            self._set(Status("failed", error.what, fix=error.fix))
        return None

    def _dies(self) -> bool:
        """Tell whether the engine died too often to be started again; the status says so then."""
        if self._deaths < MOST_DEATHS:
            return False
        detail = self._client.state.detail if isinstance(self._client, EngineClient) else ""
        what = f"the engine died {self._deaths} times in a row" + (f" ({detail})" if detail else "")
        fix = "run `sidecar doctor`, then start it again from the editor"
        self._set(Status("failed", what, fix=fix))
        return True

    async def _live_once(self) -> bool | RemoteClient:
        """Start one engine and wait for its end; False when it must not be started again.

        Returns:
            A connection to the server instead, if that is back.

        Raises:
            ModelError: There is no model to start it with.
            SidecarError: It cannot be started at all.
        """
        if not self.status.busy:
            self._set(Status("starting", "the engine is started"))
        plan = self.plan = await self._make_plan()
        client = EngineClient(plan.spec, self._on_state, plan.check)
        self._client = client
        try:
            await client.start()
        except ModelError:
            # The machine has no memory for it; another look will not change that soon.
            self._set(Status("failed", client.state.detail, fix=client.state.fix))
            return False
        except SidecarError as error:
            log.warning("the engine did not start: %s", error)
            return True
        while client.connected:
            if client.state.phase == "failed":
                return False
            try:
                async with asyncio.timeout(self._elsewhere.rest):
                    await self._next_change()
            except TimeoutError:
                remote = await self._elsewhere.meet(self._on_remote_state)
                if remote is not None:
                    # Not this one's states any more: the server's follow.
                    self._client = remote
                    await client.close()
                    return remote
        return client.state.phase != "failed"

    def _on_state(self, state: EngineState) -> None:
        match state.phase:
            case "ready":
                self._was_ready = True
                self._set(self._ready(state.info))
            case "loading":
                self._set(Status("loading", f"loading {self._model}", state.progress, self._model))
            case "failed" if self._client is not None and self._client.connected:
                self._set(Status("failed", state.detail, model=self._model, fix=state.fix))
            case "stopped" if not isinstance(self._client, EngineClient):
                pass
            case "stopped":
                # Busy from this moment on, so that a request that comes now waits.
                self._set(Status("starting", "the engine ended", model=self._model))
            case _:
                pass

    def _ready(self, info: ModelInfo | None) -> Status:
        """Say that the engine is ready, and what is wrong all the same."""
        problem = self.plan.draft.problem if self.plan else None
        what, fix = (problem.what, problem.fix) if problem else ("", "")
        if info is not None and info.draft_problem:
            what, fix = info.draft_problem, _DRAFT_FIX
        message = f"{self._model} is ready"
        if what:
            message += f", without a draft model: {what}"
            log.warning("nothing drafts for the model: %s (%s)", what, fix)
        return Status("ready", message, 1.0, self._model, fix)

    def _on_remote_state(self, client: RemoteClient, state: EngineState) -> None:
        if client is not self._client:
            return
        if state.phase == "ready":
            self._was_ready = True
            message = f"{client.name} is ready; code is sent there"
            self._set(Status("ready", message, 1.0, client.name))
        elif state.phase == "stopped":
            self._set(Status("starting", state.detail))

    async def _next_change(self) -> None:
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(future)
        await future

    @property
    def _model(self) -> str:
        return self.plan.model.name if self.plan else ""

    def _set(self, status: Status) -> None:
        changed, self.status = status != self.status, status
        waiting, self._waiting = self._waiting, []
        for future in waiting:
            if not future.done():
                future.set_result(None)
        if changed:
            self._on_status(status)
