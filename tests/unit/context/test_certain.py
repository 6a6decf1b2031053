"""What is certain of how a text goes on, and above all what is not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from cursor import at_cursor

from sidecar.context.certain import certain
from sidecar.context.certain.going_on import continuation
from sidecar.context.snapshot import EMPTY, Place, Snapshot
from sidecar.index.once import index_once
from sidecar.index.query.overlay import Overlay, Unsaved
from sidecar.index.query.reader import Reader
from sidecar.syntax import Languages, Trees
from sidecar.syntax.facts import facts_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

FILES = {
    "shop/__init__.py": "from shop.orders import Order\n",
    "shop/orders.py": """
from dataclasses import dataclass
from threading import Thread
from typing import Any


class Timed:
    created_at: int

    def touch_all(self) -> None: ...


class Order(Timed):
    def __init__(self, number: int, customer_name: str = "") -> None:
        self.number = number
        self._secret_key = 1

    def cancel_all(self) -> None: ...

    def ship_to(self, street: str, *, express: bool = False) -> bool: ...

    def ship_from(self, street: str) -> bool: ...

    @classmethod
    def from_text(cls, text: str) -> "Order": ...


class Worker(Thread):
    def restart_all(self) -> None: ...


class Loose:
    known_one: int

    def __getattr__(self, name: str) -> Any: ...


@dataclass
class Line:
    product_name: str
    amount: int = 1


def find_order(number: int) -> Order: ...


def passes_on(**options: int) -> None: ...
""",
    "shop/payments.py": "def pay_now() -> None: ...\n\n\ndef pay_later() -> None: ...\n",
    "shop/pages/views.py": "def show_order() -> None: ...\n",
    "shop/pages/style.css": "a {}\n",
    "web/app.ts": "export class Cart {\n  addItem(name: string): void {}\n  total = 0\n}\n",
}
ORDER = "from shop.orders import Order, Line, Worker, Loose, find_order, passes_on\n\n\n"
MODULE = "import shop.orders as o\n\n"
CART = 'import { Cart } from "./app"\n\nfunction f(cart: Cart) {\n'
# Where imports lead is known of files on disk.
FILES |= {"shop/new.py": ORDER, "shop/other.py": MODULE, "web/new.ts": CART + "}\n"}


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str, str], str]]:
    """Asks at a cursor in a document of a workspace, which is not saved."""
    languages = Languages.load()
    root = tmp_path_factory.mktemp("root")
    database = tmp_path_factory.mktemp("index") / "index.sqlite"
    for name, text in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    index_once(str(root), database=lambda _: database)
    with Reader(database) as reader:

        def ask(fixture: str, path: str = "shop/new.py") -> str:
            document, cursor = at_cursor(fixture, "", f"/w/{path}")
            language = languages.find("", path)
            assert language is not None
            parsed = Trees().parse(document.uri, language, document.buffer)
            assert parsed is not None
            facts = facts_of(parsed.grammar, parsed.tree.root_node, parsed.source)
            index = Overlay(reader, {path: Unsaved(path, language.name, facts)})
            place = Place(document, path, language, parsed, cursor, cursor)
            return certain(place, Snapshot(index, lambda _: None))

        yield ask


def line(code: str) -> str:
    """Put a line into a function that knows an order."""
    return f"{ORDER}def work(order: Order, total_price: int) -> None:\n    {code}\n"


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        # Members, of the type and its bases; alone, or as far as they agree.
        ("order.can|", "cel_all"),
        ("order.tou|", "ch_all"),
        ("order.sh|", "ip_"),
        # Of one letter it is not worth to tell.
        ("order.ship_t|", ""),
        ("x = order.num|", "ber"),
        ("find_order(1).can|", "cel_all"),
        ("made = find_order(1)\n    made.can|", "cel_all"),
        ("Order.from|", "_text"),
        # In its own case only, and nothing that is there already or stands for nothing.
        ("order.Can|", ""),
        ("order.cancel_all|", ""),
        ("order.nothing|", ""),
        # What others may not use, and what only objects have.
        ("order.secr|", ""),
        ("Order.num|", ""),
        # Types of which not all is known, or none.
        ("worker = Worker()\n    worker.rest|", ""),
        ("loose = Loose()\n    loose.kno|", ""),
        ("unheard.can|", ""),
        # One of several.
        ("either: Order ‖ Line = order\n    either.can|", ""),
        ("maybe: Order ‖ None = order\n    maybe.can|", "cel_all"),
        # Text.
        ("# order.can|", ""),
        ('"order.can|"', ""),
        ('x = "order.can|', ""),
        ('"""order.can|', ""),
        ("x = f'{order.can|}'", "cel_all"),
        # Arguments by name, unless they were given, or a value may be meant.
        ("order.ship_to(str|", ""),
        ("order.ship_to('a', exp|", "ress="),
        ("order.ship_to('a', exp|)", "ress="),
        ("order.ship_to('a', express=True, exp|", ""),
        ("find_order(num|", "ber="),
        ("Order(cust|", "omer_name="),
        ("Order(\n        1,\n        cust|\n    )", "omer_name="),
        ("Line(prod|", "uct_name="),
        ("passes_on(opt|", ""),
        ("unheard(total|", ""),
        # Names, where one has to be there already.
        ("x = total|", "_price"),
        ("return total|", "_price"),
        ("x = 2 * total|", "_price"),
        ("total|", ""),
        ("for total|", ""),
        ("x = lambda total|", ""),
        ("x = isin|", "stance"),
        ("x = to|", ""),
        ("total_paid = 1\n    x = total|", ""),
        ("x = find|", "_order"),
        ("x = Total|", ""),
        ("x, total|", ""),
        ("x = (order, total|", "_price"),
        ("def inner(total|", ""),
        # A number, and the end of a name that is one.
        ("x = 12|", ""),
    ],
)
def test_code(asked: Callable[[str, str], str], code: str, expected: str) -> None:
    assert asked(line(code)) == expected


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("from shop.ord|", "ers"),
        ("import shop.ord|", "ers"),
        ("from shop.pa|", ""),
        ("from shop.pag|", "es"),
        ("from .ord|", "ers"),
        ("from . import ord|", "ers"),
        ("from shop import Ord|", "er"),
        ("from shop.orders import Ord|", "er"),
        ("from shop.orders import Order, Loo|", "se"),
        ("from shop.orders import (\n    Order,\n    Loo|\n)", "se"),
        ("from .orders import find|", "_order"),
        ("from shop.payments import |", "pay_"),
        ("from shop.payments import pay_n|", "ow"),
        ("from shop.payments import pay_now, |", "pay_later"),
        ("from shop.orders import ord|", ""),
        ("from sh|", ""),
        ("from elsewhere.ord|", ""),
        ("from shop.pages.sty|", ""),
    ],
)
def test_imports(asked: Callable[[str, str], str], code: str, expected: str) -> None:
    assert asked(f"{code}\n") == expected


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("return self.coun|", "ted_things"),
        ("return self._hid|", "den_thing"),
        # A new one may be begun.
        ("self.coun|", ""),
        ("self.counted_things = self.coun|", "ted_things"),
    ],
)
def test_an_object_knows_its_own(
    asked: Callable[[str, str], str], code: str, expected: str
) -> None:
    head = "class A:\n    counted_things = 1\n    _hidden_thing = 2\n\n    def f(self) -> int:\n"
    assert asked(f"{head}        {code}\n") == expected


