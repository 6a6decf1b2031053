"""A session writes back exactly what was taken out, and the same seed gives the same session."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from sidecar.bench.session_plan import (
    Page,
    Rhythm,
    Visit,
    choose_holes,
    keys_of,
    plan_visits,
    without,
)


def source(functions: int) -> list[str]:
    lines = ["import json", ""]
    for number in range(functions):
        lines += [
            "",
            f"def load_{number}(path):",
            f'    text = read_text(path, "{number}")',
            "    # A comment is not typed again.",
            f"    found = json.loads(text)[{number}]",
            "    for item in found:",
            "        item.update(path=path)",
            "    return found",
        ]
    return lines


def planned(seed: int, most: int = 6) -> tuple[dict[str, list[str]], dict[str, list], list[Visit]]:
    rng = random.Random(seed)
    files = {f"{name}.py": source(size) for name, size in (("a", 12), ("b", 9))}
    holes = {path: choose_holes(lines, most, rng) for path, lines in files.items()}
    return files, holes, list(plan_visits(holes, rng))


@pytest.mark.parametrize("seed", range(20))
def test_the_strokes_put_every_hole_back(seed: int) -> None:
    files, holes, visits = planned(seed)
    pages = {path: Page(path, without(lines, holes[path])) for path, lines in files.items()}
    assert all(pages[path].lines != files[path] for path in files)
    for visit in visits:
        page = pages[visit.path]
        for glance in visit.glances:
            page.go_to_end_of(glance.line)
        page.go_to_end_of(visit.line)
        for stroke in visit.strokes:
            if stroke.text:
                page.insert(stroke.text)
            else:
                page.take_back()
    assert {path: page.lines for path, page in pages.items()} == files


@pytest.mark.parametrize("seed", range(5))
def test_strokes_say_how_much_of_the_text_stands_there(seed: int) -> None:
    _, _, visits = planned(seed)
    slips = 0
    for visit in visits:
        there = ""
        for stroke in visit.strokes:
            correct = there[:-1] if stroke.slip else there
            assert correct == visit.text[: stroke.done]
            assert visit.text.startswith(correct)
            there = there + stroke.text if stroke.text else there[:-1]
            slips += stroke.slip
        assert there == visit.text
    assert slips


def test_the_same_seed_gives_the_same_session() -> None:
    assert planned(3) == planned(3)
    assert planned(3)[2] != planned(4)[2]


def test_holes_are_code_in_bodies_apart_from_each_other() -> None:
    lines = source(20)
    holes = choose_holes(lines, 30, random.Random(1))
    assert len(holes) > 5
    for hole in holes:
        assert lines[hole.line : hole.line + len(hole.lines)] == list(hole.lines)
        assert all(line.startswith("    ") and "#" not in line for line in hole.lines)
    starts = [hole.line for hole in holes]
    assert starts == sorted(starts)
    assert min(after - before for before, after in pairwise(starts)) >= 10


def test_pauses_are_cut() -> None:
    rhythm = Rhythm(longest=0.2)
    holes = {"a.py": choose_holes(source(12), 5, random.Random(2))}
    (first, *_) = plan_visits(holes, random.Random(2), rhythm)
    waits = [stroke.wait for stroke in first.strokes]
    assert max(waits) == 0.2
    assert first.seconds == pytest.approx(
        sum(waits) + first.rest + sum(one.wait for one in first.glances)
    )


def test_a_key_that_ends_a_line_indents_the_next() -> None:
    assert list(keys_of("\n    a\n\tb")) == ["\n    ", "a", "\n\t", "b"]


def test_a_page_holds_the_cursor_behind_what_was_put_there() -> None:
    page = Page("a.py", ["one(", "two"])
    page.go_to_end_of(0)
    page.insert("1,\n  2")
    assert (page.lines, page.line, page.column) == (["one(1,", "  2", "two"], 1, 3)
    page.take_back()
    assert (page.lines, page.before) == (["one(1,", "  ", "two"], "  ")
