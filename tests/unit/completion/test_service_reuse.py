"""What is answered without asking the engine anew, or asked before anybody does.

The engine here says what a test wants when it wants; what the real one says is tested in
tests/lsp/test_reuse.py.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
from cursor import at_cursor
from scripted_engine import Call, Engine

from sidecar.completion import generations, speculation
from sidecar.completion.anchoring import Anchors
from sidecar.completion.contexts import Contexts, NoWorkspace
from sidecar.completion.service import CompletionService
from sidecar.errors import EngineError
from sidecar.settings import Settings, load
from sidecar.syntax import Bodies, Languages, Trees
from sidecar.telemetry import Metrics

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from sidecar.completion.outcome import Outcome


class Desk:
    def __init__(self, *, speculates: bool) -> None:
        self.engine = Engine()
        self.metrics = Metrics()
        # Of one line, unless a test says otherwise: all but the last few are of that.
        self.settings, _ = load({"completion": {"multiline": False}})
        languages, trees = Languages.load(), Trees()
        contexts = Contexts(NoWorkspace(), languages, trees)
        anchors = Anchors(Bodies(languages, trees), contexts, self.metrics, lambda: self.settings)
        self.service = CompletionService(
            self.engine,
            anchors,
            self.metrics,
            lambda: self.settings,
            speculates=lambda: speculates and self.settings.completion.speculate,
        )

    def ask(self, fixture: str, **more: Any) -> asyncio.Task[Outcome]:
        document, offset = at_cursor(fixture)
        return asyncio.create_task(self.service.suggest(document, offset, **more))

    async def answered(self, fixture: str, text: str, stop: str = "newline") -> Outcome:
        """Ask, and have the engine answer."""
        before = len(self.engine.calls)
        task = self.ask(fixture)
        (await self.engine.called(before + 1)).end(text, stop)
        return await task

    async def known(self, fixture: str) -> str | None:
        """Return what is offered without a request."""
        before = self.engine.interactive
        outcome = await self.ask(fixture)
        assert self.engine.interactive == before
        assert outcome.origin == "cache"
        assert outcome.stats is not None and outcome.stats.evaluated == 0
        return outcome.suggestion.shown if outcome.suggestion else None


@pytest.fixture
async def desk() -> AsyncIterator[Desk]:
    desk = Desk(speculates=False)
    yield desk
    assert not desk.metrics.counter("completion.empty.failed")


@pytest.fixture
async def keen(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Desk]:
    """One that speculates, at once."""
    monkeypatch.setattr(speculation, "DELAY_SECONDS", 0.0)
    desk = Desk(speculates=True)
    yield desk
    assert not desk.metrics.counter("completion.empty.failed")


async def test_typing_along_undoing_and_coming_back_ask_nothing(desk: Desk) -> None:
    first = await desk.answered("x = |\ny = 1\n", "call(first, second)")
    assert first.origin == "engine"
    assert await desk.known("x = c|\ny = 1\n") == "all(first, second)"
    # With what an editor closes, and typed over.
    assert await desk.known("x = call(|)\ny = 1\n") == "first, second)"
    assert await desk.known("x = call(first|)\ny = 1\n") == ", second)"
    # Undone, and typed again.
    assert await desk.known("x = |\ny = 1\n") == "call(first, second)"
    assert await desk.known("x = ca|\ny = 1\n") == "ll(first, second)"
    # Elsewhere, and back.
    await desk.answered("x = \ny = 1|\n", " + 12")
    assert await desk.known("x = c|\ny = 1\n") == "all(first, second)"
    assert await desk.known("x = \ny = 1|\n") == " + 12"
    assert desk.metrics.counter("cache.hit") == 7
    assert desk.metrics.counter("cache.miss") == 2
    assert desk.metrics.counter("completion.offered") == 9


@pytest.mark.parametrize(
    "fixture",
    ["x = k|\ny = 1\n", "x = ca|\ny = 2\n", "w = ca|\ny = 1\n", "x =|\ny = 1\n"],
)
async def test_other_text_is_asked_anew(desk: Desk, fixture: str) -> None:
    await desk.answered("x = |\ny = 1\n", "call(first)")
    assert (await desk.answered(fixture, "other")).origin == "engine"


async def test_nothing_is_known_of_what_was_cancelled_or_fell_out_of_date(desk: Desk) -> None:
    await desk.answered("x = |\n", "call()", "cancelled")
    await desk.answered("x = |\n", "call()")
    desk.service.interfaces_changed("/elsewhere", ("a.py",))
    desk.service.interfaces_changed("/w", ("b.py",))
    assert await desk.known("x = |\n") == "call()"
    desk.service.interfaces_changed("/w", ("a.py",))
    assert desk.metrics.counter("cache.dropped") == 1
    for outdate in (
        lambda: desk.service.interfaces_changed("/w", ("a.py",)),
        desk.service.reset,
    ):
        # Also what is under way when it happens.
        before = len(desk.engine.calls)
        task = desk.ask("x = |\n")
        call = await desk.engine.called(before + 1)
        outdate()
        call.end("call()")
        assert (await task).suggestion is not None
    assert desk.metrics.counter("cache.outdated") == 2
    await desk.answered("x = |\n", "call()")
    desk.service.forget(at_cursor("|")[0].uri)
    await desk.answered("x = |\n", "call()")


async def test_an_answer_without_a_suggestion_is_known_too(desk: Desk) -> None:
    assert (await desk.answered("x = |\n", "", "eog")).reason == "blank"
    outcome = await desk.ask("x = |\n")
    assert (outcome.reason, outcome.origin) == ("blank", "cache")
    # Unless it only ran out of time, or there is nothing left of it.
    await desk.answered("y = |\n", "", "time")
    await desk.answered("y = |\n", "val", "eog")
    await desk.answered("y = val|\n", "ue", "eog")


async def test_what_is_generated_goes_on_while_keys_agree(desk: Desk) -> None:
    shown: list[str] = []
    older = desk.ask("x = |\n")
    call = await desk.engine.called(1)
    newer = desk.ask("x = v|\n")
    assert (await older).reason == "superseded"
    call.say("val")
    newest = desk.ask("x = va|\n", on_text=lambda made: shown.append(made.shown))
    assert (await newer).reason == "superseded"
    call.say("value(")
    await asyncio.sleep(0.01)
    call.end("value(1)")
    outcome = await newest
    assert outcome.suggestion is not None
    assert (outcome.suggestion.shown, outcome.origin) == ("lue(1)", "joined")
    assert outcome.card is not None
    assert shown[-1] == "lue("
    assert (len(desk.engine.calls), call.cancelled) == (1, False)
    assert desk.metrics.counter("generation.joined") == 1
    assert await desk.known("x = v|\n") == "alue(1)"


async def test_a_key_that_disagrees_asks_anew_at_once(desk: Desk) -> None:
    older = desk.ask("x = |\n")
    first = await desk.engine.called(1)
    newer = desk.ask("x = o|\n")
    await asyncio.sleep(0.01)
    assert len(desk.engine.calls) == 1
    first.say("val")
    second = await desk.engine.called(2)
    assert (await older).reason == "superseded"
    second.end("ther")
    outcome = await newer
    assert outcome.suggestion is not None
    assert (outcome.suggestion.shown, outcome.origin) == ("ther", "engine")
    assert first.cancelled
    assert desk.metrics.counter("generation.departed") == 1
    # And when that is known before.
    task = desk.ask("y = |\n")
    third = await desk.engine.called(3)
    third.say("val")
    last = desk.ask("y = w|\n")
    await desk.engine.called(4)
    assert third.cancelled and (await task).reason == "superseded"
    desk.engine.calls[-1].end("word")
    assert (await last).suggestion is not None


async def test_what_another_was_refused_is_asked_anew(desk: Desk) -> None:
    older = desk.ask("x = |\n")
    call = await desk.engine.called(1)
    newer = desk.ask("x = v|\n")
    await asyncio.sleep(0.01)
    call.answer.set_exception(EngineError("no room", "wait"))
    (await desk.engine.called(2)).end("alue")
    assert (await newer).origin == "engine"
    assert (await older).reason == "superseded"


async def test_other_terms_are_not_joined(desk: Desk) -> None:
    older = desk.ask("x = |\n")
    await desk.engine.called(1)
    newer = desk.ask("x = v|\n", max_tokens=3)
    (await desk.engine.called(2)).end("alue")
    assert (await newer).origin == "engine"
    assert (await older).reason == "superseded"


async def test_a_client_that_cancels_at_each_key_finds_the_words_again(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(generations, "LINGER_SECONDS", 0.05)

    async def cancelled(fixture: str, said: str) -> Call:
        before = len(desk.engine.calls)
        task = desk.ask(fixture)
        call = await desk.engine.called(before + 1)
        if said:
            call.say(said)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return call

    # Without words nothing is computed any more.
    assert (await cancelled("x = |\n", "")).cancelled
    call = await cancelled("x = |\n", "val")
    assert not call.cancelled
    newer = desk.ask("x = v|\n")
    await asyncio.sleep(0.1)
    call.end("value")
    outcome = await newer
    assert (outcome.suggestion and outcome.suggestion.shown) == "alue"
    # And when nobody asks again they end.
    call = await cancelled("y = |\n", "val")
    await asyncio.sleep(0.1)
    assert call.cancelled
    # A document that is closed ends them at once.
    call = await cancelled("z = |\n", "val")
    desk.service.forget(at_cursor("|")[0].uri)
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert call.cancelled


async def test_what_is_being_cancelled_serves_nobody(desk: Desk) -> None:
    """The next request comes in the same breath, before the engine was told."""
    older = desk.ask("x = |\n")
    first = await desk.engine.called(1)
    older.cancel()
    await asyncio.sleep(0)
    newer = desk.ask("x = |\n")
    second = await desk.engine.called(2)
    second.end("value")
    outcome = await newer
    assert (outcome.suggestion and outcome.suggestion.shown) == "value"
    assert first.cancelled
    with pytest.raises(asyncio.CancelledError):
        await older


BODY = "def f():\n    x = |\n\n\nz = 3\n"


async def test_the_next_suggestion_is_there_before_this_one_is_accepted(keen: Desk) -> None:
    await keen.answered(BODY, "foo()")
    guess = await keen.engine.called(2)
    request = guess.request
    assert (request.priority, request.multiline) == ("speculative", True)
    assert guess.typed.endswith("x = foo()")
    head = [s for s in request.segments if s.kind != "typed"]
    assert head == [s for s in keen.engine.calls[0].request.segments if s.kind != "typed"]
    # Typing along neither ends nor repeats it.
    assert await keen.known(BODY.replace("|", "fo|")) == "o()"
    guess.say("\n    return x")
    assert not guess.cancelled
    guess.say("\n    return x\n")
    await asyncio.sleep(0.01)
    assert guess.cancelled, "the next line is all that is wanted"
    # Accepted: at the end of the line there is nothing, on the next there is.
    assert await keen.known(BODY.replace("|", "foo()|")) is None
    assert await keen.known(BODY.replace("|", "foo()\n    |")) == "return x"
    assert await keen.known(BODY.replace("|", "foo()\n    ret|")) == "urn x"
    assert keen.metrics.counter("speculation.used") == 1
    third = await keen.engine.called(3)
    assert keen.metrics.counter("speculation.begun") == 2, "and what follows that"
    assert third.typed.endswith("x = foo()\n    return x")


async def test_where_a_line_ends_the_next_one_is_guessed(keen: Desk) -> None:
    assert (await keen.answered(BODY.replace("|", "foo()|"), "")).reason == "blank"
    guess = await keen.engine.called(2)
    assert guess.request.multiline
    assert guess.typed == keen.engine.calls[0].typed
    guess.say("\n    return x\n")
    await asyncio.sleep(0.01)
    assert await keen.known(BODY.replace("|", "foo()|")) is None
    assert await keen.known(BODY.replace("|", "foo()\n    |")) == "return x"
    # At the start of a line there is nothing to go on from, nor where the model has ended.
    for fixture, stop in (("y = 1\n    |\n", "newline"), ("y = 1|\n", "eog")):
        before = len(keen.engine.calls)
        await keen.answered(fixture, "", stop)
        await asyncio.sleep(0.02)
        assert len(keen.engine.calls) == before + 1


async def test_a_guess_under_way_is_waited_for(keen: Desk) -> None:
    await keen.answered(BODY, "foo()")
    guess = await keen.engine.called(2)
    accepted = keen.ask(BODY.replace("|", "foo()|"))
    await asyncio.sleep(0.01)
    guess.say("\n    ret")
    assert (await accepted).reason == "blank"
    entered = keen.ask(BODY.replace("|", "foo()\n    |"))
    await asyncio.sleep(0.01)
    guess.say("\n    return x\n")
    outcome = await entered
    assert (outcome.suggestion and outcome.suggestion.shown) == "return x"
    assert outcome.origin == "joined"
    assert keen.metrics.counter("speculation.used") == 1


async def test_who_waits_for_a_guess_that_the_engine_gave_up_asks_anew(keen: Desk) -> None:
    """Its lane was taken by others, and the engine reads no prompt for a guess."""
    keen.settings = Settings()
    text = "x = 1\nde|\n\n\nz = 3\n"
    await keen.answered(text, "f f():")
    guess = await keen.engine.called(2)
    joined = keen.ask(text.replace("de|", "def f():|"))
    await asyncio.sleep(0.01)
    assert len(keen.engine.calls) == 2
    guess.end("", "cancelled")
    (await keen.engine.called(3)).end("\n    return z", "dedent")
    outcome = await joined
    assert outcome.suggestion is not None
    assert (outcome.suggestion.shown, outcome.origin) == ("\n    return z", "engine")


@pytest.mark.parametrize(
    ("fixture", "path", "ends"),
    [
        (BODY.replace("|", "foo()|"), "/w/a.py", False),
        (BODY.replace("|", "fo|"), "/w/a.py", False),
        (BODY.replace("|", "").replace("z = 3", "z = 3|"), "/w/a.py", True),
        ("z = |\n", "/w/other.py", True),
    ],
    ids=["accepted", "typed along", "elsewhere in the file", "in another file"],
)
async def test_a_guess_ends_when_the_cursor_goes_elsewhere(
    keen: Desk, fixture: str, path: str, ends: bool
) -> None:
    await keen.answered(BODY, "foo()")
    guess = await keen.engine.called(2)
    keen.service.moved(*at_cursor(fixture, path=path))
    await asyncio.sleep(0.01)
    assert guess.cancelled is ends


async def test_what_somebody_waits_for_goes_on_wherever_the_cursor_is_said_to_be(
    desk: Desk,
) -> None:
    task = desk.ask("x = |\ny = 1\n")
    call = await desk.engine.called(1)
    desk.service.moved(*at_cursor("x = \ny = 1|\n"))
    await asyncio.sleep(0.01)
    call.end("call()")
    assert (await task).suggestion is not None


@pytest.mark.parametrize(("said", "ends"), [("", True), ("\n    ret", False)])
async def test_a_guess_without_words_ends_when_somebody_types_elsewhere(
    keen: Desk, said: str, ends: bool
) -> None:
    await keen.answered(BODY, "foo()")
    guess = await keen.engine.called(2)
    if said:
        guess.say(said)
        await asyncio.sleep(0.01)
    document, offset = at_cursor("z = |\n", path="/w/other.py")
    asked = asyncio.create_task(keen.service.suggest(document, offset))
    (await keen.engine.called(3)).end("1")
    await asked
    assert guess.cancelled is ends


async def test_a_guess_ends_when_somebody_types_something_else(keen: Desk) -> None:
    await keen.answered(BODY, "foo()")
    guess = await keen.engine.called(2)
    other = keen.ask(BODY.replace("|", "b|"))
    third = await keen.engine.called(3)
    assert guess.cancelled
    assert third.request.priority == "interactive"
    third.end("ar()")
    assert (await other).suggestion is not None


async def test_of_several_lines_the_first_may_be_accepted_alone(keen: Desk) -> None:
    keen.settings, _ = load({"completion": {"multiline": True}})
    text = "foo()\n    y = x\n    return y"
    await keen.answered(BODY, text, "eog")
    assert await keen.known(BODY.replace("|", "foo()|")) == "\n    y = x\n    return y"
    assert await keen.known(BODY.replace("|", "foo()\n    |")) == "y = x\n    return y"
    guess = await keen.engine.called(2)
    assert guess.typed.endswith(text)


async def test_several_lines_of_a_new_block_stay_while_one_types_along(desk: Desk) -> None:
    desk.settings = Settings()
    await desk.answered("def f():\n    |\n\n\nz = 3\n", "x = 1\n    return x", "dedent")
    assert desk.engine.calls[0].request.multiline
    for typed, rest in (("", "x = 1\n    return x"), ("x =", " 1\n    return x")):
        assert await desk.known(f"def f():\n    {typed}|\n\n\nz = 3\n") == rest
    # In the second line the block is begun.
    assert await desk.known("def f():\n    x = 1\n    |\n\n\nz = 3\n") == "return x"


async def test_behind_the_head_of_a_function_its_body_is_guessed(keen: Desk) -> None:
    keen.settings = Settings()
    text = "x = 1\nde|\n\n\nz = 3\n"
    await keen.answered(text, "f f():")
    assert not keen.engine.calls[0].request.multiline
    guess = await keen.engine.called(2)
    assert (guess.request.multiline, guess.request.block) == (True, True)
    guess.end("\n    y = x\n    return y", "dedent")
    await asyncio.sleep(0.01)
    head = text.replace("de|", "def f():|")
    assert await keen.known(head) == "\n    y = x\n    return y"
    assert await keen.known(head.replace("|", "\n    |")) == "y = x\n    return y"


@pytest.mark.parametrize(
    ("fixture", "text", "raw"),
    [
        # In the middle of a line people go on elsewhere.
        ("x = f(|) + y\n", "a", {}),
        ("x = f(|)\n", "", {}),
        ("x = |\n", "call()", {"completion": {"speculate": False}}),
    ],
)
async def test_where_nothing_is_guessed(
    keen: Desk, fixture: str, text: str, raw: dict[str, Any]
) -> None:
    keen.settings, _ = load(raw)
    await keen.answered(fixture, text)
    await asyncio.sleep(0.02)
    assert len(keen.engine.calls) == 1


async def test_somebody_who_asks_once_needs_no_guess(desk: Desk) -> None:
    await desk.answered(BODY, "foo()")
    await asyncio.sleep(speculation.DELAY_SECONDS + 0.02)
    assert len(desk.engine.calls) == 1


async def test_who_asks_is_shown_what_was_too_unlikely_for_a_key(desk: Desk) -> None:
    desk.settings, _ = load({"completion": {"multiline": False, "leastConfidence": 0.3}})
    held_back = await desk.answered("x = fo|\n", "", "unsure")
    assert held_back.reason == "unsure"
    assert desk.engine.calls[-1].request.least_confidence == 0.3
    # What is known of the place is enough for a key, and not for who asks.
    assert (await desk.ask("x = fo|\n")).reason == "unsure"
    asked = desk.ask("x = fo|\n", explicit=True)
    call = await desk.engine.called(2)
    assert call.request.least_confidence == 0.0
    call.end("o(bar)")
    outcome = await asked
    assert outcome.suggestion is not None and outcome.suggestion.shown == "o(bar)"
    # It stays while it is typed along.
    assert await desk.known("x = foo|\n") == "(bar)"


async def test_a_guess_that_is_held_back_takes_nothing_from_who_asked(keen: Desk) -> None:
    confident = {"multiline": False, "leastConfidence": 0.3}
    keen.settings, _ = load({"completion": {**confident, "speculate": False}})
    asked = keen.ask("x = fo|\n", explicit=True)
    (await keen.engine.called(1)).end("o(bar)")
    assert (await asked).suggestion is not None
    keen.settings, _ = load({"completion": confident})
    # The cursor rests where one asked, and where one typed along.
    for times, fixture, shown in ((2, "x = fo|\n", "o(bar)"), (3, "x = foo|\n", "(bar)")):
        document, offset = at_cursor(fixture)
        anchored = keen.service._anchors.serving(document, offset)
        assert anchored is not None
        keen.service.ahead(document, offset, anchored)
        call = await keen.engine.called(times)
        assert call.request.priority == "speculative"
        call.end("", "unsure")
        while keen.metrics.counter("speculation.answered") < times - 1:  # noqa: ASYNC110
            await asyncio.sleep(0)
        keen.settings, _ = load({"completion": {**confident, "speculate": False}})
        assert await keen.known(fixture) == shown
        keen.settings, _ = load({"completion": confident})


async def test_who_asked_for_one_has_not_asked_for_the_next(keen: Desk) -> None:
    keen.settings, _ = load({"completion": {"multiline": False, "leastConfidence": 0.3}})
    asked = keen.ask("x = fo|\n", explicit=True)
    (await keen.engine.called(1)).end("o(bar)")
    assert (await asked).suggestion is not None
    guess = await keen.engine.called(2)
    assert (guess.request.priority, guess.request.least_confidence) == ("speculative", 0.3)
    guess.end("")
