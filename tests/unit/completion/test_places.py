"""The anchors of a document: those used before serve again, and guesses are accounted for."""

from __future__ import annotations

from cursor import at_cursor

from sidecar.completion.anchor import choose
from sidecar.completion.places import Kept, Places
from sidecar.context.head import Head
from sidecar.telemetry import Metrics

URI = "file:///w/a.py"


def kept(place: int) -> Kept:
    document, offset = at_cursor("a = 1\n" * place + "|" + "b = 2\n" * 9)
    return Kept(choose(document, offset).anchor, Head())


class Desk:
    def __init__(self) -> None:
        self.now = 1000.0
        self.metrics = Metrics()
        self.places = Places(self.metrics, lambda: self.now)

    def counted(self, *names: str) -> tuple[int, ...]:
        return tuple(self.metrics.counter(f"warming.{name}") for name in names)


def test_places_used_before_come_after_the_one_in_use() -> None:
    desk = Desk()
    made = [kept(number) for number in range(6)]
    for one in made:
        desk.places.use(URI, one, 3)
    assert desk.places.current(URI) is made[5]
    assert desk.places.of(URI) == [made[5], made[4], made[3], made[2]]
    # Coming back takes it out of the others.
    again = Kept(made[3].anchor, made[3].head)
    desk.places.use(URI, again, None)
    assert desk.places.of(URI) == [made[3], made[5], made[4], made[2]]
    assert made[3].typed_tokens == 3
    desk.now += 601
    assert desk.places.of(URI) == [made[3]]
    desk.places.forget(URI)
    assert desk.places.of(URI) == []
    assert desk.counted("guesses", "hits", "misses") == (0, 0, 0)


def test_a_guess_is_a_hit_once_and_what_is_dropped_was_wasted() -> None:
    desk = Desk()
    made = [kept(number) for number in range(9)]
    desk.places.use(URI, made[0], 1)
    for one in made[1:8]:
        desk.places.guess(URI, one, "blank_line")
        desk.places.spent(URI, one.anchor, one.head, 100)
    assert desk.places.of(URI) == [made[0], *reversed(made[2:8])]
    assert desk.counted("guesses", "misses", "wasted_tokens") == (7, 1, 100)
    for _ in range(2):
        desk.places.use(URI, Kept(made[3].anchor, made[3].head), 7)
    assert desk.counted("hits", "hits.blank_line", "used_tokens") == (1, 1, 100)
    assert desk.places.current(URI) is made[3]
    # What is evaluated for a place where somebody is by now was of use.
    desk.places.spent(URI, made[3].anchor, made[3].head, 5)
    desk.places.spent(URI, made[8].anchor, made[8].head, 6)
    assert desk.counted("used_tokens", "wasted_tokens") == (105, 106)
    desk.places.clear()
    assert desk.counted("misses", "wasted_tokens") == (6, 606)


def test_what_is_kept_where_the_user_is_foretells_nothing() -> None:
    desk = Desk()
    made = [kept(number) for number in range(4)]
    for one, reason in zip(made, ("whole", "late", "short", "cursor"), strict=True):
        desk.places.guess(URI, one, reason)
    assert desk.counted("guesses", "guesses.whole", "guesses.cursor") == (1, 1, 1)
    for one in (made[0], made[3]):
        desk.places.use(URI, Kept(one.anchor, one.head), 1)
    assert desk.counted("hits", "hits.whole", "hits.cursor") == (1, 1, 1)
    desk.places.clear()
    assert desk.counted("misses", "misses.late", "misses.short") == (0, 1, 1)


def test_what_the_engine_does_not_hold_is_not_evaluated() -> None:
    desk = Desk()
    made = [kept(number) for number in range(3)]
    for name, one in enumerate(made, 1):
        one.name, one.held = name, 4
        desk.places.use(URI, one, 1)
    made[1].outdated = True
    desk.places.lose(URI, {1})
    assert [one.held for one in made] == [4, -1, -1]
