"""Outlines that were written by hand, and what holds for the outline of any file."""

from __future__ import annotations

from pathlib import Path

import pytest

from sidecar.context.outline import Keep, outline, pruned
from sidecar.syntax import Grammar, Languages
from sidecar.syntax.parse import Parsed
from sidecar.text import Buffer, Document

DATA = Path(__file__).resolve().parents[2] / "data" / "outlines"
LANGUAGES = {language.name: language for language in Languages.load().all}


def cases() -> list[tuple[str, str, str, str]]:
    """Read the cases: `=== title`, a source, `----`, and its outline."""
    found = []
    for path in sorted(DATA.glob("*.txt")):
        for case in path.read_text("utf-8").split("=== ")[1:]:
            title, _, rest = case.partition("\n")
            source, _, expected = rest.partition("\n----\n")
            found.append((path.stem, title, source + "\n", expected))
    return found


CASES = cases()


def parse(language: str, source: str) -> Parsed:
    grammar = Grammar.of(LANGUAGES[language])
    assert grammar is not None
    data = source.encode()
    tree = grammar.parse(data)
    assert tree is not None
    return Parsed(data, tree, grammar)


@pytest.mark.parametrize(
    ("language", "source", "expected"),
    [(language, source, expected) for language, _, source, expected in CASES],
    ids=[f"{language}: {title}" for language, title, _, _ in CASES],
)
def test_outlines_written_by_hand(language: str, source: str, expected: str) -> None:
    found = outline(parse(language, source))
    assert found is not None
    assert found.text == expected


def test_every_language_with_a_grammar_has_an_outline() -> None:
    assert {language for language, *_ in CASES} == set(LANGUAGES)


SHOP = '''"""A shop."""
# Licence: none.
import os

LIMIT = 3

def helper(a):
    """Helps."""
    # Inside.
    return a + 1

class Shop(Base):
    """Sells.

    Things.
    """

    name: str = "x"

    def before(self, a: int) -> int:
        return helper(a)

    # Sells one.
    # Or two.
    @cached
    def sell(self, n: int) -> None:
        """Sell.

        Much.
        """
        for _ in range(n):

            # Here.
            ⟨self.pop|()
        return None

    def after(self):
        return 1

def last():
    return helper(2)

last()
'''

