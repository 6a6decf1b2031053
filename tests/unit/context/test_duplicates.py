"""What counts as nearly the same text."""

from __future__ import annotations

import pytest

from sidecar.context.duplicates import RUN, WINDOW, nearly_in

WINDOW_OF_CODE = """\
def total(order, discount):
    amount = sum(line.price * line.count for line in order.lines)
    if discount is not None:
        amount -= discount.of(amount)
    return amount.rounded(order.currency)
"""
OTHER = """\
class Report:
    def __init__(self, path, title):
        self.path = path
        self.title = title

    def write(self, rows):
        with open(self.path, "w") as stream:
            stream.writelines(map(str, rows))
"""


@pytest.mark.parametrize(
    ("text", "other", "same"),
    [
        (WINDOW_OF_CODE, WINDOW_OF_CODE, True),
        (WINDOW_OF_CODE, OTHER, False),
        (WINDOW_OF_CODE, OTHER + WINDOW_OF_CODE + OTHER, True),
        (OTHER + WINDOW_OF_CODE, WINDOW_OF_CODE, False),
        # Other indentation, operators, numbers and strings.
        (WINDOW_OF_CODE, WINDOW_OF_CODE.replace("    ", "\t").replace("-=", "+="), True),
        # One name of thirty is another one.
        (OTHER, OTHER.replace("stream.writelines", "stream.write"), True),
        # All names are others.
        (
            "for item in items:\n    send(item.name)\n",
            "for key in keys:\n    drop(key.id)\n",
            False,
        ),
        # Texts of few identifiers are compared by lines.
        ("def total(): ...\n", "x = 1\ndef total():\n    return x\n", True),
        ("def total(): ...\n", "def subtotal():\n    return x\n", False),
        ("x = 1\n", "max = 10\n", False),
        ("", WINDOW_OF_CODE, False),
        ("1, 2\n", "1, 2\n", True),
        ("größe = breite(höhe, länge, tiefe)\n", "größe = breite(höhe, länge, tiefe)\n", True),
    ],
)
def test_texts_that_say_the_same(text: str, other: str, same: bool) -> None:
    assert nearly_in(text, ["nothing\n", other]) == (1 if same else -1)


def test_a_run_that_two_long_texts_share_is_found_wherever_it_stands() -> None:
    shared = " ".join(f"name{number}" for number in range(RUN + WINDOW - 1))
    for before in range(9):
        one = " ".join(f"left{number}" for number in range(before)) + " " + shared
        other = " ".join(f"right{number}" for number in range(40)) + " " + shared + " end of it"
        assert nearly_in(one, [other], 1 / 1_000) == 0


def test_a_lone_surrogate_is_compared_like_any_character() -> None:
    text = "a = b(c, d, '\ud800')\n"
    assert nearly_in(text, [text]) == 0
