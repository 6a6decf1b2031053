from __future__ import annotations

import pytest

from sidecar.text import Buffer, Change, Position
from sidecar.text.buffer import LEAF_CHARS


def big_file(lines: int = 10_000) -> Buffer:
    return Buffer.of("".join(f"    value_{n} = compute({n}, 'é')\n" for n in range(lines)))


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", [""]),
        ("a", ["a"]),
        ("a\n", ["a", ""]),
        ("a\r\nb\rc\nd", ["a", "b", "c", "d"]),
        ("a\u2028b\x0cc\x85d\x1ee\n", ["a\u2028b\x0cc\x85d\x1ee", ""]),
        ("\r\r\n\n", ["", "", "", ""]),
    ],
)
def test_lines_break_where_lsp_breaks_them(text, lines):
    buffer = Buffer.of(text)
    assert buffer.line_count == len(lines)
    assert [buffer.line(n) for n in range(buffer.line_count)] == lines
    assert buffer.line(len(lines)) == ""


@pytest.mark.parametrize(
    ("text", "newline"),
    [("", "\n"), ("a\nb\r\n", "\n"), ("a\r\nb\r\nc\n", "\r\n"), ("a\rb\r", "\r")],
)
def test_newline_is_the_most_frequent(text, newline):
    assert Buffer.of(text).newline == newline


@pytest.mark.parametrize(
    ("text", "line", "column", "encoding", "offset"),
    [
        ("abc", 0, 99, "utf-16", 3),
        ("abc\ndef", 0, 99, "utf-16", 3),
        ("abc\r\ndef", 0, 99, "utf-16", 3),
        ("abc", 7, 0, "utf-16", 3),
        ("a😀b", 0, 3, "utf-16", 2),
        ("a😀b", 0, 2, "utf-16", 1),
        ("a😀b", 0, 5, "utf-8", 2),
        ("a😀b", 0, 3, "utf-8", 1),
        ("a😀b", 0, 2, "utf-32", 2),
        ("abc", 0, -1, "utf-16", 0),
        ("abc", -1, 2, "utf-16", 0),
    ],
)
def test_positions_are_clamped(text, line, column, encoding, offset):
    assert Buffer.of(text).offset(Position(line, column), encoding) == offset


def test_an_edit_inside_a_pair_leaves_halves_that_join_again():
    buffer = Buffer.of("a😀b")
    split = buffer.apply([Change(Position(0, 2), Position(0, 2), "-")], "utf-16")
    assert split.text == "a\ud83d-\ude00b"
    joined = split.apply([Change(Position(0, 2), Position(0, 3), "")], "utf-16")
    assert joined.text == "a😀b"
    assert len(joined) == 3


def test_a_line_feed_typed_after_a_carriage_return_joins_it():
    buffer = Buffer.of("a\r" + "b")
    joined = buffer.edit(2, 2, "\n")
    assert joined.line_count == 2
    assert joined.edit(2, 2, "x").line_count == 3


def test_a_reversed_range_is_put_in_order():
    buffer = Buffer.of("abcdef").apply([Change(Position(0, 4), Position(0, 2), "")], "utf-16")
    assert buffer.text == "abef"


def test_an_edit_outside_the_text_is_an_error():
    with pytest.raises(IndexError):
        Buffer.of("abc").edit(2, 4, "")


def test_typing_rebuilds_one_leaf_and_shares_the_others():
    buffer = big_file()
    offset = buffer.line_end(5_000)
    for character in "foo(bar)":
        edited = buffer.edit(offset, offset, character)
        rebuilt = set(edited._leaves) - set(buffer._leaves)
        assert len(rebuilt) == 1
        assert sum(len(leaf.text) for leaf in rebuilt) <= 2 * LEAF_CHARS + 1
        assert edited._text is None, "typing must not join the whole text"
        buffer, offset = edited, offset + 1
    assert buffer.line(5_000).endswith("foo(bar)")


def test_leaves_stay_near_their_size():
    buffer = big_file(2_000)
    for _ in range(300):
        buffer = buffer.edit(500, 600, "")
    sizes = [len(leaf.text) for leaf in buffer._leaves]
    assert max(sizes) <= 3 * LEAF_CHARS
    assert sum(sizes) / len(sizes) >= LEAF_CHARS / 2
    pasted = buffer.edit(100, 100, "y = 2\n" * 5_000)
    assert max(len(leaf.text) for leaf in pasted._leaves) <= 3 * LEAF_CHARS


def test_one_endless_line_is_one_leaf():
    buffer = Buffer.of("short\n" + "x" * 100_000 + "\nend\n")
    assert buffer.line(1) == "x" * 100_000
    assert buffer.line_at(50_000) == 1
    assert buffer.slice(100_000, 100_020) == "xxxxxx\nend\n"
