"""Generations under way, with an engine that says what a test wants when it wants."""

from __future__ import annotations

import asyncio
import gc
import weakref
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from cursor import at_cursor

from sidecar.completion.anchor import choose
from sidecar.completion.anchored import Anchored
from sidecar.completion.beginnings import ended
from sidecar.completion.cache import Terms
from sidecar.completion.generation import Generation
from sidecar.completion.speculation import accepted, first_line, same_line
from sidecar.completion.suggestion import Suggestion
from sidecar.context.head import Head
from sidecar.engine.messages import Completion, Request, Stats
from sidecar.errors import EngineGone

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

LINE = Terms(multiline=False, max_tokens=48)


class Voice:
    """Stands where `EngineClient` stands; says what it is told to say."""

    def __init__(self) -> None:
        self.state = SimpleNamespace(info=None)
        self.cancelled = 0
        self.waits: list[str] = []
        self._done: asyncio.Future[Completion] = asyncio.get_running_loop().create_future()
        self._on_text: Callable[[str], None] | None = None

    async def complete(self, request: Request, on_text: Callable[[str], None]) -> Completion:
        self._on_text = on_text
        try:
            return await self._done
        except asyncio.CancelledError:
            self.cancelled += 1
            raise

    def waited(self, document: str) -> None:
        self.waits.append(document)

    async def asked(self) -> None:
        await asyncio.sleep(0)
        await asyncio.sleep(0)

    async def say(self, text: str) -> None:
        await self.asked()
        assert self._on_text is not None
        self._on_text(text)
        await asyncio.sleep(0)

    def end(self, text: str, stop: str = "newline") -> None:
        self._done.set_result(Completion(text, Stats(stop=stop, total_ms=1e9)))

    def die(self) -> None:
        self._done.set_exception(EngineGone("gone", "wait"))


def begun(fixture: str, **more: Any) -> tuple[Generation, Voice, list[Completion | None]]:
    document, offset = at_cursor(fixture)
    generation = Generation(
        Anchored(choose(document, offset), Head()), Request("d", ()), LINE, **more
    )
    voice, ended = Voice(), []
    generation.begin(voice, ended.append)  # type: ignore[arg-type]
    return generation, voice, ended


async def test_a_newer_cursor_is_served_what_lies_beyond_it() -> None:
    generation, voice, ended = begun("x = |\n")
    first = asyncio.create_task(generation.follow("", False))
    await voice.say("val")
    heard: list[str] = []
    joining = generation.joining(*at_cursor("x = va|\n"))
    assert joining is not None and joining.ahead == "va"
    first.cancel()
    second = asyncio.create_task(generation.follow(joining.ahead, False, heard.append))
    await asyncio.sleep(0)
    await voice.say("value(")
    voice.end("value(1)")
    said = await second
    assert said is not None
    assert (said.text, said.stop) == ("lue(1)", "newline")
    assert heard == ["l", "lue("]
    assert said.stats.total_ms < 1e9, "its time began later"
    assert voice.cancelled == 0
    assert [c.text for c in ended if c] == ["value(1)"]


@pytest.mark.parametrize(
    ("said", "fixture", "ahead"),
    [
        ("", "x = |\n", ""),
        ("", "x = quite something|\n", "quite something"),
        ("val", "x = value|\n", "value"),
        ("value", "x = va|\n", "va"),
        # An editor closes what one opens.
        ("f(a)", "x = f(|)\n", "f("),
        ("f(a)", "x = f(a)|\n", "f(a)"),
        ("val", "x = vex|\n", None),
        ("val", "x =|\n", None),
        ("val", "x = v|y\n", None),
        ("val", "z = v|\n", None),
        ("val", "x = v|\nmore\n", None),
    ],
)
async def test_which_cursors_it_serves(said: str, fixture: str, ahead: str | None) -> None:
    generation, voice, _ = begun("x = |\n")
    if said:
        await voice.say(said)
    joining = generation.joining(*at_cursor(fixture))
    assert (joining and joining.ahead) == ahead
    await generation.end()
    assert voice.cancelled <= 1


async def test_it_lies_ahead_of_cursors_that_may_get_there() -> None:
    generation, voice, _ = begun("x = foo()|\n")
    await voice.say("\ny = 2")
    for fixture, ahead in [
        ("x = f|\n", True),
        ("x = foo()|\n", True),
        ("x = foo()\ny|\n", True),
        ("x = fa|\n", False),
        ("x = foo()\nz|\n", False),
        ("y = f|\n", False),
    ]:
        assert generation.lies_ahead(*at_cursor(fixture)) == ahead, fixture
    await generation.end()


async def test_who_waits_hears_at_once_when_it_comes_out_differently() -> None:
    generation, voice, ended = begun("x = |\n")
    waiting = asyncio.create_task(generation.follow("vo", False))
    await voice.say("v")
    assert not waiting.done()
    await voice.say("val")
    assert await waiting is None
    assert generation.under_way and ended == []
    waiting = asyncio.create_task(generation.follow("value and more", False))
    await asyncio.sleep(0)
    voice.end("value")
    assert await waiting is None, "it ended before it got there"


