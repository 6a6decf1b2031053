"""Whose turn it is at a server that knows nothing of documents and ranks."""

from __future__ import annotations

import asyncio
import gc
import weakref
from typing import TYPE_CHECKING

import pytest

from sidecar.engine.messages import Request
from sidecar.remote.turns import Superseded, Turns

if TYPE_CHECKING:
    from sidecar.engine.messages import Priority


class Work:
    """Work that ends when it is told to, and counts how often it was begun."""

    def __init__(self) -> None:
        self.begun = 0
        self.cancelled = 0
        self.may_end = asyncio.Event()

    async def __call__(self) -> str:
        self.begun += 1
        try:
            await self.may_end.wait()
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        return "done"


def start(
    turns: Turns, work: Work, document: str, priority: Priority = "interactive"
) -> asyncio.Task[str]:
    return asyncio.create_task(turns.run(Request(document, (), priority=priority), work))


async def settle() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


async def test_many_at_once_where_there_is_room() -> None:
    turns, works = Turns(one_at_a_time=False), [Work() for _ in range(3)]
    ranks: tuple[Priority, ...] = ("warming", "speculative", "interactive")
    tasks = [start(turns, w, r, r) for w, r in zip(works, ranks, strict=True)]
    await settle()
    assert ([work.begun for work in works], turns.count) == ([1, 1, 1], 3)
    for work in works:
        work.may_end.set()
    assert await asyncio.gather(*tasks) == ["done"] * 3
    assert turns.count == 0


@pytest.mark.parametrize("one", [False, True])
async def test_the_newest_of_a_document_ends_the_older(one: bool) -> None:
    turns, older, newer = Turns(one_at_a_time=one), Work(), Work()
    first = start(turns, older, "d")
    await settle()
    second = start(turns, newer, "d")
    newer.may_end.set()
    with pytest.raises(Superseded):
        await first
    assert await second == "done"
    assert (older.cancelled, turns.count) == (1, 0)


async def test_what_is_less_urgent_is_put_off_and_begun_again() -> None:
    turns, warm, guess, typed = Turns(one_at_a_time=True), Work(), Work(), Work()
    warming = start(turns, warm, "w", "warming")
    await settle()
    guessing = start(turns, guess, "g", "speculative")
    await settle()
    typing = start(turns, typed, "d")
    await settle()
    assert (warm.cancelled, guess.cancelled, typed.begun) == (1, 1, 1)
    # More of it has to wait from the start.
    late = Work()
    waiting = start(turns, late, "l", "speculative")
    await settle()
    assert late.begun == 0
    for work in (typed, late, guess, warm):
        work.may_end.set()
    assert await asyncio.gather(typing, guessing, waiting, warming) == ["done"] * 4
    assert (warm.begun, guess.begun, late.begun) == (2, 2, 1)


async def test_one_that_waits_can_be_superseded_or_cancelled() -> None:
    turns, typed = Turns(one_at_a_time=True), Work()
    typing = start(turns, typed, "d")
    works = [Work() for _ in range(3)]
    waiting = [start(turns, work, "w", "warming") for work in works]
    await settle()
    waiting[2].cancel()
    for task, error in zip(waiting, (Superseded, Superseded, asyncio.CancelledError), strict=True):
        with pytest.raises(error):
            await task
    typed.may_end.set()
    assert await typing == "done"
    assert [work.begun for work in works] == [0, 0, 0]
    assert turns.count == 0


async def test_cancelling_cancels_the_work_and_lets_the_next_begin() -> None:
    turns, first, second = Turns(one_at_a_time=True), Work(), Work()
    cancelled, other = start(turns, first, "a"), start(turns, second, "b")
    await settle()
    assert (first.begun, second.begun) == (1, 0)
    cancelled.cancel()
    with pytest.raises(asyncio.CancelledError):
        await cancelled
    second.may_end.set()
    assert await other == "done"
    assert first.cancelled == 1


async def test_a_failure_is_gone_with_who_heard_of_it() -> None:
    """One that kept its own frame would wait for the garbage collector, and the prompt with it."""

    async def fails() -> str:
        await asyncio.sleep(0)
        raise Failure

    gc.disable()
    try:
        turns = Turns(one_at_a_time=True)
        try:
            await turns.run(Request("a", ()), fails)
        except Failure as failure:
            gone = weakref.ref(failure)
        await settle()
        assert gone() is None
    finally:
        gc.enable()


class Failure(Exception):
    """Something that is told from others."""
