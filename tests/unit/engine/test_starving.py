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
        self._interrupt = threading.Event()

    def run(
        self,
        request: Request,
        arrived: float,
        stopped: Callable[[], bool],
        on_text: Callable[[str], None],
    ) -> Completion:
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

    def rest(self, stopped: Callable[[], bool]) -> None: ...

    def end(self) -> None: ...

    def interrupt(self) -> None:
        self._interrupt.set()

    def clear_interrupt(self) -> None:
        self._interrupt.clear()


def test_of_several_that_starve_one_has_a_turn_before_the_next_key(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(scheduler_module, "TURNS_SHARE", 1.0)
    order: list[str] = []
    over = threading.Event()

    class Busy(Engine):
        def run(
            self,
            request: Request,
            arrived: float,
            stopped: Callable[[], bool],
            on_text: Callable[[str], None],
        ) -> Completion:
            order.append(request.priority)
            return Completion("", Stats(stop="warmed"))

    scheduler = Scheduler(Busy, lambda _result: None)

    def submit(priority: Priority, arrived: float) -> None:
        def on_done(_result: Completion | SidecarError) -> None:
            if len(order) == 6:
                over.set()

        asked = Request(priority, (), max_tokens=0, priority=priority)
        scheduler.submit(job.Job(object(), asked, arrived, lambda _text: None, on_done))

    for _ in range(3):
        submit("warming", perf_counter() - job.STARVED_SECONDS - 1.0)
    for _ in range(3):
        submit("interactive", perf_counter())
    scheduler.start()
    assert over.wait(60)
    scheduler.close()
    assert order == ["warming", "interactive"] * 3


@pytest.mark.parametrize("starves", [False, True])
def test_a_long_prompt_ends_while_somebody_types_without_a_rest(
    starves: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(job, "STARVED_SECONDS", 10 * CHUNK if starves else 60.0)
    engine, over = Engine(), threading.Event()
    scheduler = Scheduler(lambda: engine, lambda _result: None)

    def submit(priority: Priority, done: Callable[[], None]) -> None:
        def on_done(result: Completion | SidecarError) -> None:
            assert isinstance(result, Completion)
            done()

        asked = Request(priority, (), max_tokens=0, priority=priority)
        scheduler.submit(job.Job(object(), asked, perf_counter(), lambda _text: None, on_done))

    keys = iter(range(100))

    def press() -> None:
        # The next key is there before the engine has nothing to do.
        if engine.left and next(keys, None) is not None:
            submit("interactive", press)
        else:
            over.set()

    press()
    press()
    submit("warming", lambda: None)
    scheduler.start()
    assert over.wait(60)
    assert (engine.left == 0) is starves
    scheduler.close()


def test_turns_take_a_share_of_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """However much starves: who types meets few turns."""
    monkeypatch.setattr(job, "STARVED_SECONDS", 0.0)
    monkeypatch.setattr(scheduler_module, "TURN_SECONDS", CHUNK)
    over = threading.Event()
    spent = {"interactive": 0.0, "warming": 0.0}

    class Measured(Engine):
        def run(
            self,
            request: Request,
            arrived: float,
            stopped: Callable[[], bool],
            on_text: Callable[[str], None],
        ) -> Completion:
            started = perf_counter()
            made = super().run(request, arrived, stopped, on_text)
            spent[request.priority] += perf_counter() - started
            return made

    engine = Measured()
    engine.left = 10_000
    scheduler = Scheduler(lambda: engine, lambda _result: None)

    def submit(priority: Priority, done: Callable[[], None]) -> None:
        asked = Request(priority, (), max_tokens=0, priority=priority)
        owner, arrived = object(), perf_counter()
        scheduler.submit(job.Job(owner, asked, arrived, lambda _text: None, lambda _: done()))

    keys = iter(range(100))

    def press() -> None:
        if next(keys, None) is not None:
            submit("interactive", press)
        else:
            over.set()

    press()
    press()
    submit("warming", lambda: None)
    submit("warming", lambda: None)
    scheduler.start()
    assert over.wait(60)
    share = spent["warming"] / sum(spent.values())
    scheduler.close()
    # Each ends with the chunk that is under way, and a busy machine may let one take longer.
    assert 0.05 < share < 3 * scheduler_module.TURNS_SHARE
