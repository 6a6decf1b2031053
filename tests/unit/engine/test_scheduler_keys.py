"""Keys that come faster than chunks end do not throw away what the next one needs."""

from __future__ import annotations

import threading
from time import perf_counter
from typing import TYPE_CHECKING

import pytest

from sidecar.engine import scheduler
from sidecar.engine.job import Job
from sidecar.engine.messages import Completion, Request, Segment, Stats
from sidecar.engine.scheduler import GRACE_SECONDS, Scheduler

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sidecar.engine.messages import Priority
    from sidecar.errors import SidecarError


class Chunks:
    """Evaluates chunks that end when a test says so, or when they are interrupted."""

    def __init__(self) -> None:
        self.started = threading.Semaphore(0)
        self.speaks = False
        self.finished = 0
        self.interrupted = 0
        self.rested = threading.Semaphore(0)
        self._wake = threading.Condition()
        self._end = False
        self._interrupt = False

    def run(
        self,
        request: Request,
        arrived: float,
        stopped: Callable[[], bool],
        on_text: Callable[[str], None],
    ) -> Completion:
        if self.speaks:
            on_text("x")
        self.started.release()
        with self._wake:
            assert self._wake.wait_for(lambda: self._end or self._interrupt, 30)
            self.interrupted += self._interrupt
            self.finished += not self._interrupt
            self._end = False
        return Completion("", Stats(stop="cancelled" if stopped() else "eog"))

    def end_chunk(self) -> None:
        with self._wake:
            self._end = True
            self._wake.notify_all()

    def pause(self) -> None:
        self.rested.release()

    def rest(self, _stopped: Callable[[], bool]) -> None: ...

    def end(self) -> None: ...

    def interrupt(self) -> None:
        with self._wake:
            self._interrupt = True
            self._wake.notify_all()

    def clear_interrupt(self) -> None:
        self._interrupt = False


class Desk:
    def __init__(self) -> None:
        self.chunks = Chunks()
        self.ended = threading.Semaphore(0)
        loaded = threading.Event()
        self.scheduler = Scheduler(lambda: self.chunks, lambda _result: loaded.set())
        self.scheduler.start()
        assert loaded.wait(10)

    def submit(
        self, prefix: str, typed: str, priority: Priority = "interactive", document: str = "d"
    ) -> Job:
        def done(_result: Completion | SidecarError) -> None:
            self.ended.release()

        segments = (Segment("prefix", prefix), Segment("typed", typed))
        request = Request(document, segments, priority=priority)
        job = Job(self, request, perf_counter(), lambda _text: None, done)
        self.scheduler.submit(job)
        return job

    def wait_for_start(self) -> None:
        assert self.chunks.started.acquire(timeout=60)

    def wait_for_end(self) -> None:
        assert self.ended.acquire(timeout=60)


@pytest.fixture
def desk() -> Iterator[Desk]:
    made = Desk()
    yield made
    made.chunks.end_chunk()
    made.scheduler.close()


def finish(desk: Desk) -> tuple[int, int]:
    """Let both requests end, and return how many chunks were finished and interrupted."""
    desk.chunks.end_chunk()
    desk.wait_for_start()
    desk.chunks.end_chunk()
    desk.wait_for_end()
    desk.wait_for_end()
    return desk.chunks.finished, desk.chunks.interrupted


@pytest.mark.parametrize("cancels", [False, True])
def test_the_next_key_lets_a_chunk_of_its_own_prompt_end(desk: Desk, cancels: bool) -> None:
    job = desk.submit("long", "a")
    desk.wait_for_start()
    if cancels:
        # As a client does, right before it asks again.
        desk.scheduler.cancel(job)
    desk.submit("long", "ab")
    # Longer than the moment in which somebody may ask again.
    threading.Event().wait(2 * GRACE_SECONDS)
    assert finish(desk) == (2, 0)


def test_a_warm_up_of_the_same_prompt_ends_its_chunk(desk: Desk) -> None:
    desk.submit("long", "", "warming", " warming")
    desk.wait_for_start()
    desk.submit("long", "a")
    desk.chunks.end_chunk()
    desk.wait_for_start()
    assert desk.chunks.interrupted == 0


def test_what_comes_besides_does_not_interrupt_it(desk: Desk) -> None:
    desk.submit("long", "", "warming", " warming")
    desk.wait_for_start()
    desk.submit("long", "a")
    desk.submit("another", "a", "speculative", "other")
    desk.chunks.end_chunk()
    desk.wait_for_start()
    assert desk.chunks.interrupted == 0


@pytest.mark.parametrize(("prefix", "speaks"), [("another", False), ("long", True)])
def test_what_is_of_no_use_any_more_is_interrupted(desk: Desk, prefix: str, speaks: bool) -> None:
    desk.chunks.speaks = speaks
    desk.submit("long", "a")
    desk.wait_for_start()
    desk.submit(prefix, "ab")
    desk.wait_for_end()
    assert desk.chunks.interrupted == 1
    desk.wait_for_start()


def test_what_nobody_asks_again_for_is_interrupted_in_a_moment(desk: Desk) -> None:
    job = desk.submit("long", "a")
    desk.wait_for_start()
    desk.scheduler.cancel(job)
    desk.wait_for_end()
    assert desk.chunks.interrupted == 1


def test_a_guess_that_somebody_waits_for_is_not_interrupted_for_others(desk: Desk) -> None:
    guess = desk.submit("long", "a", "speculative")
    desk.wait_for_start()
    desk.scheduler.waited(desk, "another document")
    desk.scheduler.waited(object(), "d")
    assert not guess.waited
    desk.scheduler.waited(desk, "d")
    desk.submit("another", "a", document="other")
    assert guess.waited
    assert finish(desk) == (2, 0)


def test_a_guess_that_somebody_waits_for_goes_before_what_nobody_does(desk: Desk) -> None:
    desk.submit("another", "", "warming", " warming")
    desk.wait_for_start()
    guess = desk.submit("long", "a", "speculative")
    first = desk.submit("first", "a", document="first")
    desk.scheduler.waited(desk, "d")
    last = desk.submit("last", "a", document="last")
    assert sorted([last, guess, first], key=Job.order) == [first, guess, last]


def test_who_types_for_long_makes_pauses_that_are_enough_to_tidy_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(scheduler, "PAUSE_SECONDS", 0.01)
    desk = Desk()
    for number in range(3):
        desk.submit("long", "a" * number)
        desk.wait_for_start()
        desk.chunks.end_chunk()
        desk.wait_for_end()
        assert desk.chunks.rested.acquire(timeout=20)
    desk.scheduler.close()
