"""Work in the background has a part of the time where others always have something to do."""

from __future__ import annotations

import threading
import time
from time import perf_counter
from typing import TYPE_CHECKING

import pytest

from sidecar.engine.job import Job
from sidecar.engine.messages import Completion, Request, Stats
from sidecar.engine.scheduler import Scheduler
from sidecar.engine.share import PATIENCE_SECONDS, TURN_SECONDS, Share

if TYPE_CHECKING:
    from collections.abc import Callable

    from sidecar.engine.messages import Priority
    from sidecar.errors import SidecarError

LONG = PATIENCE_SECONDS + 1.0
CHUNK, CHUNKS = 0.02, 15


@pytest.mark.parametrize(
    ("waited", "seconds", "due"),
    [(None, 60.0, False), (1.0, 60.0, False), (LONG, 0.5, False), (LONG, 2.0, True)],
    ids=["nobody waits", "not for long", "little was taken", "much was taken"],
)
def test_time_is_owed_to_who_waits_for_long(
    waited: float | None, seconds: float, due: bool
) -> None:
    share = Share()
    share.spent(seconds, "interactive", waited)
    assert share.due is due


def test_what_is_given_is_owed_no_more() -> None:
    share = Share()
    share.spent(5 * TURN_SECONDS, "speculative", LONG)
    assert share.due
    share.spent(3 * TURN_SECONDS, "warming", LONG)
    assert not share.due
    share.spent(5 * TURN_SECONDS, "interactive", LONG)
    assert not share.due, "a turn that was too long is paid back"
    share.spent(5 * TURN_SECONDS, "interactive", LONG)
    assert share.due


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
        while self.left and not stopped():
            if self._interrupt.wait(CHUNK):
                return Completion("", Stats(stop="cancelled"))
            self.left -= 1
        return Completion("", Stats(stop="cancelled" if self.left else "warmed"))

    def rest(self, stopped: Callable[[], bool]) -> None: ...

    def end(self) -> None: ...

    def interrupt(self) -> None:
        self._interrupt.set()

    def clear_interrupt(self) -> None:
        self._interrupt.clear()


@pytest.mark.parametrize(("waited", "ends"), [(0.0, False), (LONG, True)])
def test_a_long_prompt_ends_while_somebody_types_without_a_rest(waited: float, ends: bool) -> None:
    engine, over = Engine(), threading.Event()
    scheduler = Scheduler(lambda: engine, lambda _result: None)

    def submit(priority: Priority, arrived: float, done: Callable[[], None]) -> None:
        def on_done(result: Completion | SidecarError) -> None:
            assert isinstance(result, Completion)
            done()

        asked = Request(priority, (), max_tokens=0, priority=priority)
        scheduler.submit(Job(object(), asked, arrived, lambda _text: None, on_done))

    keys = iter(range(150))

    def press() -> None:
        # The next key is there before the engine has nothing to do.
        if engine.left and next(keys, None) is not None:
            submit("interactive", perf_counter(), press)
        else:
            over.set()

    press()
    press()
    submit("warming", perf_counter() - waited, lambda: None)
    scheduler.start()
    assert over.wait(60)
    assert (engine.left == 0) is ends
    scheduler.close()
