"""Prompts that are only evaluated: in the background, and at nobody's cost."""

from __future__ import annotations

import threading
from time import perf_counter
from typing import TYPE_CHECKING

import pytest

from sidecar.engine.job import Job
from sidecar.engine.keeping import EXPIRY_SECONDS
from sidecar.engine.lanes import LITTLE
from sidecar.engine.messages import Completion, Request, Segment
from sidecar.engine.scheduler import Scheduler

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sidecar.engine.inference import Inference
    from sidecar.engine.messages import Priority, Stats
    from sidecar.errors import SidecarError

HEAD = "import json\n\n\n" + "\n".join(f"LIMIT_{n} = {n * 7}" for n in range(12)) + "\n\n\n"


def body(name: str, lines: int = 16) -> str:
    """Return the beginning of a function."""
    steps = "".join(f"    {name}_{n} = load({n}, {name!r})\n" for n in range(lines))
    return f"def {name}(value):\n{steps}"


def request(prefix: str, typed: str, *, warm: bool = False, document: str = "d") -> Request:
    segments = (Segment("prefix", HEAD + prefix), Segment("suffix", "\n"), Segment("typed", typed))
    priority: Priority = "warming" if warm else "interactive"
    return Request(
        " warming" if warm else document,
        segments,
        max_tokens=0 if warm else 4,
        priority=priority,
    )


def run(inference: Inference, asked: Request) -> Stats:
    return inference.run(asked, perf_counter(), lambda: False, lambda _text: None).stats


class Desk:
    """Submits requests to a scheduler, and may do something when a chunk begins."""

    def __init__(self, inference: Inference) -> None:
        self.inference = inference
        self.done: list[tuple[str, Completion]] = []
        self._change = threading.Condition()
        loaded = threading.Event()
        self.scheduler = Scheduler(lambda: inference, lambda _result: loaded.set())
        self.scheduler.start()
        assert loaded.wait(10)

    def submit(self, asked: Request) -> None:
        def done(result: Completion | SidecarError) -> None:
            assert isinstance(result, Completion)
            with self._change:
                self.done.append((asked.priority, result))
                self._change.notify_all()

        self.scheduler.submit(Job(self, asked, perf_counter(), lambda _text: None, done))

    def wait_for(self, number: int) -> None:
        with self._change:
            assert self._change.wait_for(lambda: len(self.done) >= number, 110)


@pytest.fixture
def desk(inference: Inference) -> Iterator[Desk]:
    desk = Desk(inference)
    yield desk
    desk.scheduler.close()
    inference.clear_interrupt()


def after_chunks(
    monkeypatch: pytest.MonkeyPatch, inference: Inference, chunks: int, act: Callable[[], None]
) -> None:
    """Do something once, from inside of the inference thread, when so many chunks are done."""
    left = [chunks]
    extend = inference.lanes.extend

    def counted(*arguments: object) -> object:
        row = extend(*arguments)  # type: ignore[arg-type]
        left[0] -= 1
        if left[0] == 0:
            act()
        return row

    monkeypatch.setattr(inference.lanes, "extend", counted)


def test_who_waits_is_answered_between_two_chunks_and_warming_goes_on(
    desk: Desk, inference: Inference, monkeypatch: pytest.MonkeyPatch
) -> None:
    typing = request("", body("first", 3) + "    first_3 = ")
    warming = request(body("second"), "    return ", warm=True)
    desk.submit(typing)
    desk.wait_for(1)
    after_chunks(monkeypatch, inference, 2, lambda: desk.submit(typing))
    desk.submit(warming)
    desk.wait_for(3)
    assert [priority for priority, _ in desk.done] == ["interactive", "interactive", "warming"]
    first, again, warmed = (completion.stats for _, completion in desk.done)
    assert first.evaluated > 20
    assert again.evaluated <= 1, "its lane is as it was"
    assert warmed.stop == "warmed"
    total = sum(warmed.segment_tokens.values()) + 3
    assert warmed.reused > 0, "the head, and the chunks that were finished, were in lanes"
    head = len(inference.model.tokenize(HEAD.encode())) - 1
    assert total - head - 8 <= warmed.evaluated <= total - head + 8, "no chunk was done twice"

    # The place that was warmed: the first key evaluates what was typed since, and no more.
    monkeypatch.undo()
    there = run(inference, request(body("second"), "    return s"))
    assert there.evaluated <= 2
    assert there.reused >= total - 2
    back = run(inference, typing)
    assert back.evaluated <= 1


def test_the_row_after_a_warmed_prompt_is_remembered(inference: Inference) -> None:
    typed = "    return "
    assert run(inference, request(body("here", 5), typed, warm=True)).stop == "warmed"
    stats = run(inference, request(body("here", 5), typed))
    assert (stats.evaluated, stats.healed_bytes > 0) == (0, True)


def test_guesses_do_not_push_out_what_is_used(inference: Inference) -> None:
    typed = body("used", 2)
    run(inference, request("", typed))
    lanes = inference.lanes
    head = len(inference.model.tokenize(HEAD.encode())) - 1
    for number in range(7):
        stats = run(inference, request(body(f"guess_{number}", 4), "    return ", warm=True))
        assert stats.stop == "warmed"
        assert stats.reused >= head, "the head is shared"
    assert lanes.cells_used() < sum(len(lane.tokens) for lane in lanes.all) - 2 * head
    assert lanes.cells_used() <= 0.8 * lanes.room
    assert run(inference, request("", typed)).evaluated <= 1
    # What is there needs no lane of its own.
    assert run(inference, request("", typed, warm=True)).stop == "held"
    # The newest guesses are there.
    for number in (6, 5):
        stats = run(inference, request(body(f"guess_{number}", 4), "    return g", warm=False))
        assert stats.evaluated <= LITTLE


def test_a_guess_without_room_is_none(inference: Inference) -> None:
    typed = body("used", 12)
    run(inference, request("", typed))
    lanes = inference.lanes
    used = lanes.cells_used()
    large = ""
    while used + len(inference.model.tokenize(large.encode())) <= 0.8 * lanes.room:
        large += body("guess", 10)
    stats = run(inference, request(large, "    return ", warm=True))
    assert (stats.stop, stats.evaluated) == ("no_room", 0)
    assert lanes.cells_used() == used
    assert run(inference, request("", typed)).evaluated <= 1


def test_lanes_that_nobody_uses_expire(
    inference: Inference, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [1000.0]
    monkeypatch.setattr(inference.lanes, "_clock", lambda: now[0])
    run(inference, request("", body("old", 2)))
    now[0] += EXPIRY_SECONDS - 1
    run(inference, request("", body("young", 2)))
    now[0] += 2
    inference.rest(lambda: False)
    held = [len(lane.tokens) for lane in inference.lanes.all if lane.tokens]
    assert len(held) == 1
    assert inference.lanes.cells_used() == held[0]
    assert run(inference, request("", body("young", 2))).evaluated <= 1
