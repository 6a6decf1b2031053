"""The line of names in scope and their types: what it tells, what it leaves out, how it holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from context_samples import case_at, files_of

from sidecar.context.sources import scope

if TYPE_CHECKING:
    from pathlib import Path

    from sidecar.context.snapshot import Snippet

PYTHON = """
@ shop/orders.py
class Line:
    amount: int

class Order:
    lines: list[Line]

    def first(self) -> Line: ...

def find(number: int) -> Order: ...
def perhaps(number: int) -> Order | None: ...
def maybe(number: int) -> Optional[Order]: ...
def several() -> list[Order]: ...
async def later() -> Order: ...
@ app.py
from shop.orders import Line, Order, find, later, maybe, perhaps, several

"""
TYPESCRIPT = """
@ src/orders.ts
export class Order { lines: Line[] = []; }
export class Line { amount: number = 1; }
export function find(n: number): Order { return new Order(); }
export async function later(n: number): Promise<Order> { return new Order(); }
@ src/app.ts
import { Order, find, later } from "./orders";

"""
GO = """
@ go.mod
module shop

@ models/order.go
package models

type Line struct { Amount int }
type Order struct { Lines []Line }

func Find(number int) (*Order, error) { return nil, nil }
@ web/app.go
package web

import "shop/models"

"""
JAVA = """
@ src/shop/Order.java
package shop;
public class Order { public List<Line> getLines() { return null; } }
@ src/shop/Line.java
package shop;
public class Line { }
@ src/shop/Orders.java
package shop;
public class Orders { public Order find(int number) { return null; } }
@ src/shop/App.java
package shop;

"""
RUST = """
@ src/orders.rs
pub struct Line { pub amount: i32 }
pub struct Order { pub lines: Vec<Line> }
pub fn find(number: i32) -> Result<Order, String> { todo!() }
@ src/app.rs
use crate::orders::{find, Order};

