"""Who is served next, and who has to stop: jobs on the inference thread of a real engine."""

from __future__ import annotations

import threading
from time import perf_counter
from typing import TYPE_CHECKING

import pytest

from sidecar.engine.job import Job
from sidecar.engine.messages import Completion, Priority, Request, Segment
from sidecar.engine.scheduler import Scheduler

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sidecar.engine.inference import Inference
    from sidecar.errors import SidecarError

#: Tokens of the template around three parts.
_MARKS = 3
LONG = "\n".join(f"value_{n} = compute({n})" for n in range(18)) + "\n"


class Desk:
    """Submits jobs to a scheduler and keeps the order in which they ended."""

    def __init__(self, inference: Inference) -> None:
        self.model = inference.model
        self.ended: list[str] = []
        self.results: dict[str, Completion | SidecarError] = {}
        self._change = threading.Condition()
        loaded = threading.Event()
        self.scheduler = Scheduler(lambda: inference, lambda _result: loaded.set())
        self.scheduler.start()
        assert loaded.wait(10)

    def submit(
        self, name: str, prefix: str, priority: Priority = "interactive", document: str = ""
    ) -> Job:
        request = Request(
            document or name,
            (Segment("prefix", prefix), Segment("suffix", ""), Segment("typed", "x")),
            max_tokens=2,
            priority=priority,
        )

        def done(result: Completion | SidecarError) -> None:
            with self._change:
                self.ended.append(name)
                self.results[name] = result
                self._change.notify_all()

        job = Job(self, request, perf_counter(), lambda _text: None, done)
        self.scheduler.submit(job)
        return job

    def wait_for(self, *names: str) -> None:
        with self._change:
            assert self._change.wait_for(lambda: all(n in self.results for n in names), 60)

    def wait_until_decoding(self) -> None:
        calls = self.model.decode_calls
        while self.model.decode_calls < calls + 2:
            threading.Event().wait(0.002)

    def stop_of(self, name: str) -> str:
        result = self.results[name]
        assert isinstance(result, Completion)
        return result.stats.stop


@pytest.fixture
def desk(inference: Inference) -> Iterator[Desk]:
    desk = Desk(inference)
    yield desk
    desk.scheduler.close()
    inference.clear_interrupt()


def test_interactive_work_preempts_warming_which_goes_on_where_it_was(desk: Desk) -> None:
    desk.submit("warming", LONG, "warming")
    desk.wait_until_decoding()
    desk.submit("interactive", "y = 2\n")
    desk.wait_for("warming", "interactive")
    assert desk.ended == ["interactive", "warming"]
    warmed = desk.results["warming"]
    assert isinstance(warmed, Completion)
    stats = warmed.stats
    tokens = sum(stats.segment_tokens.values()) + _MARKS
    assert stats.evaluated + stats.reused == tokens, "finished chunks were found, and count once"
    assert warmed.stats.stop != "cancelled"


def test_ranks_then_age_decide_who_is_next(desk: Desk) -> None:
    desk.submit("running", LONG)
    desk.wait_until_decoding()
    desk.submit("warming", "a = 1\n", "warming")
    desk.submit("speculative", "b = 1\n", "speculative")
    desk.submit("first", "c = 1\n")
    desk.submit("second", "d = 1\n")
    desk.wait_for("warming")
    assert desk.ended == ["running", "first", "second", "speculative", "warming"]


def test_short_prompts_are_warmed_before_long_ones(desk: Desk) -> None:
    desk.submit("typed", LONG)
    desk.wait_until_decoding()
    # Of many characters, and few tokens.
    long = f"# {'-' * 1000}\n"
    for name, prefix in (("long", long), ("more", long + "x"), ("short", "x = 1\n")):
        desk.submit(name, prefix, "warming")
    desk.wait_for("typed", "long", "more", "short")
    assert desk.ended == ["typed", "short", "long", "more"]


def test_the_newest_request_of_a_document_cancels_the_older_ones(desk: Desk) -> None:
    desk.submit("one", LONG, document="d")
    desk.wait_until_decoding()
    desk.submit("two", LONG, document="d")
    desk.submit("other", "e = 1\n")
    desk.submit("three", LONG, document="d")
    desk.wait_for("one", "two", "three", "other")
    assert [desk.stop_of(name) for name in ("one", "two")] == ["cancelled", "cancelled"]
    assert desk.stop_of("three") != "cancelled"
    assert desk.stop_of("other") != "cancelled"


def test_after_a_cancel_no_chunk_starts(desk: Desk) -> None:
    job = desk.submit("cancelled", LONG)
    desk.wait_until_decoding()
    calls = desk.model.decode_calls
    desk.scheduler.cancel(job)
    desk.wait_for("cancelled")
    # The one that ran when the cancel came is counted when it returns.
    assert desk.model.decode_calls <= calls + 1
    assert desk.stop_of("cancelled") == "cancelled"
    assert desk.scheduler.status() == {"busy": False, "waiting": 0}

    desk.submit("again", LONG)
    desk.wait_for("again")
    again = desk.results["again"]
    assert isinstance(again, Completion)
    assert again.stats.reused > 0, "the finished chunks were found in the lane"


def test_what_the_thread_owns_is_looked_at_only_while_it_rests(
    desk: Desk, inference: Inference
) -> None:
    desk.submit("long", LONG)
    desk.wait_until_decoding()
    assert desk.scheduler.at_rest(inference.lanes.lost) is None
    desk.wait_for("long")
    assert desk.scheduler.at_rest(inference.lanes.lost) == 0


def test_a_lane_that_holds_something_else_is_counted(desk: Desk, inference: Inference) -> None:
    desk.submit("one", LONG[:100])
    desk.wait_for("one")
    (lane,) = (lane for lane in inference.lanes.all if lane.tokens)
    inference.model.truncate(lane.number, 5)
    assert desk.scheduler.at_rest(inference.lanes.lost) == 1
    inference.lanes.clear(lane)
    assert desk.scheduler.at_rest(inference.lanes.lost) == 0


def test_a_waiting_job_is_cancelled_at_once(desk: Desk) -> None:
    desk.submit("running", LONG[:200])
    waiting = desk.submit("waiting", LONG)
    desk.scheduler.cancel(waiting)
    assert desk.ended == ["waiting"]
    desk.wait_for("running")
    assert desk.stop_of("running") != "cancelled"


def test_what_was_evaluated_is_counted_by_rank(desk: Desk) -> None:
    ranks: dict[str, Priority] = {
        "ahead": "warming",
        "first": "interactive",
        "again": "interactive",
    }
    for name, priority in ranks.items():
        desk.submit(name, LONG[:200], priority)
        desk.wait_for(name)
    evaluated = {name: done.stats.evaluated for name, done in desk.results.items()}
    account = desk.scheduler.account()
    assert account["evaluated"]["warming"] == evaluated["ahead"] > 20
    assert account["evaluated"]["interactive"] == evaluated["first"] + evaluated["again"]
    assert account["not_held"] == {"interactive": 0, "speculative": 0, "warming": 1}


def test_what_a_cancelled_request_evaluated_is_counted(desk: Desk) -> None:
    job = desk.submit("given up", LONG)
    desk.wait_until_decoding()
    desk.scheduler.cancel(job)
    desk.wait_for("given up")
    stopped = desk.results["given up"]
    assert isinstance(stopped, Completion)
    assert desk.scheduler.account()["evaluated"]["interactive"] == stopped.stats.evaluated
