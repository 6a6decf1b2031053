"""What a client that streams is shown before the answer, by how long that is expected to take."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
from cursor import at_cursor
from scripted_engine import Engine

from sidecar.completion import debounce
from sidecar.completion.adapting import Adapting
from sidecar.completion.anchoring import Anchors
from sidecar.completion.contexts import Contexts, NoWorkspace
from sidecar.completion.latency import Latency, Speeds
from sidecar.completion.offers import Offers
from sidecar.completion.service import CompletionService
from sidecar.settings import load
from sidecar.syntax import Bodies, Languages, Trees
from sidecar.telemetry import Metrics

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from sidecar.completion.outcome import Outcome
    from sidecar.completion.suggestion import Suggestion

#: Milliseconds a token of the prompt, for some ten tokens: at once, after a while, after long.
QUICK, SLOW, SLOWEST = 0.1, 30.0, 100.0
#: With a name that can only be one.
CODE = "total_price = 1\nx = tot|\ny = 2\n"


class Slow:
    """A service that knows how slow its engine is."""

    def __init__(self, prompt_ms: float) -> None:
        self.engine = Engine()
        self.metrics = Metrics()
        self.settings = load({})[0]
        languages, trees = Languages.load(), Trees()
        contexts = Contexts(NoWorkspace(), languages, trees)
        anchors = Anchors(Bodies(languages, trees), contexts, self.metrics, lambda: self.settings)
        self.latency = Latency()
        self.latency.begin(Speeds(prompt_ms, 20.0))
        offers = Offers(NoWorkspace(), languages, trees, self.metrics)
        self.service = CompletionService(
            self.engine,
            anchors,
            self.metrics,
            lambda: self.settings,
            adapting=Adapting(self.metrics, lambda: self.settings, self.latency, offers),
        )
        self.shown: list[Suggestion] = []

    def ask(self, fixture: str, **more: Any) -> asyncio.Task[Outcome]:
        document, offset = at_cursor(fixture)
        return asyncio.create_task(self.service.suggest(document, offset, **more))

    async def answered(self, fixture: str, text: str) -> Outcome:
        """Ask without streaming, and have the engine answer."""
        before = len(self.engine.calls)
        task = self.ask(fixture)
        (await self.engine.called(before + 1)).end(text)
        return await task

    async def seen(self, fixture: str, *texts: str, end: str, **more: Any) -> list[tuple[str, str]]:
        """Ask, have the engine say texts that grow, and return what was shown, and by whom."""
        calls = len(self.engine.calls)
        task = self.ask(fixture, on_text=self.shown.append, **more)
        call = await self.engine.called(calls + 1)
        await asyncio.sleep(0)
        for text in texts:
            call.say(text)
            await asyncio.sleep(0)
            await asyncio.sleep(0)
        call.end(end)
        assert (await task).reason != "failed"
        shown = [(piece.source, piece.shown) for piece in self.shown]
        self.shown.clear()
        return shown


@pytest.fixture
async def slowest() -> AsyncIterator[Slow]:
    desk = Slow(SLOWEST)
    yield desk
    assert not desk.metrics.counter("offers.failed")


async def test_what_comes_at_once_is_shown_as_it_grows() -> None:
    desk = Slow(QUICK)
    assert await desk.seen(CODE, "al", "al_price", end="al_price + 1") == [
        ("model", "al"),
        ("model", "al_price"),
    ]
    assert desk.metrics.counter("completion.manner.stream") == 1


async def test_what_takes_a_while_is_shown_in_lines() -> None:
    desk = Slow(SLOW)
    texts = ("al_price", "al_price + 1\n", "al_price + 1\nz", "al_price + 1\nz = 3\n")
    assert await desk.seen(CODE, *texts, end="al_price + 1\nz = 3", multiline=True) == [
        ("model", "al_price + 1"),
        ("model", "al_price + 1\nz = 3"),
    ]
    assert desk.metrics.counter("completion.manner.line") == 1
    assert desk.metrics.counter("offers.shown") == 0


@pytest.mark.parametrize(
    ("prompt_ms", "units", "expected"),
    [
        (SLOW, "words", ["al", "al_price"]),
        (QUICK, "lines", []),
        (QUICK, "words", ["al", "al_price"]),
    ],
)
async def test_the_user_may_choose_words_or_lines(
    prompt_ms: float, units: str, expected: list[str]
) -> None:
    desk = Slow(prompt_ms)
    desk.settings = load({"completion": {"stream": units}})[0]
    shown = await desk.seen(CODE, "al", "al_price", end="al_price")
    assert [text for _, text in shown] == expected


async def test_what_comes_too_late_for_the_user_is_not_asked_unless_they_ask(slowest: Slow) -> None:
    slowest.settings = load({"completion": {"latencyTargetMs": 300}})[0]
    assert (await slowest.ask(CODE)).reason == "too_late"
    assert not slowest.engine.calls
    task = slowest.ask(CODE, explicit=True)
    (await slowest.engine.called(1)).end("al_price")
    assert (await task).suggestion is not None
    quick = Slow(QUICK)
    quick.settings = slowest.settings
    assert (await quick.answered(CODE, "al_price")).suggestion is not None


async def test_what_takes_long_is_preceded_by_what_is_certain(slowest: Slow) -> None:
    texts = ("al", "al_price", "al_price * 2\n")
    # Half a line does not replace it.
    assert await slowest.seen(CODE, *texts, end="al_price * 2", multiline=True) == [
        ("index", "al_price"),
        ("model", "al_price * 2"),
    ]
    assert slowest.metrics.counter("offers.shown") == 1


async def test_where_nothing_is_certain_words_are_shown_as_they_come(slowest: Slow) -> None:
    shown = await slowest.seen("a_first_value = 1\nx = unh|\n", "eard", "eard(1)", end="eard(1)")
    assert shown == [("model", "eard"), ("model", "eard(1)")]
    assert slowest.metrics.counter("offers.none") == 1


async def test_a_lane_that_holds_the_prompt_needs_no_offer(slowest: Slow) -> None:
    await slowest.seen(CODE, end="al_price")
    shown = await slowest.seen("total_price = 1\nx = tox|\ny = 2\n", "ic", end="ic(1)")
    # A token takes a tenth of a second.
    assert shown == [("model", "ic")]
    assert slowest.metrics.counter("completion.manner.stream") == 1
    # What is pasted has to be read.
    pasted = "total_price = 1\nx = " + "tox + " * 99 + "tot|\ny = 2\n"
    assert (await slowest.seen(pasted, end="al_price"))[0] == ("index", "al_price")


async def test_the_setting_turns_offers_off_and_without_streaming_there_are_none(
    slowest: Slow,
) -> None:
    outcome = await slowest.answered(CODE, "al_price")
    assert outcome.suggestion is not None and outcome.suggestion.source == "model"
    slowest.settings = load({"completion": {"offers": False}})[0]
    assert await slowest.seen("another_price = 1\nx = another_pr|\n", "ic", end="ice") == [
        ("model", "ic")
    ]
    assert slowest.metrics.counter("offers.shown") == 0


async def test_an_offer_that_is_late_is_not_shown(
    slowest: Slow, monkeypatch: pytest.MonkeyPatch
) -> None:
    late = asyncio.Event()

    async def find(*_arguments: object) -> None:
        await late.wait()
        raise AssertionError("it should have been cancelled")

    monkeypatch.setattr(Offers, "find", find)
    assert await slowest.seen(CODE, "al", end="al_price") == [("model", "al")]
    late.set()
    await asyncio.sleep(0)


async def test_an_offer_that_fails_costs_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Slow(SLOWEST)

    async def find(*_arguments: object) -> None:
        raise ValueError

    monkeypatch.setattr(Offers, "find", find)
    assert await desk.seen(CODE, "al", end="al_price") == [("model", "al")]
    assert desk.metrics.counter("offers.failed") == 1


async def test_a_new_prompt_waits_in_a_burst_of_keys_but_not_for_who_asks_for_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    desk = Slow(SLOWEST)
    waited: list[float] = []

    def seconds(self: object, uri: str, expected_ms: float) -> float:
        waited.append(expected_ms)
        return 1e-3

    monkeypatch.setattr(debounce.Debounce, "seconds", seconds)
    await desk.answered(CODE, "al_price")
    assert waited == [pytest.approx(1_320.0)]
    # Held: another word at the same anchor.
    await desk.answered("total_price = 1\nx = tox|\ny = 2\n", "in()")
    assert len(waited) == 1
    document, offset = at_cursor("def f():\n    return 1|\n", path="/w/b.py")
    task = asyncio.create_task(desk.service.suggest(document, offset, explicit=True))
    (await desk.engine.called(3)).end("0")
    await task
    assert len(waited) == 1
    assert desk.metrics.snapshot()["histograms"]["completion.debounce_ms"]  # type: ignore[index]


async def test_a_generation_that_is_joined_is_expected_sooner(slowest: Slow) -> None:
    older = slowest.ask(CODE, on_text=slowest.shown.append)
    call = await slowest.engine.called(1)
    # Nothing was said yet: whoever joins waits as long, and is offered what is certain there.
    newer = slowest.ask("total_price = 1\nx = tota|\ny = 2\n", on_text=slowest.shown.append)
    assert (await older).reason == "superseded"
    for _ in range(5):
        await asyncio.sleep(0)
    assert [(piece.source, piece.shown) for piece in slowest.shown][-1] == ("index", "l_price")
    call.end("al_price")
    outcome = await newer
    assert outcome.origin == "joined"
    assert outcome.suggestion is not None and outcome.suggestion.shown == "l_price"


async def test_half_a_line_is_not_shown_where_it_may_turn_out_too_unlikely() -> None:
    slow = Slow(QUICK)
    slow.settings = load({"completion": {"multiline": False, "leastConfidence": 0.3}})[0]
    heard: list[Suggestion] = []
    task = slow.ask("x = fo|\n", on_text=heard.append)
    call = await slow.engine.called(1)
    call.say("o(b")
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert heard == []
    call.end("o(bar)")
    outcome = await task
    assert outcome.suggestion is not None and outcome.suggestion.shown == "o(bar)"
