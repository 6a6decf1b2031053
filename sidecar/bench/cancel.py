"""How soon a request that is given up in the middle of a long prompt is answered and stops working.

Over a real `sidecar --stdio`; the engine's thread is watched on a connection of its own. May import
`completion/planning.py`, the front's side of `engine`, `settings` and this package.
"""

from __future__ import annotations

import asyncio
import random
from dataclasses import asdict, dataclass
from time import perf_counter
from typing import TYPE_CHECKING, Any

from sidecar.bench.editor import Editor
from sidecar.bench.statistics import percentile_group
from sidecar.completion.planning import list_devices, plan_engine
from sidecar.engine.client import EngineClient
from sidecar.errors import EngineError
from sidecar.settings import load

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["Round", "run_cancel", "summarize", "text_of"]

_LOOK_SECONDS = 0.001
#: After the engine has become idle, nothing may start for so long.
_QUIET_SECONDS = 0.3
#: The request is given up when between these shares of its prompt should be evaluated.
_SHARES = (0.05, 0.6)
_LIMITS = {"beforeLines": 10_000, "afterLines": 64, "beforeTokens": 65536, "afterTokens": 128}


@dataclass(frozen=True, slots=True)
class Round:
    """One request that was given up, and the next one with the same prompt.

    Args:
        prompt_tokens: Tokens of the prompt.
        cancelled_after_ms: When it was given up.
        answered_ms: From then until its answer arrived.
        idle_ms: From then until the engine's thread was seen idle.
        decodes_after: Passes that began after the thread was idle, before the next request.
        finished_tokens: Prompt tokens that were evaluated when it stopped.
        reused_tokens: Of these, tokens that the next request found.
        evaluated_tokens: Tokens that the next request evaluated.
        in_time: Whether it was given up before it was answered; if not, the round says nothing.
    """

    prompt_tokens: int
    cancelled_after_ms: float
    answered_ms: float
    idle_ms: float
    decodes_after: int
    finished_tokens: int
    reused_tokens: int
    evaluated_tokens: int
    in_time: bool


async def run_cancel(
    *,
    rounds: int = 5,
    prompt_tokens: int = 2000,
    seed: int = 5,
    settings: Mapping[str, Any] | None = None,
    on_done: Callable[[int, int], None] | None = None,
) -> list[Round]:
    """Give requests up, each in another document.

    Args:
        rounds: How many.
        prompt_tokens: Tokens of each prompt, about.
        seed: When they are given up, and what the documents hold.
        settings: Further settings, under `sidecar`.
        on_done: Called with the number of rounds done, and of all.

    Raises:
        SidecarError: There is no model, or the engine does not start.
    """
    rng = random.Random(seed)
    # What is counted is what a request does, so nothing may be done before it.
    engine = {**(settings or {}).get("engine", {}), "warming": "off"}
    wanted = {**(settings or {}), "engine": engine, "context": _LIMITS}
    parsed, problems = load(wanted)
    if problems:
        raise EngineError(f"the settings are wrong ({problems[0]})", "correct them")
    done: list[Round] = []
    async with Editor(wanted) as editor:
        plan = await asyncio.to_thread(plan_engine, parsed, await list_devices(parsed))
        watcher = EngineClient(plan.spec, check=plan.check)
        await watcher.start()
        try:
            info = await watcher.ready()
            expected_s = prompt_tokens / max(info.prompt_tokens_per_s, 1.0)
            for number in range(rounds):
                text = await _text(watcher, f"{seed}_{number}", prompt_tokens)
                delay = rng.uniform(*_SHARES) * expected_s
                done.append(await _round(editor, watcher, f"cancel_{number}.py", text, delay))
                if on_done is not None:
                    on_done(number + 1, rounds)
        finally:
            await watcher.close()
    return done


def summarize(rounds: list[Round]) -> dict[str, Any]:
    """Return the numbers of the rounds that were in time, and all rounds themselves."""
    names = (
        "prompt_tokens",
        "cancelled_after_ms",
        "answered_ms",
        "idle_ms",
        "decodes_after",
        "finished_tokens",
        "reused_tokens",
        "evaluated_tokens",
    )
    told = [one for one in rounds if one.in_time]
    return {
        "n": len(told),
        **{name: percentile_group([getattr(one, name) for one in told]) for name in names},
        "worst_answered_ms": max((one.answered_ms for one in told), default=0.0),
        "worst_idle_ms": max((one.idle_ms for one in told), default=0.0),
        "rounds": [asdict(one) for one in rounds],
    }


def text_of(name: str, lines: int) -> str:
    """Return code that no other name gives the same beginning, and whose last line is unfinished.

    Args:
        name: Stands in the text, from its first line on.
        lines: How many lines it has.
    """
    body = [
        f"value_{name}_{number} = combine(first={number}, second={number * 7}, label='{name}')"
        for number in range(lines)
    ]
    return "\n".join([*body, f"result_{name} = comb"])


async def _text(engine: EngineClient, name: str, tokens: int) -> str:
    """Make a text of about so many tokens."""
    sample = 16
    (counted,) = await engine.count([text_of(name, sample)])
    return text_of(name, max(tokens * sample // counted, 1))


async def _round(
    editor: Editor, watcher: EngineClient, file: str, text: str, delay: float
) -> Round:
    uri = f"file:///bench/{file}"
    editor.open(uri, "python", text)
    before = text.rsplit("\n", 1)[1]
    line = text.count("\n")
    lanes = (await watcher.status())["lanes"]

    since = perf_counter()
    given_up = editor.complete(uri, line, before)
    await asyncio.sleep(delay)
    cancelled = perf_counter()
    editor.cancel(given_up)
    idle = asyncio.create_task(_until_idle(watcher))
    seen = await given_up.seen(cancelled)
    idle_at, decodes, lanes_then = await idle

    await asyncio.sleep(_QUIET_SECONDS)
    later = (await watcher.status())["decode_calls"]
    again = await editor.complete(uri, line, before).seen(perf_counter())
    editor.close(uri)
    if again.stats is None:
        raise EngineError("the request after a cancel was not taken", "run `sidecar doctor`")
    changed = [now for was, now in zip(lanes, lanes_then, strict=True) if now != was]
    return Round(
        prompt_tokens=again.stats.evaluated + again.stats.reused,
        cancelled_after_ms=(cancelled - since) * 1000.0,
        answered_ms=seen.answered_ms,
        idle_ms=(idle_at - cancelled) * 1000.0,
        decodes_after=later - decodes,
        finished_tokens=max(changed, default=0),
        reused_tokens=again.stats.reused,
        evaluated_tokens=again.stats.evaluated,
        in_time=seen.cancelled,
    )


async def _until_idle(engine: EngineClient) -> tuple[float, int, list[int]]:
    """Look until the inference thread rests; return when, its passes so far, and its lanes."""
    while True:
        status = await engine.status()
        if not status["busy"]:
            return perf_counter(), status["decode_calls"], status["lanes"]
        await asyncio.sleep(_LOOK_SECONDS)
