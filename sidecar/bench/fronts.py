"""How long somebody waits in one editor while another one works with the same engine.

One front types alone; then, in other lines, while a second front types as well and has a long
prompt evaluated in the background. Over real processes. May import this package, and `errors`.
"""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from dataclasses import dataclass, field, replace
from statistics import median
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

from sidecar.bench.cancel import text_of
from sidecar.bench.editor import Editor
from sidecar.bench.routine import Source, typed_round
from sidecar.bench.statistics import percentile_group
from sidecar.bench.typist import Typist
from sidecar.errors import EngineError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from sidecar.bench.routine import Round
    from sidecar.bench.typist import Key

__all__ = ["FrontsPlan", "Together", "Warmed", "excerpt", "run_fronts", "share_out", "summarize"]

#: The second front shows its model long windows, so what it types in is no longer than this.
_ABOVE, _BELOW = 40, 20
#: A line of the long document has more tokens than this.
_TOKENS_OF_A_LINE = 12
#: Lines that it may type while the long prompt is evaluated.
_MOST_LINES = 60
_LOOK_SECONDS = 0.25
#: What is under way when a document is opened takes so long at most, and until its own begins.
_BEGIN_SECONDS = 60.0
#: Between two prompts in the background the engine rests for a moment.
_LOOKS_AT_REST = 30
_FILE = "long_prompt.py"
#: Of the prompt, as the window is cut at a line.
_MOST_OF_IT = 0.75
_ENDS = ("no_room", "failed", "cancelled", "warmed", "held")


@dataclass(frozen=True, slots=True)
class FrontsPlan:
    """What is typed, and what is evaluated meanwhile.

    Args:
        root: A folder of code.
        files: Files in it.
        lines: How many lines each front types in each part.
        keys: Characters typed of each.
        seed: Which lines.
        tokens: Tokens of the prompt that is evaluated in the background, about.
        patience: Seconds after which it is no longer waited for.
        settings: The servers' settings, under `sidecar`.
    """

    root: Path
    files: Sequence[Source]
    lines: int = 24
    keys: int = 10
    seed: int = 5
    tokens: int = 4000
    patience: float = 600.0
    settings: dict[str, dict[str, Any]] = field(default_factory=dict)


class Warmed(NamedTuple):
    """What became of the long prompt.

    Args:
        tokens: How many of it were evaluated.
        ended: How its evaluation ended: `warmed`, `held`, `no_room`, `cancelled` or `failed`; empty
            if it did not.
        seconds: How long that took, or how long it was waited for.
        held: Which share of it a request found evaluated that came when everybody was done.
    """

    tokens: int
    ended: str
    seconds: float
    held: float = 0.0


class Together(NamedTuple):
    """What was seen.

    Args:
        alone: Keys of the first front while it was alone.
        first: Its keys while the other one worked.
        second: The keys of the other one.
        warmed: What became of the long prompt.
    """

    alone: list[Key]
    first: list[Key]
    second: list[Key]
    warmed: Warmed


async def run_fronts(
    plan: FrontsPlan, on_done: Callable[[int, int], None] | None = None
) -> Together:
    """Type alone, and then together.

    Args:
        plan: What is done.
        on_done: Called with the lines typed by the first front, and of how many.

    Raises:
        SidecarError: There is no model, a server refuses, or the servers have engines of their own.
    """
    alone, first, second = share_out(plan)
    total = len(alone) + plan.lines
    done = 0

    def typed() -> None:
        nonlocal done
        done = min(done + 1, total)
        if on_done is not None:
            on_done(done, total)

    keys: list[Key] = []
    async with Editor(plan.settings, root=plan.root) as editor:
        await editor.until_indexed()
        typist = Typist(editor, plan.files, keys.append)
        await _type(typist, alone, typed)
        by_itself, keys[:] = list(keys), []
        async with Editor(_with_long_windows(plan), root=plan.root) as other:
            await other.until_indexed()
            await _check_shared(editor, other)
            files, visits = excerpts(plan.files, second[: max(plan.lines, _MOST_LINES)])
            others_keys: list[Key] = []
            # Whoever goes elsewhere has no use for the prompt of where the cursor was, so this
            # editor is one that does not tell.
            colleague = Typist(other, files, others_keys.append, tells_cursor=False)
            for file in range(len(files)):
                colleague.open(file)
            prompt = _LongPrompt(plan, other)
            await prompt.begin()
            async with asyncio.TaskGroup() as group:
                watching = group.create_task(prompt.watch())

                def enough(count: int) -> bool:
                    return count >= plan.lines and watching.done()

                group.create_task(_type(typist, first, typed, enough))
                group.create_task(_type(colleague, visits, lambda: None, enough))
            warmed = watching.result()._replace(held=await prompt.held())
    return Together(by_itself, keys, others_keys, warmed)


