from __future__ import annotations

import pytest
from cursor import at_cursor

from sidecar.completion.anchor import Anchor, AnchorLimits, Extension, choose, extend
from sidecar.context import Tokens, WindowLimits
from sidecar.syntax import Bodies, Languages, Trees
from sidecar.text import Buffer, Document

BODY = (
    "import os\n\n\ndef work(names):\n    '''Doc.'''\n"
    + "".join(f"    line_{n} = call({n})\n" for n in range(12))
    + "    |\n\n\ndef after():\n    return 1\n"
)
SHORT = "import os\n\n\ndef work(names):\n    x = 1\n    |\n    return x\n"


def anchored(fixture: str, **options: object) -> tuple[Document, int, Extension]:
    document, offset = at_cursor(fixture)
    body = Bodies(Languages.load(), Trees()).find(document, offset)
    return document, offset, choose(document, offset, body, **options)


def edit(document: Document, start: int, end: int, text: str) -> Document:
    buffer = document.buffer.edit(start, end, text)
    return Document(document.uri, document.path, document.language, document.version + 1, buffer)


def check_true(document: Document, offset: int, found: Extension) -> None:
    """What the prompt says must be what stands in the document."""
    buffer, anchor = document.buffer, found.anchor
    assert buffer.slice(anchor.window_start, anchor.offset) == anchor.prefix
    assert buffer.slice(anchor.offset, offset) == found.typed
    after = offset + found.closers
    assert buffer.slice(after, after + len(anchor.suffix)) == anchor.suffix
    assert anchor.to_end == (after + len(anchor.suffix) == len(buffer))


@pytest.mark.parametrize(
    ("fixture", "reason", "line"),
    [
        (BODY, "body", 5),
        (SHORT, "start", 0),
        ("\n".join(f"x{n} = {n}" for n in range(30)) + "\n|", "lines", 22),
        ("|", "start", 0),
        ("a = 1|", "start", 0),
    ],
)
def test_where_an_anchor_stands(fixture, reason, line):
    document, offset, found = anchored(fixture)
    assert found.anchor.reason == reason
    assert document.buffer.line_at(found.anchor.offset) == line
    assert found.anchor.offset == document.buffer.line_start(line)
    check_true(document, offset, found)


def test_a_body_too_far_back_gives_an_anchor_above():
    fixture = BODY.replace("    |", "    y = 'some more text to fill the line'\n" * 40 + "    |")
    document, offset, found = anchored(fixture)
    assert found.anchor.reason == "lines"
    assert document.buffer.line_at(offset) - document.buffer.line_at(found.anchor.offset) == 8


def test_long_lines_bring_the_anchor_nearer():
    fixture = "".join(f"x = '{'word ' * 60}'\n" for _ in range(9)) + "y = |"
    document, _, found = anchored(fixture)
    assert found.anchor.reason == "lines"
    assert 0 < len(found.typed) < 1024
    document, offset, found = anchored("z = '" + "word " * 3_000 + "|")
    assert found.anchor.reason == "long line"
    assert 0 < len(found.typed) <= 1024
    check_true(document, offset, found)
    typed = edit(document, offset, offset, "x")
    again = choose(typed, offset + 1)
    assert again.anchor.offset == found.anchor.offset, "the cut holds still"


def test_typing_and_deleting_keep_the_anchor():
    document, offset, found = anchored(BODY)
    for character in "return foo":
        document = edit(document, offset, offset, character)
        offset += 1
        after = extend(found.anchor, document, offset)
        assert after and after.anchor is found.anchor and after.closers == 0
        check_true(document, offset, after)
    for _ in range(14):
        document = edit(document, offset - 1, offset, "")
        offset -= 1
        after = extend(found.anchor, document, offset)
        assert after and after.typed.endswith(document.buffer.slice(offset - 1, offset))


def test_enter_keeps_the_anchor():
    document, offset, found = anchored(BODY)
    document = edit(document, offset, offset, "x = 1\r\n    ")
    after = extend(found.anchor, document, offset + 11)
    assert after and after.typed.endswith("x = 1\r\n    ")


