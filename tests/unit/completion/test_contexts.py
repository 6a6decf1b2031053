"""Heads of prompts from a real index: what is shown, what holds still, and what never is shown."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from sidecar.completion.anchor import choose
from sidecar.completion.contexts import Contexts, HeadOptions, NoWorkspace, head_tokens
from sidecar.completion.folder import Folder
from sidecar.context import WindowLimits
from sidecar.index.once import index_once
from sidecar.index.query.reader import Reader
from sidecar.syntax import Bodies, Languages, Trees
from sidecar.text import Buffer, Document

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from sidecar.context.head import Head

FILES = {
    ".gitignore": "private/\n",
    "shop/__init__.py": "",
    "shop/orders.py": (
        "from dataclasses import dataclass\n\n\n@dataclass\nclass Order:\n"
        '    """An order."""\n\n    number: int\n    total: float\n\n'
        "    def cancel(self, reason: str) -> bool:\n"
        '        """Cancel it."""\n        self.total = 0.0\n        return bool(reason)\n\n\n'
        "def find_order(number: int) -> Order:\n    return Order(number, 1.0)\n\n\n"
        'API_TOKEN = "ghp_0123456789abcdefghijABCDEFGHIJ012345"\n'
    ),
    "private/keys.py": "def find_secret():\n    return 'hidden-by-git'\n",
    ".env": "PASSWORD=hunter2hunter2\n",
    "shop/refunds.py": (
        "from shop.orders import find_order\n\n\ndef refund(number: int) -> bool:\n"
        "    order = find_order(number)\n    if order.total <= 0:\n        return False\n"
        '    order.cancel("refunded")\n    return True\n'
    ),
    "shop/views.py": (
        "from shop.orders import Order, find_order\n\n\ndef show(number: int) -> str:\n"
        "    order = find_order(number)\n    return str(order.total)\n\n\n"
        "def stop(number: int) -> bool:\n"
        "    order = find_order(number)\n    if order.total <= 0:\n        return False\n    |\n"
    ),
}
ALL = frozenset("notes outline definitions bases callees members similar edits viewed".split())


class Desk:
    """A workspace with its index, and one editor's heads."""

    def __init__(self, root: Path, database: Path) -> None:
        self.root = root
        for path, text in FILES.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text.replace("|", ""))
        index_once(str(root), database=lambda _root: database)
        self.reader = Reader(database)
        languages, trees = Languages.load(), Trees()
        self._bodies = Bodies(languages, trees)
        self.contexts = Contexts(Folder(str(root), self.reader), languages, trees)

    async def head(
        self,
        fixture: str = FILES["shop/views.py"],
        *,
        sources: frozenset[str] = ALL,
        tokens: int = 2000,
        lines_after: int = 0,
        previous: Head | None = None,
    ) -> Head:
        offset = fixture.index("|")
        path = str(self.root / "shop/views.py")
        buffer = Buffer.of(fixture.replace("|", "", 1))
        document = Document(Path(path).as_uri(), path, "python", 1, buffer)
        body = self._bodies.find(document, offset)
        extension = choose(document, offset, body, window=WindowLimits(after_lines=lines_after))
        options = HeadOptions(sources, tokens)
        return await self.contexts.head(document, extension, offset, options, _bytes, previous)


