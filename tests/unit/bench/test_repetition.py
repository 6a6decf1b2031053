"""What counts as repetitive code."""

from __future__ import annotations

import pytest

from sidecar.bench.repetition import REPETITIVE, repetition, words

FIELDS = "".join(f"    {name}_count: int = 0\n" for name in ("file", "line", "word"))


def test_words_signs_and_line_breaks_count() -> None:
    assert words("a_b = f(1)\n\tx") == ["a_b", "=", "f", "(", "1", ")", "\n", "x"]


@pytest.mark.parametrize(
    ("before", "rest", "share"),
    [
        ("", "", 0.0),
        ("", "a b c d", 0.0),
        ("a b c d\n", "a b c d", 1 / 4),
        # The break and the first three words are new; a text may also repeat itself.
        ("", "a b c d\na b c d\n", 2 / 10),
        ("a b c d a b c e ", "z y x w", 0.0),
        # Past one word that is another, not past two.
        ("x a b c d e f ; a b c ", "y e f ;", 3 / 4),
        ("x a b c d e f ; a b c ", "y z f ;", 0.0),
        ("a b c d a b c e a b ", "c e a b", 1.0),
    ],
)
def test_words_known_from_above_count(before: str, rest: str, share: float) -> None:
    assert repetition(before, rest) == pytest.approx(share)


def test_a_row_of_fields_is_repetitive_and_a_function_is_not() -> None:
    assert repetition(FIELDS, "    token_count: int = 0\n    page_count: int = 0\n") > REPETITIVE
    body = "def add(first, second):\n    total = first + second\n"
    assert repetition(FIELDS + body, "    return round(total, 3)\n") < REPETITIVE
