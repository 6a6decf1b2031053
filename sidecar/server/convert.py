"""Between LSP's types and ours: positions, changes, paths and items.

The one place that counts columns in the client's encoding. May import lsprotocol, pygls' URIs,
`text` and `completion`'s values.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlparse

from lsprotocol import types
from pygls.uris import to_fs_path

from sidecar.server.notebooks import Cell, CellText, View
from sidecar.text import Buffer, Change, Position

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sidecar.completion.suggestion import Suggestion
    from sidecar.server.notebook_types import NotebookCell
    from sidecar.text import Encoding

__all__ = [
    "ACCEPT",
    "cell_of",
    "cell_texts",
    "changes_of",
    "end_of",
    "entry_of",
    "file_path",
    "folder_of",
    "item_of",
    "path_of",
    "position_of",
    "range_of",
    "suits",
]

#: The command that an accepted item runs.
ACCEPT = "sidecar.accept"

#: What menus take for the word before the cursor.
_WORD = re.compile(r"\w+\Z")
_MOST_OF_A_LABEL = 80


def path_of(uri: str) -> str:
    """Return the file system path of a document, or the path in its URI when it is no file."""
    return to_fs_path(uri) or unquote(urlparse(uri).path) or uri


def folder_of(uri: str) -> str | None:
    """Return the path of a workspace's folder, or None when it is not on this machine's disks."""
    path = to_fs_path(uri) if uri.startswith("file:") else uri
    # Links stay: the documents below come by the same name.
    return os.path.abspath(path) if path and os.path.isabs(path) else None


def file_path(uri: str) -> str | None:
    """Return the path of a file that an event names; events come by the thousand."""
    if uri.startswith("file:///") and "%" not in uri and os.name == "posix":
        return uri[7:]
    return to_fs_path(uri) if uri.startswith("file:") else None


def position_of(position: types.Position) -> Position:
    """Convert a position; its column stays in the client's encoding."""
    return Position(position.line, position.character)


def changes_of(changes: Sequence[types.TextDocumentContentChangeEvent]) -> list[Change]:
    """Convert the changes of `didChange`."""
    return [
        Change(position_of(change.range.start), position_of(change.range.end), change.text)
        if isinstance(change, types.TextDocumentContentChangePartial)
        else Change(None, None, change.text)
        for change in changes
    ]


def end_of(last: Change, buffer: Buffer, encoding: Encoding) -> int:
    """Return where the last change of a text ends, behind which the cursor is.

    Args:
        last: The change, whose positions are those of the text as it now is.
        buffer: That text.
        encoding: The client's.
    """
    start = buffer.offset(last.start, encoding) if last.start else 0
    return start + len(last.text)


def cell_of(cell: NotebookCell) -> Cell:
    """Convert a cell."""
    return Cell(cell.document, cell.kind is types.NotebookCellKind.Code)


def cell_texts(items: Sequence[types.TextDocumentItem]) -> dict[str, CellText]:
    """Convert the texts of cells."""
    return {
        item.uri: CellText(item.language_id, item.version, Buffer.of(item.text)) for item in items
    }


def range_of(start: int, end: int, view: View, encoding: Encoding) -> dict[str, Any]:
    """Return the range between two offsets of a document, as it is sent of a part of it."""
    return {
        name: {"line": place.line, "character": place.column}
        for name, place in (
            ("start", view.buffer.position(start - view.start, encoding)),
            ("end", view.buffer.position(end - view.start, encoding)),
        )
    }


def item_of(
    suggestion: Suggestion, identity: str, view: View, encoding: Encoding
) -> dict[str, Any]:
    """Return the inline completion item of a suggestion, as it is sent.

    The range reaches from the start of what the user typed to what is replaced after the cursor,
    and the text begins with what was typed: editors then show and insert it rightly even when the
    user typed on in the meantime.

    Args:
        suggestion: What to offer.
        identity: Comes back in the accept command and the feedback notifications.
        view: The part of the suggestion's document that the client asked about.
        encoding: The client's.
    """
    return {
        "insertText": suggestion.insert,
        "range": range_of(suggestion.start, suggestion.end, view, encoding),
        "command": {"title": "Accept", "command": ACCEPT, "arguments": [identity]},
    }


def entry_of(
    suggestion: Suggestion, identity: str, offset: int, view: View, encoding: Encoding
) -> dict[str, Any]:
    """Return a suggestion as an entry of a completion menu.

    Menus compare entries with the word before the cursor, and some editors insert the label before
    they make the edit; so edit and label both begin with that word.

    Args:
        suggestion: What to offer.
        identity: Comes back in the accept command.
        offset: The cursor.
        view: The part of the suggestion's document that the client asked about.
        encoding: The client's.
    """
    word = _WORD.search(suggestion.typed)
    begun = word[0] if word else ""
    text = begun + suggestion.shown
    label = " ".join(text.split())
    entry: dict[str, Any] = {
        "label": label if len(label) <= _MOST_OF_A_LABEL else label[: _MOST_OF_A_LABEL - 1] + "…",
        "detail": "sidecar",
        # Text, not a symbol, and not to be indented anew.
        "kind": types.CompletionItemKind.Text,
        "insertTextFormat": types.InsertTextFormat.PlainText,
        "insertTextMode": types.InsertTextMode.AsIs,
        "textEdit": {
            "range": range_of(offset - len(begun), suggestion.end, view, encoding),
            "newText": text,
        },
        "command": {"title": "Accept", "command": ACCEPT, "arguments": [identity]},
    }
    if "\n" in text:
        entry["documentation"] = text
    return entry


def suits(item: dict[str, Any], selected: types.SelectedCompletionInfo | None) -> bool:
    """Narrow an item to what a completion menu has selected, and tell whether that was possible.

    While its menu is open, VS Code shows only items that replace the same range as the selected
    entry and whose text extends it.
    """
    if selected is None:
        return True
    start, wanted = item["range"]["start"], selected.range.start
    end = {"line": selected.range.end.line, "character": selected.range.end.character}
    ahead = wanted.character - start["character"]
    if start["line"] != wanted.line or item["range"]["end"] != end or ahead < 0:
        return False
    # Encodings differ from code points only in text that no menu entry can begin in.
    text = item["insertText"][ahead:]
    if not text.startswith(selected.text):
        return False
    item["insertText"] = text
    item["range"]["start"] = {"line": wanted.line, "character": wanted.character}
    return True
