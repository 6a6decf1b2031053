"""What a front needs of an engine, on this machine or elsewhere (`remote`), and knows of it.

Protocols and values only. May import nothing but for types.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from sidecar.engine.messages import Completion, ModelInfo, Request

__all__ = ["Engine", "EngineState", "Phase"]

Phase = Literal["stopped", "starting", "loading", "ready", "failed"]


@dataclass(frozen=True, slots=True)
class EngineState:
    """What a front knows of its engine.

    Args:
        phase: Where it stands.
        progress: Share of the weights read, 0 to 1, while loading.
        detail: Why it failed or stopped.
        fix: What the user can do about it.
        info: The model, once ready.
        pid: The engine's process.
    """

    phase: Phase = "stopped"
    progress: float = 0.0
    detail: str = ""
    fix: str = ""
    info: ModelInfo | None = None
    pid: int = 0


class Engine(Protocol):
    """What a front needs of an engine, on this machine or elsewhere (`remote`)."""

    state: EngineState
    #: Names of the prompts that it holds up to what is typed; None where nobody knows.
    held: Collection[int] | None

    @property
    def connected(self) -> bool:
        """Whether there is a connection to it."""
        ...

    async def complete(
        self,
        request: Request,
        on_text: Callable[[str], None] | None = None,
        on_cancelled: Callable[[Completion], None] | None = None,
    ) -> Completion:
        """Complete a request; see `EngineClient.complete`."""
        ...

    def waited(self, document: str) -> None:
        """Tell that somebody waits for what was begun for a document before they asked."""
        ...

    async def count(self, texts: Sequence[str]) -> list[int]:
        """Count the tokens of each text by itself."""
        ...

    async def status(self) -> dict[str, Any]:
        """Ask what it holds and does."""
        ...

    async def close(self) -> None:
        """End the connection."""
        ...
