"""What was edited and looked at in other files, and the project's notes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from sidecar.context.snapshot import EMPTY, Edit, Place, Snapshot, Viewed
from sidecar.context.sources import edits, notes, viewed
from sidecar.index.once import index_once
from sidecar.index.query.reader import Reader
from sidecar.text import Buffer, Document

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    Given = Callable[..., Snapshot]

BODY = "".join(f"        self.step_{n}()\n" for n in range(4))
SHOP = "class Shop:\n" + "\n".join(f"    def method_{n}(self):\n{BODY}" for n in range(20))
FILES = {"shop.py": SHOP, "long.py": "x = 1\n" * 300, "a.txt": "one\ntwo\n", "data.json": "1" * 999}


@pytest.fixture(scope="module")
def given(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Given]:
    folder: Path = tmp_path_factory.mktemp("recent")
    root, database = folder / "root", folder / "index.db"
    root.mkdir()
    for path, text in FILES.items():
        (root / path).write_text(text)
    index_once(str(root), database=lambda _: database)
    with Reader(database) as reader:

        def make(
            edited: tuple[Edit, ...] = (), looked: tuple[Viewed, ...] = (), project: str = ""
        ) -> Snapshot:
            return Snapshot(
                index=reader, text=FILES.get, edits=edited, viewed=looked, notes=project
            )

        yield make


def place(path: str = "main.py") -> Place:
    document = Document("file:///" + path, path, "python", 1, Buffer.of("import shop\n"))
    return Place(document, path, None, None, 5, 5)


def method(number: int) -> str:
    return f"    def method_{number}(self):\n{BODY}"


@pytest.mark.parametrize(
    ("edited", "expected"),
    [
        ([], []),
        ([("shop.py", 8, 8)], ["edits:shop.py:Shop.method_1"]),
        # Those that are close are one, and stand where the newest does.
        ([("shop.py", 8, 8), ("a.txt", 0, 0), ("shop.py", 10, 10)],
         ["edits:shop.py:Shop.method_1", "edits:a.txt:0"]),
        # No more than three.
        ([("shop.py", 6 * n + 2, 6 * n + 2) for n in (15, 10, 5, 0)],
         [f"edits:shop.py:Shop.method_{n}" for n in (15, 10, 5)]),
        # The current file's are not shown, nor what is gone, is data or beyond the end.
        ([("main.py", 0, 0), ("gone.py", 0, 0), ("data.json", 0, 0), ("a.txt", 99, 99)], []),
        ([("a.txt", 1, 1)], ["edits:a.txt:0"]),
    ],
)  # fmt: skip
def test_edits(given: Given, edited: list[tuple[str, int, int]], expected: list[str]) -> None:
    snapshot = given(tuple(Edit(*edit) for edit in edited))
    found = edits.offer(place(), snapshot)
    assert [snippet.key for snippet in found] == expected
    for snippet in found:
        assert snippet.text in FILES[snippet.path]
        assert 0 < snippet.text.count("\n") <= edits.LINES
    assert [snippet.score for snippet in found] == sorted(
        (snippet.score for snippet in found), reverse=True
    )


def test_an_edit_is_shown_with_what_it_is_in(given: Given) -> None:
    (found,) = edits.offer(place(), given((Edit("shop.py", 9, 9),)))
    assert found.text == method(1)


def test_the_key_does_not_move_with_the_lines(given: Given) -> None:
    (one,) = edits.offer(place(), given((Edit("shop.py", 8, 8),)))
    (other,) = edits.offer(place(), given((Edit("shop.py", 8, 10),)))
    assert one.key == other.key


def test_of_a_long_edit_the_end_is_shown(given: Given) -> None:
    (found,) = edits.offer(place(), given((Edit("shop.py", 1, 60),)))
    assert method(9) in found.text


@pytest.mark.parametrize(
    ("looked", "expected"),
    [
        ([("shop.py", 20), ("long.py", 9), ("a.txt", 0)], ["shop.py", "long.py"]),
        ([("main.py", 3), ("shop.py", -1), ("gone.py", 1), ("a.txt", 1)], ["a.txt"]),
        ([("a.txt", 99)], []),
    ],
)
def test_viewed(given: Given, looked: list[tuple[str, int]], expected: list[str]) -> None:
    found = viewed.offer(place(), given((), tuple(Viewed(*view) for view in looked)))
    assert [snippet.path for snippet in found] == expected
    for snippet in found:
        assert snippet.tier == "background"
        assert snippet.text in FILES[snippet.path]
        assert 0 < snippet.text.count("\n") <= 12


def test_what_is_shown_as_edited_is_not_shown_as_viewed(given: Given) -> None:
    snapshot = given((Edit("shop.py", 8, 8),), (Viewed("shop.py", 50), Viewed("a.txt", 0)))
    assert [snippet.path for snippet in viewed.offer(place(), snapshot)] == ["a.txt"]


LONG = "- a sentence about it\n" * 60


@pytest.mark.parametrize(
    ("text", "tier", "starts", "without"),
    [
        ("# Goals\n\nBe fast.\n\n\n## Empty\n\n# Open points\nNone.\n", "core",
         "# Goals\nBe fast.\n# Open points\nNone.\n", "Empty"),
        ("No heading at all.\n", "core", "No heading at all.\n", "#"),
        (f"# Goals\n{LONG}# Constraints\n{LONG}", "extended", "# Goals\n- a sentence", "zzz"),
        # The known sections stay where there is no room for all.
        ("".join(f"# Section {n}\n{LONG}" for n in range(9)) + "# Decisions\nUse SQLite.\n",
         "extended", "# Section 0", "Section 4"),
        ("```\n# no heading\n```\n", "core", "```\n# no heading\n```\n", "zzz"),
        ("word " * 400, "core", "word word", "\n\n"),
    ],
)  # fmt: skip
def test_notes(given: Given, text: str, tier: str, starts: str, without: str) -> None:
    (found,) = notes.offer(place(), given(project=text))
    assert found.tier == tier
    assert found.text.startswith(starts)
    assert found.text.endswith("\n")
    assert without not in found.text
    assert len(found.text) <= 1_600
    assert len(found.short) < len(found.text)
    if "Decisions" in text:
        assert "Use SQLite." in found.text
        assert "Use SQLite." in found.short


def test_nothing_is_known_of_nothing() -> None:
    for source in (edits, viewed, notes):
        assert source.offer(place(), EMPTY) == []