@pytest.mark.parametrize(
    ("steps", "closers"),
    [
        ([("foo(", ")")], 1),
        ([("foo(", ")"), ('"', '"')], 2),
        ([("foo([{", "}])")], 3),
        ([("x = '", "'")], 1),
        ([("`${", "}`")], 2),
    ],
)
def test_closers_that_an_editor_adds_keep_the_anchor(steps, closers):
    document, offset, found = anchored(BODY)
    first = found.anchor
    for typed, added in steps:
        document = edit(document, offset, offset, typed + added)
        offset += len(typed)
    after = extend(first, document, offset)
    assert after and after.closers == closers
    assert after.anchor.suffix == first.suffix
    # The same suffix is frozen when the closers were there before the anchor was.
    body = Bodies(Languages.load(), Trees()).find(document, offset)
    late = choose(document, offset, body)
    assert (late.anchor.suffix, late.closers) == (first.suffix, closers)
    # Typing over them removes them one by one.
    for left in range(closers - 1, -1, -1):
        offset += 1
        over = extend(first, document, offset)
        assert over and over.closers == left
        over = extend(late.anchor, document, offset)
        assert over and over.closers == left
        check_true(document, offset, over)


def test_deleting_an_added_pair_keeps_the_anchor():
    document, offset, found = anchored(BODY)
    document = edit(document, offset, offset, "foo()")
    paired = choose(document, offset + 4)
    assert paired.closers == 1
    document = edit(document, offset + 3, offset + 5, "")
    for anchor in (found.anchor, paired.anchor):
        after = extend(anchor, document, offset + 3)
        assert after and after.closers == 0


def test_closers_at_the_end_of_a_document():
    document, offset, found = anchored("x = |")
    assert found.anchor.to_end and found.anchor.suffix == ""
    document = edit(document, offset, offset, "[]")
    after = extend(found.anchor, document, offset + 1)
    assert after and after.closers == 1
    assert extend(found.anchor, document, 2) is None, "the cursor moved back"


@pytest.mark.parametrize(
    ("fixture", "closers", "suffix"),
    [
        ("foo(|)\n", 1, "\n"),
        ("foo(|) + 1\n", 0, ") + 1\n"),
        ("foo(|);\n", 0, ");\n"),
        ("foo(|))\n", 1, ")\n"),
        ("foo(bar(|))  \n", 2, "  \n"),
        ("foo|)\n", 0, ")\n"),
        ("foo(']', |)\n", 1, "\n"),
        ("foo('|')\n", 2, "\n"),
        ('"""|"""\n', 3, "\n"),
        ("don't(|)\n", 1, "\n"),
        ("f'{|}'\n", 2, "\n"),
        ("f'{foo(|)}'\n", 3, "\n"),
        ("':(|'\n", 1, "\n"),
        ("x]|]\n", 0, "]\n"),
    ],
)
def test_closers_that_were_there_at_first(fixture, closers, suffix):
    document, offset = at_cursor(fixture)
    found = choose(document, offset)
    assert (found.closers, found.anchor.suffix) == (closers, suffix)
    again = extend(found.anchor, document, offset)
    assert again and again.closers == closers


def moved(document: Document, offset: int, what: str) -> tuple[Document, int]:
    buffer = document.buffer
    match what:
        case "edit just before the anchor":
            return edit(document, 12, 15, "async def"), offset + 6
        case "edit after the cursor":
            return edit(document, offset + 8, offset + 8, "x"), offset
        case "cursor before the anchor":
            return document, 20
        case "cursor up inside typed":
            return document, offset - 30
        case "cursor down":
            return document, len(buffer)
        case "paste of much text":
            return edit(document, offset, offset, "x = 1\n" * 400), offset + 2400
        case _:
            raise AssertionError(what)


@pytest.mark.parametrize(
    "what",
    [
        "edit just before the anchor",
        "edit after the cursor",
        "cursor before the anchor",
        "cursor up inside typed",
        "cursor down",
        "paste of much text",
    ],
)
def test_what_makes_an_anchor_move(what):
    document, offset, found = anchored(BODY)
    document, offset = moved(document, offset, what)
    assert extend(found.anchor, document, offset) is None


