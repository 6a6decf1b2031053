from __future__ import annotations

import pytest

from sidecar.completion.lines import at_most, growing_at_most
from sidecar.completion.suggestion import Suggestion


def suggestion(shown: str, *, closers: int = 0) -> Suggestion:
    return Suggestion(100, 103 + closers, "if " + shown, shown, "if ")


@pytest.mark.parametrize(
    ("shown", "lines", "kept"),
    [
        ("a:\n    b\n    c", 0, "a:\n    b\n    c"),
        ("a:\n    b\n    c", 3, "a:\n    b\n    c"),
        ("a:\n    b\n    c", 2, "a:\n    b"),
        ("a:\r\n    b\r\n    c", 1, "a:"),
        ("\n    b\n    c", 1, "\n    b"),
        ("a\n\n\nb\n", 1, "a"),
        ("a\n\n\nb\n", 2, "a\n\n\nb\n"),
    ],
)
def test_lines_with_something_to_see_are_counted(shown, lines, kept):
    cut = at_most(suggestion(shown), lines)
    assert (cut.shown, cut.insert, cut.end) == (kept, "if " + kept, 103)


def test_closers_stay_where_they_are_when_their_line_is_left_out():
    assert at_most(suggestion("f(\n    a,\n)", closers=1), 2).end == 103
    assert at_most(suggestion("f(a)", closers=1), 2).end == 104


def test_what_grows_is_told_of_while_it_has_no_more_lines():
    told: list[str] = []
    show = growing_at_most(lambda so_far: told.append(so_far.shown), 1)
    assert show is not None
    for shown in ("a", "a b", "a b\n", "a b\n    c", "a b\n    c d"):
        show(suggestion(shown))
    assert told == ["a", "a b", "a b\n"]
    assert growing_at_most(None, 1) is None
