"""The interface fingerprint: what changes it, and what must not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sidecar.index.extract.fingerprint import interface_fingerprint
from sidecar.syntax.facts import extract
from sidecar.syntax.imports import Import
from sidecar.syntax.languages import Languages
from sidecar.syntax.symbols import Symbol

PYTHON = '''
import os
from a.b import c as d, e

LIMIT = 10

class Base(Other):
    """What it is."""

    size: int = 3

    def run(self, path: str, deep: bool = True, sep=" , ") -> list[int]:
        # Why.
        inner = 1
        return [inner]

def free(a, b):
    return a
'''


def fingerprint(source: str, name: str = "x.py") -> bytes:
    language = Languages.load().find("", name)
    assert language is not None
    found = extract(language, source.encode())
    assert found is not None
    assert found.errors == 0
    return interface_fingerprint(found.symbols, found.imports)


def edit(old: str, new: str) -> str:
    assert PYTHON.count(old) == 1, old
    return PYTHON.replace(old, new)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("# Why.", "# Because of something else entirely."),
        ('"""What it is."""', '"""What it was."""'),
        ("        inner = 1", "        inner = compute(path)\n        other = inner"),
        ("    return a", "    def nested(x): return x\n    return nested(a)"),
        ("import os", "\n\n\nimport os"),
        ("def free(a, b):", "def free( a ,b, ) :"),
        ("def free(a, b):", "def free(\n    a,\n    b,\n):"),
        ("def free(a, b):", "def free(a,  # first\n    b):"),
        ("-> list[int]:", "->list[ int ] :"),
        ("import os\nfrom a.b import c as d, e", "from a.b import (\n    e, c as d,\n)\nimport os"),
    ],
)
def test_keeps(old: str, new: str) -> None:
    assert fingerprint(edit(old, new)) == fingerprint(PYTHON)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("def free(a, b):", "def free(a):"),
        ("def free(a, b):", "def free(a, c):"),
        ("def free(a, b):", "def freed(a, b):"),
        ("def free(a, b):", "async def free(a, b):"),
        ("-> list[int]:", "-> list[str]:"),
        ("path: str", "path: bytes"),
        ("deep: bool = True", "deep: bool = False"),
        ('sep=" , "', 'sep=","'),
        ("size: int", "size: float"),
        ("size: int", "width: int"),
        ("class Base(Other):", "class Base(Another):"),
        ("class Base(Other):", "class Base:"),
        ("import os", "import io"),
        ("c as d", "c as f"),
        ("LIMIT = 10", "LIMIT = 11"),
        ("LIMIT = 10", ""),
        ("def free", "def more(): ...\ndef free"),
        ("def free(a, b):\n    return a", ""),
    ],
)
def test_changes(old: str, new: str) -> None:
    assert fingerprint(edit(old, new)) != fingerprint(PYTHON)


NAMES = st.sampled_from(["a", "b", "Ab", "c_d"])
SYMBOLS = st.builds(
    Symbol,
    NAMES,
    st.sampled_from(["function", "class", "field"]),
    st.just(-1),
    st.sampled_from(["", "T"]),
    st.sampled_from(["def a(x)", "class A", 'x = " a "']),
    st.text(max_size=5),
    st.lists(NAMES, max_size=2).map(tuple),
    st.sampled_from(["", "int"]),
    st.lists(st.tuples(NAMES, NAMES), max_size=2).map(tuple),
)
FILES = st.lists(SYMBOLS, max_size=5)


@given(FILES, FILES)
def test_it_is_equal_exactly_when_declarations_are(
    first: list[Symbol], other: list[Symbol]
) -> None:
    same = [s._replace(doc="") for s in first] == [s._replace(doc="") for s in other]
    assert (interface_fingerprint(first, ()) == interface_fingerprint(other, ())) is same


@given(
    st.lists(st.builds(Import, NAMES, NAMES, NAMES, st.integers(0, 9)), max_size=6), st.randoms()
)
def test_the_order_and_lines_of_imports_do_not_count(imports: list[Import], random: object) -> None:
    shuffled = [item._replace(line=item.line + 1) for item in imports]
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert interface_fingerprint((), imports) == interface_fingerprint((), shuffled)


def test_a_member_that_moves_to_another_type_changes_it() -> None:
    types = [Symbol(n, "class", -1, "", f"class {n}", "", (), "", ()) for n in "AB"]
    member = Symbol("m", "method", 0, "A", "def m()", "", (), "", ())
    moved = member._replace(container=1)
    assert interface_fingerprint([*types, member], ()) != interface_fingerprint([*types, moved], ())
