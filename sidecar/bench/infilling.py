"""How often the rest of a line is guessed, by prompt layout and with or without healing.

All variants see the same tasks with the same cursors, through the product's own choice of anchor
and window, on one engine. Blocks of several lines end, and are cut, as the product does. May import
`text`, `syntax`, `context`, `completion` (`anchor`, `finish`), and the front's side of `engine`.
"""

from __future__ import annotations

import asyncio
import difflib
from dataclasses import asdict, dataclass, replace
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING, Any, Literal

from sidecar.bench.statistics import mean, paired_interval
from sidecar.completion.anchor import choose
from sidecar.completion.finish import finish
from sidecar.completion.suggestion import Suggestion
from sidecar.context import WindowLimits, build
from sidecar.engine.messages import Request, Segment
from sidecar.syntax import Bodies, Languages, Trees
from sidecar.text import Buffer, Document

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from sidecar.bench.journal import Journal
    from sidecar.bench.tasks import Task
    from sidecar.engine.client import EngineClient
    from sidecar.engine.messages import Completion

__all__ = [
    "VARIANTS",
    "Outcome",
    "Placement",
    "Variant",
    "measure",
    "outcome_of",
    "summarize",
]

#: The limit is lines, as the task says; no window of a task reaches this.
_TOKENS = 1 << 16
#: On a busy machine the usual limit would end answers that are right.
_TIME_LIMIT_MS = 120_000.0
_REQUEST_SECONDS = 600.0
MAX_TOKENS = 48

Outcomes = dict[str, dict["Variant", "Outcome"]]


@dataclass(frozen=True, slots=True)
class Variant:
    """One way to ask.

    Args:
        layout: Whether typed text stands behind the middle token or in front of the suffix.
        heal: Whether bytes are taken back before the cursor.
    """

    layout: Literal["plain", "anchored"]
    heal: bool

    @property
    def name(self) -> str:
        """What to call it in tables and files."""
        return f"{self.layout}, {'healed' if self.heal else 'not healed'}"


