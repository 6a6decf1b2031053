"""Fixtures with `|` for the cursor, shared by all tests."""

from __future__ import annotations

from sidecar.text import Buffer, Document


def at_cursor(
    fixture: str, language: str = "python", path: str = "/w/a.py"
) -> tuple[Document, int]:
    """Read a document whose cursor stands at `|`; `‖` stands for a real bar."""
    offset = fixture.index("|")
    text = (fixture[:offset] + fixture[offset + 1 :]).replace("‖", "|")
    return Document(f"file://{path}", path, language, 1, Buffer.of(text)), offset
