"""Names near a cursor: which there are, and which of them matter most."""

from __future__ import annotations

import pytest
from context_samples import place_at
from cursor import at_cursor
from hypothesis import given, settings
from hypothesis import strategies as st

from sidecar.context.names import names_near
from sidecar.context.snapshot import Place
from sidecar.syntax import Languages


def check(path: str, fixture: str, expected: str) -> None:
    """Expect names with their qualifiers and the first letters of their roles, in any order."""
    place, _ = place_at(path, fixture)
    found = {
        f"{name.qualifier}.{name.name}:{name.role}"
        if name.qualifier
        else f"{name.name}:{name.role}"
        for name in names_near(place)
    }
    assert found == set(expected.split())


@pytest.mark.parametrize(
    ("path", "fixture", "expected"),
    [
        ("a.py", "x = make(Order)|", "make:call Order:name"),
        ("a.py", "def f(o: Order) -> Line:\n    |", "f:call o:name Order:type Line:type"),
        ("a.py", "shop.models.Order.load(1)|", "shop:name shop.models:member "
         "shop.models.Order:member shop.models.Order.load:call"),
        ("a.py", "find(1).lines[0].price|", "find:call ?.lines:member ?.price:member"),
        ("a.py", "self.total + super().ship()|", "self.total:member ?.ship:call"),
        ("a.py", "@app.route('/x')\ndef f(): |", "app:name app.route:call f:call"),
        ("a.py", "# no\nx = 'no' + f'{yes} no'|", "yes:name"),
        ("a.py", "import no\nfrom no import no\nyes|", "yes:name"),
        ("a.py", "for no in yes:\n    no|", "yes:name"),
        ("a.py", "class A(B):\n    def |", "A:call B:type"),
        ("a.ts", "const no = new Cart<Item>(x); lib.pick(1)|",
         "Cart:call Item:type x:name lib:name lib.pick:call"),
        ("a.ts", "a?.b!.c()|", "a:name a.b:member a.b.c:call"),
        ("a.go", "package p\nfunc f(c *cart.Cart) { no := cart.New(1); no.Add(2)| }",
         "p:name f:call c:name cart:name cart.Cart:type cart.New:call no.Add:call"),
        ("a.rs", "fn f(c: &Cart) { crate::cart::make::<u8>(1); Order::new(2)| }",
         "f:call c:name Cart:type cart:name cart.make:call Order:type Order.new:call"),
        ("a.java", "class A { B b = new C<D>(e);| }", "A:name B:type C:type D:type e:name"),
        ("a.cs", "class A { void F() { G.H(i);| } }", "A:name F:call G:name G.H:call i:name"),
        ("a.php", "<?php\n$o = new App\\Order(1); $o->ship();|",
         "php:name App:name App.Order:call $o.ship:call"),
    ],
)  # fmt: skip
def test_names_and_what_is_done_with_them(path: str, fixture: str, expected: str) -> None:
    check(path, fixture, expected)


def test_what_is_nearer_weighs_more_and_what_is_below_less() -> None:
    lines = "\n".join(["far()"] + ["pass"] * 12 + ["above()", "near()|", "below()"])
    place, _ = place_at("a.py", lines)
    assert [name.name for name in names_near(place)] == ["near", "above", "below", "far"]
    assert [name.distance for name in names_near(place)] == [0, -1, 1, -14]


def test_what_is_named_often_weighs_more() -> None:
    place, _ = place_at("a.py", "often()\nonce()\nonce_more(often())|")
    assert names_near(place)[0].name == "often"


def test_lines_and_names_are_bounded() -> None:
    place, _ = place_at("a.py", "\n".join(f"name{n}()" for n in range(300)) + "|")
    found = names_near(place)
    assert len(found) == 40
    place, _ = place_at("a.py", "far()\n" + "\n" * 50 + "|\n" + "\n" * 20 + "below()")
    assert not names_near(place)


def test_letters_beyond_ascii() -> None:
    place, _ = place_at("a.py", "größe = 1\nwert.größe(länge)|\n")
    assert {(name.qualifier, name.name) for name in names_near(place)} == {
        ("", "wert"),
        ("wert", "größe"),
        ("", "länge"),
    }


def test_a_document_without_a_tree() -> None:
    document, cursor = at_cursor("x = make(Order)|", "", "a.unknown")
    place = Place(document, "a.unknown", None, None, cursor, cursor)
    assert {name.name for name in names_near(place)} == {"make", "Order"}


@settings(max_examples=150, deadline=None)
@given(
    language=st.sampled_from([language.extensions[0] for language in Languages.load().all]),
    before=st.text(alphabet="ab.(:<>{}\"'`#/\\ \n=ä€🙂\r", max_size=80),
    after=st.text(alphabet="ab.(:<>{}\"'`#/\\ \n=ä€🙂\r", max_size=40),
)
def test_any_text_has_names_or_none(language: str, before: str, after: str) -> None:
    place, _ = place_at(f"a{language}", f"{before}|{after}")
    for name in names_near(place):
        assert name.name and 0 < name.weight < 2
