"""What a model is measured for once it is loaded: the cost of passes, and whether it steps back.

Runs once, on the inference thread, before anything is asked.
"""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sidecar.engine.model import Model
    from sidecar.engine.pace import Pace

__all__ = ["measure"]

#: Tokens of the pass that measures the prompt speed, and of those that measure what drafts cost.
_PROMPT = 16
_BATCHES = (2, 4, 8)


def measure(model: Model, pace: Pace) -> bool:
    """Measure passes of one token, of a few and of many.

    Args:
        model: The model, whose first sequence is empty, before and after.
        pace: Learns what they cost.

    Returns:
        Whether the model's memory can drop a part, as drafts need it.
    """
    token = model.tokenize(b"\n")[:1]
    # The first pass reads the weights from disk and is not measured; the others are.
    model.decode(0, token, 0)
    for size in (1, _PROMPT):
        started = perf_counter()
        model.decode(0, token * size, model.length(0))
        pace.note(size, perf_counter() - started)
    for size in _BATCHES:
        started = perf_counter()
        model.decode_rows(0, token * size, model.length(0), size)
        pace.batches.note(size, perf_counter() - started)
    steps_back = model.truncate(0, 1)
    model.truncate(0, 0)
    return steps_back