#: Fixtures with `⟨` for the anchor and `|` for the cursor; `⟫` stands for what lies between.
PRUNED = [
    (
        "python",
        "a method",
        SHOP,
        '''"""A shop."""
import os

LIMIT = 3

def helper(a):
    """Helps."""
    ...

class Shop(Base):
    """Sells."""

    name: str = "x"

    def before(self, a: int) -> int: ...

    # Sells one.
    @cached
    def sell(self, n: int) -> None:
        """Sell.

        Much.
        """
        for _ in range(n):

            # Here.
            ⟫()
        return None

    def after(self): ...

def last(): ...

''',
        Keep(),
    ),
    (
        "python",
        "siblings that are near",
        "def a():\n    return 11\n\ndef b():\n    return 22\n\ndef c():\n    ⟨return |33\n\ndef d():\n"
        "    return 44\n",
        "def a(): ...\n\ndef b():\n    return 22\n\ndef c():\n    ⟫33\n\ndef d():\n    return 44\n",
        Keep(sibling_lines=3),
    ),
    (
        "python",
        "between functions, with what stands near",
        "def a():\n    return 11\n\n# Now the next.\nx = 1\nprint(x)\n\n⟨|\n\ndef b():\n    return 22\n",
        "def a(): ...\n\n# Now the next.\nx = 1\nprint(x)\n\n⟫\n\ndef b(): ...\n",
        Keep(),
    ),
    (
        "python",
        "a body that goes on after its last line",
        "def a():\n    return 11\n\ndef b():\n    x = 22\n    ⟨|\n\ndef c():\n    return 33\n",
        "def a(): ...\n\ndef b():\n    x = 22\n    ⟫\n\ndef c(): ...\n",
        Keep(),
    ),
    (
        "python",
        "a head that has no body yet",
        "def a():\n    return 11\n\ndef b(x):⟨|\n    return 22\n",
        "def a(): ...\n\ndef b(x):⟫\n    return 22\n",
        Keep(),
    ),
    (
        "javascript",
        "a long function, whose other functions are folded",
        "export function outer(a) {\n  const one = () => {\n    return aaaa;\n  };\n  function two() {\n"
        "    ⟨return |bbbb;\n  }\n  function three() {\n    return cccc;\n  }\n  return one;\n}\n",
        "export function outer(a) {\n  const one = () => { ... };\n  function two() {\n"
        "    ⟫bbbb;\n  }\n  function three() { ... }\n  return one;\n}\n",
        Keep(function_lines=4),
    ),
    (
        "javascript",
        "a call that takes a function",
        "setUp();\n\ntest('a', () => {\n  expect(⟨|1);\n});\n\ntest('b', () => {\n  expect(2);\n});\n",
        "test('a', () => {\n  expect(⟫1);\n});\n\ntest('b', () => { ... });\n",
        Keep(),
    ),
    (
        "typescript",
        "a class",
        "import { A } from './a';\n\nclass Cart {\n  items: A[] = [];\n  // Counts.\n  size() { return"
        " this.items.length; }\n  add(a: A) {\n    ⟨this.|\n  }\n  clear() { this.items = []; }\n}\n",
        "import { A } from './a';\n\nclass Cart {\n  items: A[] = [];\n  // Counts.\n  size() { ... }\n"
        "  add(a: A) {\n    ⟫\n  }\n  clear() { ... }\n}\n",
        Keep(),
    ),
    (
        "go",
        "a method",
        "package a\n\n// F does.\n// Much.\nfunc F() int {\n\treturn 1\n}\n\nfunc (t *T) G() int {\n"
        "\tx := ⟨F(|)\n\n\n\treturn x\n}\n\nfunc H() {\n\tF()\n}\n",
        "package a\n\n// F does.\nfunc F() int { ... }\n\nfunc (t *T) G() int {\n\tx := ⟫)\n\n\n"
        "\treturn x\n}\n\nfunc H() { ... }\n",
        Keep(),
    ),
    (
        "rust",
        "an implementation",
        "impl A {\n    fn f(&self) -> u8 {\n        1\n    }\n    fn g(&self) {\n        ⟨self.|;\n"
        "    }\n}\n#[cfg(test)]\nmod tests {\n    fn t() {}\n}\n",
        "impl A {\n    fn f(&self) -> u8 { ... }\n    fn g(&self) {\n        ⟫;\n    }\n}\n"
        "#[cfg(test)]\nmod tests { ... }\n",
        Keep(),
    ),
    (
        "java",
        "a class",
        "class A {\n    int n;\n    void f() {\n        n = 1;\n    }\n    void g() {\n        ⟨n = |2;\n"
        "    }\n    void h() {\n        n = 3;\n    }\n}\n",
        "class A {\n    int n;\n    void f() { ... }\n    void g() {\n        ⟫2;\n    }\n"
        "    void h() { ... }\n}\n",
        Keep(),
    ),
    (
        "cpp",
        "a definition",
        '#include "a.h"\n\nA::A() : n_(0) { init(); }\n\nint A::f() const {\n  return ⟨n|_;\n}\n\n'
        "int A::g() {\n  return 1;\n}\n",
        '#include "a.h"\n\nA::A() { ... }\n\nint A::f() const {\n  return ⟫_;\n}\n\n'
        "int A::g() { ... }\n",
        Keep(),
    ),
    (
        "ruby",
        "a class",
        "class A\n  attr_reader :n\n  def f\n    @n\n  end\n\n  def g(a)\n    ⟨a.|\n  end\n\n  def h\n"
        "    f\n  end\nend\n",
        "class A\n  attr_reader :n\n  def f; ... end\n\n  def g(a)\n    ⟫\n  end\n\n"
        "  def h\n    f\n  end\nend\n",
        Keep(),
    ),
]


def placed(language: str, fixture: str) -> tuple[Document, int, int]:
    anchor = fixture.index("⟨")
    fixture = fixture.replace("⟨", "", 1)
    cursor = fixture.index("|")
    buffer = Buffer.of(fixture[:cursor] + fixture[cursor + 1 :])
    return Document("file:///a", "/a", language, 1, buffer), anchor, cursor


@pytest.mark.parametrize(
    ("language", "fixture", "expected", "keep"),
    [(language, fixture, expected, keep) for language, _, fixture, expected, keep in PRUNED],
    ids=[f"{language}: {title}" for language, title, *_ in PRUNED],
)
def test_files_pruned_by_hand(language: str, fixture: str, expected: str, keep: Keep) -> None:
    document, anchor, cursor = placed(language, fixture)
    found = pruned(document, parse(language, document.buffer.text), anchor, cursor, keep)
    assert found is not None
    before, after = expected.split("⟫")
    assert found.before == before
    assert found.after == after
