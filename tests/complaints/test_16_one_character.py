"""Complaint 16: suggestions of one character are useless.

sourcegraph/cody#872, #3674.
"""

from __future__ import annotations

import pytest
from cursor import at_cursor

from sidecar.completion.finish import finish
from sidecar.completion.suggestion import Refusal, Suggestion


@pytest.mark.parametrize("raw", [":", ")", "x", " :", ":  "])
def test_one_character_is_not_offered(raw):
    document, offset = at_cursor("if a|\n")
    assert finish(raw, document, offset) == Refusal("one_character")


def test_two_characters_are():
    document, offset = at_cursor("def f(|\n")
    assert isinstance(finish("):", document, offset), Suggestion)
