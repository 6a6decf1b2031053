"""What stands before member operators, at a place of a file and in the lines above it.

What an expression's type is must be told by an index. Must never do I/O, nor know any language by
name. May import this package.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from sidecar.syntax.bindings import Bindings
from sidecar.syntax.chains import (
    MAX_CHARACTERS,
    Chain,
    expression_start,
    member_operator,
    read_chain,
)

__all__ = ["Receiver", "Receivers"]

#: Statements in which what stands between dots is no expression.
_IMPORTS: Final = re.compile(r"\s*(?:from|import|package|using|use|namespace)\s[^()=]*\Z")
_NO_CODE: Final = ("comment", "string_content", "string_fragment", "string_literal", "string")
_USED: Final = re.compile(
    rb"(?<![\w$@.>:\"'/])((?:[@$#]{0,2}[A-Za-z_][\w$]{0,60}(?:\.|->|\?\.)){1,3})#?[A-Za-z_][\w$]*"
)


class Receiver(NamedTuple):
    """An expression before a member operator.

    Args:
        text: As written.
        chain: Its steps.
        place: Where it stands, in bytes.
        chosen: Whether the cursor stands behind its operator.
    """

    text: str
    chain: Chain
    place: int
    chosen: bool


class Receivers(Bindings):
    """Receivers at one place of a file, and what names mean there."""

    def at_cursor(self) -> Receiver | None:
        """Return what stands before the member operator at the cursor, if there is one."""
        before = self._text(max(self._cursor - MAX_CHARACTERS, 0), self._cursor)
        operator = member_operator(before)
        line = before[before.rfind("\n") + 1 :]
        if operator is None or _IMPORTS.match(line) or _in_open_string(line):
            return None
        start = expression_start(before, operator[0])
        text = before[start : operator[0]].rstrip().rstrip("?!")
        chain = read_chain(text)
        place = self._cursor - len(before[start:].encode("utf-8", "replace"))
        if not chain or self._is_text(place):
            return None
        return Receiver(text, chain, place, True)

    def nearby(self, lines: int, most: int) -> list[Receiver]:
        """Return receivers that are used in the lines above, and in the cursor's, nearest first."""
        start = self._cursor
        for _ in range(lines + 1):
            start = self._source.rfind(b"\n", max(self._cursor - 8_000, 0), max(start, 0))
            if start < 0:
                break
        region = self._source[max(start, self._cursor - 8_000, 0) : self._cursor]
        offset = max(start, self._cursor - 8_000, 0)
        found: dict[str, Receiver] = {}
        for match in reversed(list(_USED.finditer(region))):
            text = match[1].decode("utf-8", "replace").removesuffix("?.")
            text = text.removesuffix("->").removesuffix(".")
            if text in found or self._is_text(offset + match.start()):
                continue
            if chain := read_chain(text):
                found[text] = Receiver(text, chain, offset + match.start(), False)
            if len(found) >= most:
                break
        return list(found.values())

    def _is_text(self, place: int) -> bool:
        """Tell whether a place lies in a comment or a string."""
        node = self._root.descendant_for_byte_range(place, place + 1)
        return node is not None and (
            node.type in _NO_CODE or "comment" in node.type or "heredoc" in node.type
        )


def _in_open_string(line: str) -> bool:
    """Tell whether a line ends in a string that is not closed, outside of what is put into it."""
    quotes = line.count('"') - line.count('\\"')
    if quotes % 2 == 0:
        return False
    tail = line[line.rfind('"') :]
    return "{" not in tail and "(" not in tail
