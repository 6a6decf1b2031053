"""What drafts change: the time of suggestions, and nothing of what they say.

Every task is asked for with drafts and without, in turns, of one engine with one lane, which holds
the same before either. Tasks are as often repetitive as not, as far as there are such. May import
`text`, `syntax`, this package, and the front's side of `engine`.
"""

from __future__ import annotations

import asyncio
import random
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from sidecar.bench.repetition import REPETITIVE, repetition, words
from sidecar.bench.statistics import mean, paired_ratio, percentile_group
from sidecar.bench.tasks import CODE_WINDOW, Task
from sidecar.engine.messages import Request, Segment
from sidecar.errors import UsageError
from sidecar.syntax import Languages

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    from sidecar.bench.infilling import Placement
    from sidecar.engine.client import EngineClient
    from sidecar.engine.messages import Completion

__all__ = ["TIE", "Answer", "Pair", "choose_tasks", "measure", "pair_of", "summarize"]

#: Where the best two logits are nearer than this, rounding may choose.
TIE = 0.05
#: Lines that are missing where a suggestion may pass a line; else one.
LINES = 4
#: Less is said too soon for drafts.
LEAST_WORDS = 6
#: Lines looked at in one file, so that no file is all there is.
_OF_ONE_FILE = 24
#: Above it there must be something to look at, and below it something to stop at.
_ABOVE, _BELOW = 20, 6
_LEAST_CHARACTERS, _LEAST_REST = 8, 4
_LARGEST = 400_000
MAX_TOKENS = 48
#: On a busy machine the usual limit would end answers that are right.
_TIME_LIMIT_MS = 120_000.0
_REQUEST_SECONDS = 600.0
#: No code goes on like this, so a lane that was shown it holds nothing behind.
_ELSE = "@@"


@dataclass(frozen=True, slots=True)
class Answer:
    """What the engine said, with drafts or without.

    Args:
        text: The text.
        choices: The tokens, each with how far behind it the second best was.
        ms: Time from the end of its prompt, of which a key leaves nothing to evaluate, to its own.
        drafted: Tokens that were guessed.
        accepted: Those of them that were right.
    """

    text: str
    choices: tuple[tuple[int, float], ...]
    ms: float
    drafted: int = 0
    accepted: int = 0

    @classmethod
    def of(cls, completion: Completion) -> Answer:
        """Return what counts of a completion."""
        stats = completion.stats
        spent = stats.total_ms - stats.queue_ms - stats.prompt_ms
        return cls(completion.text, completion.choices, spent, stats.drafted, stats.accepted)


@dataclass(frozen=True, slots=True)
class Pair:
    """One task and both answers.

    Args:
        name: The task's name.
        repetition: The share of what is missing that could be read off what stands above.
        plain: Without drafts.
        drafted: With them.
    """

    name: str
    repetition: float
    plain: Answer
    drafted: Answer

    @property
    def repetitive(self) -> bool:
        """Whether what is missing repeats what stands above."""
        return self.repetition >= REPETITIVE

    def difference(self) -> dict[str, Any] | None:
        """Return where the answers part, and how near the best two logits were there."""
        plain, drafted = self.plain, self.drafted
        pairs = zip(plain.choices, drafted.choices, strict=False)
        parts = (number for number, (own, other) in enumerate(pairs) if own[0] != other[0])
        at = next(parts, None)
        if at is None:
            if plain.text == drafted.text and len(plain.choices) == len(drafted.choices):
                return None
            # They chose the same and ended elsewhere: no rounding explains that.
            at, gap = min(len(plain.choices), len(drafted.choices)), None
        else:
            gap = plain.choices[at][1]
        return {
            "task": self.name,
            "token": at,
            "gap": gap,
            "plain": plain.text,
            "drafts": drafted.text,
        }


