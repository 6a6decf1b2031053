"""Where context comes from: one module a source, each with `NAME` and `offer(place, snapshot)`.

A source answers from the snapshot alone, the same each time, and never raises for what it does not
find. May import `text`, `syntax`, and `context`'s values.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sidecar.context.sources import (
    bases,
    callees,
    definitions,
    diagnostics,
    edits,
    members,
    notes,
    scope,
    selection,
    similar,
    viewed,
)

if TYPE_CHECKING:
    from sidecar.context.snapshot import Source

__all__ = ["SOURCES"]

#: In the order in which their parts stand in a prompt, the stillest first.
SOURCES: Final[tuple[Source, ...]] = (
    notes,
    definitions,
    bases,
    callees,
    members,
    similar,
    edits,
    viewed,
    selection,
    diagnostics,
    scope,
)
