from __future__ import annotations

import pytest
from cursor import at_cursor

from sidecar.completion.closers import closers_after
from sidecar.completion.finish import finish
from sidecar.completion.suggestion import Refusal, Suggestion


def check(fixture: str, raw: str, expected: str, **options: object) -> Suggestion:
    """Finish `raw` at `|` and compare the document that accepting it gives."""
    document, offset = at_cursor(fixture)
    options.setdefault("closers", closers_after(document.buffer, offset))
    options.setdefault("multiline", "\n" in raw)
    found = finish(raw, document, offset, **options)
    assert isinstance(found, Suggestion), found
    after = document.buffer.edit(found.start, found.end, found.insert)
    place = found.start + len(found.insert)
    assert after.slice(0, place) + "|" + after.slice(place, len(after)) == expected
    assert found.start == document.buffer.line_start(document.buffer.line_at(offset))
    assert found.insert == found.typed + found.shown
    return found


def refused(fixture: str, raw: str, reason: str, **options: object) -> None:
    document, offset = at_cursor(fixture)
    options.setdefault("closers", closers_after(document.buffer, offset))
    options.setdefault("multiline", "\n" in raw)
    assert finish(raw, document, offset, **options) == Refusal(reason)


@pytest.mark.parametrize(
    ("fixture", "raw", "expected"),
    [
        ("return |\n", "x + 1", "return x + 1|\n"),
        # Closers of the editor: covered when the suggestion closes them, left behind otherwise.
        ("foo(|)\n", "bar)", "foo(bar)|\n"),
        ("foo(|)\n", "bar", "foo(bar|)\n"),
        ("foo(|)\n", "bar(x), y)", "foo(bar(x), y)|\n"),
        ("foo(|)\n", "bar) + (x)", "foo(bar) + (x)|\n"),
        ("foo(bar(|))\n", "x)", "foo(bar(x)|)\n"),
        ("foo(bar(|))\n", "x), y)", "foo(bar(x), y)|\n"),
        ("foo('|')\n", "abc'", "foo('abc'|)\n"),
        ("foo('|')\n", "abc')", "foo('abc')|\n"),
        ("foo('|')\n", "a(b", "foo('a(b|')\n"),
        ("x = [|]\n", "(1, 2), (3, 4)]", "x = [(1, 2), (3, 4)]|\n"),
        ("x = f'{|}'\n", "name}'", "x = f'{name}'|\n"),
        ("x = f'{|}'\n", "name", "x = f'{name|}'\n"),
        ("x = ':(|'\n", " sad'", "x = ':( sad'|\n"),
        ('x = """|"""\n', 'Text."""', 'x = """Text."""|\n'),
        ("foo(|)\n", "\n    a,\n    b,\n)", "foo(\n    a,\n    b,\n)|\n"),
        # Closers that are part of the document.
        ("foo(|);\n", "bar);", "foo(bar|);\n"),
        ("foo(|) + 1\n", "bar)", "foo(bar|) + 1\n"),
        ("foo(|) + 1\n", "bar) + 1", "foo(bar|) + 1\n"),
        ("a = (b + |) * 2\n", "f(c)", "a = (b + f(c)|) * 2\n"),
        ("[\n  a, |]\n", "bb]", "[\n  a, bb|]\n"),
        ("x = [\n    a|\n]\n", ", bb]", "x = [\n    a, bb|\n]\n"),
        ("x = [\n    (a|\n]\n", ", b)", "x = [\n    (a, b)|\n]\n"),
        # Other text after the cursor.
        ("x = |, b\n", "foo, b", "x = foo|, b\n"),
        ("x = | + 1\n", "foo + 1", "x = foo| + 1\n"),
        ("return | if a else b\n", "cc if a else b", "return cc| if a else b\n"),
        ("x = |;\n", "call(1);", "x = call(1)|;\n"),
        ("x = |  \n", "foo", "x = foo|  \n"),
        ("x = a|   + b\n", ".c + b", "x = a.c|   + b\n"),
        ('f(g("a", |"r"))\n', 'b, "r"))  # Should return', 'f(g("a", b, |"r"))\n'),
        ("x = |, b\n", "f(a, b), b", "x = f(a, b)|, b\n"),
        ("x =| if a else b\n", " half", "x = half| if a else b\n"),
    ],
)
def test_what_follows_the_cursor_is_not_written_twice(fixture, raw, expected):
    check(fixture, raw, expected)


def test_an_answer_has_the_line_ending_of_the_document():
    found = check(
        "if a:|\r\nx\r\n", "\n    b()\n    c()\n", "if a:\r\n    b()\r\n    c()|\r\nx\r\n"
    )
    assert "\r\n" in found.shown
    check("if a:|\nx\n", "\n    b()\n    c()\n", "if a:\n    b()\n    c()|\nx\n")


@pytest.mark.parametrize(
    ("raw", "stop", "multiline", "shown"),
    [
        ("foo(bar, ba", "tokens", False, "foo(bar,"),
        ("foo(bar, ba", "time", False, "foo(bar,"),
        ("foo(bar)", "tokens", False, "foo(bar)"),
        ("foo(bar, ba", "eog", False, "foo(bar, ba"),
        ("foo(1)\nbar", "tokens", False, "foo(1)"),
        ("foo(1)\nbar(2)\nba", "tokens", True, "foo(1)\nbar(2)"),
        ("foo(1)\nbar(2)\n", "tokens", True, "foo(1)\nbar(2)"),
        ("foo(1)\nbar(2)", "eog", True, "foo(1)\nbar(2)"),
        ("foo, ba", "cancelled", True, "foo,"),
    ],
)
def test_no_half_line_or_word_is_offered(raw, stop, multiline, shown):
    document, offset = at_cursor("|\n")
    found = finish(raw, document, offset, stop=stop, multiline=multiline)
    assert isinstance(found, Suggestion) and found.shown == shown


