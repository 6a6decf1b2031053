"""What gets room, what gives way, where it stands, and what holds still."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from sidecar.context.fit import Budget, Dropped, Fitted, fit, texts_to_count
from sidecar.context.snapshot import Snippet

if TYPE_CHECKING:
    from sidecar.context.snapshot import Tier

#: The line of a path of four characters takes 2 tokens.
HEADER = 2
PLENTY = Budget(10_000)
NONE: dict[str, int] = {}


def code(name: str, lines: int = 4) -> str:
    """Text of 12 tokens a line that is like that of no other name."""
    rows = (f"{name}_{n:02} = {name}_call_{n:02}({name})" for n in range(lines))
    return "".join(f"{row:#<29.29}\n" for row in rows)


def snippet(
    name: str,
    source: str = "definitions",
    score: float = 1.0,
    tier: Tier = "extended",
    *,
    path: str = "",
    lines: int = 4,
    short: str = "",
) -> Snippet:
    path = path or f"{name[:1]}.py"
    text = code(name, lines)
    return Snippet(source, f"{source}:{path}:{name}", path, text, score, "near", short, tier)


def shown(fitted: Fitted) -> list[str]:
    return [kept.snippet.key.rpartition(":")[2] for kept in fitted.kept]


def reasons(fitted: Fitted) -> dict[str, str]:
    return {dropped.key.rpartition(":")[2]: dropped.reason for dropped in fitted.dropped}


def test_nothing_makes_nothing() -> None:
    assert fit([], PLENTY, NONE) == Fitted()
    assert texts_to_count([]) == []


def test_blocks_stand_in_the_order_of_how_seldom_they_change() -> None:
    names = ["viewed", "edits", "similar", "other", "members", "callees", "bases", "notes"]
    offers = [snippet(f"{name}{name}", name) for name in names]
    found = [kept.snippet.source for kept in fit(offers, PLENTY, NONE).kept]
    assert found == ["notes", "bases", "callees", "members", "similar", "edits", "viewed", "other"]


def test_snippets_of_one_file_stand_together_and_pay_for_its_name_once() -> None:
    a1, b1, a2 = snippet("a1", score=9), snippet("b1", score=5), snippet("a2", score=1)
    found = fit([a2, b1, a1], PLENTY, NONE)
    assert shown(found) == ["a1", "a2", "b1"]
    assert [kept.tokens for kept in found.kept] == [48 + HEADER, 48, 48 + HEADER]
    assert shown(fit([a2, b1, a1], Budget(3 * 48 + 2 * HEADER), NONE)) == ["a1", "a2", "b1"]
    assert shown(fit([a2, b1, a1], Budget(3 * 48 + 2 * HEADER - 1), NONE)) == ["a1", "b1"]


def test_counts_are_taken_where_there_are_any() -> None:
    one = snippet("aa")
    found = fit([one], Budget(7 + HEADER), {one.text: 7})
    assert [kept.tokens for kept in found.kept] == [7 + HEADER]


def test_the_extended_tier_shrinks_to_signatures_then_is_dropped() -> None:
    offers = [
        snippet("aa", score=9),
        snippet("bb", score=8, short="def bb(): ...\n"),
        snippet("cc", score=7, short="def cc(): ...\n"),
    ]
    found = fit(offers, Budget(48 + 2 * HEADER + 6), NONE)
    assert shown(found) == ["aa", "bb"]
    kept = found.kept[1]
    assert (kept.text, kept.whole, kept.note) == ("def bb(): ...\n", False, "signatures only")
    key, tokens = "definitions:c.py:cc", 48 + HEADER
    assert found.dropped == (Dropped("definitions", key, "c.py", "no room", tokens),)


def test_the_background_is_dropped_first_and_has_a_limit() -> None:
    offers = [
        snippet("aa", "viewed", 9, "background"),
        snippet("bb", "viewed", 8, "background"),
        snippet("cc", "callees", 0.1),
    ]
    assert shown(fit(offers, Budget(48 + HEADER), NONE)) == ["cc"]
    found = fit(offers, Budget(1_000, 48 + HEADER), NONE)
    assert shown(found) == ["cc", "aa"]
    assert reasons(found) == {"bb": "no room in what the background may take"}


def test_core_comes_first_and_is_cut_only_by_the_whole_budget() -> None:
    offers = [snippet("aa", score=9), snippet("bb", "members", 0.1, "core", lines=10)]
    found = fit(offers, Budget(10 * 12 + HEADER), NONE)
    assert shown(found) == ["bb"]
    assert found.kept[0].whole
    found = fit(offers, Budget(5 * 12 + HEADER + 11), NONE)
    assert found.kept[0].text == code("bb", 10)[: 5 * 30]
    assert found.kept[0].note == "cut after 5 of 10 lines, where the room ends"
    assert found.kept[0].tokens == 5 * 12 + HEADER
    # Denser than an estimate tells.
    found = fit(offers, Budget(5 * 12 + HEADER), {offers[1].text: 240})
    assert found.kept[0].text.count("\n") == 2
    assert fit(offers, Budget(3), NONE).kept == ()
    assert fit(offers, Budget(0), NONE).kept == fit(offers, Budget(-5), NONE).kept == ()


def test_sources_are_weighed_by_their_best() -> None:
    # Scores of 1,000 and of 0.001 mean the same: the best of its source.
    offers = [snippet("aa", "callees", 1_000), snippet("bb", "definitions", 0.001)]
    assert shown(fit(offers, Budget(50), NONE)) == ["bb"]
    offers = [snippet("aa", score=float("nan")), snippet("bb", score=1), snippet("cc", score=-4)]
    assert shown(fit(offers, PLENTY, NONE)) == ["bb", "aa", "cc"]


def test_what_the_file_shows_or_a_better_snippet_is_not_shown_again() -> None:
    one, same = snippet("aa", score=9), replace(snippet("bb"), text=code("aa"))
    found = fit([one, same, snippet("cc")], PLENTY, NONE, seen=["x = 1\n", "y\n" + code("cc")])
    assert shown(found) == ["aa"]
    assert reasons(found) == {
        "bb": "nearly the same as what is shown of a.py",
        "cc": "the current file's part shows nearly the same",
    }


def test_data_is_cut_before_anything_is_counted() -> None:
    rows = "".join(f"    {n}, {n},\n" for n in range(60))
    one = replace(snippet("aa"), text=f"TABLE = [\n{rows}]\n", short=code("aa"))
    found = fit([one], PLENTY, NONE)
    assert found.kept[0].text.count("\n") == 6
    assert found.kept[0].note == "data or long literals cut"
    assert texts_to_count([one]) == [found.kept[0].text, code("aa")]
    nothing = replace(one, text="\n  \n", short="")
    assert list(reasons(fit([nothing], PLENTY, NONE)).values()) == [
        "holds nothing but data, a licence or blanks"
    ]
    assert texts_to_count([nothing]) == []


def test_one_key_is_shown_once() -> None:
    one = snippet("aa", score=1)
    better = replace(one, text=code("bb"), score=2)
    found = fit([one, better], PLENTY, NONE)
    assert [kept.text for kept in found.kept] == [code("bb")]
    assert reasons(found) == {"aa": "offered twice"}


def test_only_so_many_candidates_are_looked_at() -> None:
    offers = [snippet(f"n{n:03}", score=1_000 - n) for n in range(200)]
    found = fit(offers, Budget(100_000), NONE)
    assert len(found.kept) == len(texts_to_count(offers)) == 128
    assert set(reasons(found).values()) == {"more candidates than are looked at"}


OFFERS = [snippet(2 * letter, score=9 - n) for n, letter in enumerate("abcd")]
BEFORE = fit(OFFERS, PLENTY, NONE)


def again(offers: list[Snippet], budget: Budget = PLENTY, before: Fitted = BEFORE) -> Fitted:
    return fit(offers, budget, NONE, previous=before)


def test_what_is_shown_keeps_its_place_and_what_is_new_comes_behind_its_block() -> None:
    new = [snippet("ee", score=99), snippet("ff", "bases"), snippet("gg", "similar")]
    similar = snippet("ss", "similar")
    before = again([*OFFERS, similar])
    found = again([*new, *OFFERS, similar], before=before)
    assert shown(found) == ["aa", "bb", "cc", "dd", "ff", "ee", "ss", "gg"]
    assert found.unchanged == 4
    assert again(OFFERS).unchanged == 4


def test_what_is_gone_closes_up() -> None:
    found = again([OFFERS[3], OFFERS[0], OFFERS[2]])
    assert (shown(found), found.unchanged, found.dropped) == (["aa", "cc", "dd"], 1, ())


def test_a_changed_text_stays_in_its_place() -> None:
    changed = replace(OFFERS[1], text=code("xx"))
    found = again([changed, *OFFERS[:1], *OFFERS[2:]])
    assert (shown(found), found.unchanged) == (["aa", "bb", "cc", "dd"], 1)
    assert found.kept[1].text == code("xx")


def test_what_moved_within_its_file_takes_the_place_of_what_it_was() -> None:
    moved = snippet("bbb", path="b.py", score=0.1)
    found = again([OFFERS[0], moved, *OFFERS[2:]])
    assert (shown(found), found.unchanged) == (["aa", "bbb", "cc", "dd"], 1)


@pytest.mark.parametrize(("score", "wins"), [(1.0, False), (1.4, False), (1.6, True)])
def test_only_what_is_clearly_better_takes_the_room_of_what_is_shown(
    score: float, wins: bool
) -> None:
    budget = Budget(2 * 48 + 2 * HEADER)
    best, old, new = snippet("aa", score=2), snippet("bb"), snippet("cc", score=score)
    before = fit([best, old], budget, NONE)
    found = fit([best, old, new], budget, NONE, previous=before)
    assert shown(found) == ["aa", "cc" if wins else "bb"]
    # Without a past the better one wins, if it is only a little better.
    if 1 < score:
        assert shown(fit([best, old, new], budget, NONE)) == ["aa", "cc"]


def test_signatures_grow_where_nothing_has_to_move_for_it() -> None:
    offers = [snippet("aa", score=9), snippet("bb", short="def bb(): ...\n"), snippet("cc")]
    tight = Budget(2 * 48 + 3 * HEADER + 10)
    before = fit(offers[:2], Budget(48 + 2 * HEADER + 10), NONE)
    assert [kept.whole for kept in before.kept] == [True, False]
    # Room for all, but little more: what stands still stays.
    enough = Budget(2 * 48 + 2 * HEADER + 5)
    assert [kept.whole for kept in again(offers[:2], enough, before).kept] == [True, False]
    # Before it something changed, so it is evaluated again anyway.
    changed = [replace(offers[0], text=code("xx")), offers[1]]
    assert [kept.whole for kept in again(changed, enough, before).kept] == [True, True]
    # There is plenty of room.
    assert [kept.whole for kept in again(offers[:2], PLENTY, before).kept] == [True, True]
    assert shown(again(offers, tight, before)) == ["aa", "bb", "cc"]


def test_the_order_of_candidates_does_not_matter() -> None:
    generator = random.Random(5)
    offers = [snippet(f"n{n:02}", score=n % 3, path=f"{n % 4}.py") for n in range(24)]
    expected = fit(offers, Budget(600), NONE)
    for _ in range(20):
        generator.shuffle(offers)
        assert fit(offers, Budget(600), NONE) == expected
        assert sorted(texts_to_count(offers)) == sorted(one.text for one in offers)


def test_what_stood_beside_its_like_stays_there() -> None:
    part = snippet("aa", score=2)
    both = replace(snippet("bb", score=1.9), text=code("aa") + code("bb"))
    before = fit([part, both], PLENTY, NONE)
    assert shown(before) == ["aa", "bb"]
    # Now the one that holds the other is the better one.
    turned = [replace(part, score=1.9), replace(both, score=2)]
    assert shown(fit(turned, PLENTY, NONE)) == ["bb"]
    assert shown(again(turned, before=before)) == ["aa", "bb"]


def test_a_file_that_is_split_by_what_is_new_pays_for_both_names() -> None:
    last, first = snippet("aa", path="p.py"), snippet("bb", "similar", path="p.py")
    before = fit([last, first], PLENTY, NONE)
    assert [kept.tokens for kept in before.kept] == [48 + HEADER, 48]
    new = snippet("cc", score=0.9, path="q.py")
    room = 3 * 48 + 3 * HEADER
    found = again([last, first, new], Budget(room), before)
    assert shown(found) == ["aa", "cc", "bb"]
    assert sum(kept.tokens for kept in found.kept) == room
    assert shown(again([last, first, new], Budget(room - 1), before)) == ["aa", "bb"]


def test_the_name_of_a_file_counts_in_what_the_background_may_take() -> None:
    offers = [snippet("aa", "viewed", tier="background")]
    assert shown(fit(offers, Budget(1_000, 48 + HEADER), NONE)) == ["aa"]
    assert shown(fit(offers, Budget(1_000, 48 + HEADER - 1), NONE)) == []
