"""The pipeline's decisions, with an engine that answers what a test wants.

What the real one answers is tested in tests/lsp/test_completion.py; here it has to fail, be slow,
or count in ways that cannot be had on demand.
"""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from cursor import at_cursor

from sidecar.completion import anchoring
from sidecar.completion.anchoring import Anchors
from sidecar.completion.contexts import Contexts, NoWorkspace
from sidecar.completion.service import CompletionService
from sidecar.engine.messages import Completion, Request, Stats
from sidecar.errors import EngineError, EngineGone
from sidecar.settings import Settings, load
from sidecar.syntax import Bodies, Languages, Trees
from sidecar.telemetry import Metrics

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sidecar.completion.outcome import Outcome


class Engine:
    """Behaves as `EngineClient` and as the service's source of engines."""

    def __init__(self) -> None:
        self.plan: Any = None
        self.state = SimpleNamespace(info=None)
        self.requests: list[Request] = []
        self.answers = 0
        self.there = True
        self.typed_tokens = 5

    async def answer(self, request: Request) -> Completion:
        return Completion(
            "value", Stats(stop="newline", segment_tokens={"typed": self.typed_tokens})
        )

    async def engine(self) -> Any:
        return self if self.there else None

    def served(self) -> None:
        self.answers += 1

    async def count(self, texts: Sequence[str]) -> list[int]:
        return [len(text) for text in texts]

    async def complete(self, request: Request, on_text: Any = None) -> Completion:
        self.requests.append(request)
        return await self.answer(request)


class Desk:
    def __init__(self) -> None:
        self.engine = Engine()
        self.metrics = Metrics()
        self.settings = Settings()
        languages, trees = Languages.load(), Trees()
        contexts = Contexts(NoWorkspace(), languages, trees)
        bodies = Bodies(languages, trees)
        anchors = Anchors(bodies, contexts, self.metrics, lambda: self.settings)
        self.service = CompletionService(self.engine, anchors, self.metrics, lambda: self.settings)

    async def suggest(self, fixture: str, **more: Any) -> Outcome:
        document, offset = at_cursor(fixture)
        return await self.service.suggest(document, offset, **more)


@pytest.fixture
def desk() -> Desk:
    return Desk()


async def test_settings_make_the_request_and_a_caller_may_differ(desk: Desk) -> None:
    desk.settings, _ = load({"completion": {"maxTokens": 9, "timeLimitMs": 500, "multiline": True}})
    await desk.suggest("x = |\n")
    await desk.suggest("x = |\n", multiline=False, max_tokens=3)
    first, second = desk.engine.requests
    assert (first.max_tokens, first.multiline, first.time_limit_ms) == (9, True, 500.0)
    assert (second.max_tokens, second.multiline) == (3, False)
    assert first.document == second.document
    assert first.priority == "interactive"


async def test_where_a_block_begins_several_lines_are_wanted() -> None:
    desk = Desk()
    for fixture, several in (("def f():\n    |\n", True), ("x = |\n", False)):
        await desk.suggest(fixture)
        request = desk.engine.requests[-1]
        assert (request.multiline, request.block) == (several, True)
    desk.settings, _ = load({"completion": {"multiline": False}})
    await desk.suggest("def g():\n    |\n")
    assert not desk.engine.requests[-1].multiline


async def test_no_more_lines_are_offered_than_wanted(desk: Desk) -> None:
    async def several(request: Request) -> Completion:
        return Completion("a = 1\n    b = 2\n    c = 3", Stats(stop="eog"))

    desk.engine.answer = several  # type: ignore[method-assign]
    for most, shown, wanted in (
        (0, "a = 1\n    b = 2\n    c = 3", True),
        (2, "a = 1\n    b = 2", True),
        (1, "a = 1", False),
    ):
        desk.service.reset()
        desk.settings, _ = load({"completion": {"maxLines": most}})
        outcome = await desk.suggest("def f():\n    |\n")
        assert outcome.suggestion is not None
        assert outcome.suggestion.shown == shown
        assert desk.engine.requests[-1].multiline is wanted


async def test_nothing_is_asked_in_comments_and_strings_that_are_out_of_scope(desk: Desk) -> None:
    for scopes, fixture, reason in (
        (["code"], "x = 1  # the |\n", "scope_disabled"),
        (["code"], "x = 'the |'\n", "scope_disabled"),
        (["code"], "x = |\n", ""),
        (["code", "comments"], "x = 1  # the |\n", ""),
        (["comments"], "x = |\n", "scope_disabled"),
    ):
        desk.settings, _ = load({"completion": {"scopes": scopes}})
        asked = len(desk.engine.requests)
        assert (await desk.suggest(fixture)).reason == reason
        assert len(desk.engine.requests) == asked + (reason == "")
        desk.service.reset()


