"""What is shown of a generation, and where it ends."""

from __future__ import annotations

import pytest

from sidecar.engine.messages import Segment
from sidecar.engine.stream import TextStream, around_of
from sidecar.text.blocks import Around


def check(stream: TextStream, pieces: list[str], text: str, ended: str = "") -> None:
    for piece in pieces:
        assert not stream.ended, "nothing comes after the end"
        stream.feed(piece.encode())
    assert (stream.text, stream.ended) == (text, ended)


def test_healed_bytes_are_not_shown_again() -> None:
    check(TextStream(b"hand", multiline=False), ["ha", "ndle", " ="], "le =")


def test_a_single_line_ends_before_its_newline() -> None:
    check(TextStream(b"", multiline=False), ["a", "b\nc"], "ab", "newline")


@pytest.mark.parametrize(
    ("before", "pieces", "text", "ended"),
    [
        ("    ", ["a = 1", "\n    b = 2", "\n", "c"], "a = 1\n    b = 2", "dedent"),
        ("    ", ["a = 1\n", "  ", "  b\n", "  ", "  c"], "a = 1\n    b\n    c", ""),
        (" " * 8, ["a\n", "\tb", "\n    ", "c"], "a\n\tb", "dedent"),
        ("    ", ["if a:\n        b\n    ", "els", "e"], "if a:\n        b\n    else", ""),
        ("    ", ["if a:\n        b\n    ", "elsa"], "if a:\n        b", "dedent"),
        ("    if a", [" > 1:\n        b\n    ", "x"], " > 1:\n        b", "dedent"),
        ("def f():", ["\n    a\n    b\nx"], "\n    a\n    b", "dedent"),
        ("if (a) {", ["\n  b();\n}", "\nx"], "\n  b();\n}", "dedent"),
        ("    ", ['a = """', "\nwords\n\n", 'more"""'], 'a = """\nwords\n\nmore"""', ""),
        ("    ", ["\n", "b"], "", "dedent"),
        ("    ", ["a = 1\n    b\n  ", "\n"], "a = 1\n    b", "blank"),
        ("    a = 1", ["\n\n    b"], "\n\n    b", ""),
    ],
)
def test_several_lines_end_with_their_block(
    before: str, pieces: list[str], text: str, ended: str
) -> None:
    stream = TextStream(b"", multiline=True, around=Around(before, ""))
    check(stream, pieces, text, ended)


@pytest.mark.parametrize(
    ("before", "below", "pieces", "text", "ended"),
    [
        (
            "    a(",
            "        y=y,",
            ["\n        x=x,\n        y=y,", "\n"],
            "\n        x=x,",
            "below",
        ),
        # It may go on with more than the line below.
        (
            "    a(",
            "        y=y",
            ["\n        x=x,\n        y=y", "y"],
            "\n        x=x,\n        y=yy",
            "",
        ),
        # A closer that stands there already is not written again, but one that was opened here is.
        ("    x,", "    )", ["\n    y,\n    )", "\n"], "\n    y,", "below"),
        ("    ", "    )", ["a(\n        y,\n    )", "\n    b"], "a(\n        y,\n    )", "dedent"),
        # What was opened above is closed, unless more of it stands below.
        ("    x,", "y = 1", ["\n    y\n):", "\n", "    z"], "\n    y\n):", "dedent"),
        ("    x,", "    z,", ["\n    y\n)"], "\n    y", "dedent"),
        # Short lines count at their own depth only.
        ("    a:", "    b", ["\n        b\n        c"], "\n        b\n        c", ""),
    ],
)
def test_several_lines_end_with_what_stands_below(
    before: str, below: str, pieces: list[str], text: str, ended: str
) -> None:
    stream = TextStream(b"", multiline=True, around=Around(before, below))
    check(stream, pieces, text, ended)


def test_where_nothing_is_known_of_the_block_nothing_ends() -> None:
    check(TextStream(b"", multiline=True), ["    a\n", "b\n\n", "c"], "    a\nb\n\nc")


def test_what_is_around_a_place_is_read_off_its_prompt() -> None:
    segments = (
        Segment("repo", "w"),
        Segment("prefix", "def f():\n    a = (\n"),
        Segment("suffix", ")  # rest\n\n    return a\n"),
        Segment("typed", "        1,\n        2"),
    )
    assert around_of(segments) == Around("        2", "    return a")
    assert around_of(segments[:2]) == Around("", "")
    assert around_of((Segment("prefix", "a\n  b"), Segment("typed", "c"))) == Around("  bc", "")


def test_half_a_character_waits_for_the_other_half() -> None:
    stream = TextStream(b"", multiline=False)
    first, second = "ü".encode()[:1], "ü".encode()[1:]
    assert not stream.feed(first)
    assert stream.feed(second)
    assert stream.text == "ü"
