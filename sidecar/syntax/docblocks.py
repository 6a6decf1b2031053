"""Types of names that only the comment above their declaration tells.

Must never do I/O, nor know any language by name. May import nothing of sidecar.
"""

from __future__ import annotations

import re
from typing import Final

__all__ = ["documented_type"]

#: How far above a name its comment may begin, in bytes, and how much may stand between the two.
_REACH: Final = 3_000
_BETWEEN: Final = 300
#: What ends a declaration, so that a comment before it is about another one.
_ENDS: Final = re.compile(rb"[;}]|\{\s*$", re.MULTILINE)
_TYPE: Final = re.compile(r"@(?:type|var)\s+(?:\{([^{}\n]{1,200})\}|([^\s{}*]{1,200}))")


def documented_type(source: bytes, place: int, name: str) -> str | None:
    """Return the type that the comment above a name's binding gives it, or None.

    Args:
        source: The code.
        place: Where the name is bound, in bytes.
        name: The name.
    """
    end = source.rfind(b"*/", max(place - _BETWEEN, 0), place)
    if end < 0 or _ENDS.search(source, end + 2, place):
        return None
    start = source.rfind(b"/**", max(end - _REACH, 0), end)
    if start < 0:
        return None
    comment = source[start:end].decode("utf-8", "replace")
    if name in comment:
        quoted = re.escape(name)
        # `@param {Order} order`, and `@param Order $order` as PHP has it.
        of_name = re.search(
            rf"@(?:param|var)\s+(?:\{{([^{{}}\n]{{1,200}})\}}|([^\s{{}}*]{{1,200}}))\s+\[?{quoted}(?![\w$])",
            comment,
        )
        if of_name is not None:
            return str(of_name[1] or of_name[2])
    alone = _TYPE.search(comment) if "@param" not in comment else None
    return None if alone is None else str(alone[1] or alone[2])
