"""What extraction does with code that is broken, huge, deep or no text at all."""

from __future__ import annotations

import functools
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from symbol_samples import facts_of_text

from sidecar.syntax import Facts, Languages, extract
from sidecar.syntax.parse import Grammar

DATA = Path(__file__).resolve().parents[2] / "data" / "symbols"
NAMES = ("python", "javascript", "typescript", "tsx", "go")
LANGUAGES = {language.name: language for language in Languages.load().all if language.name in NAMES}
SAMPLES = {
    name: [
        p.read_bytes() for p in sorted((DATA / name).iterdir()) if p.suffix in language.extensions
    ]
    for name, language in LANGUAGES.items()
}
EVERY_LANGUAGE = pytest.mark.parametrize("name", NAMES)


def facts_of(name: str, source: bytes) -> Facts:
    """Extract, and check what holds for every file."""
    facts = extract(LANGUAGES[name], source)
    assert facts is not None
    assert len(facts.symbols) == len(facts.places)
    lines = source.count(b"\n")
    for ordinal, (symbol, place) in enumerate(zip(facts.symbols, facts.places, strict=True)):
        assert -1 <= symbol.container < ordinal
        assert symbol.kind not in ("value", "record", "entry")
        assert 0 <= place.first_line <= place.line <= lines
        assert place.first_line <= place.last_line <= lines
        assert "\n" not in symbol.signature + symbol.doc + symbol.type
        assert len(symbol.signature) <= 400
    assert all(0 <= item.line <= lines for item in facts.imports)
    assert all(sum(counts) > 0 for counts in facts.references.values())
    words = facts.words.split(" ")
    assert len(set(words)) == len(words)
    return facts


