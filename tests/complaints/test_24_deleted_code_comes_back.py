"""Complaint 24: what was just deleted is suggested again.

microsoft/vscode-copilot-release#8763; zed-industries/zed#31398, #60376. (Of recent edits a model is
shown what stands there now, never what stood there before.)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sidecar.completion.snapshots import Snapshots
from sidecar.context.gathering import gather
from sidecar.context.snapshot import Place
from sidecar.index.once import index_once
from sidecar.index.query.overlay import Overlay
from sidecar.index.query.reader import Reader
from sidecar.server.recent import Recent
from sidecar.syntax import Languages, Trees
from sidecar.text import Buffer, Document

if TYPE_CHECKING:
    from pathlib import Path

KEPT = "def total_of(lines):\n    return sum(line.price for line in lines)\n"
DELETED = "\n\ndef total_with_discount(lines, discount):\n    return total_of(lines) - discount\n"


def document(path: Path, text: str, version: int = 1) -> Document:
    return Document(path.as_uri(), str(path), "python", version, Buffer.of(text))


def test_an_edit_shows_what_stands_there_now(tmp_path: Path) -> None:
    root = tmp_path / "shop"
    root.mkdir()
    (root / "totals.py").write_text(KEPT + DELETED)
    (root / "view.py").write_text("from totals import total_of\n\n\ndef show(lines):\n    \n")
    database = tmp_path / "index.sqlite"
    index_once(str(root), database=lambda _root: database)
    recent = Recent()
    before = document(root / "totals.py", KEPT + DELETED)
    changed = KEPT.replace("line.price", "line.amount * line.price")
    after = document(root / "totals.py", changed, 2)
    recent.edited("totals.py", before, after)
    view = document(root / "view.py", (root / "view.py").read_text())
    languages, trees = Languages.load(), Trees()
    language = languages.find("python", "view.py")
    assert language is not None
    cursor = len(view.buffer.text) - 1
    place = Place(
        view, "view.py", language, trees.parse(view.uri, language, view.buffer), cursor, cursor
    )
    with Reader(database) as reader:
        snapshot = Snapshots(str(root)).take(
            Overlay(reader, {}),
            {"totals.py": after, "view.py": view},
            recent.edits,
            recent.viewed,
        )
        found = gather(place, snapshot, {"edits", "viewed", "similar"})
    assert "edits" in {snippet.source for snippet in found.snippets}
    shown = "".join(snippet.text for snippet in found.snippets)
    assert "line.amount * line.price" in shown
    assert "discount" not in shown
