"""Which members of a type are shown: the most important first, and few.

Pure functions. May import `syntax` and `index`'s answers.
"""

from __future__ import annotations

import re
from operator import itemgetter
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sidecar.index.query.answers import Definition
    from sidecar.syntax.languages import Language

__all__ = ["FUNCTIONS", "VALUES", "distinct", "is_constructor", "shown_members"]

#: Members of a type that are shown, and how many there may be before private ones are.
MOST_MEMBERS: Final = 24
_BEFORE_PRIVATE: Final = 12
#: Characters of their signatures together.
_MOST_CHARACTERS: Final = 1_800
#: The last rank.
_PRIVATE: Final = 4
#: Characters of a signature in which a word says who may use it.
_WORDS: Final = 40
FUNCTIONS: Final = frozenset({"function", "method"})
VALUES: Final = frozenset({"field", "variable", "constant"})
_CONSTRUCTORS: Final = frozenset(
    {"__init__", "constructor", "initialize", "__construct", "init", "new"}
)
#: What sets or deletes a property that another function reads.
_ACCESSOR: Final = re.compile(r"@[\w.]+\.(?:setter|deleter)\b")


def shown_members(
    language: Language | None, name: str, members: Iterable[Definition]
) -> list[Definition]:
    """Return the members of a type that are shown, in the order in which they are.

    Fields come first, then constructors, what is public, what has a special meaning, and what is
    private where little else is.

    Args:
        language: The type's language.
        name: The type's name.
        members: Its members, in the order of the text, each once.
    """
    ranked: list[tuple[int, Definition]] = []
    for item in members:
        symbol = item.symbol
        private = language is not None and language.form.private.search(
            f"{symbol.name} {symbol.signature[:_WORDS]}"
        )
        if is_constructor(item, name):
            rank = 1
        elif private:
            rank = _PRIVATE
        elif symbol.kind in VALUES:
            rank = 0
        else:
            rank = 3 if symbol.name.startswith("__") else 2
        ranked.append((rank, item))
    ranked.sort(key=itemgetter(0))
    shown: list[Definition] = []
    characters = 0
    for rank, item in ranked:
        characters += len(item.symbol.signature)
        if characters > _MOST_CHARACTERS and shown:
            break
        if len(shown) >= (_BEFORE_PRIVATE if rank == _PRIVATE else MOST_MEMBERS):
            break
        shown.append(item)
    return shown


def is_constructor(member: Definition, type_name: str) -> bool:
    """Tell whether a member makes instances of its type."""
    symbol = member.symbol
    return symbol.kind in FUNCTIONS and (symbol.name in _CONSTRUCTORS or symbol.name == type_name)


def distinct(members: Iterable[Definition]) -> list[Definition]:
    """Return members without those that are written together, and without setters."""
    found: dict[str, Definition] = {}
    for item in members:
        symbol = item.symbol
        if not _ACCESSOR.match(symbol.signature):
            found.setdefault(symbol.signature, item)
    return list(found.values())
