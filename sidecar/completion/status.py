"""How things are with the engine, as people are told.

Values only.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = ["Phase", "Status"]

Phase = Literal["stopped", "starting", "loading", "ready", "no-model", "failed"]


@dataclass(frozen=True, slots=True)
class Status:
    """How things are with the engine.

    Args:
        phase: Where it stands; `no-model` and `failed` need the user.
        message: What to say about it.
        progress: Share of the model that is loaded.
        model: The model's name, once chosen.
        fix: What the user can do, in the phases that need it.
    """

    phase: Phase = "stopped"
    message: str = ""
    progress: float = 0.0
    model: str = ""
    fix: str = ""

    @property
    def busy(self) -> bool:
        """Whether it will be different soon without anybody's help."""
        return self.phase in ("starting", "loading")