BROKEN = {
    "a.py": "def whole(a: int):\n    return a\n\ndef broken(:\n\nclass After:\n    pass\n",
    "a.js": "function whole(a) { return a; }\n\nlet = = 3 ( ;\n\nclass After {}\n",
    "a.ts": "function whole(a: number) { return a; }\n\nlet = = 3 ( ;\n\nclass After {}\n",
    "a.tsx": "function whole(a: number) { return a; }\n\nlet = = 3 ( ;\n\nclass After {}\n",
    "a.go": "package a\n\nfunc whole(a int) int { return a }\n\nvar = = (\n\ntype After struct{}\n",
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_file_that_does_not_parse_gives_its_intact_parts(name: str) -> None:
    facts, _ = facts_of_text(name, BROKEN[name])
    assert facts.errors > 0
    assert {"whole", "After"} <= {symbol.name for symbol in facts.symbols}


@pytest.mark.parametrize(
    ("name", "text", "signature"),
    [
        ("a.py", 'def f(  # why\n    a="#b",  # also\n): pass\n', 'def f(a="#b")'),
        ("a.js", 'function f(/* why */ a, // also\n  b = "//c") {}\n', 'function f(a, b = "//c")'),
        ("a.ts", "export const f = (a: /* x */ A): B => a\n", "export const f = (a: A): B"),
        ("a.tsx", "function F({ a /* x */ }: P) { return <a /> }\n", "function F({ a }: P)"),
        ("a.go", "package a\n\nfunc f(a int /* b */, c string) {}\n", "func f(a int , c string)"),
    ],
)
def test_comments_in_a_signature_are_cut(name: str, text: str, signature: str) -> None:
    _, lines = facts_of_text(name, text)
    assert lines[0].split(" | ")[1] == signature


@EVERY_LANGUAGE
@pytest.mark.parametrize("bracket", ["(", "[", "{", "(()", "<", "<a>", "a(b => {"])
def test_ten_thousand_open_brackets(name: str, bracket: str) -> None:
    facts_of(name, b"x = " + bracket.encode() * 10_000)


@EVERY_LANGUAGE
def test_ten_thousand_nested_brackets(name: str) -> None:
    depth = 10_000
    text = {
        "python": "x = " + "(" * depth + ")" * depth + "\n",
        "go": "package a\n\nvar x = " + "(" * depth + "1" + ")" * depth + "\n",
    }.get(name, "var x = " + "{a:" * depth + "1" + "}" * depth + ";\n")
    facts = facts_of(name, text.encode())
    assert "x" in {symbol.name for symbol in facts.symbols}


def test_hundreds_of_functions_in_each_other() -> None:
    text = "".join(" " * n + f"def f{n}():\n" for n in range(200)) + " " * 200 + "pass\n"
    facts = facts_of("python", text.encode())
    assert [symbol.container for symbol in facts.symbols] == list(range(-1, 199))


@EVERY_LANGUAGE
def test_a_file_of_a_megabyte(name: str) -> None:
    sample = SAMPLES[name][0]
    times = 1_000_000 // len(sample) + 1
    once, many = facts_of(name, sample), facts_of(name, (sample + b"\n") * times)
    # A value that is assigned once more is not declared once more.
    values = sum(symbol.kind in ("constant", "variable", "field") for symbol in once.symbols)
    assert len(many.symbols) >= (len(once.symbols) - values) * times


@EVERY_LANGUAGE
def test_one_long_line(name: str) -> None:
    facts_of(name, b"f(a.b, 'c'); " * 20_000)


def test_a_parse_that_takes_too_long_is_given_up() -> None:
    # For this grammar, each of them costs as much as all before it.
    facts = facts_of("go", b"package a\n\nfunc f() {}\n\nx = " + b"[]{" * 10_000)
    assert facts.symbols == () and facts.errors == 1
    assert facts_of("go", SAMPLES["go"][0]).symbols


@EVERY_LANGUAGE
@pytest.mark.parametrize("source", [b"", b"\n", b"\0", b"\xff\xfe", b"\xef\xbb\xbf", b" " * 99])
def test_files_of_nothing(name: str, source: bytes) -> None:
    facts = facts_of(name, source)
    assert facts.symbols == () and facts.imports == () and facts.references == {}


def test_bytes_that_are_no_utf_8_are_replaced() -> None:
    facts = facts_of("python", b'# caf\xe9\ndef f(a: "\xff\xfe"):\n    "M\xfcnchen"\n')
    (symbol,) = facts.symbols
    assert symbol.name == "f"
    assert symbol.doc == "M\ufffdnchen"
    assert symbol.parameters == (("a", '"\ufffd\ufffd"'),)


@EVERY_LANGUAGE
def test_line_ends_of_windows_make_no_difference(name: str) -> None:
    for sample in SAMPLES[name]:
        unix, windows = facts_of(name, sample), facts_of(name, sample.replace(b"\n", b"\r\n"))
        assert windows.symbols == unix.symbols
        assert windows.places == unix.places
        assert windows.imports == unix.imports
        assert windows.references == unix.references


@pytest.mark.parametrize(
    ("name", "text", "column"),
    [
        ("python", 'x = "é😀"; y = 1\n', 10),
        ("javascript", "/* é😀 */ function y() {}\n", 18),
        ("typescript", "/* é😀 */ function y() {}\n", 18),
        ("tsx", "/* é😀 */ function y() {}\n", 18),
        ("go", "package a\n\nvar /* é😀 */ y = 1\n", 13),
    ],
)
def test_columns_count_code_points(name: str, text: str, column: int) -> None:
    facts = facts_of(name, text.encode())
    (place,) = [p for s, p in zip(facts.symbols, facts.places, strict=True) if s.name == "y"]
    assert place.column == column


def test_names_beyond_ascii() -> None:
    facts = facts_of("python", "def größe(é: int) -> str: ...\n".encode())
    (symbol,) = facts.symbols
    assert symbol.name == "größe" and symbol.parameters == (("é", "int"),)
    assert "größe" in facts.words.split()


@EVERY_LANGUAGE
def test_declarations_only_leaves_references_and_words_out(name: str) -> None:
    for sample in SAMPLES[name]:
        whole = facts_of(name, sample)
        part = extract(LANGUAGES[name], sample, declarations_only=True)
        assert part == whole._replace(references={}, words="")
        assert whole.references and whole.words


def test_objects_hold_members_and_methods() -> None:
    _, lines = facts_of_text(
        "a.js",
        """\
const api = {
  users: { get(id) {}, 'list': () => 1 },
  [Symbol.iterator]: function walk() {},
};
A.prototype = {
  b() { this.c = 1; },
};
module.exports = { d: function d() {} };
a.b = function b() {};
call(function named() {}, { options: {} });
""",
    )
    assert [line.split(" | ")[0] for line in lines] == [
        "1 variable api",
        "2 field api.users",
        "2 method users.get",
        "2 method users.list",
        "3 method api.[Symbol.iterator]",
        "3 function walk",
        "5 class A",
        "6 method A.b",
        "6 field A.c",
        "8 variable exports",
        "8 method exports.d",
        "9 function b",
        "10 function named",
        "10 field options",
    ]


@EVERY_LANGUAGE
@settings(max_examples=60, deadline=None)
@given(source=st.binary(max_size=400))
def test_any_bytes(name: str, source: bytes) -> None:
    facts_of(name, source)


@EVERY_LANGUAGE
@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_real_code_with_pieces_cut_swapped_and_put_in(name: str, data: st.DataObject) -> None:
    source = data.draw(st.sampled_from(SAMPLES[name]))
    places = st.integers(0, len(source))
    pieces = st.sampled_from(
        [b"(", b"{", b"}", b'"', b"'''", b"/*", b"\n", b"\xff", b"\xe2\x82", b":"]
    )
    for _ in range(data.draw(st.integers(1, 4))):
        start, end = sorted((data.draw(places), data.draw(places)))
        end = min(end, start + data.draw(st.integers(0, 300)))
        source = source[:start] + data.draw(pieces) + source[end:]
    facts_of(name, source)


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("javascript", b"x = " + b"a." * 50_000 + b"b; function f() {}\n"),
        ("python", b"def f(): pass\nx = a" + b".b" * 50_000 + b"\n"),
        ("javascript", b"--[[--[[--[[\n" * 40_000),
    ],
)
def test_no_depth_nor_rubbish_takes_long(name: str, source: bytes) -> None:
    # What queries cost grows with the square of both: these would take minutes.
    start = time.thread_time()
    facts = facts_of(name, source)
    assert time.thread_time() - start < 5.0
    assert ("f" in {symbol.name for symbol in facts.symbols}) == (b"f()" in source)


#: What the end of costs the square of their number, where the grammar may take them for two things.
NESTED = {
    "csharp": (b"a < ", b"template<", b"A<", b"x = A<"),
    "cpp": (b"%w(", b"a < "),
}


@pytest.mark.parametrize(
    ("name", "text"), [(name, text) for name, texts in NESTED.items() for text in texts]
)
def test_what_is_open_at_the_end_of_a_text_is_not_parsed_in_the_square(
    name: str, text: bytes
) -> None:
    (language,) = [one for one in Languages.load().all if one.name == name]
    grammar = Grammar.of(language)
    assert grammar is not None
    start = time.thread_time()
    # These would take from seconds to minutes, and gigabytes.
    for parse in (grammar.parse, functools.partial(grammar.parse_within, 0.7)):
        assert parse(text * 10_000) is None
    assert time.thread_time() - start < 1.0
    # As many that are closed, or that other things stand between, are no such text.
    assert grammar.parse(b"x = " + b"(" * 5_000 + b"1" + b")" * 5_000 + b";") is not None
    assert grammar.parse(b"f(a << b, c);\n" * 5_000) is not None