def share_out(plan: FrontsPlan) -> tuple[list[Round], list[Round], list[Round]]:
    """Choose lines for one front alone, for the same later, and for the other: none twice.

    The latter two have as many as there are: they type until the long prompt is evaluated.

    Raises:
        UsageError: There are not enough.
    """
    rng = random.Random(plan.seed)
    places = [(file, number) for file, source in enumerate(plan.files) for number in source.worth]
    if len(places) < 3 * plan.lines:
        raise UsageError(
            f"the folder has {len(places)} lines that are worth typing, not {3 * plan.lines}",
            "name a larger folder, or fewer lines",
        )
    rng.shuffle(places)
    visits = [
        typed_round(plan.files[file], file, number, plan.keys, rng) for file, number in places
    ]
    alone, rest = visits[: plan.lines], visits[plan.lines :]
    return alone, rest[::2], rest[1::2]


def excerpts(files: Sequence[Source], visits: Sequence[Round]) -> tuple[list[Source], list[Round]]:
    """Cut files to what stands around the lines that are typed in them: one for each visit."""
    cut = [excerpt(files[visit.file], visit.number) for visit in visits]
    return (
        [source for source, _ in cut],
        [
            replace(visit, file=place, number=number)
            for place, (visit, (_, number)) in enumerate(zip(visits, cut, strict=True))
        ],
    )


def excerpt(source: Source, number: int) -> tuple[Source, int]:
    """Return some lines of a file as one of its own, and where in it a line is then."""
    start = max(number - _ABOVE, 0)
    lines = source.lines[start : number + 1 + _BELOW]
    path = source.path.with_name(f"excerpt_{number}_{source.path.name}")
    return Source(path, source.language, lines, (number - start,)), number - start


def summarize(seen: Together) -> dict[str, Any]:
    """Return the numbers of a run, and the ratio that is asked for."""
    alone, both = seen.alone, [*seen.first, *seen.second]
    passes = [
        key.seen.stats.one_token_ms
        for key in alone
        if key.seen.stats is not None and key.seen.stats.one_token_ms > 0.0
    ]
    told = {
        "alone": _group(alone),
        "together": _group(both),
        "first": _group(seen.first),
        "second": _group(seen.second),
    }
    return {
        "one_token_ms": median(passes) if passes else None,
        **told,
        "ratios": {
            name: _ratio(told["together"]["visible_ms"], told["alone"]["visible_ms"], name)
            for name in ("p50", "p95")
        },
        "warming": {**seen.warmed._asdict(), "finished": seen.warmed.ended == "warmed"},
    }


def _group(keys: Sequence[Key]) -> dict[str, Any]:
    asked = [key for key in keys if key.seen.stats is not None]
    return {
        "n": len(asked),
        "visible_ms": percentile_group([key.seen.visible_ms for key in asked]),
        "first_key_visible_ms": percentile_group(
            [key.seen.visible_ms for key in asked if key.first]
        ),
        "whole_ms": percentile_group([key.seen.answered_ms for key in asked]),
        "queue_ms": percentile_group([key.seen.stats.queue_ms for key in asked if key.seen.stats]),
    }


def _ratio(
    left: Mapping[str, float] | None, right: Mapping[str, float] | None, name: str
) -> float | None:
    return left[name] / right[name] if left and right and right[name] else None