def choose_tasks(path: Path, *, limit: int, seed: int) -> list[Task]:
    """Choose places in code, half of them repetitive if there are so many.

    Every other one is a hole of several lines.

    Args:
        path: A file or a folder.
        limit: Most tasks.
        seed: Which places.

    Raises:
        UsageError: There is no code of any length.
    """
    found = list(_tasks(path, seed))
    if not found:
        raise UsageError(
            f"{path} holds no code to complete", "name a folder with files of 30 lines or more"
        )
    # Names sort the same everywhere; folders do not.
    found.sort(key=lambda task: task.name)
    rng = random.Random(seed)
    rng.shuffle(found)
    repetitive = [task for task in found if _repeats(task) >= REPETITIVE]
    rest = [task for task in found if _repeats(task) < REPETITIVE]
    half = min(len(repetitive), max(limit // 2, limit - len(rest)))
    chosen = [*repetitive[:half], *rest[: limit - half]]
    # Rates are learned while it runs, so neither kind comes first.
    rng.shuffle(chosen)
    return chosen


async def measure(
    client: EngineClient,
    tasks: Sequence[Task],
    placement: Placement,
    on_done: Callable[[int, int], None] | None = None,
) -> list[Pair]:
    """Ask for every task with drafts and without.

    Args:
        client: A connected engine of one lane, whose model is loaded.
        tasks: The tasks.
        placement: Makes the prompts.
        on_done: Called with the number of tasks done, and of all.
    """
    pairs = []
    for number, task in enumerate(tasks):
        request = Request(
            document="bench",
            segments=placement.segments(task),
            multiline=task.lines > 1,
            max_tokens=MAX_TOKENS,
            time_limit_ms=_TIME_LIMIT_MS,
            explain=True,
        )
        answers = {}
        for drafts in (False, True) if number % 2 else (True, False):
            answers[drafts] = await _ask(client, replace(request, drafts=drafts))
        pairs.append(pair_of(task, answers[False], answers[True]))
        if on_done is not None:
            on_done(number + 1, len(tasks))
    return pairs


def pair_of(task: Task, plain: Answer, drafted: Answer) -> Pair:
    """Return both answers to a task."""
    return Pair(task.name, _repeats(task), plain, drafted)


def summarize(pairs: Sequence[Pair], seed: int) -> dict[str, Any]:
    """Return times by kind of task, and every difference.

    Args:
        pairs: The answers.
        seed: Of the bootstrap.
    """
    differ = [found for pair in pairs if (found := pair.difference()) is not None]
    far = [one for one in differ if one["gap"] is None or one["gap"] >= TIE]
    return {
        "n": len(pairs),
        "repetitive": _times([pair for pair in pairs if pair.repetitive], seed),
        "rest": _times([pair for pair in pairs if not pair.repetitive], seed),
        "repetitive_from": REPETITIVE,
        "differ": differ,
        "differ_share": len(differ) / len(pairs) if pairs else 0.0,
        "differ_beyond_tie": len(far),
        "tie": TIE,
    }


def _times(pairs: Sequence[Pair], seed: int) -> dict[str, Any]:
    ratio, low, high = paired_ratio([(p.drafted.ms, p.plain.ms) for p in pairs], seed=seed)
    drafted = sum(pair.drafted.drafted for pair in pairs)
    accepted = sum(pair.drafted.accepted for pair in pairs)
    return {
        "n": len(pairs),
        "time_ratio": ratio,
        "ci95": [low, high],
        "each_ratio": percentile_group([p.drafted.ms / p.plain.ms for p in pairs if p.plain.ms]),
        "plain_ms": percentile_group([pair.plain.ms for pair in pairs]),
        "drafts_ms": percentile_group([pair.drafted.ms for pair in pairs]),
        "tokens": mean([len(pair.plain.choices) for pair in pairs]),
        "share_drafting": mean([float(pair.drafted.drafted > 0) for pair in pairs]),
        "drafted": drafted,
        "accepted": accepted,
        "acceptance": accepted / drafted if drafted else 0.0,
    }


async def _ask(client: EngineClient, request: Request) -> Answer:
    away = replace(request, segments=_elsewhere(request.segments), heal=False, max_tokens=1)
    async with asyncio.timeout(_REQUEST_SECONDS):
        # What was said the other way must not be found in the lane.
        await client.complete(away)
        return Answer.of(await client.complete(request))


def _elsewhere(segments: Iterable[Segment]) -> tuple[Segment, ...]:
    """Return a prompt that parts from another on its last line."""
    return tuple(
        Segment(part.kind, part.text[: part.text.rfind("\n") + 1] + _ELSE)
        if part.kind == "typed"
        else part
        for part in segments
    )


def _tasks(path: Path, seed: int) -> Iterator[Task]:
    languages = Languages.load()
    single = path.is_file()
    for file in [path] if single else sorted(path.rglob("*")):
        if languages.find("", str(file)) is None or not file.is_file():
            continue
        name = file.name if single else file.relative_to(path).as_posix()
        try:
            if file.stat().st_size > _LARGEST:
                continue
            lines = file.read_text(encoding="utf-8").split("\n")
        except (UnicodeDecodeError, OSError):
            continue
        yield from _tasks_of_file(name, lines, random.Random(f"{seed}:{name}"))


def _tasks_of_file(name: str, lines: Sequence[str], rng: random.Random) -> Iterator[Task]:
    numbers = [
        number
        for number in range(_ABOVE, len(lines) - _BELOW)
        if len(lines[number].strip()) >= _LEAST_CHARACTERS
    ]
    for count, number in enumerate(rng.sample(numbers, min(_OF_ONE_FILE, len(numbers)))):
        line, missing = lines[number], LINES if count % 2 else 1
        first = len(line) - len(line.lstrip())
        column = rng.randint(first, len(line.rstrip()) - _LEAST_REST)
        block = lines[number + 1 : number + missing]
        rest = "\n".join(part.rstrip() for part in (line[column:], *block))
        if len(words(rest)) < LEAST_WORDS:
            continue
        yield Task(
            name=f"{name}:{number + 1}",
            path=name,
            before="".join(above + "\n" for above in lines[:number]) + line[:column],
            rest=rest,
            after="".join("\n" + below for below in lines[number + missing :]),
            window=CODE_WINDOW,
        )


def _repeats(task: Task) -> float:
    shown = task.before.split("\n")[-task.window[0] :]
    return repetition("\n".join(shown), task.rest)
