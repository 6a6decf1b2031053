from __future__ import annotations

import pytest

from sidecar.completion.closers import scan


@pytest.mark.parametrize(
    ("text", "due", "still_open", "unmatched"),
    [
        ("foo(bar[", (), (")", "]"), ()),
        ("'(' + (", (), (")",), ()),
        (r"'a\'(", (), ("'",), ()),
        ('"""a "b" (', (), ('"""',), ()),
        ('"""a""" + (', (), (")",), ()),
        ("don't (", (), (")",), ()),
        ("f'(", (), ("'",), ()),
        ("x'\n(", (), (")",), ()),
        ("`a\n(", (), ("`",), ()),
        ("x)", (")",), (), ((1, ")"),)),
        ("(x))]", ("]", ")"), (), ((3, ")"), (4, "]"))),
        ("abc')", (")", "'"), (), ((3, "'"), (4, ")"))),
        ("x]", (")",), (")",), ()),
        ("})", (), (), ((0, "}"), (1, ")"))),
    ],
)
def test_what_is_open_and_what_is_closed(text, due, still_open, unmatched):
    found = scan(text, due)
    assert (found.open, found.unmatched) == (still_open, unmatched)