async def test_an_anchor_stays_until_too_many_tokens_stand_behind_it(desk: Desk) -> None:
    for typed in ("x = |\n", "x = n|\n", "x = no|\n"):
        assert (await desk.suggest(typed)).suggestion is not None
    assert desk.metrics.counter("anchor.moved") == 1
    desk.engine.typed_tokens = 257
    await desk.suggest("x = non|\n")
    await desk.suggest("x = none|\n")
    assert desk.metrics.counter("anchor.moved") == 2


async def test_a_closed_document_is_forgotten(desk: Desk) -> None:
    await desk.suggest("x = |\n")
    document, _ = at_cursor("x = |\n")
    trees = desk.service._anchors.bodies._trees
    assert list(trees._kept) == [document.uri]
    desk.service.forget(document.uri)
    assert list(trees._kept) == []
    await desk.suggest("x = |\n")
    desk.service.reset()
    await desk.suggest("x = |\n")
    assert desk.metrics.counter("anchor.moved") == 3


async def test_a_window_stands_below_imports_and_heads_and_holds_still(desk: Desk) -> None:
    lines = "".join(f"        self.value_{n} = compute({n})\n" for n in range(60))
    code = f"import os\n\n\nclass Order(Base):\n    def fill(self, limit):\n{lines}"
    above = (
        "import os\n\nclass Order(Base):\n    def fill(self, limit):\n        ...\n        self."
    )

    def prefix() -> str:
        return next(s.text for s in desk.engine.requests[-1].segments if s.kind == "prefix")

    outcome = await desk.suggest(f"{code}        x|")
    assert outcome.card is not None
    assert prefix().startswith(above)
    (part,) = [part for part in outcome.card.parts if part.part == "prefix"]
    assert part.reason.endswith("below imports and the heads of what is around")
    shown = prefix()
    await desk.suggest(f"{code}        x = |")
    assert prefix() == shown
    desk.service.reset()
    desk.settings, _ = load({"context": {"sources": ["similar"]}})
    outcome = await desk.suggest(f"{code}        x|")
    assert shown.endswith(prefix())
    assert prefix().startswith("        self.")
    # A window that begins with the file shows all of that itself.
    desk.settings = Settings()
    short = "import os\n\n\n" + "a = 1\n" * 20
    await desk.suggest(f"{short}b|")
    assert short.startswith(prefix())
    assert prefix()


@pytest.mark.parametrize(
    ("raised", "reason"),
    [
        (EngineGone("the engine ended", "wait"), "engine_gone"),
        (EngineError("no room", "wait"), "engine_refused"),
        (TimeoutError(), "timeout"),
        (KeyError("code"), "failed"),
    ],
)
async def test_whatever_goes_wrong_is_an_empty_outcome(
    desk: Desk, raised: Exception, reason: str
) -> None:
    async def fail(request: Request) -> Completion:
        raise raised

    desk.engine.answer = fail  # type: ignore[method-assign]
    outcome = await desk.suggest("x = |\n")
    assert (outcome.suggestion, outcome.reason) == (None, reason)
    assert desk.metrics.counter(f"completion.empty.{reason}") == 1
    assert desk.engine.answers == 0


async def test_without_an_engine_nothing_is_waited_for(desk: Desk) -> None:
    desk.engine.there = False
    assert (await desk.suggest("x = |\n")).reason == "engine_not_ready"
    assert desk.engine.requests == []


async def test_slow_counts_leave_windows_to_estimates(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def never(texts: Sequence[str]) -> list[int]:
        await asyncio.Event().wait()
        return []

    monkeypatch.setattr(anchoring, "COUNT_SECONDS", 0.01)
    desk.engine.count = never  # type: ignore[method-assign]
    assert (await desk.suggest("x = |\n")).suggestion is not None
    assert desk.metrics.counter("anchor.estimated") == 1


async def test_the_newest_request_of_a_document_wins(desk: Desk) -> None:
    release = asyncio.Event()
    answer = desk.engine.answer

    async def slow(request: Request) -> Completion:
        await release.wait()
        return await answer(request)

    desk.engine.answer = slow  # type: ignore[method-assign]
    older = asyncio.create_task(desk.suggest("x = |\n"))
    await asyncio.sleep(0.01)
    newer = asyncio.create_task(desk.suggest("x = v|\n"))
    assert (await older).reason == "superseded"
    release.set()
    assert (await newer).suggestion is not None


async def test_a_cancelled_caller_cancels_the_engine(desk: Desk) -> None:
    cancelled = []

    async def slow(request: Request) -> Completion:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            cancelled.append(request)
            raise
        raise AssertionError

    desk.engine.answer = slow  # type: ignore[method-assign]
    task = asyncio.create_task(desk.suggest("x = |\n"))
    await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert len(cancelled) == 1
    assert desk.metrics.counter("completion.cancelled") == 1


async def test_the_card_can_be_had_without_asking(desk: Desk) -> None:
    document, offset = at_cursor("x = |\ny = 2\n")
    card = (await desk.service.preview(document, offset)).card
    assert [part.part for part in card.parts] == ["suffix", "typed"]
    assert desk.engine.requests == []
    assert not card.dropped