async def _bytes(texts: Sequence[str]) -> Mapping[str, int]:
    return {text: -(-len(text.encode()) // 3) for text in texts}


def shown(head: Head) -> str:
    return "".join(segment.text for segment in head.segments)


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    root = tmp_path / "tree"
    root.mkdir()
    (root / ".git").mkdir()
    made = Desk(root, tmp_path / "index.sqlite")
    yield made
    made.reader.close()


async def test_what_other_files_declare_stands_in_front_by_file(desk: Desk) -> None:
    head = await desk.head(sources=frozenset({"definitions"}))
    name, *files, current = head.segments
    assert (name.kind, name.text) == ("repo", "tree\n")
    assert [part.text.partition("\n")[0] for part in files] == ["shop/orders.py"]
    assert "def find_order(number: int) -> Order" in files[0].text
    assert (current.kind, current.text) == ("outline", "shop/views.py\n")


async def test_the_outline_of_the_file_stands_first(desk: Desk) -> None:
    head = await desk.head(sources=frozenset({"outline", "definitions"}))
    assert [part.kind for part in head.segments] == ["repo", "outline", "repo", "outline"]
    assert head.segments[-1].text == "shop/views.py\n"
    (current,) = (await desk.head(sources=frozenset({"outline"}))).segments
    assert current.kind == "outline"
    assert current.text.startswith("shop/views.py\nfrom shop.orders import Order, find_order\n")
    assert "def show(number: int) -> str: ...\n" in current.text


async def test_a_file_that_the_window_shows_whole_needs_no_outline(desk: Desk) -> None:
    head = await desk.head(sources=frozenset({"outline"}), lines_after=9)
    assert head.segments == ()


async def test_similar_code_of_other_files_is_shown(desk: Desk) -> None:
    text = shown(await desk.head(sources=frozenset({"similar"})))
    assert 'order.cancel("refunded")' in text


async def test_without_sources_there_is_no_head(desk: Desk) -> None:
    assert (await desk.head(sources=frozenset())).segments == ()


async def test_secrets_and_what_git_ignores_are_never_shown(desk: Desk) -> None:
    fixture = (
        FILES["shop/views.py"]
        .replace("|", "find_secret(API_TOKEN, PASSWORD)\n    |")
        .replace("import Order", "import API_TOKEN, Order")
    )
    text = shown(await desk.head(fixture))
    assert "find_order" in text
    for secret in ("ghp_0123", "hidden-by-git", "hunter2"):
        assert secret not in text


async def test_a_head_is_the_same_each_time_and_fits(desk: Desk) -> None:
    first, second = await desk.head(), await desk.head()
    assert first == second
    for tokens in (30, 60, 120, 240, 480):
        head = await desk.head(tokens=tokens)
        total = sum(kept.tokens for kept in head.kept) + head.outline_tokens
        assert total <= tokens
        assert {left.reason for left in head.dropped()} or head.kept


async def test_moving_within_a_file_keeps_what_stands_in_front(desk: Desk) -> None:
    first = await desk.head()
    higher = (
        FILES["shop/views.py"]
        .replace("|", "")
        .replace("    return str(order.total)\n", "    |return str(order.total)\n")
    )
    second = await desk.head(higher, previous=first)
    keys = [kept.snippet.key for kept in first.kept]
    assert [kept.snippet.key for kept in second.kept][: len(keys)] == keys
    again = await desk.head(previous=second)
    assert again.segments == second.segments


async def test_a_card_tells_of_each_part(desk: Desk) -> None:
    parts = (await desk.head()).parts()
    assert {part.part for part in parts} == {"repo", "outline"}
    for part in parts:
        assert part.reason
        assert part.tokens > 0
        assert "cancel it" not in part.reason.lower()


async def test_outside_of_all_workspaces_the_file_itself_has_to_do() -> None:
    languages, trees = Languages.load(), Trees()
    contexts = Contexts(NoWorkspace(), languages, trees)
    buffer = Buffer.of("import os\n\n\ndef f():\n    return 1\n\n\n\n\n")
    document = Document("file:///w/a.py", "/w/a.py", "python", 1, buffer)
    offset = len(buffer.text) - 2
    head = await contexts.head(
        document,
        choose(document, offset, window=WindowLimits(after_lines=0)),
        offset,
        HeadOptions(ALL, 500),
        _bytes,
        None,
    )
    (current,) = head.segments
    assert current.text == "a.py\nimport os\n\ndef f(): ...\n"


@pytest.mark.parametrize(
    ("chosen", "speed", "expected"),
    [(700, 1.0, 700), (0, 10.0, 512), (0, 400.0, 960), (0, 50_000.0, 2048)],
)
def test_a_slow_machine_gets_a_small_head(chosen: int, speed: float, expected: int) -> None:
    assert head_tokens(chosen, 640, speed) == expected
