"""When an engine is started, started again, and given up.

The engine's process is real in tests/lsp/test_engine_death.py. Here it is a stand-in that dies when
told to, because what is tested is the order of waits that take seconds in life.
"""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from sidecar.completion import supervisor as module
from sidecar.completion.drafting import DraftPlan
from sidecar.completion.supervisor import Supervisor
from sidecar.engine.interface import EngineState
from sidecar.errors import EngineError, ModelError
from sidecar.telemetry import Metrics

if TYPE_CHECKING:
    from collections.abc import Callable

    from sidecar.completion.status import Status


class Engine:
    """Behaves as `EngineClient` does: states are told on the loop, and death disconnects."""

    made: list[Engine]
    start_error: Exception | None = None

    def __init__(
        self, spec: object, on_state: Callable[[EngineState], None], check: object
    ) -> None:
        self.state = EngineState()
        self.connected = False
        self._on_state = on_state
        Engine.made.append(self)

    async def start(self) -> None:
        if Engine.start_error is not None:
            self.state = EngineState("failed", detail=str(Engine.start_error), fix="do it")
            raise Engine.start_error
        self.connected = True
        self.tell("loading", 0.5)

    def tell(self, phase: Any, progress: float = 0.0, detail: str = "", fix: str = "") -> None:
        self.state = EngineState(phase, progress, detail, fix)
        self._on_state(self.state)

    def die(self) -> None:
        self.connected = False
        self.tell("stopped", detail="the engine ended")

    async def close(self) -> None:
        self.connected = False


class Desk:
    """A supervisor with everything around it in reach."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        Engine.made = []
        Engine.start_error = None
        monkeypatch.setattr(module, "EngineClient", Engine)
        self.statuses: list[Status] = []
        self.slept: list[float] = []
        self.plan_error: Exception | None = None
        self.draft = DraftPlan()
        self.metrics = Metrics()
        self.supervisor = Supervisor(self._plan, self.statuses.append, self.metrics, self._sleep)

    async def _plan(self) -> Any:
        if self.plan_error is not None:
            raise self.plan_error
        model = SimpleNamespace(name="m")
        return SimpleNamespace(model=model, spec=None, check=None, draft=self.draft)

    async def _sleep(self, seconds: float) -> None:
        self.slept.append(seconds)

    async def settle(self) -> Status:
        for _ in range(10):
            await asyncio.sleep(0)
        return self.supervisor.status

    @property
    def engine(self) -> Engine:
        return Engine.made[-1]


@pytest.fixture
def desk(monkeypatch: pytest.MonkeyPatch) -> Desk:
    return Desk(monkeypatch)


async def test_the_first_start_is_not_waited_for(desk: Desk) -> None:
    assert await desk.supervisor.engine() is None
    assert (await desk.settle()).phase == "loading"
    assert await desk.supervisor.engine() is None
    desk.engine.tell("ready")
    assert await desk.supervisor.engine() is desk.engine
    assert [status.phase for status in desk.statuses] == ["starting", "loading", "ready"]
    await desk.supervisor.close()


async def test_an_engine_without_its_draft_model_is_ready_and_says_why(desk: Desk) -> None:
    desk.draft = DraftPlan(problem=ModelError("d.gguf has another vocabulary", "choose another"))
    desk.supervisor.poke()
    await desk.settle()
    desk.engine.tell("ready")
    status = await desk.settle()
    assert status.phase == "ready"
    assert status.message == "m is ready, without a draft model: d.gguf has another vocabulary"
    assert status.fix == "choose another"
    await desk.supervisor.close()


async def test_a_restart_is_waited_for(desk: Desk) -> None:
    desk.supervisor.poke()
    await desk.settle()
    desk.engine.tell("ready")
    first = desk.engine
    first.die()
    waiting = asyncio.create_task(desk.supervisor.engine())
    await desk.settle()
    assert desk.engine is not first
    assert not waiting.done()
    desk.engine.tell("ready")
    assert await waiting is desk.engine
    await desk.supervisor.close()


async def test_deaths_in_a_row_are_spaced_out_and_then_given_up(desk: Desk) -> None:
    desk.supervisor.poke()
    for _ in range(4):
        await desk.settle()
        desk.engine.tell("ready")
        desk.engine.die()
    status = await desk.settle()
    assert (status.phase, len(Engine.made)) == ("failed", 4)
    assert "died 4 times in a row (the engine ended)" in status.message
    assert desk.slept == [0.0, 1.0, 2.0]
    desk.supervisor.poke()
    assert await desk.supervisor.engine() is None
    assert (await desk.settle()).phase == "failed"
    await desk.supervisor.restart()
    await desk.settle()
    desk.engine.tell("ready")
    assert desk.supervisor.status.phase == "ready"
    await desk.supervisor.close()


async def test_an_answer_forgives_earlier_deaths(desk: Desk) -> None:
    desk.supervisor.poke()
    for _ in range(10):
        await desk.settle()
        desk.engine.tell("ready")
        desk.supervisor.served()
        desk.engine.die()
    assert (await desk.settle()).phase == "loading"
    assert set(desk.slept) == {0.0}
    assert desk.metrics.counter("engine.deaths") == 10
    await desk.supervisor.close()


async def test_a_missing_model_is_looked_for_again_but_not_at_every_key(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.plan_error = ModelError("no model is installed", "pull one")
    desk.supervisor.poke()
    status = await desk.settle()
    assert (status.phase, status.message, status.fix) == (
        "no-model",
        "no model is installed",
        "pull one",
    )
    desk.plan_error = None
    assert await desk.supervisor.engine() is None
    assert (await desk.settle()).phase == "no-model"
    monkeypatch.setattr(module, "LOOK_AGAIN_SECONDS", 0.0)
    desk.supervisor.poke()
    assert (await desk.settle()).phase == "loading"
    await desk.supervisor.close()


async def test_a_model_that_the_engine_refuses_is_not_tried_again(desk: Desk) -> None:
    desk.supervisor.poke()
    await desk.settle()
    desk.engine.tell("failed", detail="it is damaged", fix="pull it again")
    status = await desk.settle()
    assert (status.phase, status.message, status.fix) == (
        "failed",
        "it is damaged",
        "pull it again",
    )
    desk.supervisor.poke()
    await desk.settle()
    assert len(Engine.made) == 1
    await desk.supervisor.close()


@pytest.mark.parametrize(
    ("error", "tries"), [(EngineError("it ended at once", "see"), 4), (ModelError("full", "x"), 1)]
)
async def test_an_engine_that_does_not_start(desk: Desk, error: Exception, tries: int) -> None:
    Engine.start_error = error
    desk.supervisor.poke()
    assert (await desk.settle()).phase == "failed"
    assert len(Engine.made) == tries
    await desk.supervisor.close()


async def test_mistakes_of_ours_end_in_a_status(desk: Desk) -> None:
    desk.plan_error = KeyError("code")
    desk.supervisor.poke()
    status = await desk.settle()
    assert status.phase == "failed"
    assert "code" not in status.message
