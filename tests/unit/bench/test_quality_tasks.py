"""Lines whose answer stands in another file are found and cut, and the same again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from sidecar.bench.quality_needs import needs_of
from sidecar.bench.quality_tasks import KINDS, MIXED, QualityTask, choose, indexed, tasks_of
from sidecar.syntax import Grammar, Languages
from sidecar.syntax.parse import Parsed

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from sidecar.bench.quality_tasks import Tree

PYTHON = {
    "shop/__init__.py": "from .orders import Order as Order\n",
    "shop/orders.py": """\
class Base:
    archived = False

    def remember(self, reason):
        return reason


class Order(Base):
    def __init__(self, number, customer_name=""):
        self.number = number
        self.customer_name = customer_name

    @classmethod
    def from_row(cls, row, strict=True):
        return cls(row["number"])


def find_orders(customer, newest_first=False):
    return []
""",
    "shop/prices.py": "RATE = 3\n\n\ndef gross(net):\n    return net * RATE\n",
    "shop/views.py": '''\
"""Views; find_orders(nothing) in a docstring is no call."""
import json

from shop import Order, prices
from .orders import Base, find_orders as search


class View(Base):
    def show(self, request):
        found = search(request.user, newest_first=True)
        order = Order.from_row(request.row, strict=False)
        total = prices.gross(order.number)
        self.remember("shown")  # a comment at the end
        reason = self.remember(json.dumps(found))
        print(order.customer_name, total)
        print("twice in this file", order.customer_name)
        print("twice in this file", order.customer_name)
        return [
            search(
                total,
            ),
            reason,
        ]
''',
}
TYPESCRIPT = {
    "src/queue.ts": """\
export class Queue {
  public waiting: string[] = []
  enqueue(job: string): void {
    this.waiting.push(job)
  }
}
export function makeQueue(size: number): Queue {
  return new Queue()
}
""",
    "src/main.ts": """\
import { makeQueue, Queue as Jobs } from './queue'
import * as queues from './queue'

