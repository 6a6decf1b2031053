"""What is kept of a declaration.

Must never do anything. May import nothing of sidecar.
"""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["Place", "Symbol"]


class Symbol(NamedTuple):
    """One declaration, blind to where it stands.

    Args:
        name: Its name.
        kind: function, method, class, struct, interface, enum, type, constant, variable, field or
            module.
        container: Ordinal of the declaration around it in the same file, or -1.
        owner: The type whose member it is, which may stand in another file; or nothing.
        signature: The declaration without its body, on one line.
        doc: First line of its documentation.
        bases: Types that it extends or implements.
        type: What it returns, or the annotated type of its value.
        parameters: Names and types of the parameters whose types are annotated.
    """

    name: str
    kind: str
    container: int
    owner: str
    signature: str
    doc: str
    bases: tuple[str, ...]
    type: str
    parameters: tuple[tuple[str, str], ...]


class Place(NamedTuple):
    """Where a symbol stands: its name's line and column, and its first and last line.

    Lines and columns are counted from 0, columns in code points.
    """

    line: int
    column: int
    first_line: int
    last_line: int
