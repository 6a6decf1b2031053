"""Complaint 7: the first line's indentation is off by one to three spaces, or begins with a space.

ggml-org/llama.vscode#39, TabbyML/tabby#3263, #3261, Kilo-Org/kilocode#4340.
"""

from __future__ import annotations

import ast

import pytest
from cursor import at_cursor

from sidecar.completion.finish import finish
from sidecar.completion.suggestion import Suggestion


@pytest.mark.parametrize("blanks", range(9))
@pytest.mark.parametrize("typed", [0, 1, 2, 3, 4])
def test_a_statement_in_a_body_is_indented_as_the_body(typed, blanks):
    fixture = "def f(a):\n    b = a\n" + " " * typed + "|\n"
    document, offset = at_cursor(fixture)
    found = finish(" " * blanks + "return b", document, offset)
    assert isinstance(found, Suggestion)
    after = document.buffer.edit(found.start, found.end, found.insert)
    line = after.line(2)
    width = len(line) - len(line.lstrip())
    if typed + blanks >= 3:
        assert width == 4
        ast.parse(after.text)
    else:
        assert width in (typed + blanks, 0, 4)


def test_a_leading_space_does_not_double_the_one_that_was_typed():
    document, offset = at_cursor("x = |\n")
    found = finish(" value + 1", document, offset)
    assert isinstance(found, Suggestion) and found.insert == "x = value + 1"


def test_a_line_of_blanks_alone_is_nothing():
    document, offset = at_cursor("def f():\n    |\n")
    assert not isinstance(finish("    \n    ", document, offset, multiline=True), Suggestion)
