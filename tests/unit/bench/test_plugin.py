"""The peer's plugin shows, remembers and collects as it is told of."""

from __future__ import annotations

import random

import pytest

from sidecar.bench.plugin import Answers, Ring, local_context, shown
from sidecar.bench.session_plan import Page


def page_at(text: str) -> Page:
    """Make a page of a text with `|` for the cursor."""
    before, _, after = text.partition("|")
    page = Page("a.py", (before + after).split("\n"))
    page.line, page.column = before.count("\n"), len(before.rpartition("\n")[2])
    return page


def test_the_text_around_a_cursor() -> None:
    local = local_context(page_at("one\n    two = |)\nthree"))
    assert (local.prefix, local.middle, local.suffix) == ("one\n", "    two = ", ")\nthree\n")
    assert local.indent == 4


def test_a_blank_line_is_written_from_its_start() -> None:
    local = local_context(page_at("one\n    |\nthree"))
    assert (local.prefix, local.middle, local.suffix) == ("one\n", "", "\nthree\n")
    assert local.indent == 0


def test_what_is_asked_as_if_a_suggestion_were_taken() -> None:
    one = local_context(page_at("a\nb = |\nc"), ["1 + 2"], indent=0)
    assert (one.prefix, one.middle, one.suffix) == ("a\n", "b = 1 + 2", "\nc\n")
    several = local_context(page_at("a\nb = |\nc"), ["(", "  1,", ")"], indent=2)
    assert (several.prefix, several.middle) == ("a\nb = (\n  1,\n", ")")
    assert several.indent == 2


def test_windows_are_256_lines_above_and_64_below() -> None:
    lines = [f"line {n}" for n in range(600)]
    page = Page("a.py", lines)
    page.go_to_end_of(300)
    local = local_context(page)
    assert local.prefix.split("\n")[0] == "line 44"
    assert local.suffix.split("\n")[-2] == "line 364"


def test_an_answer_is_found_while_it_is_typed_along() -> None:
    answers = Answers()
    answers.add(local_context(page_at("a\nb = |\nc")), "value + 1")
    assert answers.find(local_context(page_at("a\nb = |\nc"))) == "value + 1"
    assert answers.find(local_context(page_at("a\nb = val|\nc"))) == "ue + 1"
    # Then it is known for there as well.
    assert answers.has(local_context(page_at("a\nb = val|\nc")))
    assert answers.find(local_context(page_at("a\nb = vax|\nc"))) is None
    assert answers.find(local_context(page_at("a\nb = value + 1|\nc"))) is None
    assert answers.find(local_context(page_at("a\nb = |\nd"))) is None


def test_an_answer_is_found_when_its_first_lines_were_scrolled_away() -> None:
    answers = Answers()
    answers.add(local_context(page_at("one\ntwo\nb = |\nc")), "1")
    assert answers.has(local_context(page_at("two\nb = |\nc")))


def test_the_oldest_answers_are_forgotten() -> None:
    answers = Answers()
    for number in range(300):
        answers.add(local_context(page_at(f"b{number} = |")), "1")
    assert answers.find(local_context(page_at("b0 = |"))) is None
    assert answers.find(local_context(page_at("b299 = |"))) == "1"


@pytest.mark.parametrize(
    ("text", "content", "expected"),
    [
        ("a = |\nb", "1 + 2", "1 + 2"),
        ("a = |\nb", "1 + 2\n\n", "1 + 2"),
        ("a = |\nb", "", ""),
        # What stands there already is not shown.
        ("a = (|)\nb", ")", ""),
        ("a = 1|\nb\nc", "\nb\nc", ""),
        ("|\nb = 1\nc = 2", "b = 1\nc = 2", ""),
        ("|\nb = 1\nc = 2", "b = 1", ""),
        ("|\nb = 1\nc = 2", "b = 1\nc =", ""),
        ("|\nb = 1\nc = 2", "b = 1\nd = 2", "b = 1\nd = 2"),
        # The indentation that stands there is not written twice.
        ("if a:\n    |\nb", "    c = 1", "c = 1"),
        ("if a:\n    |\nb", "c = 1", "c = 1"),
    ],
)
def test_what_is_shown_of_an_answer(text: str, content: str, expected: str) -> None:
    assert shown(page_at(text), content).text == expected


def test_the_ring_takes_one_chunk_at_a_time() -> None:
    ring = Ring(random.Random(1))
    assert not ring.update()
    ring.pick(["a", "b"])
    assert not ring.update(), "too small"
    ring.pick(["a", "b", "c"])
    ring.pick(["a", "b", "c"])
    assert ring.extra() == []
    assert ring.update()
    assert [chunk["text"] for chunk in ring.extra()] == ["a\nb\nc\n"]
    ring.pick(["a", "b", "c"])
    assert not ring.update(), "it is there already"


def test_a_chunk_takes_the_place_of_one_that_is_much_alike() -> None:
    ring = Ring(random.Random(1))
    lines = [f"line {n}" for n in range(30)]
    ring.pick(lines)
    assert ring.update()
    ring.pick([*lines[:-1], "another"])
    assert ring.extra() == []
    assert ring.update()
    assert len(ring.extra()) == 1


def test_a_chunk_of_a_long_text_is_half_as_long_as_may_be() -> None:
    ring = Ring(random.Random(1))
    page = Page("a.py", [f"line {n}" for n in range(400)])
    page.go_to_end_of(200)
    ring.pick_around(page)
    assert ring.update()
    lines = ring.extra()[0]["text"].splitlines()
    assert len(lines) == 32
    assert 168 <= int(lines[0].split()[1]) <= 201


def test_the_ring_holds_sixteen_chunks() -> None:
    ring = Ring(random.Random(1))
    for number in range(20):
        ring.pick([f"{number} {n}" for n in range(3)])
        assert ring.update()
    assert [chunk["text"][:2] for chunk in ring.extra()][:1] == ["4 "]
    assert len(ring.extra()) == 16