#: What others do, first; what we do, last.
VARIANTS = (
    Variant("plain", False),
    Variant("plain", True),
    Variant("anchored", False),
    Variant("anchored", True),
)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one variant made of one task.

    Args:
        exact: Whether it is what is missing, blanks at line ends aside.
        similarity: 0 to 1, of `difflib`.
        evaluated: Prompt tokens computed when one character was typed before the request.
        stopped: Whether generation ended by itself with the last line that is missing; None where
            that is one line, at whose end it is ended.
    """

    exact: bool
    similarity: float
    evaluated: int
    stopped: bool | None = None


class Placement:
    """Makes prompts of tasks as the product makes them of documents.

    Args:
        use_body: Whether the model's anchor goes to the start of the function's body.
    """

    def __init__(self, *, use_body: bool = True) -> None:
        self._use_body = use_body
        self._bodies = Bodies(Languages.load(), Trees())

    def segments(self, task: Task) -> tuple[Segment, ...]:
        """Return the prompt of a task."""
        document = _document_of(task)
        offset = len(task.before)
        body = self._bodies.find(document, offset) if self._use_body else None
        before, after = task.window
        window = WindowLimits(before, after, _TOKENS, _TOKENS)
        above = partial(self._bodies.above, document)
        placed = choose(document, offset, body, window=window, above=above)
        return build(placed.anchor.shown_prefix, placed.anchor.shown_suffix, placed.typed).segments

    def shown(self, task: Task, completion: Completion) -> str:
        """Return what would be offered of an answer; of one line, all of it."""
        if task.lines == 1:
            return completion.text
        stop = completion.stats.stop
        document, offset = _document_of(task), len(task.before)
        made = finish(completion.text, document, offset, stop=stop, multiline=True)
        return made.shown if isinstance(made, Suggestion) else ""


async def measure(
    client: EngineClient,
    tasks: Sequence[Task],
    variants: Sequence[Variant],
    placement: Placement,
    journal: Journal | None = None,
    on_done: Callable[[int, int, float], None] | None = None,
) -> Outcomes:
    """Ask for every task in every variant.

    Args:
        client: A connected engine whose model is loaded.
        tasks: The tasks.
        variants: The variants.
        placement: Makes the prompts.
        journal: Where outcomes are kept as they come, and what earlier runs kept.
        on_done: Called with the number of tasks done, of all, and the seconds left.

    Returns:
        Outcomes by task and variant.
    """
    outcomes: Outcomes = {}
    started = perf_counter()
    asked = 0
    for number, task in enumerate(tasks):
        known = outcomes[task.name] = _known(task, journal)
        missing = [variant for variant in variants if variant not in known]
        if missing:
            segments = placement.segments(task)
            for variant in missing:
                completion = await _ask(client, task, variant, segments)
                stats, shown = completion.stats, placement.shown(task, completion)
                known[variant] = outcome_of(task, shown, stats.evaluated, stats.stop)
            asked += 1
            if journal is not None:
                journal.add(task.name, task.digest(), {v.name: asdict(known[v]) for v in known})
        if on_done is not None:
            each = (perf_counter() - started) / max(asked, 1)
            on_done(number + 1, len(tasks), each * (len(tasks) - number - 1))
    return outcomes


def outcome_of(task: Task, text: str, evaluated: int, stop: str = "newline") -> Outcome:
    """Judge an answer.

    Args:
        task: The task.
        text: The answer.
        evaluated: Prompt tokens that it took.
        stop: Why generation ended.
    """
    if task.lines == 1:
        text = text.split("\n", 1)[0]
    answer = "\n".join(line.rstrip() for line in text.rstrip().split("\n"))
    similarity = difflib.SequenceMatcher(None, answer, task.rest, autojunk=False).ratio()
    stopped = None
    if task.lines > 1:
        stopped = stop != "tokens" and answer.count("\n") + 1 == task.lines
    return Outcome(answer == task.rest, similarity, evaluated, stopped)


def summarize(outcomes: Outcomes, variants: Iterable[Variant], seed: int) -> dict[str, Any]:
    """Return the results of each variant, and how much the last gains over the first, paired.

    Args:
        outcomes: By task and variant; tasks that lack one of the variants are left out.
        variants: The variants.
        seed: Of the bootstrap.
    """
    chosen = list(variants)
    whole = [task for task in outcomes.values() if all(variant in task for variant in chosen)]
    results = [
        {
            "layout": variant.layout,
            "heal": variant.heal,
            "n": len(whole),
            "exact_match": mean([task[variant].exact for task in whole]),
            "edit_similarity": mean([task[variant].similarity for task in whole]),
            "evaluated": mean([task[variant].evaluated for task in whole]),
            "stops_at_line": _share([task[variant].stopped for task in whole]),
        }
        for variant in chosen
    ]
    summary: dict[str, Any] = {"results": results, "difference": None}
    usual, ours = VARIANTS[0], VARIANTS[-1]
    if usual in chosen and ours in chosen:
        gains = [float(task[ours].exact) - float(task[usual].exact) for task in whole]
        summary["difference"] = {
            "of": ours.name,
            "against": usual.name,
            "n": len(whole),
            "exact_match": mean(gains),
            "ci95": list(paired_interval(gains, seed=seed)),
        }
    return summary


async def _ask(
    client: EngineClient, task: Task, variant: Variant, segments: tuple[Segment, ...]
) -> Completion:
    request = Request(
        document=f"bench {variant.name}",
        segments=segments,
        multiline=task.lines > 1,
        max_tokens=MAX_TOKENS * task.lines,
        time_limit_ms=_TIME_LIMIT_MS,
        heal=variant.heal,
        layout=variant.layout,
        block=task.lines > 1,
    )
    async with asyncio.timeout(_REQUEST_SECONDS):
        # What a request costs depends on the one before, so each gets the same: one key less.
        await client.complete(replace(request, segments=_one_key_less(segments), max_tokens=1))
        return await client.complete(request)


def _document_of(task: Task) -> Document:
    # The document's name is the task's: parse trees must not be taken for an edit's.
    return Document(task.name, task.path, "", 0, Buffer.of(task.before + task.after))


def _share(stopped: Sequence[bool | None]) -> float | None:
    told = [one for one in stopped if one is not None]
    return mean([float(one) for one in told]) if told else None


def _one_key_less(segments: tuple[Segment, ...]) -> tuple[Segment, ...]:
    return tuple(
        Segment(part.kind, part.text[:-1]) if part.kind == "typed" else part for part in segments
    )


def _known(task: Task, journal: Journal | None) -> dict[Variant, Outcome]:
    kept = journal.get(task.name, task.digest()) if journal is not None else {}
    return {
        variant: Outcome(**_fields(kept[variant.name]))
        for variant in VARIANTS
        if variant.name in kept
    }


def _fields(kept: Mapping[str, Any]) -> dict[str, Any]:
    # What earlier versions kept had no `stopped`.
    return {key: kept.get(key) for key in ("exact", "similarity", "evaluated", "stopped")}
