"""Documents that hypothesis thinks up, and what people do to them in an editor."""

from __future__ import annotations

from hypothesis import strategies as st

from sidecar.text import Buffer, Document

__all__ = ["PIECES", "STEP", "STOP", "TEXT", "act", "document_of"]

PIECES = [
    *(
        "\n",
        "\r\n",
        "    ",
        "\t",
        " ",
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        "'",
        '"',
        '"""',
        "`",
        ",",
        ":",
    ),
    *("foo", "x = 1", "return y", "def f(a):", "if a {", "é", "😀", "\u2028", "\ud83d", ";", " + "),
]
TEXT = st.lists(st.sampled_from(PIECES), max_size=40).map("".join)
PAIRS = {"(": ")", "[": "]", "{": "}", "'": "'", '"': '"'}
STOP = st.sampled_from(["eog", "newline", "tokens", "time", "cancelled"])


def document_of(text: str, place: float) -> tuple[Document, int]:
    buffer = Buffer.of(text)
    offset = int(place * len(buffer))
    if buffer.slice(offset - 1, offset + 1) == "\r\n":
        offset -= 1
    return Document("file:///a.py", "/a.py", "python", 1, buffer), offset


STEP = st.one_of(
    st.sampled_from(["a", "x", " ", ",", "(", "[", "{", "'", '"', ")", "]", "}", "\n"]).map(
        lambda c: ("type", c)
    ),
    st.just(("backspace", "")),
    st.tuples(st.just("paste"), TEXT),
    st.tuples(st.just("edit elsewhere"), st.floats(0, 1), st.sampled_from(["", "y", "z\n"])),
    st.tuples(st.just("jump"), st.floats(0, 1)),
)


def act(buffer: Buffer, offset: int, step: tuple) -> tuple[Buffer, int]:
    """Do what an editor with auto-closing brackets does."""
    kind = step[0]
    following = buffer.slice(offset, offset + 1)
    if kind == "type":
        character = step[1]
        if character in ")]}'\"" and following == character:
            return buffer, offset + 1
        closes = following in ("", "\n", "\r", " ", ")", "]", "}")
        closer = PAIRS.get(character, "") if closes else ""
        return buffer.edit(offset, offset, character + closer), offset + 1
    if kind == "backspace":
        if not offset:
            return buffer, offset
        paired = PAIRS.get(buffer.slice(offset - 1, offset)) == following
        return buffer.edit(offset - 1, offset + (paired and following != ""), ""), offset - 1
    if kind == "paste":
        after = len(buffer) - offset
        buffer = buffer.edit(offset, offset, step[1])
        return buffer, len(buffer) - after
    if kind == "edit elsewhere":
        place = int(step[1] * len(buffer))
        edited = buffer.edit(place, place, step[2])
        return edited, min(offset + (len(step[2]) if place <= offset else 0), len(edited))
    return buffer, int(step[1] * len(buffer))
