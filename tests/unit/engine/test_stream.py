"""What is shown of a generation, and where it ends."""

from __future__ import annotations

import pytest

from sidecar.engine.stream import TextStream


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
    ("indent", "pieces", "text", "ended"),
    [
        (4, ["a = 1", "\n    b = 2", "\n", "\n", "c"], "a = 1\n    b = 2", "dedent"),
        (4, ["a = 1\n", "  ", "  b\n", "\n  ", "  c"], "a = 1\n    b\n\n    c", ""),
        (8, ["a\n", "\tb", "\n    ", "c"], "a\n\tb", "dedent"),
        (4, ["if a:\n        b\n    else"], "if a:\n        b\n    else", ""),
        (4, ['a = """', "\nwords\n", 'more"""'], 'a = """\nwords\nmore"""', ""),
        (0, ["a\n", "b"], "a\nb", ""),
        (4, ["\n", "b"], "", "dedent"),
    ],
    ids=["left", "stays", "tabs", "goes on", "a long string", "not known", "at once"],
)
def test_several_lines_end_with_their_block(
    indent: int, pieces: list[str], text: str, ended: str
) -> None:
    check(TextStream(b"", multiline=True, indent=indent), pieces, text, ended)


def test_half_a_character_waits_for_the_other_half() -> None:
    stream = TextStream(b"", multiline=False)
    first, second = "ü".encode()[:1], "ü".encode()[1:]
    assert not stream.feed(first)
    assert stream.feed(second)
    assert stream.text == "ü"
