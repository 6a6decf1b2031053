"""Judges answers to tasks, and sums up what each variant got; pure, but for loading grammars.

May import `syntax`, and this package's values.
"""

from __future__ import annotations

import difflib
import re
from collections import Counter, defaultdict
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Final

from sidecar.bench.statistics import mean, paired_interval, paired_ratio, percentile_group
from sidecar.syntax import Grammar, Languages
from sidecar.syntax.queries import count_errors

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from sidecar.bench.quality_tasks import QualityTask

__all__ = ["FULL", "WHOLE_FILE", "Answer", "Judge", "Score", "choose_threshold", "summarize"]

#: The variant that others are compared with, and the one that reads all of the current file.
FULL: Final = "full"
WHOLE_FILE: Final = "whole-file"

#: What the log-probability of nothing is.
_UNSURE = -100.0
_IDENTIFIER = re.compile(r"[^\W\d]\w*")


@dataclass(frozen=True, slots=True)
class Answer:
    """What the model said to one prompt of a task.

    Args:
        text: Its text beyond the cursor.
        logprobs: Log-probabilities of its tokens, those that healing gave again included.
        prompt_tokens: Tokens of the prompt.
        evaluated: Those of them that were computed for it, after the prompts before it.
        files_tokens: Tokens of all files that the prompt shows anything of, whole.
        parts: What the prompt shows of other files: source, path and tokens of each part.
    """

    text: str
    logprobs: tuple[float, ...]
    prompt_tokens: int
    evaluated: int
    files_tokens: int = 0
    parts: tuple[tuple[str, str, int], ...] = ()

    @property
    def confidence(self) -> float:
        """How sure the model is: the log-probability of all of the line.

        Whether a line is right to its end depends on every token of it: of 140 lines of other
        packages, the mean told right from wrong with an area under the curve of 0.75, this 0.85.
        """
        return sum(self.logprobs) if self.logprobs else _UNSURE

    def as_dict(self) -> dict[str, Any]:
        """Return plain values for a journal."""
        return asdict(self)

    @classmethod
    def of_dict(cls, kept: Mapping[str, Any]) -> Answer:
        """Return what a journal kept."""
        parts = tuple((source, path, tokens) for source, path, tokens in kept["parts"])
        return cls(**{**kept, "logprobs": tuple(kept["logprobs"]), "parts": parts})


@dataclass(frozen=True, slots=True)
class Score:
    """How good an answer is.

    Args:
        exact: Whether its first line is the rest of the line, blanks at the end aside.
        similarity: 0 to 1, of `difflib`.
        identifiers: Whether it has the identifiers of the rest of the line, in their order.
        parses: Whether the file with it has no more errors than with the true line.
        blank: Whether there is nothing to show.
        confidence: How sure the model is.
    """

    exact: bool
    similarity: float
    identifiers: bool
    parses: bool
    blank: bool
    confidence: float

    def shown(self, threshold: float) -> bool:
        """Tell whether it would be shown to somebody."""
        return not self.blank and self.confidence >= threshold


class Judge:
    """Scores answers, remembering how many errors each file has."""

    def __init__(self) -> None:
        self._languages = Languages.load()
        self._errors: dict[str, int] = {}

    def score(self, task: QualityTask, answer: Answer) -> Score:
        """Score an answer to a task."""
        line = answer.text.split("\n", 1)[0].rstrip()
        rest = task.rest
        exact = line == rest
        return Score(
            exact,
            difflib.SequenceMatcher(None, line, rest, autojunk=False).ratio(),
            _IDENTIFIER.findall(line) == _IDENTIFIER.findall(rest),
            exact or self._count(task.path, task.before + line + task.after) <= self._usual(task),
            not line,
            answer.confidence,
        )

    def _usual(self, task: QualityTask) -> int:
        text = task.before + task.rest + task.after
        key = f"{task.root}/{task.path}"
        if key not in self._errors:
            self._errors[key] = self._count(task.path, text)
        return self._errors[key]

    def _count(self, path: str, text: str) -> int:
        language = self._languages.find("", path)
        grammar = Grammar.of(language) if language is not None else None
        tree = grammar.parse(text.encode("utf-8", "replace")) if grammar is not None else None
        return 0 if grammar is None or tree is None else count_errors(grammar, tree.root_node)


def choose_threshold(scores: Iterable[Score], precision: float) -> dict[str, float] | None:
    """Return the threshold at which most is shown while enough of what is shown is right.

    Args:
        scores: Of one variant.
        precision: The share of shown lines that has to be right.

    Returns:
        The threshold, and show rate and precision at it; None if no threshold does.
    """
    all_scores = list(scores)
    ranked = sorted((s for s in all_scores if not s.blank), key=lambda s: -s.confidence)
    best = None
    right = 0
    for number, score in enumerate(ranked, 1):
        right += score.exact
        # Scores that are equal are shown together or not at all.
        last = number == len(ranked) or ranked[number].confidence < score.confidence
        if last and right >= precision * number:
            best = {
                "threshold": score.confidence,
                "show_rate": number / len(all_scores),
                "precision_shown": right / number,
            }
    return best


