"""What calls and members look like in several languages, and which lines are code."""

from __future__ import annotations

import pytest

from sidecar.syntax import Grammar, Languages
from sidecar.syntax.parse import Parsed
from sidecar.syntax.uses import code_lines, uses_of

LANGUAGES = {language.name: language for language in Languages.load().all}


def parse(language: str, text: str) -> Parsed:
    grammar = Grammar.of(LANGUAGES[language])
    assert grammar is not None
    source = text.encode()
    tree = grammar.parse(source)
    assert tree is not None
    return Parsed(source, tree, grammar)


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("python", "f()", ["f()"]),
        ("python", "f(a, key=g(1), *rest)", ["f(a, key=, *rest)", "g(1)"]),
        ("python", "y = order.customer.name", ["order>customer", "order.customer>name"]),
        ("python", "if not\\\n  f(x): pass", ["f(x)"]),
        ("python", "x = f(\n  a,  # why\n  b)", ["f(a, b)"]),
        ("python", "sum(x for x in y)", ["sum"]),
        ("python", "é.ß(ü)", ["é>ß(ü)"]),
        ("typescript", "new Foo<T>(a)", ["Foo(a)"]),
        (
            "typescript",
            "if (!check(x)) go(...spread(y))",
            ["check(x)", "go(...spread(y))", "spread(y)"],
        ),
        ("typescript", "this.client?.get<T>(u)", ["this>client", "this.client>get(u)"]),
        ("go", "package a\nfunc f() { http.Get(x) }", ["http>Get(x)"]),
        ("rust", "fn f() { a::b(x); c.d(1) }", ["a>b(x)", "c>d(1)"]),
        ("java", "class A { void f() { a.b(c); new D(e); } }", ["a>b(c)", "D(e)"]),
    ],
)
def test_uses(language: str, text: str, expected: list[str]) -> None:
    parsed = parse(language, text)
    found = []
    for use in uses_of(parsed):
        given = [
            f"{a.keyword}=" if a.keyword else parsed.source[a.start : a.end].decode()
            for a in use.arguments
        ]
        assert parsed.source[use.start : use.end].decode() == use.name
        assert use.member is bool(use.receiver)
        receiver = f"{use.receiver}>" if use.member else ""
        arguments = f"({', '.join(given)})" if given or text == "f()" else ""
        found.append(f"{receiver}{use.name}{arguments}")
    assert found == expected


PYTHON = '''\
"""Documentation,
of two lines.
"""

x = 1
y = f(2)  # why
# A comment.
z = (
    "text",
    g(3),
)
w = """
    not code
"""
'''
TYPESCRIPT = """\
/* A comment,
   of two lines. */
const x = 1
const y = f(2) // why
const z = `
  not code
`
"""


def test_lines_of_code() -> None:
    lines = PYTHON.split("\n")
    assert [lines[n] for n in sorted(code_lines(parse("python", PYTHON)))] == [
        "x = 1",
        "z = (",
        "    g(3),",
        ")",
        'w = """',
    ]
    lines = TYPESCRIPT.split("\n")
    assert [lines[n] for n in sorted(code_lines(parse("typescript", TYPESCRIPT)))] == [
        "const x = 1",
        "const z = `",
    ]
