"""A loaded engine for one command: started or shared, waited for, and let go afterwards.

May import the front's side of `engine`, and `completion`.
"""

from __future__ import annotations

import asyncio
import sys
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from sidecar.completion.elsewhere import template_of_file
from sidecar.completion.planning import list_devices, plan_engine, plan_remote
from sidecar.engine.client import EngineClient
from sidecar.errors import EngineError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from sidecar.completion.planning import EnginePlan
    from sidecar.engine.interface import Engine, EngineState
    from sidecar.remote.client import RemoteClient
    from sidecar.settings import Settings

__all__ = ["RunningEngine", "RunningRemote", "running_engine", "running_here_or_there"]

#: A large model from a slow disk takes minutes.
LOAD_SECONDS = 600.0


class RunningEngine:
    """An engine that is ready; the service's source of engines for one command.

    Args:
        plan: The engine that was wanted.
        client: The connection to it.
    """

    def __init__(self, plan: EnginePlan, client: EngineClient) -> None:
        self.plan: EnginePlan = plan
        self.client = client

    @property
    def name(self) -> str:
        """The model."""
        return self.plan.model.name

    async def engine(self) -> Engine | None:
        """Return the engine."""
        return self.client

    def served(self) -> None:
        """Nothing counts the deaths of a command's engine."""


class RunningRemote:
    """A server that stands in for an engine; the service's source of engines for one command.

    Args:
        client: The connection to it.
    """

    def __init__(self, client: RemoteClient) -> None:
        self.plan: EnginePlan | None = None
        self.client = client

    @property
    def name(self) -> str:
        """The model, and where it is."""
        return self.client.name

    async def engine(self) -> Engine | None:
        """Return the server."""
        return self.client

    def served(self) -> None:
        """Nothing counts the failures of a command's server."""


@asynccontextmanager
async def running_here_or_there(
    settings: Settings, show_progress: bool
) -> AsyncIterator[RunningEngine | RunningRemote]:
    """Connect to the server that the settings name, else to a loaded engine.

    Args:
        settings: Which server, or which engine.
        show_progress: Whether to show on standard error how loading goes.

    Raises:
        SidecarError: It cannot be used; a command does not fall back to another engine.
    """
    spec = await plan_remote(settings)
    if spec is None:
        async with running_engine(settings, show_progress) as engine:
            yield engine
        return
    # Loaded where a server is named, and nowhere else.
    from sidecar.remote.breaker import Breaker
    from sidecar.remote.client import RemoteClient

    client = RemoteClient(spec, None, Breaker(), template_of_file)
    await client.start()
    try:
        yield RunningRemote(client)
    finally:
        await client.close()


@asynccontextmanager
async def running_engine(settings: Settings, show_progress: bool) -> AsyncIterator[RunningEngine]:
    """Connect to a loaded engine.

    Args:
        settings: Which engine.
        show_progress: Whether to show on standard error how loading goes.

    Raises:
        SidecarError: There is no model, or no engine.
    """
    plan = plan_engine(settings, await list_devices(settings))
    shown = _Loading(plan.model.name) if show_progress else None
    client = EngineClient(plan.spec, shown, plan.check)
    try:
        await client.start()
        async with asyncio.timeout(LOAD_SECONDS):
            await client.ready()
        if shown is not None:
            shown.end()
        yield RunningEngine(plan, client)
    except TimeoutError:
        raise EngineError(
            f"{plan.model.name} was not loaded within {LOAD_SECONDS:.0f} s", "run `sidecar doctor`"
        ) from None
    finally:
        await client.close()


class _Loading:
    """One line on a terminal that shows how much of the model is loaded."""

    def __init__(self, model: str) -> None:
        self._model = model
        self._shown = False

    def __call__(self, state: EngineState) -> None:
        if state.phase == "loading":
            self._shown = True
            sys.stderr.write(f"\rloading {self._model} … {state.progress:4.0%}")
            sys.stderr.flush()

    def end(self) -> None:
        """Remove the line."""
        if self._shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
