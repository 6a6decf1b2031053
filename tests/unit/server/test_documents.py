"""Open documents as snapshots."""

from __future__ import annotations

from sidecar.server.documents import Documents
from sidecar.text import Change, Position

URI = "file:///w/a.py"


def test_a_snapshot_does_not_change_under_anybodys_hands() -> None:
    documents = Documents("utf-16")
    first = documents.open(URI, "/w/a.py", "python", 1, "a\nb")
    second = documents.change(URI, 2, [Change(Position(1, 1), Position(1, 1), "c")])
    assert second is not None and documents.get(URI) is second
    assert (first.version, first.buffer.text) == (1, "a\nb")
    assert (second.version, second.buffer.text) == (2, "a\nbc")
    assert (second.path, second.language) == ("/w/a.py", "python")


def test_changes_build_on_each_other() -> None:
    documents = Documents("utf-16")
    documents.open(URI, "/w/a.py", "python", 1, "")
    changed = documents.change(
        URI,
        2,
        [
            Change(Position(0, 0), Position(0, 0), "one\n"),
            Change(Position(1, 0), Position(1, 0), "two"),
            Change(Position(0, 3), Position(1, 0), " "),
        ],
    )
    assert changed is not None and changed.buffer.text == "one two"


def test_what_is_not_open_is_not_changed() -> None:
    documents = Documents("utf-8")
    assert documents.change(URI, 1, []) is None
    documents.open(URI, "", "", 1, "")
    documents.close(URI)
    documents.close(URI)
    assert (documents.get(URI), len(documents)) == (None, 0)
