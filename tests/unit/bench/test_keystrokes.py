"""Which lines are typed, and what an editor sends for each key."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sidecar.bench.keystrokes import Keystroke, choose_lines, choose_share, type_line


def check(line: str, expected: list[str], *, autoclose: bool = True) -> None:
    """Type a whole line; each expected line has the cursor at `|`."""
    typed = list(type_line(line, keys=len(line), autoclose=autoclose))
    assert [f"{stroke.before}|{stroke.after}" for stroke in typed] == expected
    replay(line, typed)


def replay(line: str, typed: list[Keystroke]) -> str:
    """Apply the changes as a server would, and compare with what the editor believes."""
    text = line[: len(line) - len(line.lstrip())]
    for stroke in typed:
        text = text[: stroke.start] + stroke.text + text[stroke.end :]
        assert text == stroke.before + stroke.after
    return text


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        # The indentation stays when a line is removed.
        ("  ab", ["  a|", "  ab|"]),
        ("f(x)", ["f|", "f(|)", "f(x|)", "f(x)|"]),
        ("a[b(c)]", ["a|", "a[|]", "a[b|]", "a[b(|)]", "a[b(c|)]", "a[b(c)|]", "a[b(c)]|"]),
        ('f("a")', ["f|", "f(|)", 'f("|")', 'f("a|")', 'f("a"|)', 'f("a")|']),
        # A quote behind a word is an apostrophe; behind an `f` it opens a string.
        ("x = it's", ["x|", "x |", "x =|", "x = |", "x = i|", "x = it|", "x = it'|", "x = it's|"]),
        ('f"{a}"', ["f|", 'f"|"', 'f"{|"', 'f"{a|"', 'f"{a}|"', 'f"{a}"|']),
        # In a string no quote is closed, and an escaped one is not typed over.
        ('"\'"', ['"|"', '"\'|"', '"\'"|']),
        ('"\\""', ['"|"', '"\\|"', '"\\"|"', '"\\""|']),
        # A closer that nobody opened is only a character.
        (")]", [")|", ")]|"]),
    ],
)
def test_pairs_are_closed_and_typed_over(line: str, expected: list[str]) -> None:
    check(line, expected)


def test_without_autoclose_a_key_is_a_character() -> None:
    check('f("', ["f|", "f(|", 'f("|'], autoclose=False)


@settings(deadline=None)
@given(st.text(alphabet="ab_ ()[]{}\"'\\,:.é😀", min_size=1, max_size=30))
def test_the_changes_make_what_the_editor_shows(line: str) -> None:
    typed = list(type_line(line, keys=len(line), autoclose=True, start=0))
    text = ""
    for stroke in typed:
        text = text[: stroke.start] + stroke.text + text[stroke.end :]
        assert text == stroke.before + stroke.after
    assert [stroke.before for stroke in typed] == [line[: n + 1] for n in range(len(line))]


def test_only_lines_worth_typing_are_chosen() -> None:
    code = "result = combine(first, second)"
    lines = [code] * 60 + ["x = 1", "# " + code, f'"{code}"', "    " + code, code] + [code] * 20
    assert sorted(choose_lines(lines, 99, random.Random(1))) == [63, 64]


def test_the_same_seed_chooses_the_same_lines() -> None:
    lines = [f"result_{n} = combine(first, second)" for n in range(200)]
    chosen = choose_lines(lines, 5, random.Random(5))
    assert chosen == choose_lines(lines, 5, random.Random(5))
    assert len(set(chosen)) == 5


def test_lines_are_divided_over_files() -> None:
    assert choose_share(24, 4) == [6, 6, 6, 6]
    assert choose_share(5, 3) == [2, 2, 1]
