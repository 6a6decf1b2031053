"""An outline that is kept over edits is the one that would be made."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sidecar.context.guard import blanked
from sidecar.context.outline import outline_of
from sidecar.context.outlines import _recent, outlined
from sidecar.syntax import Languages, Trees
from sidecar.syntax.folding import folding_of
from sidecar.text import Buffer

PYTHON = '''import os

LIMIT = 3


class Order(Base):
    """An order."""

    def total(self, rate):
        """Return what it costs."""
        price = self.price * rate
        if price > LIMIT:
            def inner():
                return 1
            price = inner()
        return price

    def ship(self):
        first = 1
        second = """text"""
        self.done = first + second


def last(value):
    # A comment.
    value = value + 1
    return value
'''
TYPESCRIPT = """import { a } from "./a";

/** Says hello. */
export class Greeter extends Base {
  name = "x";
  greet(to: string): string {
    const text = `hello ${to}`;
    if (to) {
      return text;
    }
    return "";
  }
}

export function last(value: number) {
  const more = value + 1;
  return () => {
    return more;
  };
}
"""
TYPED = (
    "value = other(1)",
    '"""Says."""',
    "# why",
    "def inner(): return 2",
    "return value",
    '"""',
    "}",
    "/* open",
    "*/",
    "function f() { return 1; }",
    "class Inner: pass",
    "",
    "self.x: int = 1",
    "{",
)


@pytest.fixture(autouse=True)
def nothing_is_kept() -> None:
    _recent.cache_clear()


def made(parsed: object) -> tuple[str, tuple[str, ...]]:
    folding = folding_of(parsed)  # type: ignore[arg-type]
    outline = outline_of(parsed, folding)  # type: ignore[arg-type]
    assert outline is not None
    return blanked(outline.text).text, outline.notes


@settings(max_examples=150, deadline=None)
@given(
    st.sampled_from((("python", PYTHON), ("typescript", TYPESCRIPT))),
    st.lists(
        st.tuples(st.integers(0, 40), st.sampled_from(TYPED), st.sampled_from("ird")),
        min_size=1,
        max_size=6,
    ),
)
def test_whatever_is_typed_the_outline_is_the_one_of_the_file(
    file: tuple[str, str], edits: list[tuple[int, str, str]]
) -> None:
    name, text = file
    language = Languages.load().find(name)
    assert language is not None
    trees, buffer = Trees(), Buffer.of(text)
    for number, typed, how in [(0, "", "n"), *edits]:
        line = number % buffer.line_count
        start, end = buffer.line_start(line), buffer.line_end(line)
        indent = buffer.line(line)[: len(buffer.line(line)) - len(buffer.line(line).lstrip())]
        if how == "i":
            buffer = buffer.edit(end, end, f"\n{indent}{typed}")
        elif how == "r":
            buffer = buffer.edit(start, end, indent + typed)
        elif how == "d":
            buffer = buffer.edit(start, end, "")
        parsed = trees.parse("file:///a", language, buffer)
        assert parsed is not None
        if not parsed.tree.root_node.has_error:
            assert outlined(parsed, None) == made(parsed)


def test_an_edit_in_a_body_makes_no_outline() -> None:
    language = Languages.load().find("python")
    assert language is not None
    trees, buffer = Trees(), Buffer.of(PYTHON)
    parsed = trees.parse("file:///a", language, buffer)
    assert parsed is not None
    before = outlined(parsed, None)
    at = PYTHON.index("        return price")
    typed = buffer.edit(at, at, "        price = price + 2\n")
    again = trees.parse("file:///a", language, typed)
    assert again is not None
    after = outlined(again, None)
    # The very same text, not one that is equal to it.
    assert after[0] is before[0]
    assert after == made(again)


def test_a_body_that_ends_within_the_edit_is_another() -> None:
    language = Languages.load().find("python")
    assert language is not None
    now = PYTHON.replace("            price = inner()\n", "\n").replace(
        "        first = 1\n", "        first = 1\n        value = other(1)\n"
    )
    # What begins a method is missing, so that the method before it goes on.
    before = PYTHON.replace("    def ship(self):\n", "\n")
    for text in (before, now):
        parsed = Trees().parse("file:///a", language, Buffer.of(text))
        assert parsed is not None
        assert outlined(parsed, None) == made(parsed)


def test_a_body_of_which_nothing_is_left_is_none() -> None:
    language = Languages.load().find("ruby")
    assert language is not None
    trees = Trees()
    code = "class Order\n  def total(items)\n    one = 1\n    items.sum\n  end\nend\n"
    statements = "    one = 1\n    items.sum\n"
    kept = []
    for left in (statements, statements.replace("sum", "max"), "", "    # why\n", statements):
        text = code.replace(statements, left)
        parsed = trees.parse("file:///a", language, Buffer.of(text))
        assert parsed is not None
        kept.append(outlined(parsed, None))
        assert kept[-1] == made(parsed)
    assert kept[1][0] is kept[0][0]
