"""Where the user may type next."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from cursor import at_cursor
from symbol_samples import facts_of_text

from sidecar.completion.predicting import Guess, name_at, next_blank_line, places_in_file
from sidecar.context.snapshot import EMPTY, Edit, Viewed
from sidecar.index.query.answers import Definition


@pytest.mark.parametrize(
    ("fixture", "line"),
    [
        ("def f():\n    a = |1\n\n    b = 2\n", 2),
        ("def f():\n    a = |1\n    b = 2\n\n\ndef g():\n", 3),
        ("def f():\n    if a:\n        b = |1\n    c = 2\n\n", None),
        ("def f():\n    a = |1\n    if b:\n        c = 2\n    \n", 4),
        ("def f():\n    a = 1\n|\n    b = 2\n\n", 4),
        ("a = |1", None),
        ("a = |1\n", 1),
        ("a = |1\n" + "b = 2\n" * 100 + "\n", None),
        ("if (a) {\r\n\tb();|\r\n\r\n}\r\n", 2),
    ],
    ids=[
        "inside of the block",
        "behind the block",
        "not beyond a line that stands less deep",
        "blanks alone are a blank line",
        "from a blank line on",
        "the last line",
        "the end of the text",
        "too far",
        "other breaks, other blanks",
    ],
)
def test_next_blank_line(fixture: str, line: int | None) -> None:
    document, offset = at_cursor(fixture)
    found = next_blank_line(document, offset)
    assert found == (None if line is None else document.buffer.line_end(line))


@pytest.mark.parametrize(
    ("fixture", "name"),
    [
        ("x = loa|d(1)", "load"),
        ("x = |load(1)", "load"),
        ("x = load|(1)", "load"),
        ("x = load(|1)", ""),
        ("größe|", "größe"),
        ("|", ""),
    ],
)
def test_name_at(fixture: str, name: str) -> None:
    assert name_at(*at_cursor(fixture)) == name


def test_places_in_a_file_that_was_switched_to() -> None:
    document, _ = at_cursor("|a = 1\nb = 2\nc = 3\n")
    ends = document.buffer.line_end
    nothing = places_in_file(document, "a.py", EMPTY, "load")
    assert nothing == [Guess(0, "start")]
    known = replace(
        EMPTY,
        edits=(Edit("b.py", 0, 0), Edit("a.py", 1, 2), Edit("a.py", 0, 0)),
        viewed=(Viewed("b.py", 5), Viewed("a.py", 1)),
    )
    assert places_in_file(document, "a.py", known, "") == [
        Guess(ends(2), "edit"),
        Guess(ends(1), "view"),
    ]
    # The text may have become shorter; one place is one guess.
    known = replace(EMPTY, edits=(Edit("a.py", 70, 99),), viewed=(Viewed("a.py", 90),))
    assert places_in_file(document, "a.py", known, "") == [Guess(len(document.buffer), "edit")]


def test_the_definition_that_is_jumped_to() -> None:
    text = "def save():\n    pass\n\ndef load(path):\n    return path\n"
    document, _ = at_cursor("|" + text)
    facts, _ = facts_of_text("a.py", text)
    declared = [
        Definition("a.py", "python", symbol, place, "")
        for symbol, place in zip(facts.symbols, facts.places, strict=True)
    ]
    index: Any = SimpleNamespace(symbols=lambda path: declared if path == "a.py" else [])
    known = replace(EMPTY, index=index, viewed=(Viewed("a.py", 0),))
    ends = document.buffer.line_end
    assert places_in_file(document, "a.py", known, "load") == [
        Guess(ends(4), "definition"),
        Guess(ends(0), "view"),
    ]
    assert places_in_file(document, "a.py", known, "other") == [Guess(ends(0), "view")]