def summarize(
    tasks: Sequence[QualityTask],
    answers: Mapping[str, Mapping[str, Answer]],
    *,
    threshold: float,
    seed: int,
    precision: float | None = None,
) -> dict[str, Any]:
    """Return what each variant got, over the tasks that all of them answered.

    Args:
        tasks: The tasks.
        answers: By variant and task.
        threshold: Log-probability from which on a line is shown.
        seed: Of the bootstrap.
        precision: The share of shown lines that has to be right at a threshold to be found.
    """
    judge = Judge()
    whole = [task for task in tasks if all(task.name in given for given in answers.values())]
    scores = {
        variant: [judge.score(task, given[task.name]) for task in whole]
        for variant, given in answers.items()
    }
    summary: dict[str, Any] = {
        "n": len(whole),
        "threshold": threshold,
        "variants": [
            _variant(variant, whole, scores, answers, threshold, seed) for variant in answers
        ],
    }
    if precision is not None:
        chosen = scores.get(FULL) or next(iter(scores.values()), [])
        summary["chosen"] = choose_threshold(chosen, precision)
    return summary


def _variant(
    name: str,
    tasks: Sequence[QualityTask],
    scores: Mapping[str, Sequence[Score]],
    all_answers: Mapping[str, Mapping[str, Answer]],
    threshold: float,
    seed: int,
) -> dict[str, Any]:
    own = scores[name]
    answers = [all_answers[name][task.name] for task in tasks]
    shown = [score for score in own if score.shown(threshold)]
    placed = Counter(source for answer in answers for source in {part[0] for part in answer.parts})
    result: dict[str, Any] = {
        "name": name,
        "exact_match": mean([score.exact for score in own]),
        "edit_similarity": mean([score.similarity for score in own]),
        "identifier_match": mean([score.identifiers for score in own]),
        "parses": mean([score.parses for score in own]),
        "show_rate": len(shown) / len(own) if own else 0.0,
        "precision_shown": mean([score.exact for score in shown]),
        "delta": None,
        "ci95": None,
        "prompt_tokens": percentile_group([answer.prompt_tokens for answer in answers]),
        "evaluated": percentile_group([answer.evaluated for answer in answers]),
        "tokens_ratio": percentile_group(
            [a.prompt_tokens / a.files_tokens for a in answers if a.files_tokens]
        ),
        "placed": dict(sorted(placed.items())),
        "by_kind": _by(tasks, own, lambda task: task.kind),
        "by_position": _by(tasks, own, lambda task: task.position),
        "by_tree": _by(tasks, own, lambda task: task.name.split("/", 1)[0]),
        "unseen": None,
        "differing": None,
        "hits_to_whole_file": None,
    }
    if FULL in scores:
        pairs = list(zip(own, scores[FULL], strict=True))
        gains = [float(mine.exact) - float(full.exact) for mine, full in pairs]
        result["delta"] = mean(gains)
        result["ci95"] = list(paired_interval(gains, seed=seed))
        far = [gain for gain, task in zip(gains, tasks, strict=True) if task.unseen]
        result["unseen"] = {
            "n": len(far),
            "exact_match": mean(
                [score.exact for score, task in zip(own, tasks, strict=True) if task.unseen]
            ),
            "delta": mean(far),
            "ci95": list(paired_interval(far, seed=seed)),
        }
        # A source that placed nothing in a task says nothing there.
        parts = [all_answers[FULL][task.name].parts for task in tasks]
        differ = [
            gain
            for gain, answer, theirs in zip(gains, answers, parts, strict=True)
            if answer.parts != theirs
        ]
        result["differing"] = {
            "n": len(differ),
            "delta": mean(differ),
            "ci95": list(paired_interval(differ, seed=seed)),
        }
        # Tasks at which the full context lost what this variant got.
        result["full_lost"] = [
            task.name
            for task, (mine, full) in zip(tasks, pairs, strict=True)
            if mine.exact and not full.exact
        ]
    if WHOLE_FILE in scores and name != WHOLE_FILE:
        hits = [
            (float(mine.exact), float(theirs.exact))
            for mine, theirs in zip(own, scores[WHOLE_FILE], strict=True)
        ]
        ratio, low, high = paired_ratio(hits, seed=seed)
        result["hits_to_whole_file"] = {"ratio": ratio, "ci95": [low, high]}
    return result


def _by(
    tasks: Sequence[QualityTask], scores: Sequence[Score], key: Callable[[QualityTask], str]
) -> dict[str, dict[str, float]]:
    groups: dict[str, list[bool]] = defaultdict(list)
    for task, score in zip(tasks, scores, strict=True):
        groups[key(task)].append(score.exact)
    return {
        name: {"n": len(group), "exact_match": mean(group)}
        for name, group in sorted(groups.items())
    }
