"""Texts of the segments that show other files."""

from __future__ import annotations

from sidecar.context.arrangement import Kept
from sidecar.context.repository import repository_texts
from sidecar.context.snapshot import Snippet


def kept(path: str, text: str) -> Kept:
    return Kept(Snippet("similar", f"similar:{path}:{text}", path, text, 1, ""), text, 9, True)


def test_nothing_is_shown_of_nothing() -> None:
    assert repository_texts([], "shop") == ()


def test_the_name_comes_first_and_a_file_is_named_once_a_run() -> None:
    parts = [kept("a.py", "x = 1\n"), kept("a.py", "y = 2\n"), kept("b.py", "z\n")]
    expected = ("shop\n", "a.py\nx = 1\ny = 2\n", "b.py\nz\n")
    assert repository_texts(parts, "shop") == expected
    assert repository_texts([*parts, parts[0]], "shop") == (*expected, "a.py\nx = 1\n")


def test_every_text_ends_in_one_line_feed_and_names_are_one_line() -> None:
    assert repository_texts([kept("a  b.py", "x")], "my\nshop") == ("my shop\n", "a  b.py\nx\n")
    assert repository_texts([kept("a.py", "x\n\n\n")], "") == ("\n", "a.py\nx\n")


def test_what_cannot_be_encoded_is_replaced() -> None:
    assert repository_texts([kept("a\udce9.py", "x\ud800\n")], "s") == (
        "s\n",
        "a\ufffd.py\nx\ufffd\n",
    )
