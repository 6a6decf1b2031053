"""Complaint 14: the next line or existing code is repeated, or a closing bracket doubled.

continuedev/continue#4721; sourcegraph/cody#264, #334, #1294.
"""

from __future__ import annotations

import pytest
from cursor import at_cursor

from sidecar.completion.closers import closers_after
from sidecar.completion.finish import finish
from sidecar.completion.suggestion import Refusal, Suggestion


@pytest.mark.parametrize("opener,closer", ["()", "[]", "{}", '""', "''", "``"])
@pytest.mark.parametrize("rest", ["", ")", ";", ") + 1", "  "])
def test_no_closing_bracket_is_doubled(opener, closer, rest):
    document, offset = at_cursor(f"call(1, {opener}|{closer}{rest}\nnext_line = 1\n")
    found = finish(f"value{closer}", document, offset, closers_after(document.buffer, offset))
    assert isinstance(found, Suggestion)
    after = document.buffer.edit(found.start, found.end, found.insert)
    assert after.line(0) == f"call(1, {opener}value{closer}{rest}"


def test_the_next_line_is_not_offered():
    document, offset = at_cursor("def f(a):\n    |\n    return a * 2\n")
    assert finish("return a * 2", document, offset) == Refusal("repeats_next_line")


def test_existing_code_is_not_repeated_after_new_code():
    fixture = "def f(a):\n    |\n    total = sum(a)\n    return total\n"
    document, offset = at_cursor(fixture)
    raw = "a = list(a)\n    total = sum(a)\n    return total"
    found = finish(raw, document, offset, multiline=True)
    assert isinstance(found, Suggestion) and found.shown == "a = list(a)"
