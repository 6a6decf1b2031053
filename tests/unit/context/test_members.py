"""What stands before a member operator, and the members that its type offers: cases by hand."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING

import pytest
from cursor import at_cursor

from sidecar.context.snapshot import Place, Snapshot
from sidecar.context.sources import members
from sidecar.index.once import index_once
from sidecar.index.overlay import Overlay, Unsaved
from sidecar.index.reader import Reader
from sidecar.syntax import Languages, Trees
from sidecar.syntax.facts import facts_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sidecar.context.snapshot import Snippet

    Offer = Callable[[str, str], list[Snippet]]

FILES = {
    "shop/models.py": '''
from __future__ import annotations
from dataclasses import dataclass
from django.db import models

class Timed(models.Model):
    created_at: datetime

    def touch(self) -> None:
        self.created_at = now()

class Customer(Timed):
    email = models.EmailField()

    def greet(self) -> str: ...

class Order(Timed):
    """One order."""
    number: str
    total = models.DecimalField(max_digits=9)
    customer: Customer
    lines: list[Line]
    objects = models.Manager()

    def ship(self, when: date | None = None) -> bool:
        return True

    @property
    def first_line(self) -> Line:
        return self.lines[0]

    async def refund(self) -> Receipt: ...

@dataclass
class Line:
    product: str
    amount: int = 1

    def price(self) -> Decimal: ...

class Receipt:
    url: str

    def download(self) -> bytes: ...

class Color(Enum):
    RED = 1

def latest_order(customer: Customer) -> Order | None: ...
''',
    "shop/__init__.py": "from shop.models import Order as Purchase\n",
    "shop/repo.py": """
from typing import Generic, TypeVar
from shop.models import Order, Customer

T = TypeVar("T")

class Repo(Generic[T]):
    def find(self, key: int) -> T: ...
    def all(self) -> list[T]: ...

class OrderRepo(Repo[Order]):
    def open_orders(self) -> list[Order]: ...

class Session:
    def __enter__(self) -> "Session": ...
    def commit(self) -> None: ...

class Service:
    def __init__(self, repo: OrderRepo, customer: Customer) -> None:
        self.repo = repo
        self.current = customer

    async def load(self, key: int) -> Order: ...
""",
}


@pytest.fixture(scope="module")
def offered(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Offer]:
    """Makes an index of the files of one language, and asks at a cursor in an unsaved document."""
    languages = Languages.load()
    with ExitStack() as stack:
        readers: dict[str, Reader] = {}

        def offer(path: str, fixture: str) -> list[Snippet]:
            files = WORKSPACES[path]
            if path not in readers:
                root = tmp_path_factory.mktemp("root")
                database = tmp_path_factory.mktemp("index") / "index.sqlite"
                for name, text in files.items():
                    (root / name).parent.mkdir(parents=True, exist_ok=True)
                    (root / name).write_text(text)
                index_once(str(root), database=lambda _: database)
                readers[path] = stack.enter_context(Reader(database))
            document, cursor = at_cursor(fixture, "", f"/w/{path}")
            language = languages.find("", path.replace("ipynb", "py"))
            assert language is not None
            parsed = Trees().parse(document.uri, language, document.buffer)
            assert parsed is not None
            facts = facts_of(parsed.grammar, parsed.tree.root_node, parsed.source)
            index = Overlay(readers[path], {path: Unsaved(path, language.name, facts)})
            place = Place(document, path, language, parsed, cursor, cursor)
            text = document.buffer.text
            return members.offer(place, Snapshot(index, {**files, path: text}.get))

        yield offer


def check(offer: Offer, path: str, fixture: str, expected: str) -> None:
    """Expect the type whose members come first: behind the operator that is `core`."""
    found = offer(path, fixture)
    first = found[0].key.rpartition(":")[2] if found and found[0].tier == "core" else ""
    assert first == expected, [(item.key, item.tier) for item in found]


IMPORTS = """from shop import Purchase, models
import shop.models as m
from shop.models import Order, Customer, Line, latest_order
from shop.repo import OrderRepo, Repo, Session, Service
from typing import Optional

