"""Receivers before a cursor: expressions as chains, types, and what names are bound to."""

from __future__ import annotations

import time

import pytest
from cursor import at_cursor
from hypothesis import given, settings
from hypothesis import strategies as st

from sidecar.syntax import Languages, Trees
from sidecar.syntax.chains import expression_start, member_operator, read_chain
from sidecar.syntax.receivers import Receivers
from sidecar.syntax.typetext import read_type
from sidecar.text import encode_utf8

LANGUAGES = {
    language.name: language
    for language in Languages.load().all
    if language.query("bindings") is not None
}


def chain_of(text: str) -> str:
    """Return a chain in short: `name`, `.member`, `()`, `[]`, and other steps as `<kind text>`."""
    shown = {"call": "()", "index": "[]"}
    return "".join(
        step.name
        if step.kind == "name"
        else "." + step.name
        if step.kind == "member"
        else shown.get(step.kind) or f"<{step.kind}{' ' + step.text if step.text else ''}>"
        for step in read_chain(text)
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("order", "order"),
        ("self.repo.find(1)[0].lines", "self.repo.find()[].lines"),
        ("a.b(c, ')').d", "a.b().d"),
        ('f("(").x', "f().x"),
        ("await repo.find(1)", "repo.find()<await>"),
        ("(await repo.find(1)).lines", "repo.find()<await>.lines"),
        ("f(x).await?", "f()<await>"),
        ("try await f()", "f()<await>"),
        ("new Order(1)", "<new Order>"),
        ("new Map<string, Order>()", "<new Map<string, Order>>"),
        ("new Order[3]", "<new Order[]>"),
        ("new(models.Order)", "<new models.Order>"),
        ("&models.Order{ID: 1}", "models.Order<instance>"),
        ("x as Order", "<cast Order>"),
        ("((Order) x)", "<cast Order>"),
        ("x.(*models.Order)", "x<cast *models.Order>"),
        ("Order.objects\n    .filter(a=1)\n    .first()", "Order.objects.filter().first()"),
        ("$this->repo->find(1)", "$this.repo.find()"),
        ("Order::find(1)?->lines", "Order.find().lines"),
        ("a?.b!.c", "a.b.c"),
        ("order!!", "order"),
        ("orders.map { it.line }", "orders.map()"),
        ("a or b", "a"),
        ("a ?? b", "a"),
        ("Order() if a else None", "Order()"),
        ("Order.find 1", "Order.find()"),
        ("a + b", ""),
        ("a == b", ""),
        ("a.b in c", ""),
        ("[a for a in b]", ""),
        ("'text'", ""),
        ("12", ""),
        ("", ""),
        ("not a", ""),
    ],
)
def test_expressions_are_read_as_chains(text: str, expected: str) -> None:
    assert chain_of(text) == expected


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ("order.", "order"),
        ("  return self.orders[0].", "self.orders[0]"),
        ("x = foo(a, bar.baz(1).qu", "bar.baz(1)"),
        ("print(await f(x).", "f(x)"),
        ("(await f(x)).", "(await f(x))"),
        ("if (a->b->", "a->b"),
        ("... a.", "a"),
        ("[...a.", "a"),
        ("x = new Order(1).", "new Order(1)"),
        ("Order.new\n  order.", "order"),
        ("Foo<Bar>::", "Foo<Bar>"),
        ("Order.all\n    .first\n    .", "Order.all\n    .first\n    "),
        ("xs.forEach(x -> x.", "x"),
        ("# It is done.\n    self.", "self"),
        ("order.\n\tFirst().", "order.\n\tFirst()"),
        ("x = a + b.", "b"),
        ("0..", None),
        ("1.5", None),
        ("order", None),
        ("x -> ", None),
        ("", None),
    ],
)
def test_the_expression_before_an_operator(before: str, expected: str | None) -> None:
    operator = member_operator(before)
    if operator is None:
        assert expected is None
        return
    found = before[expression_start(before, operator[0]) : operator[0]]
    assert (found if read_chain(found) else None) == expected


