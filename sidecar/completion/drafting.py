"""The draft model that the user named: whether it can be used, and how it is run.

What speaks against it is told and goes no further: the engine does without. May import `models`,
and the front's side of `engine`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from sidecar.engine.spec import DRAFT_BATCH, DRAFT_CONTEXT
from sidecar.errors import ModelError
from sidecar.models import hardware
from sidecar.models.draft import draft_bytes, refuse_other_vocabulary
from sidecar.models.gguf import read_header

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sidecar.models.hardware import Device, Fit
    from sidecar.models.store import ResolvedModel, Store

__all__ = ["DraftPlan", "find_draft"]

#: More than any model has: all of it.
_ALL_LAYERS = 999


@dataclass(frozen=True, slots=True)
class DraftPlan:
    """What becomes of the wish for a draft model.

    Args:
        model: The draft model, if it can be used.
        gpu_layers: Its layers on the GPU.
        problem: Why it cannot be used, and what to do.
    """

    model: ResolvedModel | None = None
    gpu_layers: int = 0
    problem: ModelError | None = None

    @property
    def bytes(self) -> int:
        """The memory that it takes, wherever that is."""
        if self.model is None:
            return 0
        return draft_bytes(self.model.shape, DRAFT_CONTEXT, DRAFT_BATCH)

    def beside(self, main: ResolvedModel, chosen: Fit, devices: Sequence[Device]) -> DraftPlan:
        """Return it on the GPU, if the main model is there and leaves room.

        Args:
            main: The main model.
            chosen: How that is run.
            devices: The GPUs.
        """
        if self.model is None or not chosen.gpu_layers:
            return self
        room = hardware.gpu_bytes(devices, hardware.probe().total_bytes)
        fits = hardware.need(main.shape, chosen).device_bytes + self.bytes <= room
        return replace(self, gpu_layers=_ALL_LAYERS if fits else 0)

    def if_room(self, main: ResolvedModel, chosen: Fit, free_bytes: int) -> DraftPlan:
        """Return it if there is memory for it too, else why it is not used.

        Args:
            main: The main model.
            chosen: How that is run.
            free_bytes: Free memory of the machine.
        """
        needed = hardware.need(main.shape, chosen).host_bytes + self.bytes
        if self.model is None or self.gpu_layers or needed <= free_bytes:
            return self
        return DraftPlan(
            problem=ModelError(
                f"{self.model.name} needs {self.bytes / 2**30:.1f} GiB of memory beside the model, "
                f"and {max(free_bytes - needed + self.bytes, 0) / 2**30:.1f} GiB is left",
                "close other programs, or empty sidecar.engine.draftModel",
            )
        )


def find_draft(wanted: str, store: Store, main: ResolvedModel) -> DraftPlan:
    """Find a draft model, and check that it speaks the main model's tokens.

    Args:
        wanted: A name in the catalogue or a path; empty for none.
        store: Where models lie.
        main: The main model.
    """
    if not wanted:
        return DraftPlan()
    try:
        model = store.resolve(wanted)
        refuse_other_vocabulary(model.name, read_header(main.path), read_header(model.path))
    except ModelError as error:
        return DraftPlan(problem=error)
    return DraftPlan(model)