def test_modules_give_what_they_declare(asked: Callable[..., str]) -> None:
    assert asked(f"{MODULE}o.find|\n", "shop/other.py") == "_order"
    assert asked(f"{MODULE}x = o.passes|\n", "shop/other.py") == "_on"


def test_other_languages_know_members(asked: Callable[..., str]) -> None:
    assert asked(f"{CART}  cart.add|\n}}\n", "web/new.ts") == "Item"
    assert asked(f"{CART}  // cart.add|\n}}\n", "web/new.ts") == ""
    assert asked(f"{CART}  /* cart.add|\n}}\n", "web/new.ts") == ""
    assert asked(f"{CART}  return car|\n}}\n", "web/new.ts") == ""


def test_nothing_is_known_without_a_tree_or_an_index() -> None:
    document, cursor = at_cursor("order.can|\n")
    assert certain(Place(document, "a.py", None, None, cursor, cursor), EMPTY) == ""
    language = Languages.load().find("python")
    assert language is not None
    parsed = Trees().parse(document.uri, language, document.buffer)
    assert certain(Place(document, "a.py", language, parsed, cursor, cursor), EMPTY) == ""


def test_what_names_have_in_common() -> None:
    assert continuation("sh", ["ship_to", "ship_from", "other"]) == "ip_"
    assert continuation("ship", ["ship", "ship_to"]) == ""
    assert continuation("shi", ["ship"]) == ""
    assert continuation("x", []) == ""
