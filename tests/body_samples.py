"""Asks where the body around a cursor begins, in code that parses."""

from __future__ import annotations

from sidecar.syntax import Bodies, Languages, Trees
from sidecar.text import Buffer, Document

__all__ = ["body_lines"]


def body_lines(name: str, text: str) -> list[int | None]:
    """Return the line, counted from 1, where the body around each `|` begins, if there is one.

    Args:
        name: The file.
        text: Its text; a `|` stands for itself where no line ends behind it.
    """
    lines = text.split("\n")
    clean = [line.removesuffix("|") for line in lines]
    found: list[int | None] = []
    for number, line in enumerate(lines):
        if not line.endswith("|"):
            continue
        document = Document("file:///a", name, "", 1, Buffer.of("\n".join(clean)))
        offset = sum(len(before) + 1 for before in clean[:number]) + len(clean[number])
        body = Bodies(Languages.load(), Trees()).find(document, offset)
        assert body is None or body.source == "syntax"
        found.append(None if body is None else body.line + 1)
    return found