"""
FAR = "    pass\n" * 50

#: Files, the place in the last one, and the line.
CASES = {
    "a call": (PYTHON, "def f():\n    order = find(1)\n    |", "# order: Order"),
    "a list": (PYTHON, "def f():\n    found = several()\n    |", "# found: list[Order]"),
    "a loop": (PYTHON, "def f(o: Order):\n    for x in o.lines:\n        |", "# x: Line"),
    "a method": (PYTHON, "def f(o: Order):\n    line = o.first()\n    |", "# line: Line"),
    "awaited": (PYTHON, "async def f():\n    order = await later()\n    |", "# order: Order"),
    "a type or nothing": (PYTHON, "def f():\n    a = perhaps(1)\n    |", "# a: Order"),
    "an optional": (PYTHON, "def f():\n    a = maybe(1)\n    |", "# a: Order"),
    "some, in their order": (
        PYTHON,
        "def f():\n    order = find(1)\n    line = order.first()\n    return |",
        "# order: Order, line: Line",
    ),
    "the last value": (
        PYTHON,
        "def f():\n    x = find(1)\n    x = x.first()\n    |",
        "# x: Line",
    ),
    "at the top of a file": (PYTHON, "order = find(1)\nprint(|)", "# order: Order"),
    "of the function around": (
        PYTHON,
        "def f():\n    order = find(1)\n    def g():\n        |",
        "# order: Order",
    ),
    "an open line": (PYTHON, "def f():\n    order = find(1)\n    order.|\n", "# order: Order"),
    "an open line amid others": (
        PYTHON,
        "def f():\n    order = find(1)\n    print(order.|\n    return 1\n\n\ndef g():\n    pass\n",
        "# order: Order",
    ),
    # What stands so far above is not in the window.
    "a far constructor": (PYTHON, f"def f():\n    x = Line()\n{FAR}    |", "# x: Line"),
    "a far annotation": (PYTHON, f"def f():\n    x: Line = g()\n{FAR}    |", "# x: Line"),
    "a promise awaited": (
        TYPESCRIPT,
        "async function f() {\n  const order = await later(1);\n  |\n}\n",
        "// order: Order",
    ),
    "elements": (
        TYPESCRIPT,
        "function f(order: Order) {\n  for (const x of order.lines) {\n    |\n  }\n}\n",
        "// x: Line",
    ),
    "the first of a pair": (
        GO,
        "func f() {\n\torder, err := models.Find(1)\n\t|\n}\n",
        "// order: Order",
    ),
    "var": (
        JAVA,
        "class App {\n  void f(Orders all) {\n    var order = all.find(1);\n    |\n  }\n}\n",
        "// order: Order",
    ),
    "a lambda's": (
        JAVA,
        "class App {\n  void f(Order order) {\n    order.getLines().forEach(x -> {\n      |\n"
        "    });\n  }\n}\n",
        "// x: Line",
    ),
    "a result": (RUST, "fn f() {\n    let order = find(1)?;\n    |\n}\n", "// order: Order"),
}

#: Where there is nothing to tell.
NOTHING = {
    "an annotation near by": (PYTHON, "def f(order: Order):\n    |"),
    "the head of what is around": (PYTHON, f"def f(order: Order):\n{FAR}    |"),
    "a head in brackets": (
        TYPESCRIPT,
        "class A {\n  f(\n    order: Order,\n  ) {\n" + "    g();\n" * 50 + "    |\n  }\n}\n",
    ),
    "a constructor": (PYTHON, "def f():\n    order = Order()\n    |"),
    "the cursor's line": (PYTHON, "def f():\n    order = find(1); |"),
    "a line below": (PYTHON, "def f():\n    |\n    order = find(1)\n"),
    "another function": (PYTHON, "def g():\n    order = find(1)\n\n\ndef f():\n    |"),
    "a function that has ended": (PYTHON, "def g():\n    order = find(1)\n\n\n|"),
    "a comprehension": (PYTHON, "def f():\n    print([x for x in several()])\n    |"),
    "self": (PYTHON, "class A:\n    def f(self):\n        |"),
    "unknown": (PYTHON, "def f(a, b=3):\n    c = unknown()\n    d = 'x'\n    |"),
    "an arrow's": (TYPESCRIPT, "[1].map((x) => { const y = find(x); return y; });\n|\n"),
    "another's block": (
        GO,
        "func f() {\n\tif true {\n\t\torder, _ := models.Find(1)\n\t}\n\t|\n}\n",
    ),
}


def offered(folder: Path, files: str, fixture: str) -> list[Snippet]:
    with case_at(folder, files_of(files + fixture)) as (place, snapshot):
        found = scope.offer(place, snapshot)
        assert found == scope.offer(place, snapshot)
        return found


@pytest.mark.parametrize("case", CASES)
def test_names_with_types(tmp_path: Path, case: str) -> None:
    files, fixture, expected = CASES[case]
    (found,) = offered(tmp_path, files, fixture)
    assert found.text == expected + "\n"
    assert (found.source, found.key, found.tier) == ("scope", "scope", "background")


@pytest.mark.parametrize("case", NOTHING)
def test_nothing_new(tmp_path: Path, case: str) -> None:
    assert offered(tmp_path, *NOTHING[case]) == []


def test_it_is_short_and_the_nearest_have_room(tmp_path: Path) -> None:
    bound = "".join(f"    order_number_{n} = find({n})\n" for n in range(30))
    (found,) = offered(tmp_path, PYTHON, f"def f():\n{bound}    |")
    assert len(found.text) <= 180
    assert "order_number_29: Order\n" in found.text
    assert 4 <= found.text.count("Order") <= 12


def test_it_holds_still_while_the_line_is_written(tmp_path: Path) -> None:
    head = "def f():\n    order = find(1)\n"
    written = ["|", "l|", "line = |", "line = order.first()|", "line = order.first(|", "order.|"]
    texts = set()
    for number, line in enumerate(written):
        folder = tmp_path / str(number)
        folder.mkdir()
        (found,) = offered(folder, PYTHON, f"{head}    {line}\n    return 1\n")
        texts.add(found.text)
    assert texts == {"# order: Order\n"}
