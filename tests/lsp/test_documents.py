"""Server text and client text stay equal, whatever an editor does to a document.

The client's text is kept as editors keep it: an array of UTF-16 units that knows only LSP's line
breaks. So this is a second implementation, and no code of the product is in it.
"""

from __future__ import annotations

import hashlib
import random
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from lsp_client import LspClient

pytestmark = pytest.mark.lsp

PIECES = (
    *("a", "é", "日", "\N{GRINNING FACE}", "\N{MUSICAL SYMBOL G CLEF}", "\u0301", "\u200d"),
    *("\n", "\r\n", "\r", "\f", "\v", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029"),
    *("\ud83d", "\ude00", "\udfff", "\ud800", "\0", "\ufeff", "\t", "    ", '"', "\\"),
    *("def f(x):\n    return x\n", "x" * 60, "\r\n" * 3),
)


class EditorText:
    """A document as an editor holds it."""

    def __init__(self, text: str, encoding: str) -> None:
        self.units = text.encode("utf-16-le", "surrogatepass")
        self._encoding = encoding

    def __len__(self) -> int:
        return len(self.units) // 2

    def text(self, start: int = 0, end: int | None = None) -> str:
        return self.units[2 * start : None if end is None else 2 * end].decode(
            "utf-16-le", "surrogatepass"
        )

    def digest(self) -> str:
        return hashlib.sha256(self.units).hexdigest()

    def replace(self, start: int, end: int, text: str) -> None:
        new = text.encode("utf-16-le", "surrogatepass")
        self.units = self.units[: 2 * start] + new + self.units[2 * end :]

    def position(self, unit: int) -> dict[str, int]:
        """Line and column of a unit; between \\r and \\n it is the line's end, as in editors."""
        before, line, begin, at = self.text(0, unit), 0, 0, 0
        while at < len(before):
            if before[at] == "\r" and before[at + 1 : at + 2] == "\n":
                at += 1
            elif before[at] not in "\r\n":
                at += 1
                continue
            at += 1
            line, begin = line + 1, at
        if before.endswith("\r") and self.text(unit, unit + 1) == "\n":
            line, begin = line - 1, 0
            begin = max(before[:-1].rfind("\n"), before[:-1].rfind("\r")) + 1
            before = before[:-1]
        return {"line": line, "character": self._columns(before[begin:])}

    def _columns(self, text: str) -> int:
        match self._encoding:
            case "utf-8":
                return len(text.encode("utf-8", "surrogatepass"))
            case "utf-16":
                return len(text.encode("utf-16-le", "surrogatepass")) // 2
            case _:
                return len(text)

    def splits_a_pair(self, unit: int) -> bool:
        pair = self.text(unit - 1, unit + 1) if 0 < unit < len(self) else ""
        return len(pair) == 1

    def splits_a_break(self, unit: int) -> bool:
        return 0 < unit < len(self) and self.text(unit - 1, unit + 1) == "\r\n"


async def agree(client: LspClient, uri: str, text: EditorText, version: int) -> None:
    status = await client.request("sidecar/status", {"textDocument": {"uri": uri}})
    document = status["document"]
    assert (document["version"], document["utf16Units"]) == (version, len(text))
    assert document["utf16Sha256"] == text.digest()


def random_change(text: EditorText, chance: random.Random, inside_pairs: bool) -> dict[str, object]:
    """Make one change, apply it to the text, and return it as it is sent."""
    if chance.random() < 0.002 or len(text) > 6000:
        whole = "".join(chance.choices(PIECES, k=40))
        text.replace(0, len(text), whole)
        return {"text": whole}
    while True:
        start = chance.randint(0, len(text))
        end = min(len(text), start + chance.choice((0, 0, 0, 0, 1, 1, 2, 5, 30)))
        ends = (start, end)
        # No editor puts a cursor between \r and \n; between the halves of a pair only those that
        # count in UTF-16 can.
        if any(text.splits_a_break(unit) for unit in ends):
            continue
        if not inside_pairs and any(text.splits_a_pair(unit) for unit in ends):
            continue
        break
    new = "".join(chance.choices(PIECES, k=chance.choice((0, 1, 1, 1, 1, 2, 4))))
    where = {"start": text.position(start), "end": text.position(end)}
    text.replace(start, end, new)
    return {"range": where, "text": new}


@pytest.mark.parametrize(
    ("encoding", "edits", "seed"), [("utf-16", 6000, 1), ("utf-8", 2000, 2), ("utf-32", 2000, 3)]
)
async def test_random_edits_leave_server_and_client_equal(
    client: LspClient, encoding: str, edits: int, seed: int
) -> None:
    general = {"positionEncodings": [encoding]}
    await client.initialize(capabilities={"general": general})
    chance = random.Random(seed)
    uri = "file:///w/edits.py"
    text = EditorText("".join(chance.choices(PIECES, k=200)), encoding)
    client.open(uri, text.text())
    version = 1
    done = 0
    while done < edits:
        version += 1
        changes = [
            random_change(text, chance, inside_pairs=encoding == "utf-16")
            for _ in range(chance.choice((1, 1, 1, 3)))
        ]
        client.change(uri, version, *changes)
        done += len(changes)
        if version % 50 == 0:
            await agree(client, uri, text, version)
    await agree(client, uri, text, version)


async def test_documents_are_opened_again_and_closed(client: LspClient) -> None:
    await client.initialize()
    uri = "untitled:Untitled-1"
    client.open(uri, "one")
    client.open(uri, "two\r\n")
    await agree(client, uri, EditorText("two\r\n", "utf-16"), 1)
    client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    client.change(uri, 2, {"text": "three"})
    status = await client.request("sidecar/status", {"textDocument": {"uri": uri}})
    assert status["document"] is None
    assert status["openDocuments"] == 0


async def test_a_change_to_what_is_no_text_is_counted_and_not_taken(client: LspClient) -> None:
    await client.initialize()
    uri = "file:///w/a.py"
    client.open(uri, "x = 1\n")
    here = {"line": 0, "character": 0}
    strange: tuple[dict[str, Any], ...] = (
        {"text": 5},
        {"text": None},
        {"range": {"start": here, "end": here}, "text": ["y"]},
    )
    for version, change in enumerate(strange, 2):
        client.change(uri, version, change)
    client.notify(
        "textDocument/didOpen",
        {"textDocument": {"uri": "file:///b", "languageId": "c", "version": 1, "text": 5}},
    )
    status = await client.request("sidecar/status", {"textDocument": {"uri": uri}})
    assert status["document"]["version"] == 1
    assert status["document"]["utf16Units"] == 6
    counters = (await client.request("sidecar/stats"))["counters"]
    assert counters["malformed.textDocument/didChange"] == 3
    assert counters["malformed.textDocument/didOpen"] == 1
