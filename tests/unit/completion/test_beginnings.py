"""What is learned from how somebody begins at the ends of lines."""

from __future__ import annotations

from dataclasses import replace

import pytest
from cursor import at_cursor

from sidecar.completion.beginnings import Beginnings


def seen(*edits: tuple[str, str]) -> Beginnings:
    """Somebody comes to `|` and types something, again and again."""
    beginnings = Beginnings()
    for fixture, typed in edits:
        document, offset = at_cursor(fixture)
        beginnings.came(document, offset)
        buffer = document.buffer.edit(offset, offset, typed)
        beginnings.edited(replace(document, buffer=buffer), offset + len(typed))
    return beginnings


OPENS, OPENS_BLANK, OPENS_CRLF = ("x = 1|\n", "\n    "), ("a\n|\n", "\n"), ("x|\r\n", "\r\n")
GOES_ON, BEFORE_CODE, DELETES = ("x = 1|\n", " + 2"), ("x = |1\n", "\n"), ("x = 1|\n", "")


@pytest.mark.parametrize(
    ("edits", "new_line"),
    [
        ([], False),
        ([OPENS], False),
        ([OPENS, OPENS], True),
        ([OPENS, OPENS_BLANK, OPENS_CRLF], True),
        ([OPENS, BEFORE_CODE, DELETES], False),
        ([OPENS, OPENS, GOES_ON], False),
        ([GOES_ON] * 9 + [OPENS] * 2, False),
        ([GOES_ON] * 9 + [OPENS] * 5, True),
    ],
)
def test_what_is_expected_at_the_end_of_a_line(
    edits: list[tuple[str, str]], new_line: bool
) -> None:
    assert seen(*edits).new_line is new_line


def test_only_the_first_edit_after_the_cursor_came_counts() -> None:
    document, offset = at_cursor("x = 1|\n")
    beginnings = Beginnings()
    beginnings.came(document, offset)
    for _ in range(9):
        buffer = document.buffer.edit(offset, offset, "\n")
        beginnings.edited(replace(document, buffer=buffer), offset + 1)
    assert not beginnings.new_line
    # Nor does one in another document.
    other, _ = at_cursor("x = 1|\n\n\n", path="/w/other.py")
    for _ in range(9):
        beginnings.came(document, offset)
        beginnings.edited(other, offset + 2)
    assert not beginnings.new_line
