"""What a model is measured for when it was loaded: the cost of passes, and which may hold drafts.

Runs once, on the inference thread, before anything is asked. May import numpy.
"""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sidecar.engine.messages import Drafting
    from sidecar.engine.model import Model
    from sidecar.engine.pace import Pace

__all__ = ["measure"]

#: Some code, of which there are enough tokens in any vocabulary.
_SAMPLE = (
    b"for name, value in self.items():\n    if value is not None:\n        yield name, value\n"
)
#: Tokens of the pass that measures the prompt speed.
_PROMPT = 16
#: Sizes of passes that drafts may use, and up to which they are compared with single tokens: a
#: comparison takes as many passes.
_SIZES = (2, 3, 4, 8)
_COMPARED = 4


def measure(model: Model, pace: Pace) -> dict[Drafting, tuple[int, ...]]:
    """Measure passes of one token, of a few and of many.

    Args:
        model: The model, whose first sequence is empty, before and after.
        pace: Learns what they cost.

    Returns:
        For each way of drafting the sizes of passes that may be used; none where the memory cannot
        drop a part. `exact` are those whose rows are bit for bit those of single tokens. The
        kernels of llama.cpp round differently from some size on, on x86 from 4: logits move by up
        to 0.3, as much as between two cuts of the same prompt.
    """
    sample = model.tokenize(_SAMPLE)
    prompt, tail = (sample * _PROMPT)[:_PROMPT], sample[: max(_SIZES)]
    # This pass reads the weights from disk, so its time says nothing.
    model.decode(0, prompt, 0)
    single: list[NDArray[np.float32]] = []
    for position, token in enumerate(tail[:_COMPARED], _PROMPT):
        started = perf_counter()
        row = model.decode(0, [token], position)
        pace.note(1, perf_counter() - started)
        single.append(row.copy())
    steps_back = model.truncate(0, _PROMPT)
    exact: list[int] = []
    for size in _SIZES if steps_back else ():
        started = perf_counter()
        rows = model.decode_rows(0, tail[:size], _PROMPT, size)
        pace.batches.note(size, perf_counter() - started)
        if size <= _COMPARED and all(map(np.array_equal, rows, single)):
            exact.append(size)
        model.truncate(0, _PROMPT)
    model.truncate(0, 0)
    started = perf_counter()
    model.decode(0, prompt, 0)
    pace.note(_PROMPT, perf_counter() - started)
    model.truncate(0, 0)
    return {"off": (), "exact": tuple(exact), "any": _SIZES if steps_back else ()}
