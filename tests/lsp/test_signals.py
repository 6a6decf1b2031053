"""What an editor tells of the moment, end to end: on the card, without secrets, never an error."""

from __future__ import annotations

import json
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, Any

import pytest
from lsp_work import indexed, started, write

if TYPE_CHECKING:
    from pathlib import Path

    from lsp_client import LspClient

pytestmark = pytest.mark.lsp

TOKEN = "ghp_0123456789abcdefghijABCDEFGHIJ012345"
MAIN = "import os\n\n\ndef start() -> None:\n    total = coutn\n    print(total)\n    \n"
NOTES = f'def remember(what):\n    return what\n\n\nAPI_TOKEN = "{TOKEN}"\n'
AT = {"line": 6, "character": 4}
SIGNALS = ["selection", "diagnostics", "scope"]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    write(root / ".gitignore", "private.py\n")
    (root / ".git").mkdir()
    for path, text in {"main.py": MAIN, "notes.py": NOTES, "private.py": NOTES}.items():
        write(root / path, text)
    return root


async def at_work(
    stack: AsyncExitStack, environment: dict[str, str], root: Path, sources: list[str] = SIGNALS
) -> LspClient:
    settings = {"context": {"sources": sources}}
    client = await started(stack, environment, root, initializationOptions={"settings": settings})
    await indexed(client)
    for name in ("main.py", "notes.py", "private.py"):
        client.open((root / name).as_uri(), (root / name).read_text())
    return client


def span(first: int, last: int) -> dict[str, Any]:
    return {"start": {"line": first, "character": 0}, "end": {"line": last, "character": 3}}


def selection(root: Path, name: str, first: int, last: int) -> dict[str, Any]:
    return {"textDocument": {"uri": (root / name).as_uri()}, "range": span(first, last)}


async def told(client: LspClient, root: Path, said: object) -> dict[str, Any]:
    """Ask for a completion with what is said of the moment, and return the card."""
    uri = (root / "main.py").as_uri()
    _, answer = client.complete(uri, AT["line"], AT["character"], sidecar=said)
    # There is no model: nothing is offered, and nothing fails.
    assert not await answer
    found: dict[str, Any] = await client.request(
        "sidecar/contextCard", {"textDocument": {"uri": uri}, "position": AT}
    )
    return found


def parts(card: dict[str, Any]) -> set[tuple[str, str]]:
    return {(part["source"], part["path"]) for part in card["parts"] if part["source"] in SIGNALS}


async def test_the_card_names_what_was_told(no_model: dict[str, str], project: Path) -> None:
    async with AsyncExitStack() as stack:
        client = await at_work(stack, no_model, project)
        assert parts(await told(client, project, None)) == set()
        reported = [{"range": span(4, 4), "message": "coutn is not defined", "severity": 1}]
        said = {"diagnostics": reported, "selection": selection(project, "notes.py", 0, 1)}
        card = await told(client, project, said)
        assert parts(card) == {("selection", "notes.py"), ("diagnostics", "main.py")}
        # What the next request does not speak of stays, and what is gone goes.
        assert parts(await told(client, project, {"selection": None})) == {
            ("diagnostics", "main.py")
        }
        assert parts(await told(client, project, {"diagnostics": []})) == set()


async def test_they_are_off_by_default(no_model: dict[str, str], project: Path) -> None:
    async with AsyncExitStack() as stack:
        usual = ["notes", "definitions", "members", "similar"]
        client = await at_work(stack, no_model, project, usual)
        reported = [{"range": span(4, 4), "message": "coutn is not defined"}]
        said = {"diagnostics": reported, "selection": selection(project, "notes.py", 0, 1)}
        assert parts(await told(client, project, said)) == set()


async def test_neither_a_secret_nor_an_ignored_file_is_shown(
    no_model: dict[str, str], project: Path
) -> None:
    async with AsyncExitStack() as stack:
        client = await at_work(stack, no_model, project)
        ignored = {"selection": selection(project, "private.py", 0, 1)}
        assert parts(await told(client, project, ignored)) == set()
        reported = [{"range": span(4, 4), "message": f"{TOKEN} is wrong"}]
        said = {"diagnostics": reported, "selection": selection(project, "notes.py", 3, 4)}
        card = await told(client, project, said)
        assert parts(card) == {("selection", "notes.py"), ("diagnostics", "main.py")}
        assert TOKEN not in json.dumps([card, client.notifications])


NONSENSE: tuple[object, ...] = (
    3,
    "x",
    [],
    {"diagnostics": "x", "selection": 3},
    {"diagnostics": [None, {"range": 3}, {"message": {}}], "selection": {"range": {}}},
    {"selection": {"range": span(0, 900), "textDocument": {"uri": "file:///nowhere.py"}}},
    {"unknown words": {"a-b": 1}},
)


async def test_nonsense_is_ignored(no_model: dict[str, str], project: Path) -> None:
    async with AsyncExitStack() as stack:
        client = await at_work(stack, no_model, project)
        for said in NONSENSE:
            assert parts(await told(client, project, said)) == set(), said