@pytest.mark.parametrize(
    ("written", "name", "args"),
    [
        ("Order", "Order", ()),
        ('"Order"', "Order", ()),
        ("Order | None", "Order", ()),
        ("None | models.Order", "Order", ()),
        ("Optional[Order]", "Optional", ("Order",)),
        ("list[Order] | None", "list", ("Order",)),
        ("dict[str, list[Order]]", "dict", ("str", "list[Order]")),
        ("*models.Order", "Order", ()),
        ("[]*Order", "list", ("*Order",)),
        ("map[string]*Order", "map", ("string", "*Order")),
        ("(*Order, error)", "tuple", ("*Order", "error")),
        ("Order[]", "list", ("Order",)),
        ("readonly Order[]", "list", ("Order",)),
        ("(Order | null)[]", "list", ("(Order | null)",)),
        ("Promise<Order>", "Promise", ("Order",)),
        ("&'a mut Order", "Order", ()),
        ("Vec<Box<dyn Order>>", "Vec", ("Box<dyn Order>",)),
        ("[Order; 3]", "list", ("Order",)),
        ("const std::vector<Order> &", "vector", ("Order",)),
        ("struct order *", "order", ()),
        ("[Order]", "list", ("Order",)),
        ("[String: Order]", "map", ("String", "Order")),
        ("Order?", "Order", ()),
        ("?Order", "Order", ()),
        ("\\App\\Order", "Order", ()),
        ("@Nullable Order", "Order", ()),
        ("A<B>::C", "C", ()),
    ],
)
def test_types_are_read_in_all_languages_alike(
    written: str, name: str, args: tuple[str, ...]
) -> None:
    found = read_type(written)
    assert found is not None
    assert (found.name, found.args) == (name, args)


@pytest.mark.parametrize("written", ["", "None", "void", "(a: Order) => Line", "x" * 500, "'"])
def test_what_is_no_type_with_members(written: str) -> None:
    assert read_type(written) is None


def receivers_at(fixture: str, path: str = "/w/a.py") -> Receivers:
    document, offset = at_cursor(fixture, "", path)
    language = Languages.load().find("", path)
    assert language is not None
    parsed = Trees().parse(document.uri, language, document.buffer)
    assert parsed is not None
    return Receivers(parsed, len(encode_utf8(document.buffer.slice(0, offset))))


def check(fixture: str, expected: tuple[str, str] | None, path: str = "/w/a.py") -> None:
    """Expect what the first name of the receiver at the cursor is bound to."""
    receivers = receivers_at(fixture, path)
    receiver = receivers.at_cursor()
    assert receiver is not None
    binding = receivers.binding(receiver.chain[0].name, receiver.place)
    assert (binding and binding[:2]) == expected


@pytest.mark.parametrize(
    ("fixture", "expected"),
    [
        ("def f(x: A):\n    x.|", ("type", "A")),
        ("def f(*x: A):\n    x.|", ("item", "A")),
        ("def f(x=A()):\n    x.|", ("value", "A()")),
        ("x = A()\nx.|", ("value", "A()")),
        ("x: A = b()\nx.|", ("type", "A")),
        ("x = A()\nx = B()\nx.|", ("value", "B()")),
        ("x = A()\nx.|\nx = B()", ("value", "A()")),
        ("x = A()\nx = x.|", ("value", "A()")),
        ("for x in xs:\n    x.|", ("each", "xs")),
        ("for n, x in enumerate(xs):\n    x.|", ("each", "xs")),
        ("for k, x in xs.items():\n    x.|", ("entry", "xs")),
        ("with a() as x:\n    x.|", ("entered", "a()")),
        ("try:\n    pass\nexcept A as x:\n    x.|", ("instance", "A")),
        ("x, y = a()\nx.|", ("first", "a()")),
        ("x, y = a()\ny.|", ("none", "")),
        ("def f():\n    x = A()\n\ndef g():\n    x.|", None),
        ("class A:\n    x = B()\n    def f(self):\n        x.|", None),
        ("class A:\n    x = B()\n    x.|", ("value", "B()")),
        ("x = A()\ndef f(x):\n    x.|", ("none", "")),
        ("x = A()\ndef f():\n    if b:\n        x.|", ("value", "A()")),
        ("def f(x: A):\n    print(x.|\n\ndef g(x: B): ...", ("type", "A")),
        ("def f(x: A):\n    y = [1,\n    x.|\n\ndef g(x: B): ...", ("type", "A")),
        ("def f(x: A):\n    if x.|\n\ndef g(x: B): ...", ("type", "A")),
        ("def g(x: B): ...\n\ndef f(x: A):\n    return (x.|\n\ndef h(): ...", ("type", "A")),
    ],
)
def test_names_are_bound_to_what_is_nearest(fixture: str, expected: tuple[str, str] | None) -> None:
    check(fixture, expected)


