"""What newer versions of the languages can say, and how it is declared in a line."""

from __future__ import annotations

import pytest
from symbol_samples import facts_of_text

from sidecar.syntax import Languages, extract

TYPE_ALIASES = "type X[T] = list[T]\ntype Y = int\ndef f[T: int](a: T) -> T: ...\n"
PARAMETER_PROPERTIES = """\
class A {
  constructor(private a?: number, readonly b = 1, override c?: D, d?: E, public e: F) {}
}
"""
GO_ALIASES = "package a\n\ntype A = B[int]\ntype C[T any] = []T\ntype (\n\tD = E\n)\n"
RECORDS = "record struct A(int X);\nrecord class B;\nclass C(int a) : D<int>(a), E.F {}\n"

RUBY_OUTSIDE = """\
class A
  @@b = 1
  def c; @d, @e = 1, 2; @@b += 1; end
  def self.f; end
end
A::G = 1
A::H::I = 2
def A.j; end
"""
GO_VALUES = """\
package a

const b, c = 1, 2

const (
\td E = iota
\t_
\tf, g
)

var _ H = (*i)(nil)

var j, _, k int
"""
ATTRIBUTES = """\
struct A { int b [[maybe_unused]]; int c [[d]] = 1, *e; };
int f [[g]] = 1, (h /* i */);
"""
KOTLIN_PARAMETERS = """\
class A(val a: T? = null, private var b: Int = a, vararg val c: (Int) -> E = f, d: E = null)
"""
KOTLIN_CONTEXT = """\
context(log: Logger)
fun f() {}
class A {
  context(a: B, c: (D) -> E) private fun g() {}
}
fun h() { context(1) { f() } }
"""


@pytest.mark.parametrize(
    ("name", "text", "symbols"),
    [
        ("a.py", TYPE_ALIASES, ["1 type X", "2 type Y", "3 function f"]),
        (
            "a.ts",
            PARAMETER_PROPERTIES,
            [
                *("1 class A", "2 method A.constructor", "2 field A.a", "2 field A.b"),
                *("2 field A.c", "2 field A.e"),
            ],
        ),
        ("a.go", GO_ALIASES, ["3 type A", "4 type C", "6 type D"]),
        ("a.cs", RECORDS, ["1 struct A", "1 field A.X", "2 class B", "3 class C"]),
        ("a.java", "record A(int b, @C D... e) {}\n", ["1 class A", "1 field A.b", "1 field A.e"]),
        (
            "a.go",
            GO_VALUES,
            [
                *("3 constant b", "3 constant c", "6 constant d", "8 constant f", "8 constant g"),
                *("13 variable j", "13 variable k"),
            ],
        ),
        (
            "a.cpp",
            ATTRIBUTES,
            [
                "1 struct A",
                "1 field A.b",
                "1 field A.c",
                "1 field A.e",
                "2 variable f",
                "2 variable h",
            ],
        ),
        (
            "a.rb",
            RUBY_OUTSIDE,
            [
                *("1 class A", "2 field A.@@b", "3 method A.c", "3 field A.@d", "3 field A.@e"),
                *("4 method A.f", "6 constant A.G", "7 constant H.I", "8 method A.j"),
            ],
        ),
        ("a.kt", KOTLIN_PARAMETERS, ["1 class A", "1 field A.a", "1 field A.b", "1 field A.c"]),
        ("a.kt", KOTLIN_CONTEXT, ["2 function f", "3 class A", "4 method A.g", "6 function h"]),
    ],
)
def test_what_is_declared(name: str, text: str, symbols: list[str]) -> None:
    facts, lines = facts_of_text(name, text)
    assert facts.errors == 0
    assert [line.split(" | ")[0] for line in lines] == symbols


def test_an_alias_in_go_is_shown_with_its_keyword() -> None:
    facts, _ = facts_of_text("a.go", GO_ALIASES)
    assert [symbol.signature for symbol in facts.symbols] == [
        *("type A = B[int]", "type C[T any] = []T", "D = E"),
    ]


def test_bytes_that_are_no_text_are_none_in_a_declaration() -> None:
    text = b'package a\n\ntype A struct {\n\tb int `\xff`\n}\n\nconst c = "\xff"\n'
    (language,) = [one for one in Languages.load().all if one.name == "go"]
    facts = extract(language, text)
    assert facts is not None
    assert [symbol.name for symbol in facts.symbols] == ["A", "b", "c"]


def test_a_shell_script_in_another_encoding_is_known() -> None:
    text = b"f() { gr\xfc\xdfe x; }\n# \xe9\n. lib/\xe4b.sh\ng() { :; }\n"
    (language,) = [one for one in Languages.load().all if one.name == "bash"]
    facts = extract(language, text)
    assert facts is not None
    assert [symbol.name for symbol in facts.symbols] == ["f", "g"]


@pytest.mark.parametrize(
    ("name", "text", "bases"),
    [
        ("a.cs", "class C(int a) : D<int>(a), E.F {}\n", ("D<int>", "E.F")),
        ("a.cs", "record R(int A) : S(A), T;\n", ("S", "T")),
        ("a.cs", "enum E : byte { A }\n", ("byte",)),
        ("a.go", "package a\n\ntype A interface{ ~int | ~string; B; c.D; E[int] }\n", None),
    ],
)
def test_a_base_is_a_type_alone(name: str, text: str, bases: tuple[str, ...] | None) -> None:
    # Arguments of its constructor are none, nor is a set of types.
    facts, _ = facts_of_text(name, text)
    assert facts.symbols[0].bases == (bases or ("B", "c.D", "E[int]"))


def test_a_generic_type_with_another_name_keeps_its_brackets() -> None:
    facts, _ = facts_of_text("a.cs", "using A = B.C<int>;\n")
    assert facts.imports[0][:3] == ("B.C<int>", "", "A")


@pytest.mark.parametrize(
    ("name", "text", "types"),
    [
        ("a.java", "record A(int b, @C D... e) {}\n", ["", "int", "D"]),
        ("a.kt", KOTLIN_PARAMETERS, ["", "T?", "Int", "(Int) -> E"]),
    ],
)
def test_the_types_of_fields_that_are_parameters(name: str, text: str, types: list[str]) -> None:
    facts, _ = facts_of_text(name, text)
    assert [symbol.type for symbol in facts.symbols] == types


def test_annotations_are_no_part_of_the_type_of_the_last_parameters_in_java() -> None:
    facts, _ = facts_of_text("a.java", "class A { A(final B... c) {} void d(@E F<G>... h) {} }\n")
    assert [symbol.parameters for symbol in facts.symbols[1:]] == [(("c", "B"),), (("h", "F<G>"),)]
