"""Between LSP's types and ours."""

from __future__ import annotations

from typing import Any

import pytest
from lsprotocol import types

from sidecar.completion.suggestion import Suggestion
from sidecar.server.convert import changes_of, item_of, path_of, suits
from sidecar.server.notebooks import View
from sidecar.text import Buffer, Change, Document, Encoding, Position


@pytest.mark.parametrize(
    ("uri", "path"),
    [
        ("file:///home/me/a%20b.py", "/home/me/a b.py"),
        ("untitled:Untitled-1", "Untitled-1"),
        ("vscode-notebook-cell:/home/me/n.ipynb#W0", "/home/me/n.ipynb"),
        ("", ""),
    ],
)
def test_paths(uri: str, path: str) -> None:
    assert path_of(uri) == path


def test_changes() -> None:
    where = types.Range(types.Position(1, 2), types.Position(3, 4))
    assert changes_of(
        [
            types.TextDocumentContentChangePartial(range=where, text="x"),
            types.TextDocumentContentChangeWholeDocument(text="y"),
        ]
    ) == [Change(Position(1, 2), Position(3, 4), "x"), Change(None, None, "y")]


@pytest.mark.parametrize(("encoding", "column"), [("utf-8", 6), ("utf-16", 4), ("utf-32", 3)])
@pytest.mark.parametrize("above", ["", "import os\n\n"])
def test_an_items_columns_are_in_the_clients_encoding(
    encoding: Encoding, column: int, above: str
) -> None:
    text, start = "a\n\N{GRINNING FACE} x", len(above)
    document = Document("", "", "python", 1, Buffer.of(above + text))
    item = item_of(
        Suggestion(start + 2, start + 5, "\N{GRINNING FACE} xyz", "yz", "\N{GRINNING FACE} x"),
        "1",
        View(document, Buffer.of(text), start),
        encoding,
    )
    assert item["range"] == {
        "start": {"line": 1, "character": 0},
        "end": {"line": 1, "character": column},
    }
    assert item["command"]["arguments"] == ["1"]


def selected(start: int, end: int, text: str) -> types.SelectedCompletionInfo:
    where = types.Range(types.Position(0, start), types.Position(0, end))
    return types.SelectedCompletionInfo(range=where, text=text)


def check(menu: types.SelectedCompletionInfo | None, expected: tuple[int, str] | None) -> None:
    """The item is `    self.app|end(x)`, typed up to the bar; expected is start and text."""
    item: dict[str, Any] = {
        "insertText": "    self.append(x)",
        "range": {
            "start": {"line": 0, "character": 0},
            "end": {"line": 0, "character": 12},
        },
    }
    assert suits(item, menu) == (expected is not None)
    if expected is not None:
        assert (item["range"]["start"]["character"], item["insertText"]) == expected


def test_an_item_follows_what_a_menu_has_selected() -> None:
    check(None, (0, "    self.append(x)"))
    check(selected(9, 12, "append"), (9, "append(x)"))
    check(selected(9, 12, "apply"), None)
    check(selected(9, 11, "append"), None)
