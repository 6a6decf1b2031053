"""Completes tasks in every variant with the real model, and keeps the answers as they come.

What was evaluated for one prompt serves the next, if that begins in the same way: so variants take
their turns one after the other, each in the order of the files, but those that differ in a source
of context take theirs task by task. A prompt that was answered already is not asked again,
whichever variant or run it was of. May import `context`, and the front's side of `engine`.
"""

from __future__ import annotations

import asyncio
import hashlib
from itertools import product
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from sidecar.bench.quality_scores import Answer
from sidecar.engine.messages import Request

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Protocol

    from sidecar.bench.journal import Journal
    from sidecar.bench.quality_prompts import Made, Variant
    from sidecar.bench.quality_tasks import QualityTask
    from sidecar.engine.client import EngineClient

    class Maker(Protocol):
        """What makes prompts."""

        async def make(self, task: QualityTask, variant: Variant) -> Made:
            """Make the prompt of a task."""


__all__ = ["MAX_TOKENS", "Answers", "measure"]

#: Answers by variant and task.
Answers = dict[str, dict[str, Answer]]

MAX_TOKENS = 64
#: On a busy machine the usual limit would end answers that are right.
_TIME_LIMIT_MS = 120_000.0
_REQUEST_SECONDS = 600.0


async def measure(
    client: EngineClient,
    tasks: Sequence[QualityTask],
    variants: Sequence[Variant],
    prompts: Maker,
    journal: Journal | None = None,
    on_done: Callable[[int, int, float], None] | None = None,
) -> Answers:
    """Ask for every task in every variant.

    Args:
        client: A connected engine whose model is loaded.
        tasks: The tasks.
        variants: The variants.
        prompts: Makes the prompts.
        journal: Where answers are kept as they come, and what earlier runs kept.
        on_done: Called with the number of answers there are, of all, and the seconds left.
    """
    asker = _Asker(client, journal)
    ordered = sorted(tasks, key=lambda task: (task.root, task.path, len(task.before)))
    answers: Answers = {variant.name: {} for variant in variants}
    total = len(variants) * len(ordered)
    started, done = perf_counter(), 0
    for group in _groups(variants):
        for task, variant in product(ordered, group):
            made = await prompts.make(task, variant)
            answers[variant.name][task.name] = await asker.ask(task, variant, made)
            done += 1
            if on_done is not None:
                # What is known already takes no time, and says nothing of what is left.
                each = (perf_counter() - started) / max(asker.asked, 1)
                on_done(done, total, each * (total - done))
    return answers


def _groups(variants: Sequence[Variant]) -> list[list[Variant]]:
    """Return the variants in groups that share the beginnings of their prompts."""
    alike = [variant for variant in variants if variant.head == "sources"]
    return [alike, *([variant] for variant in variants if variant.head != "sources")]


class _Asker:
    """Asks for what nobody has asked yet."""

    def __init__(self, client: EngineClient, journal: Journal | None) -> None:
        self._client = client
        self._journal = journal
        self._known: dict[tuple[str, str], Answer] = {}
        self.asked = 0

    async def ask(self, task: QualityTask, variant: Variant, made: Made) -> Answer:
        """Return the answer to a prompt of a task."""
        digest = hashlib.sha256(repr((MAX_TOKENS, made)).encode("utf-8", "replace")).hexdigest()
        key = (task.name, digest)
        name = f"{variant.name} {task.name}"
        answer = self._known.get(key)
        if (
            answer is None
            and self._journal is not None
            and (kept := self._journal.get(name, digest))
        ):
            answer = Answer.of_dict(kept)
        elif answer is None:
            answer = await self._answer(task, variant, made)
            self.asked += 1
            if self._journal is not None:
                self._journal.add(name, digest, answer.as_dict())
        self._known[key] = answer
        return answer

    async def _answer(self, task: QualityTask, variant: Variant, made: Made) -> Answer:
        request = Request(
            document=f"bench {variant.name}",
            segments=made.segments,
            max_tokens=MAX_TOKENS,
            time_limit_ms=_TIME_LIMIT_MS,
        )
        async with asyncio.timeout(_REQUEST_SECONDS):
            completion = await self._client.complete(request)
        stats = completion.stats
        return Answer(
            completion.text.split("\n", 1)[0],
            tuple(round(value, 3) for value in completion.logprobs),
            stats.evaluated + stats.reused,
            stats.evaluated,
            await self._tokens_of_files(task, made),
            made.parts,
        )

    async def _tokens_of_files(self, task: QualityTask, made: Made) -> int:
        """Count the tokens of all files of which a prompt shows something."""
        texts = {task.path: task.before + task.rest + task.after}
        for _, path, _ in made.parts:
            if path not in texts and (file := Path(task.root) / path).is_file():
                texts[path] = file.read_bytes().decode("utf-8", "replace")
        return sum(await self._client.count(list(texts.values())))
