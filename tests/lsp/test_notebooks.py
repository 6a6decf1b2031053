"""Notebooks over stdio: a real server against cells that are kept as editors keep them."""

from __future__ import annotations

import asyncio
import hashlib
import random
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, Any

import pytest
from lsp_client import LspClient
from lsp_work import indexed, started, write
from notebook_samples import OUTPUT, cell, notebook

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.lsp

URI = "file:///w/shapes.ipynb"
CELLS = (
    ("python", "from math import pi"),
    ("markdown", "# Circles"),
    ("python", "class Circle:\n    def __init__(self, radius):\n        self.radius = radius"),
    ("python", "def area(circle):\n    return "),
    ("shellscript", "ls"),
    ("python", "print(area(Circle(2)))"),
)


def name(number: int) -> str:
    return f"vscode-notebook-cell:/w/shapes.ipynb#W{number}"


def told(number: int, language: str) -> dict[str, Any]:
    metadata = {"class": 1, "custom": {"a-b": []}}
    return {"kind": 1 if language == "markdown" else 2, "document": name(number), **metadata}


def text_of(number: int, language: str, text: str) -> dict[str, Any]:
    return {"uri": name(number), "languageId": language, "version": 1, "text": text}


def open_notebook(
    client: LspClient, cells: tuple[tuple[str, str], ...] = CELLS, uri: str = URI
) -> None:
    client.notify(
        "notebookDocument/didOpen",
        {
            "notebookDocument": {
                "uri": uri,
                "notebookType": "jupyter-notebook",
                "version": 1,
                "metadata": {"language_info": {"name": "python"}, "class": {"a b": 1}},
                "cells": [told(number, language) for number, (language, _) in enumerate(cells)],
            },
            "cellTextDocuments": [text_of(number, *item) for number, item in enumerate(cells)],
        },
    )


def close_notebook(client: LspClient, *cells: int) -> None:
    client.notify(
        "notebookDocument/didClose",
        {
            "notebookDocument": {"uri": URI},
            "cellTextDocuments": [{"uri": name(number)} for number in cells],
        },
    )


def change(client: LspClient, version: int, **cells: Any) -> None:
    document = {"uri": URI, "version": version}
    client.notify(
        "notebookDocument/didChange", {"notebookDocument": document, "change": {"cells": cells}}
    )


def insert(number: int, version: int, line: int, character: int, text: str) -> dict[str, Any]:
    here = {"line": line, "character": character}
    document = {"uri": name(number), "version": version}
    return {
        "document": document,
        "changes": [{"range": {"start": here, "end": here}, "text": text}],
    }


async def digest(client: LspClient, uri: str) -> str | None:
    said = await client.request("sidecar/status", {"textDocument": {"uri": uri}})
    return said["document"] and said["document"]["utf16Sha256"]  # type: ignore[no-any-return]


def sha(text: str) -> str:
    return hashlib.sha256(text.encode("utf-16-le", "surrogatepass")).hexdigest()


async def test_the_server_asks_for_notebooks(client: LspClient) -> None:
    can = (await client.initialize())["capabilities"]
    assert can["notebookDocumentSync"] == {"notebookSelector": [{"notebook": "*"}], "save": True}


async def test_random_changes_leave_server_and_client_with_the_same_text(
    client: LspClient,
) -> None:
    await client.initialize()
    rng = random.Random(5)
    cells = [(number, language, text) for number, (language, text) in enumerate(CELLS)]
    open_notebook(client)
    for version in range(2, 202):
        match rng.randrange(6):
            case 0:
                at = rng.randrange(len(cells) + 1)
                made = (
                    100 + version,
                    rng.choice(["python", "markdown", "sql"]),
                    "new = 1\n\N{GRINNING FACE}",
                )
                gone = cells[at : at + rng.randrange(2)]
                cells[at : at + len(gone)] = [made]
                change(
                    client,
                    version,
                    structure={
                        "array": {
                            "start": at,
                            "deleteCount": len(gone),
                            "cells": [told(*made[:2])],
                        },
                        "didOpen": [text_of(*made)],
                        "didClose": [{"uri": name(number)} for number, _, _ in gone],
                    },
                )
            case 1:
                low = rng.randrange(len(cells) - 1)
                cells[low : low + 2] = reversed(cells[low : low + 2])
                moved = [told(number, language) for number, language, _ in cells[low : low + 2]]
                array = {"start": low, "deleteCount": 2, "cells": moved}
                change(client, version, structure={"array": array})
            case _:
                at = rng.randrange(len(cells))
                number, language, text = cells[at]
                lines = text.split("\n")
                line = rng.randrange(len(lines))
                units = len(lines[line].encode("utf-16-le")) // 2
                # In front of or behind what is a pair of units.
                column = rng.choice([0, units])
                added = rng.choice(["x", "\n", "\N{GRINNING FACE}", "a\nb"])
                lines[line] = added + lines[line] if column == 0 else lines[line] + added
                cells[at] = number, language, "\n".join(lines)
                change(client, version, textContent=[insert(number, version, line, column, added)])
        if version % 40 == 1:
            joined = "\n\n".join(text for _, language, text in cells if language == "python")
            assert await digest(client, URI) == sha(joined)
            for number, _, text in cells:
                assert await digest(client, name(number)) == sha(text)
    close_notebook(client, *[number for number, _, _ in cells])
    said = await client.request("sidecar/status", {"textDocument": {"uri": name(cells[0][0])}})
    assert said["document"] is None and said["openDocuments"] == 0