@pytest.mark.parametrize(
    ("fixture", "raw", "reason", "options"),
    [
        ("x = |\n", "", "blank", {}),
        ("x = |\n", "   ", "blank", {}),
        ("x = |\n", "\n\n  \n", "blank", {}),
        ("x = |\n", "\nfoo", "blank", {"multiline": False}),
        ("x = |\n", "unfinishe", "unfinished", {"stop": "tokens"}),
        ("|\nreturn x\n", "return x", "repeats_next_line", {}),
        ("    ret|\n\n\n    return x\n", "urn x", "repeats_next_line", {}),
        ("|\n    return value\n", "return value", "repeats_next_line", {}),
        ("foo(|) + 1\n", ") + 1", "repeats_after_cursor", {}),
        ("x = | + 1\n", " + 1", "repeats_after_cursor", {"closers": 0}),
        ('f(g("a", |"r"))\n', '"r"))  # Should return', "repeats_after_cursor", {}),
        ("    return|  data\n", " data", "repeats_after_cursor", {}),
        ("    return|  data\n", " a + b", "joins_code", {}),
        ("if a|\n", ":", "one_character", {}),
        ("foo(|)\n", ")", "one_character", {}),
    ],
)
def test_what_is_not_offered(fixture, raw, reason, options):
    if fixture == "x = | + 1\n":
        fixture = "x =| + 1\n"
    refused(fixture, raw, reason, **options)


@pytest.mark.parametrize(
    ("fixture", "raw", "expected"),
    [
        # The following lines are not written again, whatever was put before them.
        ("|\n    return value\n", "x = 1\n    return value", "x = 1|\n    return value\n"),
        ("a {|\n}\n", "\n  b();\n}\nc();", "a {\n  b();|\n}\n"),
        ("a {|\n\n}\n", "\n  if (b) {\n  }\n", "a {\n  if (b) {\n  }|\n\n}\n"),
        # A block ends where it ends.
        (
            "def f():|\n",
            "\n    return 1\n\n\ndef g():\n    return 2\n",
            "def f():\n    return 1|\n",
        ),
        (
            "    for a in b:|\n",
            "\n        c()\n    else:\n        d()\n    return 1\n",
            "    for a in b:\n        c()\n    else:\n        d()|\n",
        ),
        (
            "  if (a) {|\n",
            "\n    b();\n  } else {\n    c();\n  }\n}\n",
            "  if (a) {\n    b();\n  } else {\n    c();\n  }|\n",
        ),
        ("    x = 1|\n", "\n    y = 2\nz = 3\n", "    x = 1\n    y = 2|\n"),
        ('    x = """|\n', '\nlow\n"""\n    y = 1\n', '    x = """\nlow\n"""\n    y = 1|\n'),
    ],
)
def test_several_lines(fixture, raw, expected):
    check(fixture, raw, expected, closers=0)


@pytest.mark.parametrize(
    ("fixture", "raw", "shown"),
    [
        ("def f():\n    |", "    return x", "return x"),
        ("def f():\n    |", " return x", "return x"),
        ("def f():\n    |", "return x", "return x"),
        ("def f():\n   |", " return x", " return x"),
        ("def f():\n   |", "return x", " return x"),
        ("def f():\n|", "    return x", "    return x"),
        ("def f():\n|", "   return x", "    return x"),
        ("def f():\n    if a:\n    |", "    return x", "    return x"),
        ("def f():\n    if a:\n    |", "     return x", "    return x"),
        ("def f():\n    a = 1\n    |", "    return x", "return x"),
        ("def f():\n    a = 1\n|", "     return x", "    return x"),
        ("func f() {\n\t|", "\treturn x", "return x"),
        ("func f() {\n\t|", "    return x", "return x"),
        ("func f() {\n\tif a {\n\t|", "\treturn x", "\treturn x"),
        ("x = foo(a,\n        |", "  b)", "  b)"),
        ("return |", " x + 1", "x + 1"),
        ("x = 'a |", " b'", " b'"),
        ("def f():\n    |", "\n\n    return x", "return x"),
    ],
)
def test_indentation_of_the_first_line(fixture, raw, shown):
    document, offset = at_cursor(fixture)
    found = finish(raw, document, offset, multiline=True)
    assert isinstance(found, Suggestion) and found.shown == shown


@pytest.mark.parametrize(
    ("language", "fixture", "raw", "shown"),
    [
        ("c", "if (a)\n|", "    b();", "    b();"),
        ("c", "    a();\n    |", "    b();", "b();"),
        ("c", "    a();\n|", "   b();", "    b();"),
        ("javascript", "x = foo\n|", "    .bar()", "    .bar()"),
        ("javascript", "/**\n|", " * Text.", " * Text."),
        ("ruby", "a.each do\n|", "    bb", "    bb"),
        ("yaml", "- a: 1\n|", "  b: 2", "  b: 2"),
        ("markdown", "- a\n|", "  b c", "  b c"),
        ("python", "x = a + \\\n|", "    bb", "    bb"),
    ],
)
def test_indentation_that_another_language_may_want(language, fixture, raw, shown):
    document, offset = at_cursor(fixture, language=language)
    found = finish(raw, document, offset, multiline=True)
    assert isinstance(found, Suggestion) and found.shown == shown


def test_nothing_is_shown_of_a_line_that_was_too_unlikely():
    refused("return |\n", "", "unsure", stop="unsure")
    check("if a:|\n", "\n    b()", "if a:\n    b()|\n", stop="unsure")
