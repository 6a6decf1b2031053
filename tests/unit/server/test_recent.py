"""Edited regions follow the text, and what was looked at is kept in order."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sidecar.context.snapshot import Edit, Viewed
from sidecar.server.recent import Recent
from sidecar.text import Buffer, Document

TEN = "".join(f"line {n}\n" for n in range(10))


def document(text: str) -> Document:
    return Document("file:///a.py", "/a.py", "python", 1, Buffer.of(text))


def edited(recent: Recent, before: Document, start: int, end: int, text: str) -> Document:
    after = replace(before, buffer=before.buffer.edit(start, end, text))
    recent.edited("a.py", before, after)
    return after


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        # Each change: first line, lines that are replaced, their text.
        ([(3, 1, "new\n")], [(3, 3)]),
        ([(3, 1, "new\nand more\n")], [(3, 4)]),
        ([(0, 0, "")], []),
        ([(8, 1, "new\n"), (1, 1, "other\n")], [(1, 1), (8, 8)]),
        # What is edited above moves a region, and what is edited below does not.
        ([(8, 1, "new\n"), (1, 0, "a\nb\n")], [(1, 3), (10, 10)]),
        ([(8, 1, "new\n"), (1, 2, "")], [(1, 1), (6, 6)]),
        ([(1, 1, "new\n"), (8, 2, "")], [(8, 8), (1, 1)]),
        # Close to each other they are one.
        ([(2, 1, "new\n"), (4, 1, "new\n")], [(2, 4)]),
        # A region that is replaced whole is gone.
        ([(5, 1, "new\n"), (0, 10, "all\n")], [(0, 0)]),
        # In it, it grows.
        ([(2, 1, "a\nb\nc\n"), (3, 1, "x\ny\n")], [(2, 5)]),
    ],
)
def test_regions(changes: list[tuple[int, int, str]], expected: list[tuple[int, int]]) -> None:
    recent, current = Recent(), document(TEN)
    for first, count, text in changes:
        buffer = current.buffer
        start, end = buffer.line_start(first), buffer.line_start(first + count)
        current = edited(recent, current, start, end, text)
    found = [(edit.first_line, edit.last_line) for edit in recent.edits]
    # A change of whole lines may count the line that follows it.
    assert len(found) == len(expected)
    for (first, last), (wanted_first, wanted_last) in zip(found, expected, strict=True):
        assert first == wanted_first
        assert wanted_last <= last <= wanted_last + 1


def test_a_changed_checkout_is_no_edit() -> None:
    recent = Recent()
    edited(recent, document(""), 0, 0, "line\n" * 1_000)
    assert recent.edits == ()


@given(
    st.lists(
        st.tuples(
            st.integers(0, 400), st.integers(0, 30), st.sampled_from(["", "x", "y\n", "\n" * 4])
        ),
        max_size=30,
    )
)
def test_regions_stay_inside_and_apart(changes: list[tuple[int, int, str]]) -> None:
    recent, current = Recent(), document("".join(f"line {n}\n" for n in range(40)))
    for at, length, text in changes:
        start = min(at, len(current.buffer))
        end = min(start + length, len(current.buffer))
        before = current
        current = edited(recent, current, start, end, text)
        if current.buffer.text != before.buffer.text:
            # Outside of the newest region both texts are the same.
            newest = recent.edits[0]
            old, new = before.buffer.text.split("\n"), current.buffer.text.split("\n")
            assert old[: newest.first_line] == new[: newest.first_line]
            below = len(new) - newest.last_line - 1
            assert old[len(old) - below :] == new[len(new) - below :]
        for edit in recent.edits:
            assert 0 <= edit.first_line <= edit.last_line < current.buffer.line_count
        regions = sorted((edit.first_line, edit.last_line) for edit in recent.edits)
        assert all(one[1] < other[0] for one, other in pairwise(regions))


@given(st.integers(0, 39), st.integers(0, 39), st.integers(0, 5), st.integers(0, 5))
def test_an_edited_line_is_still_covered_after_one_elsewhere(
    line: int, other: int, removed: int, added: int
) -> None:
    recent, current = Recent(), document("".join(f"line {n}\n" for n in range(40)))
    buffer = current.buffer
    current = edited(recent, current, buffer.line_start(line), buffer.line_end(line), "MARK")
    first, last = other, min(other + removed, 40)
    if first <= line < last:
        return
    buffer = current.buffer
    start, end = buffer.line_start(first), buffer.line_start(last)
    current = edited(recent, current, start, end, "new\n" * added)
    marked = current.buffer.text.split("\n").index("MARK")
    assert any(edit.first_line <= marked <= edit.last_line for edit in recent.edits)


def test_views_are_the_newest_first() -> None:
    recent = Recent()
    recent.looked("a.py")
    recent.looked("b.py", 7)
    recent.looked("a.py", 3)
    # A file that is opened again keeps the line that is known.
    recent.looked("b.py")
    assert recent.viewed == (Viewed("b.py", 7), Viewed("a.py", 3))
    edited(recent, document(TEN), 0, 4, "lime")
    assert recent.viewed[0] == Viewed("a.py", 0)
    recent.removed("a.py")
    assert recent.viewed == (Viewed("b.py", 7),)
    assert recent.edits == ()


def test_what_is_kept_is_bounded() -> None:
    recent = Recent()
    for number in range(500):
        recent.looked(f"{number}.py", number)
        before = document(TEN)
        after = replace(before, buffer=before.buffer.edit(0, 0, "x"))
        recent.edited(f"{number}.py", before, after)
    assert len(recent.viewed) == 16
    assert len(recent.edits) == 64
    assert recent.edits[0] == Edit("499.py", 0, 0)
