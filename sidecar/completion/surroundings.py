"""What warming asks of the rest of a front: an engine, documents, and how the machine is doing.

Protocols and values only. May import nothing but for types.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable

    from sidecar.completion.contexts import Workspace
    from sidecar.completion.planning import EnginePlan
    from sidecar.engine.interface import Engine
    from sidecar.text import Document

__all__ = ["Engines", "Machine", "Surroundings"]


class Engines(Protocol):
    """Where the engine comes from: a supervisor."""

    @property
    def plan(self) -> EnginePlan | None:
        """The engine that is wanted, once that is known."""

    async def engine(self) -> Engine | None:
        """Return the engine if it can answer now."""


class Machine(Protocol):
    """What else the machine has to do."""

    def others(self) -> float:
        """Return which share of the processors others use, 0 to 1."""

    def held_back(self) -> str:
        """Return why nothing should be computed that nobody waits for; nothing if it may."""


class Surroundings(NamedTuple):
    """What is asked about documents.

    Args:
        current: Returns a document as it is now, by its name; None if it is not open.
        may_suggest: Tells whether something may be suggested at a place.
        workspace: What is known of the files around.
    """

    current: Callable[[str], Document | None]
    may_suggest: Callable[[Document, int], bool]
    workspace: Workspace
