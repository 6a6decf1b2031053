"""Names that a name at a cursor may become, where one is expected that is there already.

Only where all names are known that no file declares: those that a language has built in. Must
never do I/O. May import `context` and `syntax`.
"""

from __future__ import annotations

import builtins
import re
from typing import TYPE_CHECKING, Final

from sidecar.context.certain.cursor import opened_at
from sidecar.syntax.bindings import Bindings

if TYPE_CHECKING:
    from sidecar.context.certain.cursor import Cursor
    from sidecar.context.snapshot import Place, Snapshot

__all__ = ["defines", "is_expected", "is_seen", "possible"]

#: What languages have built in, by their names here.
_BUILT_IN: Final = {"python": frozenset(dir(builtins))}
#: What stands before a value, and what before names that are new, or are no names of values.
_OPERATOR: Final = re.compile(r"(?:[(\[=+\-*/%<>&|^~,]|\*\*)\s*\Z")
_WORD: Final = re.compile(
    r"\b(?:return|in|and|or|not|if|elif|while|await|yield|is|assert|raise|else|del|from)\s+\Z"
)
_NEW: Final = re.compile(
    r"\b(?:def|class|lambda|for|import|as|global|nonlocal|with|case|type|except)\b[^:]*\Z"
)


def is_expected(cursor: Cursor) -> bool:
    """Tell whether a name at a cursor has to be one that is there already."""
    before = cursor.line[: len(cursor.line) - len(cursor.typed)]
    if not before.strip():
        # A line of its own goes on with what was begun above.
        above = cursor.before[: len(cursor.before) - len(cursor.typed)]
        opened = opened_at(above)
        return opened is not None and not defines(above[above.rfind("\n", 0, opened) + 1 : opened])
    if defines(before):
        return False
    operator = _OPERATOR.search(before)
    if operator is None:
        return _WORD.search(before) is not None
    # What commas separate outside of brackets may be about to get values.
    return "," not in operator[0] or any(before.count(a) > before.count(b) for a, b in ("()", "[]"))


def defines(before: str) -> bool:
    """Tell whether a line is about to bind names, as far as it is written."""
    found = _NEW.search(before)
    # Behind the word `in` they are bound.
    return found is not None and re.search(r"\bin\b", found[0]) is None


def possible(cursor: Cursor, place: Place, snapshot: Snapshot) -> set[str] | None:
    """Return all words that begin with what was typed and may be meant.

    More than what is seen at the cursor: which names reach it is not always known.

    Returns:
        None where not all are known.
    """
    built_in = _BUILT_IN.get(cursor.language.name)
    if built_in is None or any(item.name == "*" for item in snapshot.index.imports(place.path)):
        return None
    typed = cursor.typed
    source = cursor.parsed.source
    start = cursor.place - len(typed.encode())
    pattern = re.compile(rb"(?<![\w\x80-\xff])" + re.escape(typed.encode()) + rb"[\w\x80-\xff]*")
    found = {
        match[0].decode("utf-8", "replace")
        for match in pattern.finditer(source)
        if match.start() != start
    }
    words = cursor.parsed.grammar.mentions[1]
    return found | {name for name in built_in | words if name.startswith(typed)}


def is_seen(name: str, cursor: Cursor, place: Place, snapshot: Snapshot) -> bool:
    """Tell whether a name means something at a cursor.

    Args:
        name: The name.
        cursor: The cursor.
        place: The same, in its document.
        snapshot: What is known of the workspace.
    """
    if name in _BUILT_IN.get(cursor.language.name, ()):
        return True
    if name in cursor.parsed.grammar.mentions[1]:
        # A word of the language is soon typed, and often the wrong one.
        return False
    opened = opened_at(cursor.before)
    begun = cursor.line if opened is None else cursor.before[opened:]
    if re.search(rf"\b{re.escape(name)}\s*=(?!=)", begun):
        # What does not parse yet looks like an assignment, and names an argument.
        return False
    index = snapshot.index
    if any(name == (item.alias or item.name or item.module) for item in index.imports(place.path)):
        return True
    if any(
        item.symbol.name == name and item.symbol.container < 0 and not item.symbol.owner
        for item in index.symbols(place.path)
    ):
        return True
    return Bindings(cursor.parsed, cursor.place).binding(name, cursor.place) is not None
