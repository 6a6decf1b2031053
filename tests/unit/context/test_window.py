from __future__ import annotations

import pytest

from sidecar.context import Tokens, WindowLimits, lines_needed
from sidecar.context.window import prefix_start, suffix_end
from sidecar.text import Buffer

FILE = "import os\n\n\n" + "".join(
    f"def f{n}():\n    a = 1\n    return a\n\n\n" for n in range(100)
)


def test_lines_asked_for_are_the_lines_looked_up():
    buffer = Buffer.of(FILE.replace("\n", "\r\n") + "last")
    for offset in (0, 1_000, len(buffer)):
        needed = lines_needed(buffer, offset, WindowLimits())
        asked: list[str] = []

        class Recorder(dict[str, int]):
            def get(self, key, default=None):
                asked.append(key)  # noqa: B023
                return 1

        tokens = Tokens(Recorder())
        line = buffer.line_start(buffer.line_at(offset))
        prefix_start(buffer, line, offset, tokens, WindowLimits())
        suffix_end(buffer, offset, tokens, WindowLimits())
        whole_lines = {text for text in asked if text.endswith("\n") and text != "\n"}
        assert whole_lines <= {*needed, "\n"}
        assert all(text.count("\n") <= 1 and "\r" not in text for text in needed)


def test_lines_far_away_are_not_counted():
    buffer = Buffer.of(("x" * 500 + "\n") * 300)
    needed = lines_needed(buffer, 100_000, WindowLimits())
    assert len(needed) < 25


@pytest.mark.parametrize(
    ("text", "tokens"), [("", 0), ("a\n", 1), ("abcdef\n", 3), ("éé", 2), ("\ud83d", 2)]
)
def test_estimates(text, tokens):
    assert Tokens().text(text) == tokens
    assert Tokens({text: 7}).text(text) == 7


def test_a_window_begins_where_something_begins():
    buffer = Buffer.of(FILE)
    for line in range(200, 400, 7):
        start = prefix_start(
            buffer, buffer.line_start(line), buffer.line_start(line), Tokens(), WindowLimits()
        )
        assert buffer.slice(start, start + 4) == "def "


def test_a_small_file_is_taken_whole():
    buffer = Buffer.of(FILE[:500])
    assert prefix_start(buffer, 450, 450, Tokens(), WindowLimits()) == 0
    assert suffix_end(buffer, 300, Tokens(), WindowLimits()) == 500


def test_a_suffix_ends_with_a_whole_line_before_a_blank_one():
    buffer = Buffer.of(FILE)
    for offset in range(100, 400, 13):
        end = suffix_end(buffer, offset, Tokens(), WindowLimits())
        assert end == buffer.line_start(buffer.line_at(end))
        assert not buffer.line(buffer.line_at(end)).strip()
        assert len(buffer.slice(offset, end)) <= 96 * 4


def test_one_endless_line_is_cut():
    buffer = Buffer.of("x = 1\n" + "y" * 50_000 + "\nz = 1\n")
    start = prefix_start(buffer, 30_000, 30_010, Tokens(), WindowLimits())
    assert 30_000 - 256 * 2.5 <= start < 30_000
    assert start == prefix_start(buffer, 30_020, 30_030, Tokens(), WindowLimits())
    assert suffix_end(buffer, 30_010, Tokens(), WindowLimits()) == 30_010 + 240
