"""The ways in which a snippet may be shown: whole, as signatures, or cut at the end.

Pure. May import `text` and `context`'s values.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sidecar.context.entropy import condensed
from sidecar.context.window import estimated
from sidecar.text import encode_utf8

if TYPE_CHECKING:
    from sidecar.context.snapshot import Snippet
    from sidecar.context.window import Tokens

__all__ = ["Form", "cut", "forms_of", "whole_of"]


class Form(NamedTuple):
    """One way to show a snippet.

    Args:
        text: Its text, empty if nothing is worth showing.
        tokens: What the text takes.
        whole: Whether nothing was taken from it but what says little.
        note: What was taken from it, for people.
    """

    text: str
    tokens: int
    whole: bool
    note: str = ""


def whole_of(snippet: Snippet, tokens: Tokens) -> Form:
    """Return a snippet without what says little."""
    return _form(snippet.text, tokens, True)


def forms_of(snippet: Snippet, tokens: Tokens, shown: str = "") -> list[Form]:
    """Return the ways in which a snippet may be shown, the best first; none if it says nothing.

    Args:
        snippet: The snippet.
        tokens: Token counts.
        shown: Its text as it was shown before: signatures stay so until all others have room.
    """
    whole = whole_of(snippet, tokens)
    if not whole.text:
        return []
    if snippet.tier != "extended" or not snippet.short:
        return [whole]
    short = _form(snippet.short, tokens, False)
    if not short.text or whole.tokens <= short.tokens:
        return [whole]
    return [short] if shown == short.text else [whole, short]


def cut(whole: Form, room: int) -> Form | None:
    """Return as many lines of a text as there is room for, or None if there is for none.

    Args:
        whole: The text.
        room: Tokens that it may take.
    """
    lines = whole.text.splitlines(keepends=True)
    size = len(encode_utf8(whole.text))
    end = number = taken = 0
    for line in lines:
        end += len(encode_utf8(line))
        # A part that nobody counted takes its share of the whole, or what its bytes may take.
        more = max(-(-end * whole.tokens // size), estimated(end))
        if room < more:
            break
        number, taken = number + 1, more
    if not number:
        return None
    text = "".join(lines[:number])
    note = f"cut after {number} of {len(lines)} lines, where the room ends"
    note = f"{note}; {whole.note}" if whole.note else note
    return Form(text, taken, False, note)


def _form(text: str, tokens: Tokens, whole: bool) -> Form:
    shown = condensed(text)
    less = len(shown) < len(text.strip("\n").rstrip()) + 1
    notes = ["signatures only"] * (not whole) + ["data or long literals cut"] * less
    return Form(shown, tokens.text(shown) if shown else 0, whole, "; ".join(notes))
