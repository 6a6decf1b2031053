"""Tells from a text's bytes what a parser would do with it, before one is asked.

Must never do I/O, nor know any language by name. May import nothing of sidecar.
"""

from __future__ import annotations

import re

__all__ = ["as_text", "is_nested", "is_suspect"]

#: Brackets that are never closed are what such texts have in common; in code, all but a few are.
_MOST_OPEN = 300
_NO_BRACKETS = bytes(set(range(256)) - set(b"()[]{}"))
#: Where a grammar may take `a < b` or `a(b` for one of two things, the end of a text in which so
#: many are open costs the square of their number, in memory as well, and cannot be stopped.
_MOST_NESTED = 3_000
_NESTED = re.compile(rb"[<(]{%d}" % _MOST_NESTED)
_NO_NESTING = bytes(set(range(256)) - set(b"()[]{}<>;,:"))


def is_suspect(source: bytes) -> bool:
    """Tell whether a text may take long to parse: more brackets are open than in code."""
    # Without all else, the little that is left is counted in no time.
    brackets = source.translate(None, _NO_BRACKETS)
    return any(
        abs(brackets.count(opening) - brackets.count(closing)) > _MOST_OPEN
        for opening, closing in ((b"(", b")"), (b"[", b"]"), (b"{", b"}"))
    )


def as_text(source: bytes) -> bytes:
    """Return a text of the same length with a question mark for each byte that is none."""
    # Queries that compare texts fail at such bytes.
    if source.isascii():
        return source
    return source.decode("utf-8", "surrogateescape").encode("utf-8", "replace")


def is_nested(source: bytes) -> bool:
    """Tell whether so many brackets are open that no parse of it can be stopped."""
    # Most files hold fewer of them altogether.
    if source.count(b"(") + source.count(b"<") < _MOST_NESTED:
        return False
    kept = source.translate(None, _NO_NESTING)
    still_open = kept.count(b"(") - kept.count(b")") + kept.count(b"<") - kept.count(b">")
    return still_open >= _MOST_NESTED and _NESTED.search(kept) is not None