async def test_a_line_is_over_for_who_wants_one_and_more_is_generated() -> None:
    generation, voice, said = begun("x = 1|\n", guessed=True, enough=first_line)
    waiting = asyncio.create_task(generation.follow("", False))
    await voice.say("\n\n")
    line = await waiting
    assert line is not None
    assert (line.text, line.stop) == ("", "newline")
    assert generation.under_way
    await voice.say("\n\ny = 2\nz = 3")
    await asyncio.sleep(0.01)
    assert voice.cancelled == 1, "all that is wanted is there"
    assert [c.text for c in said if c] == ["\n\ny = 2"]
    assert [c.stats.stop for c in said if c] == ["newline"]
    assert await generation.said() == "\n\ny = 2"
    after = await generation.follow("\n\ny", False)
    assert after is not None and after.text == " = 2"


async def test_words_that_are_said_again_take_nothing_back() -> None:
    generation, voice, _ = begun("x = |\n")
    heard: list[str] = []
    waiting = asyncio.create_task(generation.follow("val", False, heard.append))
    for text in ("value(1", "va", "value", "value(1)"):
        await voice.say(text)
    assert heard == ["ue(1", "ue(1)"]
    voice.end("value(1)")
    assert (await waiting) is not None


async def test_a_death_reaches_who_waits_and_nobody_else() -> None:
    generation, voice, ended = begun("x = |\n")
    voice.die()
    with pytest.raises(EngineGone):
        await generation.follow("", False)
    assert ended == [None]
    assert not generation.under_way and not generation.followed


async def test_an_end_tells_the_engine() -> None:
    generation, voice, ended = begun("x = |\n")
    await voice.asked()
    await generation.end()
    assert (voice.cancelled, ended) == (1, [None])
    await generation.end()


@pytest.fixture
def uncollected() -> Iterator[None]:
    """Nothing is found by the garbage collector."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


@pytest.mark.parametrize("turns", [0, 1, 2, 3])
@pytest.mark.parametrize("end", ["cancelled", "answered", "died", "died and cancelled"])
@pytest.mark.parametrize("followed", [False, True])
@pytest.mark.usefixtures("uncollected")
async def test_one_that_ended_is_gone_at_once(turns: int, end: str, followed: bool) -> None:
    """However it ends, and when: before it began, before it asked, and while the engine works."""
    generation, voice, ended = begun("x = |\n")
    waits = asyncio.create_task(generation.follow("", False)) if followed else None
    for _ in range(turns):
        await asyncio.sleep(0)
    if "died" in end:
        voice.die()
    elif end == "answered":
        voice.end("1")
    if "cancelled" in end:
        generation.cancel()
    if waits is not None:
        await asyncio.wait((waits,))
        failure = waits.exception()
        assert (failure is not None) == (end == "died")
        assert failure is None or failure.args == ("gone", "wait")
        assert failure or (waits.result() is not None) == (end == "answered")
        del failure
    await generation.said()
    assert [one is not None for one in ended] == [end == "answered"]
    gone = weakref.ref(generation)
    del generation, voice, waits
    # The last turn of what waited for it.
    await asyncio.sleep(0)
    assert gone() is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", None),
        ("\n", None),
        ("\n    foo()", None),
        ("\n    foo()\n", "\n    foo()"),
        ("\n\n\nfoo()\nbar\n", "\n\n\nfoo()"),
        (" # c", None),
        (" # c\n", " # c"),
        (" # c\n  \nx\n", " # c"),
    ],
)
def test_what_is_enough_of_a_guess(text: str, expected: str | None) -> None:
    assert first_line(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [("", None), (" # c", None), (" # c\nx", " # c"), ("\n    foo()", "")],
)
def test_what_is_enough_of_a_guess_of_the_same_line(text: str, expected: str | None) -> None:
    assert same_line(text) == expected


def test_a_document_as_it_is_when_its_line_is_ended() -> None:
    there, cursor = ended(*at_cursor("x = 1|\ny\n"))
    assert (there.buffer.text, cursor) == ("x = 1\n\ny\n", 6)


def test_a_document_as_it_is_when_accepted() -> None:
    document, offset = at_cursor("foo(|)\nbar\n")
    made = Suggestion(0, offset + 1, "foo(x)", "x)", "foo(")
    there, cursor = accepted(document, made)
    assert there.buffer.text == "foo(x)\nbar\n"
    assert cursor == len("foo(x)")
    assert there.uri == document.uri


@pytest.mark.parametrize(("guessed", "told"), [(True, ["d"]), (False, [])])
async def test_the_engine_is_told_that_somebody_waits_for_a_guess(
    guessed: bool, told: list[str]
) -> None:
    generation, voice, _ = begun("x = |\n", guessed=guessed)
    await voice.asked()
    assert voice.waits == []
    following = asyncio.create_task(generation.follow("", False))
    await voice.asked()
    assert voice.waits == told
    voice.end("value")
    await following