def test_bindings_far_above_are_left_out() -> None:
    check("x = A()\n" + "y = 1\n" * 300 + "x.|", ("value", "A()"))
    check("x = A()\n" + "y = 1\n" * 500 + "x.|", None)


def test_comments_strings_and_imports_hold_no_receivers() -> None:
    for fixture in (
        "from x.|",
        "import x.|",
        "# see x.|",
        "y = 'x.|'",
        'y = "x.|',
        "'''\nx.|\n'''",
        "x = 1.|",
    ):
        assert receivers_at(fixture).at_cursor() is None
    for fixture in ("y = f'{x.|}'", 'y = f"{x.|', 'y = "a" + x.|'):
        assert receivers_at(fixture).at_cursor() is not None


@pytest.mark.parametrize(
    ("fixture", "expected"),
    [
        ("class A:\n    def f(self):\n        self.|", ("A", False)),
        ("class A:\n    class B:\n        def f(self):\n            self.|", ("B", False)),
        ("class A:\n    def f(self):\n        print(self.|\n\n    def g(self): ...", ("A", False)),
        ("class A: ...\n\ndef f(self):\n    self.|", None),
    ],
)
def test_the_class_around(fixture: str, expected: tuple[str, bool] | None) -> None:
    assert receivers_at(fixture).enclosing_class() == expected


def test_receivers_near_by_come_nearest_first() -> None:
    fixture = "far.x()\n" + "\n" * 9 + "a.x()\nself.b.y()\na.z(c.d)\n# e.f\nreturn |"
    found = [receiver.text for receiver in receivers_at(fixture).nearby(8, 9)]
    assert found == ["c", "a", "self.b"]


PIECES = (
    "x.",
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    "\n",
    "    ",
    "=",
    "def f(x: A):",
    "class A",
    "->",
    "::",
)
PIECES += (
    '"',
    "'",
    "`",
    "new ",
    "await ",
    "<",
    ">",
    ",",
    "x",
    "//",
    "#",
    "for x in y",
    "é",
    "?",
    "!",
)


@pytest.mark.parametrize("name", LANGUAGES)
@given(pieces=st.lists(st.sampled_from(PIECES), max_size=60))
@settings(max_examples=25, deadline=None)
def test_any_text_is_answered(name: str, pieces: list[str]) -> None:
    language = LANGUAGES[name]
    path = f"/w/a{language.extensions[0]}"
    receivers = receivers_at("".join(pieces) + "x.|" + "".join(pieces), path)
    receiver = receivers.at_cursor()
    for found in (*([receiver] if receiver else []), *receivers.nearby(8, 6)):
        for step in found.chain:
            receivers.binding(step.name, found.place)
    receivers.enclosing_class()


@pytest.mark.parametrize(
    "text",
    [
        "x(" * 900,
        "x[" * 900 + "]" * 900,
        "x." * 5_000,
        "(" * 4_000 + "x." * 10,
        "a<" * 3_000,
        "x = (x or " * 400,
        "x = " * 5_000,
        "'" * 5_000,
        "x, " * 5_000 + "= y\n",
        "x = x.y\n" * 5_000,
        "if x:\n" + " if x:\n" * 3_000,
    ],
)
def test_hostile_texts_cost_little(text: str) -> None:
    document, offset = at_cursor(text + "\nx.|")
    parsed = Trees().parse(document.uri, LANGUAGES["python"], document.buffer)
    if parsed is None:
        # Given up before.
        return
    receivers = Receivers(parsed, offset)
    start = time.process_time()
    receiver = receivers.at_cursor()
    if receiver is not None:
        receivers.binding("x", receiver.place)
    receivers.nearby(8, 6)
    receivers.enclosing_class()
    for written in (text[:300], text[:2_000]):
        read_type(written)
        read_chain(written)
    # Many times what it takes, and far less than what a square of the text's length would.
    assert time.process_time() - start < 0.25
