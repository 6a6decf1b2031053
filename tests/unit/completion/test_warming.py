"""When prompts are evaluated before somebody asks, which, and what is counted of it.

The engine answers what a test wants; the real one is in tests/engine/test_warming.py and
tests/lsp/test_warming.py.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from itertools import count
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from cursor import at_cursor

from sidecar.completion.adapting import Adapting
from sidecar.completion.anchoring import Anchors
from sidecar.completion.beginnings import ended
from sidecar.completion.contexts import Contexts, NoWorkspace
from sidecar.completion.gate import refused
from sidecar.completion.latency import Latency, Speeds
from sidecar.completion.service import CompletionService
from sidecar.completion.short import is_short
from sidecar.completion.surroundings import Surroundings
from sidecar.completion.warming import Warming
from sidecar.engine.messages import Completion, Request, Stats
from sidecar.errors import EngineGone
from sidecar.settings import load
from sidecar.syntax import Bodies, Languages, Trees
from sidecar.telemetry import Metrics

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sidecar.text import Document

LINES = "".join(f"    value_{n} = compute({n})\n" for n in range(12))
CODE = f"import os\n\n\ndef first(limit):\n{LINES}\n\ndef second(limit):\n{LINES}\n"


class Engine:
    """Behaves as `EngineClient` and as the source of engines."""

    def __init__(self) -> None:
        self.plan: Any = None
        self.state = SimpleNamespace(info=None)
        self.held: Any = None
        self.requests: list[Request] = []
        self.cancelled = 0
        self.there = True
        self.evaluated = 100
        self.typed_tokens = 5
        self.gone = False
        self.says = "value"
        #: Suggestions are under way as long as this is not set.
        self.said = asyncio.Event()
        self.said.set()
        #: Warming goes on as long as this is not set.
        self.done = asyncio.Event()
        self.done.set()

    @property
    def warmed(self) -> list[str]:
        """What stands before each place whose prompt was evaluated."""
        return [
            "".join(part.text for part in request.segments if part.kind in ("prefix", "typed"))
            for request in self.requests
            if request.priority == "warming"
        ]

    async def engine(self) -> Any:
        return self if self.there else None

    def waited(self, document: str) -> None: ...

    def served(self) -> None:
        pass

    async def count(self, texts: Sequence[str]) -> list[int]:
        return [len(text) * 3 // 4 for text in texts]

    async def complete(
        self,
        request: Request,
        on_text: Any = None,
        on_cancelled: Callable[[Completion], None] | None = None,
    ) -> Completion:
        self.requests.append(request)
        if self.gone:
            raise EngineGone("the engine ended", "wait")
        if request.max_tokens:
            if on_text is not None:
                on_text(self.says[:2])
            await self.said.wait()
            return Completion(
                self.says, Stats(stop="newline", segment_tokens={"typed": self.typed_tokens})
            )
        try:
            await self.done.wait()
        except asyncio.CancelledError:
            self.cancelled += 1
            assert on_cancelled is not None
            on_cancelled(Completion("", Stats(stop="cancelled", evaluated=30)))
            raise
        return Completion("", Stats(stop="warmed", evaluated=self.evaluated))


class Machine:
    reason = ""

    def others(self) -> float:
        return 0.0

    def held_back(self) -> str:
        return self.reason


class Desk:
    def __init__(self) -> None:
        self.engine = Engine()
        self.metrics = Metrics()
        self.machine = Machine()
        self.limits = count(20)
        self.settings, _ = load({"engine": {"warming": "always"}})
        self.documents: dict[str, Document] = {}
        languages, trees = Languages.load(), Trees()
        contexts = Contexts(NoWorkspace(), languages, trees)
        self.anchors = Anchors(
            Bodies(languages, trees), contexts, self.metrics, lambda: self.settings
        )
        self.speculates = False
        self.latency = Latency()
        self.service = CompletionService(
            self.engine,
            self.anchors,
            self.metrics,
            lambda: self.settings,
            speculates=lambda: self.speculates,
            adapting=Adapting(
                self.metrics,
                lambda: self.settings,
                self.latency,
                is_idle=lambda: not self.machine.reason,
            ),
        )
        self.warming = Warming(
            self.engine,
            self.anchors,
            Surroundings(self.documents.get, self.may_suggest, NoWorkspace()),
            self.metrics,
            lambda: self.settings,
            self.machine,
            on_rest=self.service.ahead,
        )

    def may_suggest(self, document: Document, offset: int) -> bool:
        return (
            refused(document, offset, self.settings.completion, self.anchors.bodies.scope) is None
        )

    def document(self, text: str = CODE, path: str = "/w/a.py") -> Document:
        document, _ = at_cursor(text + "|", path=path)
        self.documents[document.uri] = document
        return document

    def edit(self, document: Document, offset: int, text: str) -> Document:
        buffer = document.buffer.edit(offset, offset, text)
        changed = replace(document, version=document.version + 1, buffer=buffer)
        self.documents[document.uri] = changed
        self.warming.edited(changed, offset + len(text))
        return changed

    async def suggest(self, document: Document, offset: int) -> None:
        self.warming.asked(document, offset)
        await self.ask(document, offset)
        self.warming.answered(document, offset)

    async def ask(self, document: Document, offset: int) -> None:
        # With the same limit as before the answer would be known.
        await self.service.suggest(document, offset, max_tokens=next(self.limits))

    async def until(self, accept: Callable[[], object]) -> None:
        async with asyncio.timeout(60):
            while not accept():  # noqa: ASYNC110
                await asyncio.sleep(0.005)

    async def idle(self) -> None:
        """Wait until nothing is under way."""
        task = self.warming._task
        if task is not None:
            await asyncio.wait([task], timeout=10)

    def counted(self, name: str) -> int:
        return self.metrics.counter(f"warming.{name}")


@pytest.fixture
async def desk() -> Desk:
    return Desk()


def at(text: str, after: str) -> int:
    return text.index(after) + len(after)


async def test_where_the_cursor_rests_the_first_request_finds_all_done(desk: Desk) -> None:
    document = desk.document()
    place = at(CODE, "value_10 = compute(10)\n    value_11 =")
    for back in (300, 200, 100, 0):
        desk.warming.moved(document, place - back)
    await desk.idle()
    (warmed_before,) = desk.engine.warmed
    assert CODE[:place].endswith(warmed_before)
    assert (desk.counted("guesses"), desk.counted("tokens")) == (1, 100)

    await desk.ask(document, place)
    assert desk.metrics.counter("anchor.moved") == 0
    asked, warmed = desk.engine.requests[-1], desk.engine.requests[0]
    assert asked.segments == warmed.segments
    assert (asked.max_tokens > 0, warmed.max_tokens) == (True, 0)
    assert (desk.counted("hits.cursor"), desk.counted("used_tokens")) == (1, 100)


async def test_where_the_cursor_rests_the_first_request_is_known_already(desk: Desk) -> None:
    desk.speculates = True
    document = desk.document()
    place = at(CODE, "    value_11 = compute(11)")
    desk.warming.moved(document, place)
    await desk.until(lambda: desk.metrics.counter("speculation.answered") == 2)
    asked = len(desk.engine.requests)
    assert [one.priority for one in desk.engine.requests] == ["warming", *["speculative"] * 2]
    # Whoever goes on there, and whoever goes on below.
    for there, cursor in ((document, place), ended(document, place)):
        outcome = await desk.service.suggest(there, cursor)
        assert outcome.origin == "cache"
        assert outcome.suggestion is not None
        assert outcome.suggestion.insert.endswith("value")
    assert len(desk.engine.requests) == asked


async def test_who_opens_lines_finds_said_first_what_stands_on_a_new_one(desk: Desk) -> None:
    desk.speculates = True
    document = desk.document()
    for line in (3, 5):
        place = at(document.buffer.text, f"value_{line} = compute({line})")
        desk.warming.moved(document, place)
        document = desk.edit(document, place, "\n    ")
    desk.warming.moved(document, at(document.buffer.text, "    value_11 = compute(11)"))
    await desk.until(lambda: desk.metrics.counter("speculation.answered") == 2)
    said = [one.segments[-1].text for one in desk.engine.requests if one.max_tokens]
    assert [text.endswith("\n") for text in said] == [True, False]


async def opening_lines(desk: Desk, text: str = CODE) -> Document:
    """Somebody opened two lines, and goes on so."""
    desk.speculates = False
    document = desk.document(text)
    for line in (3, 5):
        place = at(document.buffer.text, f"value_{line} = compute({line})")
        desk.warming.moved(document, place)
        document = desk.edit(document, place, "\n    ")
    desk.warming.close()
    desk.speculates = True
    return document


async def test_several_lines_are_said_ahead_whole_for_who_opens_lines(desk: Desk) -> None:
    document = await opening_lines(desk, CODE + "\n\ndef third(limit):\n\n\nlast = 1\n")
    desk.engine.says = "\n    value = 1\n    return value"
    place = at(document.buffer.text, "def third(limit):")
    desk.warming.moved(document, place)
    await desk.until(lambda: desk.metrics.counter("speculation.answered"))
    await asyncio.sleep(0.05)
    outcome = await desk.service.suggest(document, place)
    assert (outcome.origin, outcome.reason) == ("cache", "")
    assert outcome.suggestion is not None and "return value" in outcome.suggestion.insert


async def test_more_of_a_line_is_said_ahead_though_a_blank_one_was_said_first(desk: Desk) -> None:
    document = await opening_lines(desk)
    desk.engine.says = "\n    value"
    desk.warming.moved(document, at(document.buffer.text, "    value_11 = compute(11)"))
    await desk.until(lambda: desk.metrics.counter("speculation.answered") == 2)


@pytest.mark.parametrize("why", ["moved", "asked", "outdated", "reset"])
async def test_no_second_guess_is_made_for_who_left_or_of_what_is_outdated(
    desk: Desk, why: str
) -> None:
    desk.speculates = True
    desk.engine.said.clear()
    document = desk.document()
    place = at(CODE, "    value_11 = compute(11)")
    desk.warming.moved(document, place)
    await desk.until(lambda: desk.engine.requests[-1:] and desk.engine.requests[-1].max_tokens)
    asked = None
    match why:
        case "moved":
            desk.service.moved(desk.document(path="/w/b.py"), 0)
        case "asked":
            asked = asyncio.create_task(desk.service.suggest(document, place))
            await asyncio.sleep(0)
        case "outdated":
            desk.service.interfaces_changed("/w", {"a.py"})
        case "reset":
            desk.service.reset()
    desk.engine.said.set()
    await asyncio.sleep(0.1)
    if asked is not None:
        assert (await asked).suggestion is not None
    guesses = [one.segments for one in desk.engine.requests if one.priority == "speculative"]
    assert not any(segments[-1].text.endswith("compute(11)\n") for segments in guesses)


async def test_what_ends_the_line_itself_is_said_ahead_once(desk: Desk) -> None:
    desk.speculates, desk.engine.says = True, "\n    value"
    desk.warming.moved(desk.document(), at(CODE, "    value_11 = compute(11)"))
    await desk.until(lambda: desk.metrics.counter("speculation.answered"))
    await asyncio.sleep(0.05)
    assert [one.priority for one in desk.engine.requests] == ["warming", "speculative"]


@pytest.mark.parametrize(
    ("speculates", "after"),
    [
        (False, "    value_11 = compute(11)"),
        (True, "    value_11 ="),
        (True, "    value_11 = comp"),
        (True, "compute(10)\n  "),
    ],
    ids=["it is not wanted", "something follows on the line", "in a word", "before code"],
)
async def test_nothing_is_said_ahead_where(desk: Desk, speculates: bool, after: str) -> None:
    desk.speculates = speculates
    desk.warming.moved(desk.document(), at(CODE, after))
    await desk.idle()
    await asyncio.sleep(0)
    await asyncio.sleep(0.05)
    assert {request.priority for request in desk.engine.requests} == {"warming"}


async def test_a_cursor_that_goes_on_warms_nothing_on_its_way(desk: Desk) -> None:
    document = desk.document()
    for offset in range(0, 400, 20):
        desk.warming.moved(document, offset)
        await asyncio.sleep(0)
    assert desk.engine.requests == []
    desk.warming.asked(document, 100)
    await asyncio.sleep(0.35)
    assert desk.engine.requests == [], "somebody waits: nothing is begun"


async def test_what_goes_on_elsewhere_cancels_and_is_accounted_for(desk: Desk) -> None:
    document = desk.document()
    desk.engine.done.clear()
    desk.warming.moved(document, at(CODE, "value_9 = "))
    await desk.until(lambda: desk.engine.warmed)
    desk.warming.moved(document, len(CODE) - 2)
    await desk.until(lambda: desk.engine.cancelled)
    assert (desk.counted("cancelled"), desk.counted("tokens")) == (1, 30)
    await desk.until(lambda: len(desk.engine.warmed) == 2)
    # An edit below leaves the place of the one that runs, and above it changes what was frozen.
    changed = desk.edit(document, 3, "x")
    await desk.until(lambda: desk.engine.cancelled == 2)
    desk.warming.forget(changed.uri)
    desk.anchors.forget(changed.uri)
    assert desk.counted("wasted_tokens") == 60


async def test_typing_at_the_place_that_is_warmed_lets_it_go_on(desk: Desk) -> None:
    document = desk.document()
    place = at(CODE, "value_9 = compute(9)")
    desk.engine.done.clear()
    desk.warming.moved(document, place)
    await desk.until(lambda: desk.engine.warmed)
    changed = desk.edit(document, place, "")
    await desk.suggest(changed, place)
    await asyncio.sleep(0.01)
    assert desk.engine.cancelled == 0
    assert desk.counted("hits.cursor") == 1
    desk.engine.done.set()
    await desk.idle()
    # After the answer it went on with the next blank line.
    assert len(desk.engine.warmed) == 2
    assert CODE[: at(CODE, LINES)].endswith(desk.engine.warmed[1])
    assert (desk.counted("used_tokens"), desk.counted("tokens")) == (100, 200)


async def test_a_file_that_is_opened_or_looked_at(desk: Desk) -> None:
    document = desk.document()
    other = desk.document(path="/w/b.py")
    desk.warming.switched(document)
    desk.warming.switched(other)
    await desk.idle()
    # Many may be opened at once; one looks at the last. Where a word begins nothing is suggested.
    assert desk.engine.warmed == ["import os"]
    desk.warming.switched(document, at(CODE, "value_5 = "))
    await desk.idle()
    assert CODE[: at(CODE, "value_5 = compute(5)")].endswith(desk.engine.warmed[1])


async def test_after_an_accept_the_place_behind_it(desk: Desk) -> None:
    document = desk.document("a = 1\nb = \n")
    await desk.suggest(document, 10)
    changed = desk.edit(document, 10, "compute(1)")
    desk.warming.accepted()
    await desk.idle()
    # The blank line at the end follows.
    assert desk.engine.warmed == ["a = 1\nb = compute(1)", "a = 1\nb = compute(1)\n"]
    assert changed.buffer.text == desk.engine.warmed[1]


async def test_an_anchor_that_will_have_to_move_is_followed_before_it_does(desk: Desk) -> None:
    document = desk.document()
    place = at(CODE, "value_10 = compute(10)")
    desk.engine.typed_tokens = 200
    await desk.suggest(document, place)
    await desk.idle()
    used, ahead, *_ = desk.engine.requests
    assert ahead.priority == "warming"
    parts = [{part.kind: part.text for part in each.segments} for each in (used, ahead)]
    assert len(parts[1]["typed"]) < len(parts[0]["typed"])
    assert parts[0]["prefix"] + parts[0]["typed"] == parts[1]["prefix"] + parts[1]["typed"]
    # The old one serves as long as it can.
    desk.engine.typed_tokens = 257
    await desk.ask(document, place)
    assert desk.engine.requests[-1].segments == used.segments
    await desk.ask(document, place)
    assert desk.engine.requests[-1].segments == ahead.segments
    assert desk.counted("hits.ahead") == 1
    assert desk.metrics.counter("anchor.moved") == 1


async def test_who_comes_back_finds_the_anchor_that_was_used_there(desk: Desk) -> None:
    document = desk.document()
    places = [at(CODE, "value_9 = compute(9)"), len(CODE) - 1]
    for place in (*places, *places):
        await desk.ask(document, place)
    first, second, third, fourth = (request.segments for request in desk.engine.requests)
    assert (third, fourth) == (first, second)
    assert desk.metrics.counter("anchor.moved") == 2


@pytest.mark.parametrize(
    ("mode", "reason", "warms"),
    [
        ("off", "", False),
        ("auto", "busy", False),
        ("auto", "", True),
        ("always", "busy", True),
    ],
)
async def test_it_holds_back(desk: Desk, mode: str, reason: str, warms: bool) -> None:
    desk.settings, _ = load({"engine": {"warming": mode}})
    desk.machine.reason = reason
    desk.warming.switched(desk.document(), 5)
    await desk.idle()
    assert bool(desk.engine.warmed) == warms
    assert desk.counted("held_back.busy") == (mode == "auto" and not warms)


@pytest.mark.parametrize(
    ("mode", "reason", "first"),
    [("auto", "", "warming"), ("off", "", "interactive"), ("auto", "battery", "interactive")],
)
async def test_a_prompt_that_takes_too_long_is_evaluated_before_somebody_waits_for_it(
    desk: Desk, mode: str, reason: str, first: str
) -> None:
    """Or else, where nothing is done ahead, nothing would ever be suggested."""
    desk.settings, _ = load({"engine": {"warming": mode}, "completion": {"latencyTargetMs": 300}})
    desk.machine.reason = reason
    # 0.6 seconds for the whole prompt, so that a short one does not pay.
    desk.latency.begin(Speeds(2.0, 5.0))
    document = desk.document()
    place = at(CODE, "value_10 = compute(10)")
    await desk.suggest(document, place)
    await desk.idle()
    await desk.suggest(document, place)
    waited = [one for one in desk.engine.requests if one.priority == "interactive"]
    assert desk.engine.requests[0].priority == first
    assert waited[0].segments == desk.engine.requests[0].segments


async def test_an_engine_that_comes_later_is_not_missed(desk: Desk) -> None:
    desk.engine.there = False
    document = desk.document()
    desk.warming.switched(document, at(CODE, "value_5 = compute(5)"))
    await desk.idle()
    desk.engine.there = True
    desk.warming.ready()
    await desk.idle()
    assert len(desk.engine.warmed) == 1
    # One that is started again holds nothing, and the cursor is still there.
    await desk.suggest(document, at(CODE, "value_5 = compute(5)"))
    desk.service.reset()
    desk.warming.ready()
    await desk.idle()
    assert len(desk.engine.warmed) == 2


async def test_what_is_learned_of_the_workspace_makes_guesses_anew(desk: Desk) -> None:
    document = desk.document()
    place = at(CODE, "value_5 = compute(5)")
    desk.warming.switched(document, place)
    await desk.idle()
    assert desk.anchors.serving(document, place) is not None
    desk.warming.learned()
    assert desk.anchors.serving(document, place) is None
    await desk.idle()
    assert len(desk.engine.warmed) == 2
    await desk.suggest(document, place)
    assert desk.counted("hits") == 1
    # Who types there is not disturbed.
    desk.warming.close()
    desk.warming.learned()
    await asyncio.sleep(0.6)
    assert len(desk.engine.warmed) == 2
    assert desk.anchors.serving(document, place) is not None


def far_down(desk: Desk) -> tuple[Document, int]:
    """Return a place whose whole prompt takes long on a slow machine, and is not evaluated yet."""
    desk.settings, _ = load({"engine": {"warming": "always"}, "context": {"beforeTokens": 2000}})
    desk.engine.state.info = SimpleNamespace(prompt_tokens_per_s=20.0, one_token_ms=30.0)
    desk.engine.done.clear()
    text = CODE * 5
    document = desk.document(text)
    return document, at(text, "value_5 = compute(5)") + 3 * len(CODE)


async def test_what_is_learned_does_not_concern_a_short_prompt(desk: Desk) -> None:
    """A file that is saved when it is left is learned of while the next one is looked at."""
    document, place = far_down(desk)
    desk.warming.switched(document, place)
    desk.warming.learned()
    await asyncio.sleep(0.2)
    short = desk.anchors.serving(document, place)
    assert short is not None and is_short(short.head)
    assert len(desk.engine.warmed) == 1
    desk.warming.learned()
    # Editors tell the same place twice.
    desk.warming.switched(document, place)
    await asyncio.sleep(0.7)
    assert (len(desk.engine.warmed), desk.engine.cancelled) == (1, 0)
    assert desk.anchors.serving(document, place) == short
    desk.engine.done.set()
    await desk.idle()
    assert len(desk.engine.warmed) == 2, "the whole one after it"
    whole = desk.anchors.serving(document, place, whole=True)
    assert whole is not None and desk.engine.requests[-1].segments == whole.prompt.segments
    assert desk.counted("guesses.switch") == 1, "made once, with what was learned"


async def test_a_short_prompt_does_not_wait_for_the_whole_one_to_be_made(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    document, place = far_down(desk)
    monkeypatch.setattr(desk.anchors, "guessed", lambda *_asked, **_more: asyncio.sleep(60))
    desk.warming.moved(document, place)
    await desk.until(lambda: desk.engine.warmed)
    (shown,) = desk.engine.warmed
    assert document.buffer.text[:place].endswith(shown)
    assert len(shown) < 400
    desk.warming.close()


async def test_who_opens_lines_finds_the_prompt_of_a_new_line_evaluated(desk: Desk) -> None:
    document = desk.document()
    for line in (3, 5):
        place = at(document.buffer.text, f"value_{line} = compute({line})")
        desk.warming.moved(document, place)
        document = desk.edit(document, place, "\n    ")
    for after, shown in (("    value_11 = compute(11)", ")\n"), ("    value_11 =", "value_11 =")):
        place = at(document.buffer.text, after)
        desk.engine.requests.clear()
        desk.warming.moved(document, place)
        await desk.idle()
        assert [text.endswith(shown) for text in desk.engine.warmed] == [True]
        # It is the one that is asked for, wherever one goes on.
        await desk.ask(document, place)
        assert desk.engine.requests[-1].segments[0] == desk.engine.requests[0].segments[0]
        assert desk.metrics.counter("anchor.moved") == 0


async def test_an_edit_above_a_short_prompt_ends_what_was_to_follow_it(desk: Desk) -> None:
    document, place = far_down(desk)
    desk.warming.moved(document, place)
    await desk.until(lambda: desk.engine.warmed)
    desk.edit(document, 0, "import sys\n")
    desk.engine.done.set()
    await desk.idle()
    await asyncio.sleep(0.05)
    assert len(desk.engine.warmed) == 1
    assert desk.engine.cancelled == 1


@pytest.mark.parametrize("short_first", [False, True])
async def test_what_is_learned_while_the_whole_prompt_is_evaluated_makes_it_anew(
    desk: Desk, short_first: bool
) -> None:
    document, place = far_down(desk)
    if not short_first:
        desk.settings, _ = load({"engine": {"warming": "always"}, "context": {"shortFirst": False}})
    desk.warming.switched(document, place)
    await asyncio.sleep(0.2)
    if short_first:
        short_done, desk.engine.done = desk.engine.done, asyncio.Event()
        short_done.set()
        await asyncio.sleep(0.1)
    assert len(desk.engine.warmed) == 1 + short_first
    desk.warming.learned()
    await asyncio.sleep(0.1)
    assert desk.engine.cancelled == 1
    desk.engine.done.set()
    await desk.idle()
    assert desk.counted("guesses.switch") == 2
    whole = desk.anchors.serving(document, place, whole=True)
    assert whole is not None and desk.engine.requests[-1].segments == whole.prompt.segments


async def test_what_is_learned_while_a_prompt_is_made_is_not_lost(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    guessed = desk.anchors.guessed

    async def slowly(*asked: Any, **more: Any) -> Any:
        made = await guessed(*asked, **more)
        await asyncio.sleep(0.2)
        return made

    monkeypatch.setattr(desk.anchors, "guessed", slowly)
    document = desk.document()
    place = at(CODE, "value_5 = compute(5)")
    desk.warming.switched(document, place)
    await asyncio.sleep(0.15)
    # It comes in pieces, and only all of it makes a lasting prompt.
    for _ in range(4):
        desk.warming.learned()
        await asyncio.sleep(0.3)
    assert desk.engine.warmed == []
    await desk.idle()
    assert len(desk.engine.warmed) == 1
    assert desk.counted("guesses.switch") == 2
    served = desk.anchors.serving(document, place)
    assert served is not None and desk.engine.requests[-1].segments == served.prompt.segments


async def test_nothing_is_warmed_where_nothing_is_suggested(desk: Desk) -> None:
    desk.warming.switched(desk.document(path="/w/.env"), 0)
    await desk.idle()
    desk.engine.there = False
    desk.warming.switched(desk.document(), 5)
    await desk.idle()
    assert desk.engine.requests == []


async def test_an_engine_that_dies_is_no_error(desk: Desk) -> None:
    desk.engine.gone = True
    desk.warming.switched(desk.document(), 5)
    await desk.idle()
    assert desk.counted("failed") == 1