def _with_long_windows(plan: FrontsPlan) -> dict[str, dict[str, Any]]:
    context = {"beforeLines": 10_000, "beforeTokens": plan.tokens}
    # It is measured what the engine makes of it, so nothing else may hold it back.
    engine = {**plan.settings.get("engine", {}), "warming": "always"}
    return {**plan.settings, "context": context, "engine": engine}


async def _check_shared(one: Editor, other: Editor) -> None:
    engines = [(await editor.status())["engine"]["pid"] for editor in (one, other)]
    if engines[0] != engines[1]:
        raise EngineError("each front has an engine of its own", "run `sidecar doctor`")


class _LongPrompt:
    """A prompt that one editor's server has evaluated in the background.

    Args:
        plan: How long it is.
        editor: The editor.
    """

    def __init__(self, plan: FrontsPlan, editor: Editor) -> None:
        self._plan = plan
        self._editor = editor
        self._text = text_of(f"fronts_{plan.seed}", plan.tokens // _TOKENS_OF_A_LINE)
        self._uri = (plan.root / _FILE).as_uri()
        self._before: Counter[str] = Counter()
        self._since = 0.0

    async def begin(self) -> None:
        """Open a long document, and wait until its prompt is being evaluated.

        Raises:
            EngineError: It is not.
        """
        await self._until_rest()
        self._before = await self._counted()
        self._since = perf_counter()
        self._editor.open(self._uri, "python", self._text)
        self._editor.focus(self._uri, self._text.count("\n"), len(self._last_line))
        # The other editor's server may have the engine work as well: it has to be this prompt.
        while (await self._counted())["warming.guesses"] <= self._before["warming.guesses"]:
            if perf_counter() - self._since > _BEGIN_SECONDS:
                raise EngineError(
                    "no prompt was evaluated in the background", "run `sidecar doctor`"
                )
            await asyncio.sleep(0.01)
        await asyncio.sleep(_LOOK_SECONDS)

    async def watch(self) -> Warmed:
        """Look until all of it is evaluated, or nobody waits for it any more."""
        while True:
            gained = await self._counted()
            gained.subtract(self._before)
            tokens, seconds = gained["warming.tokens"], perf_counter() - self._since
            ended = next((how for how in _ENDS if gained[f"warming.{how}"] > 0), "")
            if ended == "warmed" and tokens < _MOST_OF_IT * self._plan.tokens:
                # That was the short prompt of the place, or another place: then this one was given
                # up, and is not begun again.
                ended = "cancelled" if gained["warming.finished"] > 0 else ""
            if ended or seconds > self._plan.patience:
                return Warmed(tokens, ended, seconds)
            await asyncio.sleep(_LOOK_SECONDS)

    async def held(self) -> float:
        """Ask at its end, and return which share of the prompt was evaluated already."""
        line = self._text.count("\n")
        seen = await self._editor.complete(self._uri, line, self._last_line).seen(perf_counter())
        stats = seen.stats
        if stats is None:
            return 0.0
        whole = stats.evaluated + stats.reused
        # Where what is to be said was known already, not even the prompt was needed.
        return stats.reused / whole if whole else 1.0

    @property
    def _last_line(self) -> str:
        return self._text.rsplit("\n", 1)[1]

    async def _counted(self) -> Counter[str]:
        return Counter((await self._editor.stats())["counters"])

    async def _until_rest(self) -> None:
        deadline = perf_counter() + _BEGIN_SECONDS
        looks = 0
        while looks < _LOOKS_AT_REST:
            if perf_counter() > deadline:
                raise EngineError("the engine did not come to rest", "run `sidecar doctor`")
            await asyncio.sleep(0.01)
            process = (await self._editor.status())["engine"]["process"]
            looks = looks + 1 if process is not None and not process["busy"] else 0


async def _type(
    typist: Typist,
    visits: Sequence[Round],
    on_visit: Callable[[], None],
    enough: Callable[[int], bool] = lambda _count: False,
) -> None:
    for count, visit in enumerate(visits):
        if enough(count):
            return
        await typist.play(visit)
        on_visit()
