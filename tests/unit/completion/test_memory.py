"""Anchors of the session before: the same prompt again, or none of them."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from context_samples import index_of
from cursor import at_cursor

from sidecar.completion.anchoring import Anchors
from sidecar.completion.contexts import Contexts
from sidecar.completion.folder import Folder
from sidecar.completion.memory import SECONDS_KEPT, Memory
from sidecar.completion.remembered import from_json, to_json
from sidecar.index.query.reader import Reader
from sidecar.settings import load
from sidecar.syntax import Bodies, Languages, Trees
from sidecar.telemetry import Metrics

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from sidecar.completion.anchored import Anchored
    from sidecar.context.prompt import Prompt
    from sidecar.text import Document

LINES = "".join(f"    value_{n} = total({n})\n" for n in range(12))
TOKEN = "ghp_0123456789abcdefghijABCDEFGHIJ012345"
CODE = (
    f'from tools import total\n\nTOKEN = "{TOKEN}"\n\n\ndef first(limit):\n{LINES}'
    f"    return (|)\n\n\ndef second(limit):\n{LINES}\n"
)
TOOLS = "def total(values):\n    '''Add them.'''\n    return sum(values)\n"
OTHERS = "def total(values, start):\n    return sum(values, start)\n"


class Desk:
    """One workspace, and fronts that come and go."""

    def __init__(self, tmp_path: Path) -> None:
        self.root = tmp_path / "root"
        self.database = tmp_path / "index.sqlite"
        self.lanes = tmp_path / "lanes"
        self.lanes.mkdir()
        self.root.mkdir()
        self.path = str(self.root / "main.py")
        self.settings, _ = load({"context": {"sources": ["definitions"]}})
        self.write(TOOLS)

    def write(self, tools: str) -> None:
        files = {"main.py": CODE.replace("|", ""), "tools.py": tools}
        index_of(self.root, self.database, files)

    def document(self, fixture: str = CODE) -> tuple[Document, int]:
        return at_cursor(fixture, path=self.path)

    def files(self) -> list[Path]:
        return sorted(self.lanes.iterdir())


class Session:
    """One front, from its start to its end."""

    def __init__(self, desk: Desk, reader: Reader) -> None:
        languages, trees = Languages.load(), Trees()
        self.metrics = Metrics()
        self.anchors = Anchors(
            Bodies(languages, trees),
            Contexts(Folder(str(desk.root), reader), languages, trees),
            self.metrics,
            lambda: desk.settings,
            Memory(lambda: desk.settings, lambda: desk.lanes),
        )

    async def ask(self, document: Document, offset: int) -> Anchored:
        """Do what the service does with a request."""
        found = self.anchors.serving(document, offset)
        if found is None:
            found = await self.anchors.moved(document, offset, None, None)
        self.anchors.keep(document.uri, found, 7)
        return found

    @property
    def recalled(self) -> int:
        return self.metrics.counter("anchor.recalled")


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


@pytest.fixture
def reader(desk: Desk) -> Iterator[Reader]:
    with Reader(desk.database) as reader:
        yield reader


def typed(document: Document, offset: int, text: str) -> tuple[Document, int]:
    buffer = document.buffer.edit(offset, offset, text)
    return replace(document, version=document.version + 1, buffer=buffer), offset + len(text)


def frozen(prompt: Prompt) -> list[tuple[str, str]]:
    """Return what a prompt shows besides what is typed."""
    return [(part.kind, part.text) for part in prompt.segments if part.kind != "typed"]


async def first_session(desk: Desk, reader: Reader) -> tuple[Anchored, Document, int]:
    """Type a few lines, so that another front would choose another anchor."""
    session = Session(desk, reader)
    document, offset = desk.document()
    await session.ask(document, offset)
    document, offset = typed(document, offset, "\n" + "        limit +\n" * 12 + "        ")
    found = await session.ask(document, offset)
    session.anchors.remember()
    return found, document, offset


async def test_the_next_session_makes_the_same_prompt(desk: Desk, reader: Reader) -> None:
    before, document, offset = await first_session(desk, reader)
    assert any(kind == "repo" for kind, _ in frozen(before.prompt))
    session = Session(desk, reader)
    again = await session.ask(document, offset)
    assert again.prompt == before.prompt
    assert again.head == replace(before.head, held=again.head.held)
    assert again.head.parts() == before.head.parts()
    assert again.extension == before.extension
    assert session.recalled == 1
    # It is what serves from now on, also where the cursor goes on.
    further = await session.ask(*typed(document, offset, "lim"))
    assert frozen(further.prompt) == frozen(before.prompt)
    assert session.recalled == 1


async def test_without_it_another_prompt_is_made(desk: Desk, reader: Reader) -> None:
    """Or remembering would be for nothing."""
    before, document, offset = await first_session(desk, reader)
    for path in desk.files():
        path.unlink()
    session = Session(desk, reader)
    again = await session.ask(document, offset)
    assert frozen(again.prompt) != frozen(before.prompt)
    assert session.recalled == 0


async def test_elsewhere_in_the_file_the_head_is_the_same(desk: Desk, reader: Reader) -> None:
    before, document, _ = await first_session(desk, reader)
    session = Session(desk, reader)
    elsewhere = await session.ask(document, len(document.buffer) - 1)
    assert session.recalled == 0
    assert elsewhere.head.segments[:-1] == before.head.segments[:-1]


@pytest.mark.parametrize(
    ("place", "text"),
    [(0, "# new\n"), (-5, "x"), (None, "x\n")],
    ids=["above", "below", "after the cursor"],
)
async def test_a_text_that_changed_meanwhile_gets_a_new_anchor(
    desk: Desk, reader: Reader, place: int | None, text: str
) -> None:
    _, document, offset = await first_session(desk, reader)
    at = offset if place is None else place % len(document.buffer)
    changed = replace(document, buffer=document.buffer.edit(at, at, text))
    session = Session(desk, reader)
    cursor = offset + (len(text) if at < offset else 0)
    found = await session.ask(changed, cursor)
    extension = found.extension
    anchor = extension.anchor
    around = anchor.prefix + extension.typed
    assert changed.buffer.slice(cursor - len(around), cursor) == around
    assert changed.buffer.slice(cursor, len(changed.buffer)).startswith(
        anchor.suffix, extension.closers
    )
    # What stands below the window is nobody's business.
    assert session.recalled == (place == -5 and not anchor.to_end)


async def test_what_other_files_declare_now_is_shown(desk: Desk, reader: Reader) -> None:
    _, document, offset = await first_session(desk, reader)
    desk.write(OTHERS)
    session = Session(desk, reader)
    found = await session.ask(document, offset)
    assert session.recalled == 0
    shown = "".join(part.text for part in found.prompt.segments)
    assert "total(values, start)" in shown
    assert "total(values)" not in shown


@pytest.mark.parametrize(
    "settings",
    [
        {"context": {"sources": ["definitions"], "beforeTokens": 64}},
        {"index": {"enabled": False}},
        {"index": {"exclude": ["tools.py"]}},
        {"engine": {"remote": "https://models.example.org"}},
        {"model": {"name": "qwen2.5-coder-1.5b"}},
    ],
    ids=["other prompts", "no other files", "fewer files", "another machine", "another model"],
)
async def test_nothing_is_taken_over_on_other_terms(
    desk: Desk, reader: Reader, settings: dict[str, Any]
) -> None:
    _, document, offset = await first_session(desk, reader)
    desk.settings, problems = load(settings)
    assert not problems
    session = Session(desk, reader)
    await session.ask(document, offset)
    assert session.recalled == 0


async def test_an_anchor_that_has_to_move_is_not_taken_again(desk: Desk, reader: Reader) -> None:
    _, document, offset = await first_session(desk, reader)
    session = Session(desk, reader)
    found = await session.ask(document, offset)
    session.anchors.keep(document.uri, found, 1000)
    moved = await session.ask(document, offset)
    assert moved.extension.anchor != found.extension.anchor
    assert session.recalled == 1


async def test_files_are_private_and_show_no_secrets(desk: Desk, reader: Reader) -> None:
    await first_session(desk, reader)
    (path,) = desk.files()
    assert path.stat().st_mode & 0o777 == 0o600
    text = path.read_text()
    assert "def total" in text
    assert TOKEN not in text
    assert TOKEN[4:20] not in text


async def test_nothing_is_kept_or_found_where_nothing_may_be(desk: Desk, reader: Reader) -> None:
    _, document, offset = await first_session(desk, reader)
    desk.settings, _ = load({"context": {"sources": ["definitions"]}, "engine": {"keepLanesMb": 0}})
    (desk.lanes / "x.places.part").write_text("of a crash")
    session = Session(desk, reader)
    await session.ask(document, offset)
    session.anchors.remember()
    assert session.recalled == 0
    assert not desk.files()


@pytest.mark.parametrize("where", [0, 10, 40, 200, -1])
async def test_what_is_damaged_is_ignored_and_removed(
    desk: Desk, reader: Reader, where: int
) -> None:
    _, document, offset = await first_session(desk, reader)
    (path,) = desk.files()
    data = bytearray(path.read_bytes())
    data[where] ^= 1
    for content in (bytes(data), data[:where], b""):
        path.write_bytes(content)
        session = Session(desk, reader)
        await session.ask(document, offset)
        assert session.recalled == 0
        assert not desk.files()


async def test_what_is_a_week_old_is_removed(desk: Desk, reader: Reader) -> None:
    _, document, offset = await first_session(desk, reader)
    (path,) = desk.files()
    old = desk.lanes / "old.places"
    old.write_text("of another document")
    for one in (path, old):
        at = one.stat().st_mtime - SECONDS_KEPT - 60
        os.utime(one, (at, at))
    session = Session(desk, reader)
    await session.ask(document, offset)
    assert session.recalled == 0
    assert desk.files() == [old]
    session.anchors.forget(document.uri)
    assert desk.files() == [path]


async def test_what_is_written_is_what_is_read(desk: Desk, reader: Reader) -> None:
    _, document, _ = await first_session(desk, reader)
    (one, *_) = Memory(lambda: desk.settings, lambda: desk.lanes).recall(document.uri)
    assert from_json(to_json(one)) == one
    assert one.typed_tokens == 7


async def test_where_a_session_before_was_its_prompt_is_looked_for_first(
    desk: Desk, reader: Reader
) -> None:
    _, document, offset = await first_session(desk, reader)
    anchors = Session(desk, reader).anchors
    assert anchors.is_near(document, offset)
    assert not anchors.is_near(document, 0)
