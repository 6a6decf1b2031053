"""A session goes as planned, and what would be typed is taken where it is offered."""

from __future__ import annotations

import random

import pytest

from sidecar.bench.places import LATER, NEVER_SEEN, PAUSES, visit_places
from sidecar.bench.session import Package
from sidecar.bench.session_plan import Hole, Page, Rhythm, plan_visits, without
from sidecar.bench.session_play import Cost, Edit, Ghost, play, put, taken
from sidecar.bench.session_waits import Waits

FILES = {
    path: [
        f"def {path[0]}_{n}(value):" if n % 5 == 0 else f"    step_{n}(value)" for n in range(40)
    ]
    for path in ("a.py", "b.py", "c.py")
}
HOLES = {
    path: [Hole(n, tuple(lines[n : n + 2])) for n in (6, 16, 26)] for path, lines in FILES.items()
}
LEFT = {path: without(lines, HOLES[path]) for path, lines in FILES.items()}


class Clock:
    """Time that passes when somebody sleeps."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.now += seconds


class Script:
    """Offers what it is told to, and applies edits as an editor's server does."""

    def __init__(self, clock: Clock, *, offers: bool = False) -> None:
        self.waits = Waits()
        self.texts: dict[str, list[str]] = {}
        self.said: list[str] = []
        self.offers = offers
        self.offered: Ghost | None = None
        self._clock = clock

    def show(self, page: Page) -> None:
        self.texts.setdefault(page.path, list(page.lines))
        self.said.append(f"show {page.path}")

    def move(self, page: Page) -> None:
        self.offered = None

    def typed(self, page: Page, edit: Edit) -> None:
        self.waits.key(self._clock())
        self._apply(page, edit)
        self.waits.whole(self._clock() + 0.01)
        self.offered = None
        if self.offers:
            # What stood on this line, as a model that knows the file would say.
            fits = [line for line in FILES[page.path] if line.startswith(page.before)]
            text = fits[0] if fits and page.before.strip() else ""
            rest = text[len(page.before) :]
            self.offered = Ghost(rest, self._clock()) if rest else None

    def accepted(self, page: Page, edit: Edit) -> None:
        self.said.append("accepted")
        self.offered = None
        self._apply(page, edit)

    def filled(self, page: Page, edit: Edit) -> None:
        self._apply(page, edit)

    def ghost(self) -> Ghost | None:
        return self.offered

    def leave(self, page: Page) -> None:
        self.waits.left(self._clock())

    def save(self, page: Page) -> None:
        self.said.append(f"save {page.path}")

    async def settled(self) -> Cost:
        return Cost(2, asked=True)

    def _apply(self, page: Page, edit: Edit) -> None:
        lines = self.texts[page.path]
        line = lines[edit.line]
        lines[edit.line : edit.line + 1] = (
            line[: edit.start] + edit.text + line[edit.end :]
        ).split("\n")


@pytest.mark.parametrize("offers", [False, True])
async def test_all_is_written_whether_suggestions_are_taken_or_not(offers: bool) -> None:
    clock = Clock()
    typist = Script(clock, offers=offers)
    visits = list(plan_visits(HOLES, random.Random(4), Rhythm()))
    played = await play(visits, LEFT, typist, sleep=clock.sleep, clock=clock)
    assert typist.texts == FILES
    assert (played.accepted > 5) == offers
    assert played.accepted == typist.said.count("accepted")
    strokes = sum(len(visit.strokes) for visit in visits)
    assert played.keys == strokes if not offers else played.keys < strokes
    if not offers:
        assert played.seconds == pytest.approx(sum(visit.seconds for visit in visits))
    # A file is saved before another one is looked at.
    shown = [said for said in typist.said if said != "accepted"]
    assert [said.split()[0] for said in shown] == ["show", *["save", "show"] * (len(shown) // 2)]


@pytest.mark.parametrize(
    ("wanted", "offered", "expected"),
    [
        ("return x + 1", "return x + 1", "return x + 1"),
        ("return x + 1\n    next", "return x + 1", "return x + 1"),
        ("return x + 1\n    next", "return x + 1\n    next", "return x + 1\n    next"),
        ("return x + 1\n    next", "return x + 1\n    other", "return x + 1"),
        ("return x + 1", "return x", ""),
        ("return x", "return x + 1", ""),
        ("x)", "x)", ""),
        ("return x", "", ""),
    ],
)
def test_what_is_taken_of_a_suggestion(wanted: str, offered: str, expected: str) -> None:
    assert taken(wanted, offered) == expected


def test_a_suggestion_that_is_typed_along_stays_on_the_screen() -> None:
    ghost = Ghost("value", 3.0)
    assert ghost.typed_along("va") == Ghost("lue", 3.0)
    assert ghost.typed_along("value") is None
    assert ghost.typed_along("x") is None


def test_columns_count_as_editors_count() -> None:
    page = Page("a.py", ["x = '\N{GRINNING FACE}'"])
    page.go_to_end_of(0)
    assert put(page, ".") == Edit(0, 8, 8, ".")


async def test_places_of_every_kind_are_visited_and_their_blocks_written() -> None:
    clock = Clock()
    typist = Script(clock)
    package = Package(LEFT, HOLES, list(plan_visits(HOLES, random.Random(4))))
    samples = await visit_places(package, typist, 2, sleep=clock.sleep)
    counts = {kind: sum(one.kind == kind for one in samples) for kind in (*PAUSES, NEVER_SEEN)}
    assert counts == {"pause_2s": 2, "pause_1s": 2, "pause_0s": 2, NEVER_SEEN: 3}
    assert sum(one.kind == LATER for one in samples) == 9 * 5
    assert typist.texts == FILES
    assert all(one.visible_ms == pytest.approx(10.0) for one in samples)
