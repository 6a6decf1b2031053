"""Work in the background gets on where others always have something to do."""

from __future__ import annotations

import threading
import time
from time import perf_counter
from typing import TYPE_CHECKING

import pytest

from sidecar.engine import job
from sidecar.engine import scheduler as scheduler_module
from sidecar.engine.messages import Completion, Request, Stats
from sidecar.engine.scheduler import Scheduler

if TYPE_CHECKING:
    from collections.abc import Callable

    from sidecar.engine.messages import Priority
    from sidecar.errors import SidecarError

CHUNK, CHUNKS = 0.02, 15


class Engine:
    """Evaluates a long prompt in chunks, which are kept; what is typed takes as long as a chunk."""

    def __init__(self) -> None:
        self.left = CHUNKS
        #: Seconds of each rank.
        self.spent = {"interactive": 0.0, "warming": 0.0}
        self._interrupt = threading.Event()

    def run(
        self,
        request: Request,
        arrived: float,
        stopped: Callable[[], bool],
        on_text: Callable[[str], None],
    ) -> Completion:
        started = perf_counter()
        made = self.work(request, stopped)
        self.spent[request.priority] += perf_counter() - started
        return made

    def work(self, request: Request, stopped: Callable[[], bool]) -> Completion:
        if request.priority != "warming":
            time.sleep(CHUNK)
            return Completion("", Stats(stop="eog"))
        before = self.left
        while self.left and not stopped():
            if self._interrupt.wait(CHUNK):
                return Completion("", Stats(stop="cancelled", evaluated=before - self.left))
            self.left -= 1
        stop = "cancelled" if self.left else "warmed"
        return Completion("", Stats(stop=stop, evaluated=before - self.left))

    def pause(self) -> None: ...

    def rest(self, stopped: Callable[[], bool]) -> None: ...

    def end(self) -> None: ...

    def interrupt(self) -> None:
        self._interrupt.set()

    def clear_interrupt(self) -> None:
        self._interrupt.clear()


def submit(
    scheduler: Scheduler,
    priority: Priority,
    done: Callable[[], None] = lambda: None,
    waited: float = 0.0,
) -> None:
    """Submit a request that came so many seconds ago."""

    def on_done(result: Completion | SidecarError) -> None:
        assert isinstance(result, Completion)
        done()

    asked = Request(priority, (), max_tokens=0, priority=priority)
    owner, arrived = object(), perf_counter() - waited
    scheduler.submit(job.Job(owner, asked, arrived, lambda _text: None, on_done))


def type_without_a_rest(engine: Engine, warmings: int) -> Scheduler:
    """Type until nothing is left to evaluate, or for a hundred keys, while prompts are warmed."""
    over, keys = threading.Event(), iter(range(100))
    scheduler = Scheduler(lambda: engine, lambda _result: None)

    def press() -> None:
        # The next key is there before the engine has nothing to do.
        if engine.left and next(keys, None) is not None:
            submit(scheduler, "interactive", press)
        else:
            over.set()

    press()
    press()
    for _ in range(warmings):
        submit(scheduler, "warming")
    scheduler.start()
    assert over.wait(60)
    return scheduler


def test_of_several_that_starve_one_has_a_turn_before_the_next_key(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(scheduler_module, "TURNS_SHARE", 1.0)
    order: list[str] = []
    over = threading.Event()

    class Busy(Engine):
        def work(self, request: Request, stopped: Callable[[], bool]) -> Completion:
            order.append(request.priority)
            return Completion("", Stats(stop="warmed"))

    scheduler = Scheduler(Busy, lambda _result: None)

    def done() -> None:
        if len(order) == 6:
            over.set()

    for _ in range(3):
        submit(scheduler, "warming", done, job.STARVED_SECONDS + 1.0)
    for _ in range(3):
        submit(scheduler, "interactive", done)
    scheduler.start()
    assert over.wait(60)
    scheduler.close()
    assert order == ["warming", "interactive"] * 3


@pytest.mark.parametrize("starves", [False, True])
def test_a_long_prompt_ends_while_somebody_types_without_a_rest(
    starves: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(job, "STARVED_SECONDS", 10 * CHUNK if starves else 60.0)
    engine = Engine()
    scheduler = type_without_a_rest(engine, warmings=1)
    assert (engine.left == 0) is starves
    scheduler.close()


def test_turns_take_a_share_of_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """However much starves: who types meets few turns."""
    monkeypatch.setattr(job, "STARVED_SECONDS", 0.0)
    monkeypatch.setattr(scheduler_module, "TURN_SECONDS", CHUNK)
    engine = Engine()
    engine.left = 10_000
    scheduler = type_without_a_rest(engine, warmings=2)
    share = engine.spent["warming"] / sum(engine.spent.values())
    scheduler.close()
    # Each ends with the chunk that is under way, and a busy machine may let one take longer.
    assert 0.05 < share < 3 * scheduler_module.TURNS_SHARE