async def test_nonsense_about_notebooks_does_no_harm(client: LspClient) -> None:
    await client.initialize()
    open_notebook(client)
    change(client, 2, structure={"array": {"start": "x", "deleteCount": 1}})
    change(client, 3, structure={"array": {"start": 90, "deleteCount": 7, "cells": None}})
    change(client, 4, textContent=[insert(70, 1, 0, 0, "x")], data=[{"kind": 2, "document": "x"}])
    client.notify("notebookDocument/didChange", {"notebookDocument": {"uri": "x", "version": 1}})
    client.notify("notebookDocument/didSave", {"notebookDocument": {"uri": "file:///w/x.ipynb"}})
    client.notify("notebookDocument/didClose", {"notebookDocument": {"uri": "file:///w/x.ipynb"}})
    joined = "\n\n".join(text for language, text in CELLS if language == "python")
    assert await digest(client, URI) == sha(joined)
    _, answer = client.complete(name(1), 0, 9)
    assert await asyncio.wait_for(answer, 30) is None
    where = {"textDocument": {"uri": name(4)}, "position": {"line": 0, "character": 2}}
    assert await client.request("sidecar/contextCard", where) is None


async def test_a_cell_knows_the_cells_above_and_the_project(
    no_model: dict[str, str], tmp_path: Path
) -> None:
    root = tmp_path / "project"
    cells = (
        ("python", "from app.models import User"),
        ("markdown", f"# {OUTPUT}"),
        ("python", "class Own:\n    def remember_it(self): ...\n\ndef made() -> User: ..."),
        ("python", "user = made()\nuser."),
    )
    write(root / "app/__init__.py", "")
    write(root / "app/models.py", "class User:\n    def save(self) -> None: ...\n")
    for path in ("users.ipynb", ".ssh/users.ipynb"):
        made = [cell(text, "code" if kind == "python" else kind) for kind, text in cells]
        write(root / path, notebook(*made))
    (root / ".git").mkdir()
    async with AsyncExitStack() as stack:
        sources = {"context": {"sources": ["outline", "members", "similar", "viewed", "edits"]}}
        client = await started(stack, no_model, root, initializationOptions={"settings": sources})
        await indexed(client)

        open_notebook(client, cells, (root / "users.ipynb").as_uri())
        where = {"textDocument": {"uri": name(3)}, "position": {"line": 1, "character": 5}}
        # One cell imports the type, another one declares what returns it.
        card = await client.request("sidecar/contextCard", where)
        parts = {(part["source"], part["path"]) for part in card["parts"]}
        assert ("members", "app/models.py") in parts
        client.notify(
            "notebookDocument/didSave",
            {"notebookDocument": {"uri": (root / "users.ipynb").as_uri()}},
        )
        # The rules for files that hold secrets are those of paths.
        open_notebook(client, cells, (root / ".ssh/users.ipynb").as_uri())
        _, answer = client.complete(name(3), 1, 5)
        assert await asyncio.wait_for(answer, 30) is None
        counters = (await client.request("sidecar/stats"))["counters"]
        assert counters["completion.empty.secret_file"] == 1


@pytest.mark.engine
async def test_ghost_text_in_a_cell(model_path: Path) -> None:
    async with LspClient() as client:
        await client.initialize()
        await client.ready()
        open_notebook(client)
        _, answer = client.complete(name(3), 1, 11)
        item = (await asyncio.wait_for(answer, 120))["items"][0]
        start = {"line": 1, "character": 0}
        assert item["range"] == {"start": start, "end": {"line": 1, "character": 11}}
        assert item["insertText"].startswith("    return ") and "radius" in item["insertText"]
        for number, key in enumerate(item["insertText"][11:13]):
            change(client, 2 + number, textContent=[insert(3, 2 + number, 1, 11 + number, key)])
            token = f"key {number}"
            _, answer = client.complete(name(3), 1, 12 + number, streamToken=token)
            result = await asyncio.wait_for(answer, 60)
            assert result["items"][0]["insertText"] == item["insertText"]
            done = await client.seen(
                "sidecar/inlineCompletionProgress",
                lambda p, token=token: p["streamToken"] == token and p["done"],
            )
            # A cell's keys cost what those of a file do.
            assert done["stats"]["evaluated"] <= 3
            assert done["range"]["end"] == {"line": 1, "character": 12 + number}


@pytest.mark.engine
@pytest.mark.usefixtures("model_path")
async def test_nothing_is_evaluated_for_a_notebook_that_was_closed() -> None:
    lines = "".join(f"    total_{n} = load_circle(radius, {n})\n" for n in range(60))
    async with LspClient() as client, asyncio.timeout(120):
        await client.initialize(warming="always")
        await client.ready()
        open_notebook(client, (("python", f"def area(radius):\n{lines}"),))
        where = {"textDocument": {"uri": name(0)}, "position": {"line": 30, "character": 10}}
        client.notify("sidecar/didMoveCursor", where)
        while not (await client.engine())["busy"]:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        close_notebook(client, 0)
        counters: dict[str, int] = {}
        while "warming.cancelled" not in counters:
            await asyncio.sleep(0.01)
            counters = (await client.request("sidecar/stats"))["counters"]
