"""Has the engine evaluate a prompt in the background, and notes what became of it.

May import `anchoring`, and the front's side of `engine`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sidecar.context.prompt import name_of
from sidecar.engine.messages import Request

if TYPE_CHECKING:
    from sidecar.completion.anchored import Anchored
    from sidecar.completion.anchoring import Anchors
    from sidecar.engine.interface import Engine
    from sidecar.engine.messages import Completion
    from sidecar.telemetry import Metrics

__all__ = ["evaluate"]

_HELD = ("warmed", "held")


async def evaluate(
    engine: Engine, uri: str, anchored: Anchored, anchors: Anchors, metrics: Metrics
) -> bool:
    """Evaluate a prompt that nobody waits for, and tell whether the engine holds all of it then.

    Args:
        engine: The engine.
        uri: The document.
        anchored: What is evaluated.
        anchors: The documents' anchors, which are told what was evaluated, cancelled or not.
        metrics: Where things are counted.

    Raises:
        EngineError: The engine refused, or is gone.
    """

    def account(completion: Completion) -> None:
        tokens = completion.stats.evaluated
        stop = completion.stats.stop
        metrics.count(f"warming.{stop}")
        metrics.count("warming.tokens", tokens)
        anchors.spent(uri, anchored, tokens)
        if stop in _HELD:
            anchors.held(uri, anchored)

    prompt = anchored.prompt
    request = Request(
        # One of a front at a time: no document has this name.
        document=" warming",
        segments=prompt.segments,
        max_tokens=0,
        priority="warming",
        place=name_of(prompt),
    )
    completion = await engine.complete(request, on_cancelled=account)
    account(completion)
    return completion.stats.stop in _HELD