"""
WORKSPACES = {"app.py": {**FILES, "app.py": IMPORTS}, "app.ipynb": {**FILES, "app.ipynb": ""}}
PYTHON = {
    "a view": (
        "def view(request, pk):\n    order = Order.objects.get(pk=pk)\n    order.|\n\n"
        "def other(): ...\n",
        "Order",
    ),
    "a query": ("def f():\n    for order in Order.objects.filter(a=1):\n        order.|", "Order"),
    "a query's first": (
        "order = Order.objects.filter(a=1).order_by('x').first()\norder.|",
        "Order",
    ),
    "got or made": ("order, made = Order.objects.get_or_create(pk=1)\norder.|", "Order"),
    "a shortcut": (
        "def f(pk):\n    order = get_object_or_404(Order, pk=pk)\n    return order.|",
        "Order",
    ),
    "a session": ("order = session.query(Order).filter(a).first()\norder.|", "Order"),
    "a parameter": (
        "def f(order: Order, n=1):\n    if n:\n        print(order.|)\n    return 1",
        "Order",
    ),
    "an optional": ("def f(order: Optional[Order] = None):\n    order.|", "Order"),
    "a union": ("def f(order: 'Order ‖ None'):\n    order.shi|", "Order"),
    "a list": ("def f(orders: list[Order]):\n    for order in orders:\n        order.|", "Order"),
    "an element": ("def f(orders: dict[str, Order]):\n    orders['a'].|", "Order"),
    "items": (
        "def f(o: dict[str, Order]):\n    for key, order in o.items():\n        order.|",
        "Order",
    ),
    "counted": (
        "def f(o: list[Order]):\n    for n, order in enumerate(o):\n        order.|",
        "Order",
    ),
    "a comprehension": ("def f(o: list[Order]):\n    return [x for x in o if x.|]", "Order"),
    "a call": ("def f(c):\n    order = latest_order(c)\n    order.|", "Order"),
    "a constructor": ("line = Line('a')\nline.|", "Line"),
    "a chain": ("def f(order: Order):\n    order.customer.|", "Customer"),
    "a chain's element": ("def f(order: Order):\n    order.lines[0].|", "Line"),
    "a property": ("def f(order: Order):\n    order.first_line.|", "Line"),
    "awaited": ("async def f(order: Order):\n    r = await order.refund()\n    r.|", "Receipt"),
    "awaited in brackets": ("async def f(s: Service):\n    (await s.load(1)).|", "Order"),
    "a context": ("def f():\n    with Session() as session:\n        session.|", "Session"),
    "self": ("class A(Order):\n    def f(self):\n        self.|\n\n    def g(self): ...", "A"),
    "self's field": (
        "class A:\n    def __init__(self, order: Order):\n        self.order = order\n\n"
        "    def f(self):\n        self.order.|\n",
        "Order",
    ),
    "super": ("class A(Order):\n    def ship(self):\n        super().|", "Order"),
    "another's parameter": ("def f(s: Service):\n    s.repo.|", "OrderRepo"),
    "a type parameter": ("def f(repo: Repo[Order]):\n    repo.find(1).|", "Order"),
    "an inherited one": ("def f(repo: OrderRepo):\n    x = repo.find(1)\n    x.|", "Order"),
    "an inherited list": ("def f(r: OrderRepo):\n    for x in r.all():\n        x.|", "Order"),
    "the nearest": ("def f(x: Order):\n    x = Line()\n    x.|\n    x = Customer()", "Line"),
    "shadowed": ("def f(x: Order):\n    def g(x):\n        x.|", ""),
    "shadowed by a type": ("def f(x: Order):\n    def g(x: Line):\n        x.|", "Line"),
    "another function's": ("def f():\n    x = Order()\n\ndef g():\n    x.|", ""),
    "outside": ("x = Order()\n\ndef g():\n    x.|", "Order"),
    "from itself": ("def f(x: Order):\n    x = x.customer.|", "Customer"),
    "a class": ("Order.|", "Order"),
    "a walrus": ("def f(c):\n    if order := latest_order(c):\n        order.|", "Order"),
    "lines of a chain": ("x = (Order.objects\n    .filter(a=1)\n    .first()\n    .|", "Order"),
    "an open call": ("def f(order: Order):\n    print(order.|\n\ndef g(): ...", "Order"),
    "another name": ("def f(p: Purchase):\n    p.|", "Order"),
    "a module": ("def f(p: models.Line):\n    p.|", "Line"),
    "a module's class": ("p = m.Line()\np.|", "Line"),
    "unknown": ("def f(x):\n    x.|", ""),
    "a library's": ("from other import Order\ndef f(x: Order):\n    x.|", ""),
    "a number": ("x = 1.|", ""),
    "a comment": ("def f(x: Order):\n    # x.|", ""),
    "a string": ("def f(x: Order):\n    y = 'x.|'", ""),
    "a lambda": ("f = lambda order: order.|", ""),
    "cast": ("from typing import cast\nx = cast(Order, y)\nx.|", "Order"),
}


@pytest.mark.parametrize("case", PYTHON)
def test_python(offered: Offer, case: str) -> None:
    fixture, expected = PYTHON[case]
    check(offered, "app.py", IMPORTS + fixture, expected)


def test_members_are_shown_as_their_language_writes_them(offered: Offer) -> None:
    (found,) = offered("app.py", IMPORTS + "def f(order: Order):\n    order.|")
    assert (found.path, found.key) == ("shop/models.py", "members:shop/models.py:Order")
    assert found.text == (
        "class Order(Timed):\n"
        '    """One order."""\n'
        "    number: str\n"
        "    total = models.DecimalField(max_digits=9)\n"
        "    customer: Customer\n"
        "    lines: list[Line]\n"
        "    objects = models.Manager()\n"
        "    def ship(self, when: date | None = None) -> bool: ...\n"
        "    @property\n"
        "    def first_line(self) -> Line: ...\n"
        "    async def refund(self) -> Receipt: ...\n"
        "class Timed(models.Model):\n"
        "    created_at: datetime\n"
        "    def touch(self) -> None: ...\n"
    )


def test_a_module_offers_what_it_declares(offered: Offer) -> None:
    (found,) = offered("app.py", IMPORTS + "models.|")
    assert found.key == "members:shop/models.py:"
    assert "class Order(Timed): ...\n" in found.text
    assert "def latest_order(customer: Customer) -> Order | None: ...\n" in found.text


def test_receivers_used_near_the_cursor_are_extended(offered: Offer) -> None:
    fixture = (
        "def f(order: Order, line: Line, customer: Customer, s: Session, other):\n"
        "    s.commit()\n" + "    pass\n" * 9 + "    customer.greet()\n"
        "    other.name()\n"
        "    line.price()\n"
        "    order.ship()\n"
        "    return |\n"
    )
    found = offered("app.py", IMPORTS + fixture)
    assert [(item.key.rpartition(":")[2], item.tier) for item in found] == [
        ("Order", "extended"),
        ("Line", "extended"),
        ("Customer", "extended"),
    ]
    assert [item.score for item in found] == sorted((item.score for item in found), reverse=True)
    assert {item.short == "" or len(item.short) < len(item.text) for item in found} == {True}


def test_types_of_the_file_itself_are_offered_behind_an_operator_only(offered: Offer) -> None:
    head = "class Own:\n    name: str\n\n\ndef f(own: Own):\n    own.name\n"
    assert offered("app.py", head + "    return |") == []
    (found,) = offered("app.py", head + "    return own.|")
    assert found.tier == "core"


def test_notebooks_are_left_out(offered: Offer) -> None:
    assert offered("app.ipynb", IMPORTS + "order = Order()\norder.|") == []


def test_the_same_place_gives_the_same_snippets(offered: Offer) -> None:
    fixture = IMPORTS + "def f(order: Order, line: Line):\n    line.price()\n    order.|"
    assert offered("app.py", fixture) == offered("app.py", fixture)
