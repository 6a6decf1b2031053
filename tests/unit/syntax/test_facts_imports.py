"""Every form of import in Python, JavaScript, TypeScript and Go."""

from __future__ import annotations

import pytest
from symbol_samples import facts_of_text

PYTHON = [
    ("import os", [("os", "", "")]),
    ("import os, sys as system", [("os", "", ""), ("sys", "", "system")]),
    ("import a.b.c", [("a.b.c", "", "")]),
    ("import a.b as c", [("a.b", "", "c")]),
    ("from a.b import c", [("a.b", "c", "")]),
    ("from a import b as c, d", [("a", "b", "c"), ("a", "d", "")]),
    ("from . import x", [(".", "x", "")]),
    ("from ...p.q import x as y", [("...p.q", "x", "y")]),
    (
        "from a import (\n    b,  # why\n    c as d,\n)\n",
        [("a", "b", ""), ("a", "c", "d")],
    ),
    ("from a import *", [("a", "*", "")]),
    ("from a import \\\n    b", [("a", "b", "")]),
    # It imports no module.
    ("from __future__ import annotations", []),
    ("try:\n    import a\nexcept ImportError:\n    a = None\n", [("a", "", "")]),
    ("def f():\n    from a import b\n    return b\n", [("a", "b", "")]),
    ("if TYPE_CHECKING:\n    from a import B\n", [("a", "B", "")]),
]

BOTH = [
    ("import 'a';", [("a", "", "")]),
    ("import a from 'b';", [("b", "default", "a")]),
    ("import { a, b as c } from './d';", [("./d", "a", ""), ("./d", "b", "c")]),
    ("import {\n  a, // why\n  b,\n} from 'c';", [("c", "a", ""), ("c", "b", "")]),
    ("import { default as a } from 'b';", [("b", "default", "a")]),
    ("import a, { b } from 'c';", [("c", "default", "a"), ("c", "b", "")]),
    ("import * as a from 'b';", [("b", "*", "a")]),
    ("import a, * as b from 'c';", [("c", "default", "a"), ("c", "*", "b")]),
    ("export { a } from 'b';", [("b", "a", "")]),
    ("export { a as default, b as c } from 'd';", [("d", "a", "default"), ("d", "b", "c")]),
    ("export { default } from 'a';", [("a", "default", "")]),
    ("export * from 'a';", [("a", "*", "")]),
    ("export * as a from 'b';", [("b", "*", "a")]),
    ("const a = 1; export { a };", []),
    ("const a = require('b');", [("b", "", "a")]),
    ("var a = require('b'), c = require('d');", [("b", "", "a"), ("d", "", "c")]),
    ("const { a, b: c } = require('d');", [("d", "a", ""), ("d", "b", "c")]),
    ("const { a, ...rest } = require('b');", [("b", "a", "")]),
    ("const a = require('b').c;", [("b", "c", "a")]),
    ("const a = require('b')('c');", [("b", "", "")]),
    ("require('a');", [("a", "", "")]),
    ("module.exports = require('a');", [("a", "", "")]),
    ("f(require('a'));", [("a", "", "")]),
    ("if (x) { const a = require('b'); }", [("b", "", "a")]),
    ("const a = () => import('b');", [("b", "", "")]),
    ("async function f() { return await import('./a.js'); }", [("./a.js", "", "")]),
    # Which module it is, only a run could tell.
    ("require(a); import(b); require(`c${d}`);", []),
    ("other('a');", []),
]

TYPESCRIPT = [
    ("import type { A, B as C } from 'd';", [("d", "A", ""), ("d", "B", "C")]),
    ("import { type A, b } from 'c';", [("c", "A", ""), ("c", "b", "")]),
    ("import type A from 'b';", [("b", "default", "A")]),
    ("import type * as a from 'b';", [("b", "*", "a")]),
    ("import a = require('b');", [("b", "", "a")]),
    ("import A = B.C;", []),
    ("export type { A } from 'b';", [("b", "A", "")]),
    ("declare module 'a' {\n  import { b } from 'c';\n}", [("c", "b", "")]),
]

GO = [
    ('import "fmt"', [("fmt", "", "")]),
    ('import (\n\t"a/b"\n\tc "d/e"\n)', [("a/b", "", ""), ("d/e", "", "c")]),
    ('import (\n\t"a" // why\n\n\t// also\n\t"b"\n)', [("a", "", ""), ("b", "", "")]),
    ('import _ "a"', [("a", "", "_")]),
    ('import . "a"', [("a", "*", "")]),
    ("import `a/b`", [("a/b", "", "")]),
    ('import "C"', [("C", "", "")]),
]

CASES = [
    *(("a.py", *case) for case in PYTHON),
    *(("a.js", *case) for case in BOTH),
    *(("a.ts", *case) for case in BOTH + TYPESCRIPT),
    *(("a.tsx", *case) for case in BOTH + TYPESCRIPT),
    *(("a.go", "package a\n\n" + text, imports) for text, imports in GO),
]


@pytest.mark.parametrize(("name", "text", "imports"), CASES)
def test_an_import(name: str, text: str, imports: list[tuple[str, str, str]]) -> None:
    facts, _ = facts_of_text(name, text)
    assert [item[:3] for item in facts.imports] == imports


def test_an_import_stands_where_its_statement_begins() -> None:
    facts, _ = facts_of_text("a.py", "import a\n\nfrom b import (\n    c,\n    d,\n)\n")
    assert [(item.name, item.line) for item in facts.imports] == [("", 0), ("c", 2), ("d", 2)]