export function main(count: number): void {
  const first = makeQueue(count)
  const second = new Jobs()
  const third = queues.makeQueue(count + 1)
  first.enqueue('one job')
}
""",
}


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tree]:
    yield from tree_of(tmp_path_factory.mktemp("tree"), PYTHON)


@pytest.fixture(scope="module")
def typescript(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tree]:
    yield from tree_of(tmp_path_factory.mktemp("tree"), TYPESCRIPT)


def tree_of(folder: Path, files: dict[str, str]) -> Iterator[Tree]:
    for name, text in files.items():
        path = folder / "shop-1.0" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    with indexed(folder / "shop-1.0", folder) as tree:
        yield tree


def needs(tree: Tree, path: str) -> list[tuple[int, str, str, str]]:
    """Return line, kind, text and file of all that a file needs."""
    source = (tree.root / path).read_bytes()
    language = Languages.load().find("", path)
    assert language is not None
    grammar = Grammar.of(language)
    assert grammar is not None
    parsed_tree = grammar.parse(source)
    assert parsed_tree is not None
    found = needs_of(tree.reader, path, Parsed(source, parsed_tree, grammar))
    return [
        (
            source.count(b"\n", 0, need.start) + 1,
            need.kind,
            ("." if need.member else "") + source[need.start : need.end].decode(),
            need.file,
        )
        for need in found
    ]


def test_what_lines_of_python_need(python: Tree) -> None:
    orders, prices = "shop/orders.py", "shop/prices.py"
    assert needs(python, "shop/views.py") == [
        (10, "call", "search", orders),
        (10, "argument", "request.user", orders),
        (10, "keyword", "newest_first", orders),
        (11, "member", ".from_row", orders),
        (11, "argument", "request.row", orders),
        (11, "keyword", "strict", orders),
        (12, "chain", ".gross", prices),
        (12, "argument", "order.number", prices),
        (12, "member", ".number", orders),
        (13, "member", ".remember", orders),
        (13, "argument", '"shown"', orders),
        (14, "member", ".remember", orders),
        (14, "argument", "json.dumps(found)", orders),
        (15, "member", ".customer_name", orders),
        (16, "member", ".customer_name", orders),
        (17, "member", ".customer_name", orders),
        (19, "call", "search", orders),
        (20, "argument", "total", orders),
    ]
    assert needs(python, orders) == []
    assert needs(python, prices) == []


def test_what_lines_of_typescript_need(typescript: Tree) -> None:
    queue = "src/queue.ts"
    assert needs(typescript, "src/main.ts") == [
        (5, "call", "makeQueue", queue),
        (5, "argument", "count", queue),
        (6, "call", "Jobs", queue),
        (7, "chain", ".makeQueue", queue),
        (7, "argument", "count + 1", queue),
        (8, "member", ".enqueue", queue),
        (8, "argument", "'one job'", queue),
    ]


def test_lines_that_tell_nothing_are_no_tasks(python: Tree) -> None:
    tasks = tasks_of(python, seed=1)
    # Line 13 ends in a comment, 16 and 17 are the same, 19 and 20 are short.
    assert [task.name for task in tasks] == [
        f"shop-1.0/shop/views.py:{n}" for n in (10, 11, 12, 14, 15)
    ]
    assert {task.kind for task in tasks} <= set(KINDS)


def at_cursor(task: QualityTask) -> str:
    return f"{task.before.rpartition(chr(10))[2].strip()}|{task.rest}"


def test_positions_are_what_they_are_called(python: Tree, typescript: Tree) -> None:
    seen: dict[tuple[str, str], set[str]] = {}
    for tree in (python, typescript):
        for seed in range(40):
            for task in tasks_of(tree, seed=seed):
                text = (tree.root / task.path).read_text()
                assert task.before + task.rest + task.after == text
                assert "\n" not in task.rest
                line = int(task.name.rpartition(":")[2])
                seen.setdefault((f"{task.path}:{line}", task.position), set()).add(at_cursor(task))
    view = "shop/views.py:12"
    assert seen[view, "start"] == {"|total = prices.gross(order.number)"}
    assert seen[view, "member"] == {
        "total = prices.|gross(order.number)",
        "total = prices.gross(order.|number)",
    }
    inside = seen[view, "middle"]
    assert "total = prices.g|ross(order.number)" in inside
    assert any(cut.startswith("total = prices.gross(o") for cut in inside)
    assert not any(cut.startswith(("tot|", "total |")) for cut in inside)
    assert seen["src/main.ts:6", "middle"] <= {
        f"const second = new {'Jobs'[:n]}|{'Jobs'[n:]}()" for n in (1, 2, 3)
    }


def test_mixed_tasks_are_any_lines(python: Tree) -> None:
    tasks = tasks_of(python, seed=1, kinds=(MIXED,))
    assert {task.kind for task in tasks} == {MIXED}
    paths = {task.path for task in tasks}
    assert "shop/prices.py" in paths
    names = {task.name for task in tasks}
    assert "shop-1.0/shop/views.py:1" not in names
    assert "shop-1.0/shop/views.py:13" not in names
    assert "shop-1.0/shop/views.py:2" in names


def test_large_files_are_left_out(python: Tree) -> None:
    assert tasks_of(python, seed=1, most_tokens=10) == []
    assert tasks_of(python, seed=1, most_tokens=10, counts={"shop/views.py": 9})


def test_the_same_seed_gives_the_same_tasks(python: Tree) -> None:
    assert tasks_of(python, seed=5) == tasks_of(python, seed=5)
    assert tasks_of(python, seed=5) != tasks_of(python, seed=6)


def task(root: str, kind: str, path: str, line: int) -> QualityTask:
    name = f"{root}/{path}:{line}"
    return QualityTask(name, f"/{root}", path, kind, "start", "", "x", "\n")


def test_trees_kinds_and_files_get_their_turns() -> None:
    many = [task("big", "call", f"{n % 5}.py", n) for n in range(200)]
    few = [task("big", "chain", "0.py", 1_000 + n) for n in range(3)]
    small = [task("small", "call", "a.py", n) for n in range(4)]
    chosen = choose([*many, *few, *small], 12, seed=2)
    kinds = [(t.root, t.kind) for t in chosen]
    assert [kinds.count(k) for k in (("/big", "call"), ("/big", "chain"), ("/small", "call"))] == [
        5,
        3,
        4,
    ]
    assert len({t.path for t in chosen if (t.root, t.kind) == ("/big", "call")}) == 5
    assert chosen[:5] == choose([*small, *few, *many], 5, seed=2)
    assert chosen != choose([*many, *few, *small], 12, seed=3)


@pytest.mark.parametrize(
    ("fixture", "unseen"),
    [
        ("total = 1\nprint(|total)\n", False),
        ("total = 1\nprint(to|tal)\n", False),
        ("to = 1\nprint(to|tal)\n", True),
        ("total = 1\nprint(|total.net)\n", True),
        ("order.|net\n", True),
        ("order.|net\nnet = 1\n", False),
        ("total = 1\n" + "\n" * 30 + "print(|total)\n", True),
        ("print(|1)\n", False),
    ],
)
def test_an_answer_is_unseen_if_a_name_of_it_stands_nowhere_around(
    fixture: str, unseen: bool
) -> None:
    before, _, below = fixture.partition("|")
    rest, line_break, after = below.partition("\n")
    made = QualityTask("a", "/a", "a.py", "call", "start", before, rest, line_break + after)
    assert made.unseen is unseen
