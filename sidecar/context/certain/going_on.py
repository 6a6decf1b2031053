"""What several possible names have in common.

May import nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Collection

__all__ = ["continuation"]

#: Fewer characters are typed sooner than read.
_LEAST: Final = 2


def continuation(typed: str, names: Collection[str]) -> str:
    """Return how all names go on that begin with what was typed, as far as they do so alike.

    Args:
        typed: What was typed, in its own case.
        names: All that is possible.
    """
    fitting = [name for name in names if name.startswith(typed)]
    if not fitting or typed in fitting:
        # What is a name already may well be meant.
        return ""
    # What the first and the last of them share, in order, all share.
    first, last = min(fitting), max(fitting)
    pairs = enumerate(zip(first, last, strict=False))
    end = next((at for at, (one, other) in pairs if one != other), len(first))
    common = first[len(typed) : end]
    return common if len(common) >= _LEAST else ""
