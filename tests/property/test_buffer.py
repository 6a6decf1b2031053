"""Buffers against the plainest model: a list of UTF-16 code units, edited by LSP's rules."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from sidecar.text import Buffer, Change, Position, encode_utf8, from_lf, split_lines, to_lf
from sidecar.text.lines import scrub, units, units_to_index

PIECES = [
    *("\n", "\r\n", "\r", "\u2028", "\u2029", "\f", "\v", "\x85", "\x1c"),
    *("😀", "𝒳", "\ud83d", "\ude00", "é", "日本", "a", "b", " ", "def f():", "x" * 40),
]
ALPHABET = st.sampled_from(PIECES)
TEXT = st.lists(ALPHABET, max_size=60).map("".join)
#: Repetition makes buffers of many leaves out of few choices.
DOCUMENT = st.tuples(TEXT, st.integers(1, 60)).map(lambda pair: pair[0] * pair[1])
ENCODINGS = ("utf-8", "utf-16", "utf-32")


def to_units(text: str) -> list[int]:
    data = text.encode("utf-16-le", "surrogatepass")
    return [data[i] | data[i + 1] << 8 for i in range(0, len(data), 2)]


def from_units(values: list[int]) -> str:
    data = b"".join(value.to_bytes(2, "little") for value in values)
    return data.decode("utf-16-le", "surrogatepass")


def unit_lines(values: list[int]) -> list[tuple[int, int]]:
    """Start and end (before the break) of each line."""
    lines, start, i = [], 0, 0
    while i < len(values):
        if values[i] == 13 and values[i + 1 : i + 2] == [10]:
            lines.append((start, i))
            i += 2
            start = i
        elif values[i] in (10, 13):
            lines.append((start, i))
            i += 1
            start = i
        else:
            i += 1
    return [*lines, (start, len(values))]


def locate(values: list[int], line: int, column: int) -> int:
    lines = unit_lines(values)
    if line >= len(lines):
        return len(values)
    start, end = lines[line]
    return min(start + column, end)


def check_whole(buffer: Buffer, values: list[int]) -> None:
    text = from_units(values)
    assert buffer.text == text
    assert len(buffer) == len(text)
    fresh = Buffer.of(text)
    lines = unit_lines(values)
    assert buffer.line_count == fresh.line_count == len(lines)
    for number in {0, 1, len(lines) // 2, len(lines) - 1}:
        if number < len(lines):
            start, end = lines[number]
            assert buffer.line(number) == from_units(values[start:end])
    assert buffer.newline == fresh.newline
    check_leaves(buffer)


def check_leaves(buffer: Buffer) -> None:
    leaves = [leaf.text for leaf in buffer._leaves]
    for leaf, following in pairwise(leaves):
        assert leaf.endswith(("\n", "\r"))
        assert not (leaf.endswith("\r") and following.startswith("\n"))
        assert following


POINT = st.tuples(st.integers(0, 400), st.integers(0, 60))
EDIT = st.tuples(POINT, POINT, TEXT)


@settings(max_examples=300, deadline=None)
@given(DOCUMENT, st.lists(st.one_of(EDIT, st.tuples(st.none(), st.none(), TEXT)), max_size=12))
def test_edits_equal_those_of_a_list_of_code_units(text, edits):
    values = to_units(text)
    buffer = Buffer.of(text)
    check_whole(buffer, values)
    for start, end, insert in edits:
        if start is None:
            buffer = buffer.apply([Change(None, None, insert)], "utf-16")
            values = to_units(insert)
        else:
            start, end = sorted((start, end))
            change = Change(Position(*start), Position(*end), insert)
            buffer = buffer.apply([change], "utf-16")
            values[locate(values, *start) : locate(values, *end)] = to_units(insert)
            # What the two ends of an edit make of a pair is what UTF-16 makes of it.
            values = to_units(from_units(values))
        check_whole(buffer, values)


@settings(max_examples=200, deadline=None)
@given(DOCUMENT, st.lists(st.tuples(st.floats(0, 1), st.integers(0, 9), TEXT), max_size=15))
def test_offset_edits_equal_those_of_a_string(text, edits):
    """Offsets reach where no position does: between carriage return and line feed."""
    buffer = Buffer.of(text)
    model = buffer.text
    for place, width, insert in edits:
        start = int(place * len(model))
        end = min(start + width, len(model))
        buffer = buffer.edit(start, end, insert)
        model = from_units(to_units(model[:start] + insert + model[end:]))
        check_whole(buffer, to_units(model))
        assert buffer.slice(start, end + 50) == model[start : end + 50]


@settings(max_examples=200, deadline=None)
@given(DOCUMENT, st.floats(0, 1), st.sampled_from(ENCODINGS))
def test_positions_round_trip(text, place, encoding):
    buffer = Buffer.of(text)
    offset = int(place * len(buffer))
    position = buffer.position(offset, encoding)
    back = buffer.offset(position, encoding)
    if buffer.slice(offset - 1, offset + 1) == "\r\n":
        assert back == offset - 1, "inside a break there is no position but the line's end"
    else:
        assert back == offset
    line = buffer.line_at(offset)
    assert buffer.line_start(line) <= offset
    assert position.line == line
    assert buffer.offset(Position(line, 1_000_000), encoding) == buffer.line_end(line)
    assert buffer.offset(Position(buffer.line_count, 0), encoding) == len(buffer)


@given(TEXT, st.integers(0, 80), st.sampled_from(ENCODINGS))
def test_units_are_counted_as_the_encoding_counts_them(text, count, encoding):
    text = Buffer.of(text).text
    index, half = units_to_index(text, count, encoding)
    assert units(text[:index], encoding) <= count or index == 0
    if index < len(text):
        assert units(text[: index + 1], encoding) > count
    # Beyond the end there is no pair of which a half could be left.
    rest = count - units(text[:index], encoding)
    assert half == (encoding == "utf-16" and index < len(text) and rest == 1)


@given(TEXT, st.sampled_from(["\n", "\r\n", "\r"]))
def test_line_endings_come_back(text, newline):
    lf = to_lf(text)
    assert "\r" not in lf
    assert to_lf(from_lf(lf, newline)) == lf
    assert "".join(split_lines(text)) == text


@given(TEXT)
def test_every_text_can_be_sent_to_the_engine(text):
    text = Buffer.of(text).text
    assert len(encode_utf8(text)) == len(text.encode("utf-8", "surrogatepass"))
    assert encode_utf8(text).decode() == scrub(text)


@settings(max_examples=150, deadline=None)
@given(DOCUMENT, st.lists(st.tuples(st.floats(0, 1), st.integers(0, 9), TEXT), max_size=6))
def test_outside_of_the_differences_two_versions_are_equal(text, edits):
    old = new = Buffer.of(text)
    for place, width, insert in edits:
        start = int(place * len(new))
        new = new.edit(start, min(start + width, len(new)), insert)
    at = new_at = 0
    for start, end, new_start, new_end in old.differences(new):
        assert at <= start <= end and new_at <= new_start <= new_end
        assert old.slice(at, start) == new.slice(new_at, new_start)
        at, new_at = end, new_end
    assert old.slice(at, len(old)) == new.slice(new_at, len(new))
