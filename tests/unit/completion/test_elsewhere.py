"""A server that completes instead of an engine on this machine: met, lost, and met again.

The server is a real one without a model; the engine of this machine is a stand-in, since what is
tested is which of the two is asked when.
"""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from http_server import Cut, HttpServer, going_on

from sidecar.completion import supervisor as module
from sidecar.completion.drafting import DraftPlan
from sidecar.completion.supervisor import Supervisor
from sidecar.engine.interface import EngineState
from sidecar.engine.messages import Request, Segment
from sidecar.errors import EngineError, EngineGone, ModelError
from sidecar.remote import breaker
from sidecar.remote.client import RemoteClient
from sidecar.remote.spec import RemoteSpec
from sidecar.telemetry import Metrics

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from sidecar.completion.status import Status

REQUEST = Request("d", (Segment("typed", "x = "),))


class Here:
    """Stands where `EngineClient` stands, and is ready at once."""

    made = 0

    def __init__(
        self, spec: object, on_state: Callable[[EngineState], None], check: object
    ) -> None:
        Here.made += 1
        self.state = EngineState()
        self.connected = False
        self._on_state = on_state

    async def start(self) -> None:
        self.connected = True
        self.state = EngineState("ready")
        self._on_state(self.state)

    async def close(self) -> None:
        self.connected = False
        self.state = EngineState("stopped", detail="closed")
        self._on_state(self.state)


class Desk:
    """A supervisor with a server that may be there, and what became of both."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        Here.made = 0
        monkeypatch.setattr(module, "EngineClient", Here)
        monkeypatch.setattr(breaker, "RESTS", (0.05,))
        self.server = HttpServer(say=going_on("1"))
        self.statuses: list[Status] = []
        self.metrics = Metrics()
        self.plan_error: Exception | None = None
        self.address_error: Exception | None = None
        self.supervisor = Supervisor(
            self._plan, self.statuses.append, self.metrics, remote=self._remote
        )

    async def _plan(self) -> Any:
        if self.plan_error is not None:
            raise self.plan_error
        model = SimpleNamespace(name="local")
        return SimpleNamespace(model=model, spec=None, check=None, draft=DraftPlan())

    async def _remote(self) -> RemoteSpec | None:
        if self.address_error is not None:
            raise self.address_error
        return RemoteSpec(self.server.url)

    async def until(self, holds: Callable[[Status], bool]) -> Status:
        async with asyncio.timeout(60):
            while not holds(self.supervisor.status):  # noqa: ASYNC110
                await asyncio.sleep(0.005)
        return self.supervisor.status


@pytest.fixture
async def desk(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Desk]:
    desk = Desk(monkeypatch)
    await desk.server.open()
    yield desk
    await desk.supervisor.close()
    await desk.server.close()


def ready_there(status: Status) -> bool:
    return status.phase == "ready" and status.message.endswith("code is sent there")


def ready_here(status: Status) -> bool:
    return status.phase == "ready" and status.model == "local"


async def test_the_server_completes_and_nothing_is_started_here(desk: Desk) -> None:
    desk.supervisor.poke()
    await desk.until(ready_there)
    engine = await desk.supervisor.engine()
    assert isinstance(engine, RemoteClient)
    assert (await engine.complete(REQUEST)).text == "1"
    assert (Here.made, desk.supervisor.plan, desk.supervisor.pid) == (0, None, None)
    inspected = await desk.supervisor.inspect()
    assert inspected is not None
    assert (inspected["server"], inspected["slots"]) == ("llama-server", 4)


async def test_a_lost_server_is_replaced_and_taken_back(desk: Desk) -> None:
    desk.supervisor.poke()
    await desk.until(ready_there)
    engine = await desk.supervisor.engine()
    assert engine is not None
    await desk.server.close()
    with pytest.raises(EngineGone):
        await engine.complete(REQUEST)
    await desk.until(ready_here)
    said_meanwhile = next(status for status in desk.statuses if "meanwhile" in status.message)
    assert "cannot be reached" in said_meanwhile.message
    assert isinstance(await desk.supervisor.engine(), Here)
    await desk.server.open()
    await desk.until(ready_there)
    engine = await desk.supervisor.engine()
    assert isinstance(engine, RemoteClient)
    assert (await engine.complete(REQUEST)).text == "1"
    assert (desk.metrics.counter("remote.met"), desk.metrics.counter("remote.lost")) == (2, 1)
    assert desk.metrics.counter("engine.deaths") == 0
    assert not any(status.message == "the engine ended" for status in desk.statuses)


async def test_a_server_that_was_never_there(desk: Desk) -> None:
    await desk.server.close()
    desk.supervisor.poke()
    await desk.until(ready_here)
    await desk.server.open()
    await desk.until(ready_there)


async def test_without_a_model_here_all_waits_for_the_server(desk: Desk) -> None:
    desk.plan_error = ModelError("no model is installed", "pull one")
    await desk.server.close()
    desk.supervisor.poke()
    status = await desk.until(lambda status: status.phase == "no-model")
    assert "cannot be reached" in status.message
    assert status.message.endswith("and no model is installed")
    await desk.server.open()
    await desk.until(ready_there)


async def test_an_address_that_is_no_good_is_told(desk: Desk) -> None:
    desk.address_error = EngineError("code would travel in clear text", "use https")
    desk.supervisor.poke()
    status = await desk.until(lambda status: status.phase == "failed")
    assert (status.message, status.fix) == ("code would travel in clear text", "use https")
    assert (Here.made, desk.server.seen) == (0, [])


async def test_a_restart_asks_a_server_that_was_left_alone(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(breaker, "RESTS", (1000.0,))
    desk.supervisor.poke()
    await desk.until(ready_there)
    engine = await desk.supervisor.engine()
    assert engine is not None
    answer, desk.server.say = desk.server.say, lambda body: [b": x\n\n", Cut()]
    with pytest.raises(EngineGone):
        await engine.complete(REQUEST)
    await desk.until(ready_here)
    desk.server.say = answer
    await desk.supervisor.restart()
    await desk.until(ready_there)


async def test_an_engine_that_dies_again_and_again_is_not_started_at_each_look_at_a_server(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def dies(_self: Here) -> None:
        raise EngineError("it ended at once", "see")

    monkeypatch.setattr(Here, "start", dies)
    monkeypatch.setattr(module, "BACK_OFF", (0.0,) * 4)
    await desk.server.close()
    desk.supervisor.poke()
    await desk.until(lambda _status: desk.metrics.counter("remote.refused") >= 4)
    status = await desk.until(lambda status: status.phase == "failed")
    assert "died 4 times in a row" in status.message
    assert Here.made == 4
    await desk.server.open()
    await desk.until(ready_there)
