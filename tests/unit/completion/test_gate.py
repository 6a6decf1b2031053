from __future__ import annotations

import pytest
from cursor import at_cursor
from notebook_samples import notebook

from sidecar.completion.gate import GateLimits, gate


def test_secret_files_get_nothing():
    document, offset = at_cursor("TOKEN=|", path="/home/user/.env.local")
    assert gate(document, offset) == "secret_file"


def test_the_file_of_a_notebook_gets_nothing_but_its_cells_do():
    text = notebook("x = 1")
    document, offset = at_cursor(text.replace("x = 1", "x = |"), "json", "/w/n.ipynb")
    assert gate(document, offset) == "raw_notebook"
    document, offset = at_cursor("x = |", "python", "/w/n.ipynb")
    assert gate(document, offset) is None


@pytest.mark.parametrize(
    ("fixture", "reason"),
    [
        ("x = |", None),
        ("x = foo|.bar", None),
        ("x = foo|(bar)", None),
        ("x = fo|o", "middle_of_word"),
        ("x = |foo", "middle_of_word"),
        ("x = |é", "middle_of_word"),
        ("x = |_a", "middle_of_word"),
        ("y" * 100 + "|", "line_too_long"),
        ("y\n" * 500 + "|", "file_too_large"),
        ("|", None),
        ("def f():\n|    return \n", "before_code"),
        ("def f():\n  |  return \n", "before_code"),
        ("  |(a, b).c()\n", "before_code"),
        ("def f():\n  |  \n", None),
        ("f(\n    a,\n    |)\n", None),
    ],
)
def test_places_where_nothing_is_wanted(fixture, reason):
    document, offset = at_cursor(fixture)
    limits = GateLimits(characters=800, line_characters=80)
    assert gate(document, offset, limits=limits) == reason


def test_languages_can_be_turned_off():
    document, offset = at_cursor("|", language="markdown", path="/a.md")
    assert gate(document, offset, disabled={"markdown"}) == "language_disabled"
    assert gate(document, offset, disabled={"python"}) is None
