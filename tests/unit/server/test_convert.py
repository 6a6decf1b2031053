"""Between LSP's types and ours."""

from __future__ import annotations

from typing import Any

import pytest
from lsprotocol import types

from sidecar.completion.suggestion import Suggestion
from sidecar.server.convert import changes_of, entry_of, item_of, path_of, suits
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


def entry(typed: str, shown: str, behind: str = "", covered: int = 0) -> dict[str, Any]:
    """Return the menu's entry for a line, of which `covered` letters behind it are replaced."""
    above = "\N{GRINNING FACE}\n"
    text = above + typed + behind
    start, offset = len(above), len(above + typed)
    made = Suggestion(start, offset + covered, typed + shown, shown, typed)
    document = Document("", "", "python", 1, Buffer.of(text))
    return entry_of(made, "3", offset, View(document, document.buffer, 0), "utf-16")


@pytest.mark.parametrize(
    ("typed", "shown", "label", "new", "columns"),
    [
        ("x = self.ra", "dius", "radius", "radius", (9, 11)),
        ("return ", "a + b", "a + b", "a + b", (7, 7)),
        ("    ", "return", "return", "return", (4, 4)),
        # Menus compare with the word that was begun, also where that goes on in the next line.
        ("def f(a)", ":\n    pass", ": pass", ":\n    pass", (8, 8)),
        ("else", ":\n\treturn", "else: return", "else:\n\treturn", (0, 4)),
        ("foo", "\n  bar", "foo bar", "foo\n  bar", (0, 3)),
        ("\N{GRINNING FACE} \N{LATIN SMALL LETTER E WITH ACUTE}t", "é", "été", "été", (3, 5)),
        ("a-b", "c", "bc", "bc", (2, 3)),
    ],
)
def test_an_entry_of_a_menu_begins_with_the_word_at_the_cursor(
    typed: str, shown: str, label: str, new: str, columns: tuple[int, int]
) -> None:
    made = entry(typed, shown)
    assert (made["label"], made["textEdit"]["newText"]) == (label, new)
    where = made["textEdit"]["range"]
    assert (where["start"]["character"], where["end"]["character"]) == columns
    assert where["start"]["line"] == where["end"]["line"] == 1
    assert ("documentation" in made) == ("\n" in new)
    # As it is: an editor that indents it anew, or reads it as a snippet, spoils it.
    assert (made["insertTextFormat"], made["insertTextMode"]) == (1, 1)
    assert made["command"]["arguments"] == ["3"]


def test_an_entry_of_a_menu_covers_what_it_closes_and_has_a_short_label() -> None:
    made = entry("f(", "a)", ")", 1)
    assert made["textEdit"]["range"]["end"]["character"] == 3
    long = entry("x = ", "y + " * 40 + "y")
    assert len(long["label"]) == 80 and long["label"].endswith("…")
    assert long["textEdit"]["newText"].endswith("+ y")
