"""What stands before a member operator, and the members that its type offers: cases by hand."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING

import pytest
from cursor import at_cursor
from receiver_cases import CASES, IMPORTS, INSIDE, LUA, WORKSPACES

from sidecar.context.snapshot import Place, Snapshot
from sidecar.context.sources import members
from sidecar.index.once import index_once
from sidecar.index.query.overlay import Overlay, Unsaved
from sidecar.index.query.reader import Reader
from sidecar.syntax import Languages, Trees
from sidecar.syntax.facts import facts_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sidecar.context.snapshot import Snippet

    Offer = Callable[[str, str], list[Snippet]]


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
            language = languages.find("python" if path.endswith(".ipynb") else "", path)
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


@pytest.mark.parametrize("case", CASES)
def test_receivers(offered: Offer, case: str) -> None:
    check(offered, *CASES[case])


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


@pytest.mark.parametrize(
    ("line", "path"),
    [
        ("models.|", "shop/models.py"),
        ("def f(order) -> kept.|", "shop/repo.py"),
        ("try:\n    f()\nexcept kept.|:", "shop/repo.py"),
    ],
)
def test_a_module_of_ones_own_package_offers_what_it_declares(
    offered: Offer, line: str, path: str
) -> None:
    (found,) = offered("shop/app.py", INSIDE + line)
    assert (found.key, found.tier) == (f"members:{path}:", "core")


def test_members_that_have_no_room_are_named(offered: Offer) -> None:
    fields = "".join(f"    field_{n}: int = {n}\n" for n in range(120))
    (found,) = offered("shop/app.py", f"class Wide:\n{fields}\n\nWide().|")
    assert "    field_23: int = 23\n" in found.text
    assert "field_24: int" not in found.text
    assert found.text.endswith("# ... " + ", ".join(f"field_{n}" for n in range(24, 100)) + "\n")


def test_a_table_that_is_a_module_offers_its_functions(offered: Offer) -> None:
    (found,) = offered("app.lua", LUA + "Order.|")
    assert found.key == "members:models/order.lua:"
    assert "function Order.new(n) ... end\n" in found.text


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


def test_the_same_place_gives_the_same_snippets(offered: Offer) -> None:
    fixture = IMPORTS + "def f(order: Order, line: Line):\n    line.price()\n    order.|"
    assert offered("app.py", fixture) == offered("app.py", fixture)