def long_file(lines: int) -> str:
    return "".join(
        f"def function_{n}(a, b):\n    x = a + {n}\n    y = b\n    return x * y\n\n"
        for n in range(lines // 5)
    )


def test_an_edit_above_the_window_moves_the_anchor_along():
    text = long_file(600) + "z = |\n" + long_file(50)
    document, offset, found = anchored(text)
    assert found.anchor.window_start > 100
    for insert, remove in (("import sys\n", 0), ("", 40)):
        edited = edit(document, 0, remove, insert)
        place = offset + len(insert) - remove
        after = extend(found.anchor, edited, place)
        assert after and after.typed == found.typed
        assert after.anchor.offset == found.anchor.offset + len(insert) - remove
        check_true(edited, place, after)


def test_an_edit_at_the_top_of_a_short_document_is_not_overlooked():
    document, offset, found = anchored(BODY)
    assert found.anchor.window_start == 0
    edited = edit(document, 0, 0, "import sys\n")
    assert extend(found.anchor, edited, offset + 11) is None


def test_the_head_of_the_window_holds_still_near_by():
    text = long_file(600) + "|\n" + long_file(200)
    window = WindowLimits(before_tokens=512, after_tokens=128)
    document, offset, found = anchored(text, window=window)
    line = document.buffer.line_at(offset)
    anchor, starts = found.anchor, []
    for delta in (3, 9, 5, 12, 1, -4, -8, 2, 6):
        place = document.buffer.line_end(line + delta)
        assert extend(anchor, document, place) is None
        after = choose(document, place, window=window, previous=anchor)
        check_true(document, place, after)
        anchor = after.anchor
        starts.append(anchor.window_start)
    assert len(set(starts)) <= 2


def test_the_head_of_the_window_holds_still_when_lines_are_added_above():
    text = long_file(600) + "|\n" + long_file(200)
    document, offset, found = anchored(text)
    edited = edit(document, 0, 0, "import sys\n")
    place = document.buffer.line_end(document.buffer.line_at(offset) + 5) + 11
    after = choose(edited, place, previous=found.anchor)
    assert after.anchor.prefix.startswith(found.anchor.prefix[:500])
    assert after.anchor.window_start == found.anchor.window_start + 11


def test_windows_keep_their_limits():
    tokens = Tokens()
    limits = WindowLimits(before_lines=50, after_lines=10, before_tokens=300, after_tokens=60)
    text = long_file(600) + "z = |\n" + long_file(200)
    document, offset, found = anchored(text, window=limits, tokens=tokens)
    anchor = found.anchor
    buffer = document.buffer

    def count(piece: str) -> int:
        return sum(tokens.text(line + "\n") for line in piece.split("\n")[:-1])

    assert 150 <= count(anchor.prefix) <= 300
    assert count(anchor.suffix) <= 60
    first = buffer.line_at(anchor.window_start)
    assert buffer.line_start(first) == anchor.window_start
    assert buffer.line_at(offset) - first <= 50
    assert anchor.suffix.endswith("\n") and anchor.suffix.count("\n") <= 11
    assert buffer.line(first).startswith("def "), "a window begins where something begins"


def test_token_counts_of_the_engine_are_used():
    text = "".join(f"a = {n % 10}\n" for n in range(300)) + "|"
    counts = {f"a = {n}\n": 1 for n in range(10)}
    limits = WindowLimits(before_lines=500, before_tokens=512)
    document, offset = at_cursor(text)
    guess = choose(document, offset, window=limits)
    known = choose(document, offset, window=limits, tokens=Tokens(counts))
    assert known.anchor.window_start == 0 < guess.anchor.window_start


def test_limits_are_the_callers():
    document, _, found = anchored(BODY, limits=AnchorLimits(lines=2))
    assert found.anchor.reason == "body"
    document, offset = at_cursor(BODY)
    found = choose(document, offset, limits=AnchorLimits(lines=2))
    assert document.buffer.line_at(offset) - document.buffer.line_at(found.anchor.offset) == 2
    long = edit(document, offset, offset, "x" * 300)
    assert extend(found.anchor, long, offset + 300, AnchorLimits(bytes=200)) is None


def test_an_empty_window_is_possible():
    document, offset = at_cursor(BODY)
    found = choose(document, offset, window=WindowLimits(0, 0, 0, 0))
    assert isinstance(found.anchor, Anchor) and found.anchor.suffix == ""
    assert Buffer.of(found.anchor.prefix).line_count == 1
