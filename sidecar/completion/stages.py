"""Where the time of a request went, told as the stages that a trace shows.

The engine tells how long its own stages took; here they are put where they must have been, since
its clock is another process's. May import `telemetry`, and this package but the service.
"""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

from sidecar.telemetry.trace import digest

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from sidecar.completion.asking import Ask
    from sidecar.completion.generation import Generation, Said
    from sidecar.completion.outcome import Outcome
    from sidecar.engine.messages import Stats
    from sidecar.telemetry import Metrics
    from sidecar.telemetry.trace import Fact

__all__ = ["answered", "facts_of", "followed", "place_engine"]


async def answered(
    answer: Callable[[Ask], Awaitable[Outcome]], ask: Ask, metrics: Metrics
) -> Outcome:
    """Answer a request as the stage that all its others are part of.

    Args:
        answer: Answers.
        ask: What is asked.
        metrics: Where stages are told.
    """
    # What a newer request or the client ends is told as cancelled.
    told = {"document": digest(ask.document.uri), "outcome": "cancelled"}
    with metrics.stage("request", **told) as facts:
        outcome = await answer(ask)
        facts.update(facts_of(outcome))
    return outcome


async def followed(
    generation: Generation,
    ahead: str,
    multiline: bool,
    on_text: Callable[[str], None] | None,
    metrics: Metrics,
) -> Said | None:
    """Wait for a generation, as the stage that those of the engine are part of.

    Args:
        generation: The generation.
        ahead: What it has to say first.
        multiline: Whether more than the rest of a line is wanted.
        on_text: Called with the text beyond the cursor so far.
        metrics: Where stages are told.
    """
    with metrics.stage("engine"):
        asked = perf_counter()
        said = await generation.follow(ahead, multiline, on_text)
        if said is not None:
            place_engine(said.stats, asked, perf_counter(), metrics)
    return said


def place_engine(stats: Stats, asked: float, answered: float, metrics: Metrics) -> None:
    """Trace what the engine did between a question and its answer.

    Its account ends when the answer leaves, so its beginning is known; what lies before is the way
    there. An account without times is of an answer that was cut short, and tells nothing.

    Args:
        stats: The engine's account.
        asked: When somebody began to wait.
        answered: When the answer had come.
        metrics: Where stages are told.
    """
    if stats.total_ms <= 0:
        return
    arrived = max(asked, answered - stats.total_ms / 1000.0)
    first = stats.first_token_ms or stats.total_ms
    evaluated = min(stats.queue_ms + stats.prompt_ms, first)
    stages = (
        ("queue", min(stats.queue_ms, evaluated)),
        ("prompt evaluation", evaluated),
        ("first token", first),
        ("generation", stats.total_ms),
    )
    metrics.placed("send", asked, arrived)
    begun = arrived
    for name, until_ms in stages:
        ended = min(max(arrived + until_ms / 1000.0, begun), answered)
        metrics.placed(name, begun, ended)
        begun = ended


def facts_of(outcome: Outcome) -> dict[str, Fact]:
    """Return what a trace tells of an answer: what it was, and what it cost."""
    facts: dict[str, Fact] = {"outcome": outcome.reason or "offered"}
    stats = outcome.stats
    if stats is None:
        return facts
    facts["origin"] = outcome.origin
    if outcome.origin != "cache":
        facts |= {
            "evaluated": stats.evaluated,
            "reused": stats.reused,
            "generated": stats.generated,
            "passes": stats.passes,
            "stop": stats.stop,
        }
    return facts
