"""How a language writes declarations without their bodies, and what names it sees.

Values only, read from `grammars/languages.toml`. May import nothing of sidecar.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Form", "form_of"]

_PRIVATE: Final = re.compile(r"^(?:_(?!_)|#)|\b(?:private|fileprivate)\b")


@dataclass(frozen=True, slots=True)
class Form:
    """How declarations are written.

    Args:
        opens: What opens a body after a signature.
        closes: What closes it, on a line of its own.
        ends: What ends a declaration without a body.
        field_ends: What ends a field.
        docstring: The quotes around documentation that stands inside of what it documents; empty
            where a comment above does.
        outside: What members that stand outside of their type are put in, with `{}` for its name;
            empty where they stand on their own.
        private: Found in a member's name, a space and its signature if others may not use it.
        overloads: Found in the signature of a function that stands for another one below it; an
            empty pattern where such a function is one without a body.
        named: What stands behind the name of an argument in a call, where names may be given
            whatever else there is; empty where they may not.
        reach: Which files see each other's names without an import: those of a `folder`, `all` of
            one language, or none.
    """

    opens: str = " {"
    closes: str = "}"
    ends: str = ";"
    field_ends: str = ";"
    docstring: str = ""
    outside: str = ""
    private: re.Pattern[str] = _PRIVATE
    overloads: re.Pattern[str] | None = None
    named: str = ""
    reach: str = ""


def form_of(table: Mapping[str, str]) -> Form:
    """Read a language's table; a field ends as other declarations do if nothing else is said."""
    values: dict[str, object] = {"field_ends": table.get("ends", ";"), **table}
    for key in ("private", "overloads"):
        if key in table:
            values[key] = re.compile(table[key])
    return Form(**values)  # type: ignore[arg-type]
