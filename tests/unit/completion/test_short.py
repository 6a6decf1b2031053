"""Where the whole prompt would take long, a short one answers until it is evaluated."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from cursor import at_cursor
from hypothesis import given
from hypothesis import strategies as st
from scripted_engine import Engine

from sidecar.completion.adapting import Adapting
from sidecar.completion.anchor import extend
from sidecar.completion.anchoring import Anchors
from sidecar.completion.contexts import Contexts, NoWorkspace
from sidecar.completion.latency import Latency, Speeds
from sidecar.completion.predicting import Guess
from sidecar.completion.readying import short_before
from sidecar.completion.service import CompletionService
from sidecar.completion.short import BEFORE_TOKENS, before_tokens, is_short, pays, place
from sidecar.completion.shortening import shorter
from sidecar.context.prompt import build, name_of
from sidecar.settings import load
from sidecar.syntax import Bodies, Languages, Trees
from sidecar.telemetry import Metrics
from sidecar.text import Buffer, Document

if TYPE_CHECKING:
    from sidecar.completion.anchored import Anchored
    from sidecar.engine.messages import Request

LONG = "\n".join(f"value_{number} = compute({number})" for number in range(120))
PLACE = LONG + "\nresult = |\n"


class Slow:
    """A service whose engine takes its time for each token of a prompt."""

    def __init__(self, prompt_ms: float = 20.0, **settings: Any) -> None:
        # The scripted engine counts more tokens than a real one.
        self.engine = Engine()
        self.metrics = Metrics()
        context = {"beforeTokens": 2000, **settings.pop("context", {})}
        self.settings = load({"context": context, **settings})[0]
        languages, trees = Languages.load(), Trees()
        contexts = Contexts(NoWorkspace(), languages, trees)
        self.anchors = Anchors(
            Bodies(languages, trees),
            contexts,
            self.metrics,
            lambda: self.settings,
            held=lambda: self.engine.held,
        )
        latency = Latency()
        latency.begin(Speeds(prompt_ms, 20.0))
        self.service = CompletionService(
            self.engine,
            self.anchors,
            self.metrics,
            lambda: self.settings,
            adapting=Adapting(self.metrics, lambda: self.settings, latency),
        )

    async def asked(self, fixture: str, **more: Any) -> Request:
        """Ask, let the engine say something, and return what it was asked."""
        document, offset = at_cursor(fixture)
        before = len(self.engine.calls)
        task = asyncio.create_task(self.service.suggest(document, offset, **more))
        call = await self.engine.called(before + 1)
        call.end("compute(7)")
        await task
        return call.request


def shown(request: Request) -> str:
    """Return what the model is shown of the document up to the cursor."""
    texts = {part.kind: part.text for part in request.segments}
    return texts["prefix"] + texts["typed"]


async def test_a_short_prompt_answers_where_the_whole_one_takes_long() -> None:
    desk = Slow()
    request = await desk.asked(PLACE)
    assert PLACE.partition("|")[0].endswith(shown(request))
    assert 100 < len(shown(request)) < 400
    assert desk.metrics.counter("anchor.short") == 1


async def test_the_whole_prompt_serves_once_it_is_evaluated() -> None:
    desk = Slow()
    short = await desk.asked(PLACE)
    document, offset = at_cursor(PLACE)
    assert desk.anchors.serving(document, offset, whole=True) is None, "it is for warming"
    whole = await desk.anchors.guessed(document, offset, None, None, "answer")
    assert not is_short(whole.head)
    served = desk.anchors.serving(document, offset)
    assert served is not None
    assert is_short(served.head)
    desk.anchors.held(document.uri, whole)
    typed = PLACE.replace("|", "c|")
    later = await desk.asked(typed, max_tokens=20)
    assert len(shown(later)) > 2 * len(shown(short))
    assert desk.metrics.counter("warming.hits.answer") == 1


async def test_a_short_prompt_that_much_was_pasted_behind_is_none() -> None:
    desk = Slow()
    await desk.asked(PLACE)
    pasted = "".join(f"compute({number})\n" for number in range(40))
    after = await desk.asked(PLACE.replace("|", pasted + "|"))
    assert len(shown(after)) < 400
    assert shown(after).startswith("compute"), "another anchor"
    assert desk.metrics.counter("anchor.short") == 2


async def test_what_was_answered_from_the_cache_is_evaluated() -> None:
    desk = Slow()
    await desk.asked(PLACE)
    document, offset = at_cursor(PLACE.replace("|", "compute|"))
    outcome = await desk.service.suggest(document, offset)
    assert outcome.origin == "cache"
    served = desk.anchors.serving(document, offset)
    assert served is not None
    assert desk.anchors.left(document.uri, served) == 1
    # The prompt itself may be gone: what is known does not make it evaluated again.
    desk.anchors.reset()
    outcome = await desk.service.suggest(document, offset)
    assert outcome.origin == "cache"
    served = desk.anchors.serving(document, offset)
    assert served is not None
    assert desk.anchors.left(document.uri, served) > 50


@pytest.mark.parametrize(
    ("prompt_ms", "settings", "more"),
    [
        (1.0, {}, {}),
        (20.0, {"context": {"shortFirst": False}}, {}),
        (20.0, {"engine": {"warming": "off"}}, {}),
        (20.0, {}, {"explicit": True}),
    ],
)
async def test_the_whole_prompt_is_sent(
    prompt_ms: float, settings: dict[str, Any], more: dict[str, Any]
) -> None:
    desk = Slow(prompt_ms, **settings)
    request = await desk.asked(PLACE, **more)
    assert len(shown(request)) > 1200
    assert desk.metrics.counter("anchor.short") == 0


@pytest.mark.parametrize(
    ("whole_ms", "short_ms", "pay"),
    [(1000.0, 100.0, False), (4000.0, 900.0, True), (4000.0, 3000.0, False)],
)
def test_when_it_pays(whole_ms: float, short_ms: float, pay: bool) -> None:
    assert pays(whole_ms, short_ms) == pay


@pytest.mark.parametrize(
    ("token_ms", "shown"),
    [(0.0, 128), (2.0, 128), (8.5, 128), (8.7, 104), (10.5, 104), (10.6, 80), (60.0, 80)],
)
def test_less_is_shown_where_reading_takes_longer(token_ms: float, shown: int) -> None:
    """73 tokens were read within 0.7 to 1 s here, and half of the keys after 1 s had to wait."""
    assert before_tokens(token_ms) == shown


@pytest.mark.parametrize(("token_ms", "most"), [(5.0, 320), (20.0, 200)])
async def test_the_same_short_prompt_is_made_whoever_wants_it(token_ms: float, most: int) -> None:
    """A warm-up's prompt is the request's, also where the two expect other times."""
    desk = Slow()
    info = SimpleNamespace(prompt_tokens_per_s=1000.0 / token_ms, one_token_ms=token_ms)
    desk.engine.state.info = info
    document, offset = at_cursor(PLACE)
    whole = await desk.anchors.guessed(document, offset, None, None, "cursor")
    engine: Any = desk.engine
    warmed = short_before(desk.anchors, engine, document, Guess(offset, "cursor"), whole)
    asked = shorter(desk.anchors, engine, document, offset, whole, lambda left: 900.0 + left * 30)
    assert warmed is not None
    assert asked is not None
    assert asked.prompt == warmed.prompt
    shown = len(asked.extension.anchor.prefix + asked.extension.typed)
    assert 0.7 * most < shown <= most


@pytest.mark.parametrize("inserted", ["import os, sys, json, asyncio, logging\n", "a\n", "\n"])
@pytest.mark.parametrize("width", range(24, 72, 4))
def test_what_is_typed_is_never_taken_from_above(width: int, inserted: str) -> None:
    """Where nothing stands before an anchor, it stood anywhere after an edit above.

    What stands behind it is shown as it is, a password as well.
    """
    lines = "".join(f"    v{n} = '{'x' * (width - 11)}'\n" for n in range(30))
    text = lines + "    password = 'hunter2secretvalue99xyzABC'\n" + lines
    offset = len(text) - 1
    document = Document("file:///a.py", "/a.py", "python", 0, Buffer.of(text))
    before = place(document, offset, 80)
    edited = replace(document, buffer=document.buffer.edit(0, 0, inserted))
    after = extend(before.anchor, edited, offset + len(inserted))
    assert after is None or after.typed == before.typed


async def test_the_short_prompt_that_is_evaluated_is_found_before_the_whole_one_that_is_not() -> (
    None
):
    desk = Slow()
    document, offset = at_cursor(PLACE)
    whole = await desk.anchors.guessed(document, offset, None, None, "cursor")

    engine: Any = desk.engine

    def found(token_ms: float) -> Anchored | None:
        return shorter(desk.anchors, engine, document, offset, whole, lambda left: left * token_ms)

    short = found(20.0)
    assert short is not None
    assert is_short(short.head)
    desk.anchors.expect(document.uri, short, "short")
    desk.anchors.held(document.uri, short)
    assert desk.anchors.serving(document, offset) == short
    assert desk.anchors.serving(document, offset, whole=True) == whole
    assert found(20.0) == short
    assert found(0.2) is None


@given(
    st.text(alphabet="ab (),é😀\n    ", max_size=3000) | st.text(alphabet="a世 ", min_size=900),
    st.floats(0.0, 1.0),
)
def test_what_is_shown_is_short_wherever_the_cursor_stands(text: str, where: float) -> None:
    """Lines that count as typed count as well: eight long ones made 150 tokens of 90."""
    buffer = Buffer.of(text)
    offset = int(where * len(buffer))
    extension = place(Document("file:///a.py", "/a.py", "python", 0, buffer), offset)
    anchor = extension.anchor
    assert buffer.slice(anchor.offset - len(anchor.prefix), offset) == (
        anchor.prefix + extension.typed
    )
    assert len(anchor.prefix + extension.typed) <= 2.5 * (BEFORE_TOKENS + 16)


async def test_it_does_not_wait_for_the_whole_one_to_be_made(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    desk = Slow()
    monkeypatch.setattr(desk.anchors, "moved", lambda *_asked: asyncio.sleep(60))
    assert len(shown(await desk.asked(PLACE))) < 400


async def test_where_a_whole_one_near_by_is_evaluated_the_whole_one_is_made() -> None:
    """It may share much with that."""
    desk = Slow()
    document, offset = at_cursor(PLACE)
    desk.anchors.keep(document.uri, await desk.anchors.moved(document, offset, None, None), 1)
    # In the window of that one, and before its anchor.
    near = PLACE.replace("|", "").replace("compute(80)", "compute(80)|")
    assert desk.anchors.is_near(*at_cursor(near))
    assert len(shown(await desk.asked(near))) > 1000
    assert desk.metrics.counter("anchor.short") == 0
    elsewhere = at_cursor(PLACE, path="/w/other.py")
    assert not desk.anchors.is_near(*elsewhere)


async def test_once_others_took_its_lane_a_prompt_counts_as_one_that_nobody_evaluated() -> None:
    desk = Slow()
    document, offset = at_cursor(PLACE)
    whole = await desk.anchors.moved(document, offset, None, None)
    desk.anchors.keep(document.uri, whole, 1)
    name = name_of(whole.prompt)
    for held in (None, {name, 5}):
        desk.engine.held = held
        assert desk.anchors.left(document.uri, whole) == 1
        assert desk.anchors.serving(document, offset) == whole
    desk.engine.held = {5}
    assert desk.anchors.left(document.uri, whole) > 100
    typed = PLACE.replace("|", "c|")
    assert len(shown(await desk.asked(typed, max_tokens=20))) < 400
    assert desk.metrics.counter("anchor.short") == 1


def test_all_that_a_prompt_says_before_what_is_typed_makes_its_name() -> None:
    named = [
        name_of(build(*texts))
        for texts in (("a", "b", ""), ("a", "b", "typed"), ("ab", "", ""), ("a", "c", ""))
    ]
    assert named[0] == named[1]
    assert len({*named}) == 3
