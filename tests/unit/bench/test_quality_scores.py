"""Answers are judged by their first line, and variants are compared task by task."""

from __future__ import annotations

import json

import pytest

from sidecar.bench.quality_scores import Answer, Judge, Score, choose_threshold, summarize
from sidecar.bench.quality_tasks import QualityTask

ABOVE = "def total(order):\n    "


def task(name: str = "shop/a.py:2", rest: str = "return gross(order.net)") -> QualityTask:
    return QualityTask(name, "/shop", "a.py", "call", "start", ABOVE, rest, "\n\nx = 1\n", "b.py")


def answer(text: str, confidence: float = -0.1, *sources: str) -> Answer:
    parts = tuple((source, f"{source}.py", 50) for source in sources)
    return Answer(text, (confidence / 4, confidence * 3 / 4), 300, 20, 1200, parts)


@pytest.mark.parametrize(
    ("text", "exact", "identifiers", "parses"),
    [
        ("return gross(order.net)", True, True, True),
        ("return gross(order.net)  \nmore(", True, True, True),
        ("return gross( order.net )", False, True, True),
        ("return gross(order.net", False, True, False),
        ("return net(order.gross)", False, False, True),
        ("return gross(order.net) + net", False, False, True),
        ("", False, False, True),
    ],
)
def test_the_first_line_is_judged(text: str, exact: bool, identifiers: bool, parses: bool) -> None:
    score = Judge().score(task(), answer(text))
    assert (score.exact, score.identifiers, score.parses) == (exact, identifiers, parses)
    assert (score.similarity == 1.0) is exact
    assert score.blank is (text == "")


def test_a_file_that_had_errors_may_have_them_still() -> None:
    broken = QualityTask(
        "shop/a.py:2", "/shop", "a.py", "call", "start", "def (:\n" + ABOVE, "x = f(1)", "\n"
    )
    assert Judge().score(broken, answer("x = g(1)")).parses


def test_what_is_blank_is_never_shown() -> None:
    assert Judge().score(task(), answer("x", -0.4)).shown(-0.5)
    assert not Judge().score(task(), answer("x", -0.6)).shown(-0.5)
    assert not Judge().score(task(), answer("\nx", 0.0)).shown(-0.5)


def test_answers_survive_a_journal() -> None:
    made = answer("x", -0.5, "similar", "definitions")
    assert Answer.of_dict(json.loads(json.dumps(made.as_dict()))) == made


def score(exact: bool, confidence: float, *, blank: bool = False) -> Score:
    return Score(exact, 0.0, False, False, blank, confidence)


def test_the_threshold_shows_most_of_which_enough_is_right() -> None:
    scores = [
        score(True, -0.1),
        score(False, -0.2),
        score(True, -0.3),
        # Shown together or not at all.
        score(True, -0.4),
        score(False, -0.4),
        score(False, -0.5),
        score(False, -0.6, blank=True),
        score(False, -0.7, blank=True),
    ]
    assert choose_threshold(scores, 0.6) == {
        "threshold": -0.4,
        "show_rate": 5 / 8,
        "precision_shown": 0.6,
    }
    assert choose_threshold(scores, 0.66) == {
        "threshold": -0.3,
        "show_rate": 3 / 8,
        "precision_shown": 2 / 3,
    }
    assert choose_threshold([score(False, -0.1)], 0.6) is None
    assert choose_threshold([], 0.6) is None


def test_variants_are_compared_task_by_task() -> None:
    right, wrong = "return gross(order.net)", "return 0"
    tasks = [task(f"shop/a.py:{n}") for n in range(10)]
    full = {t.name: answer(right if n < 6 else wrong, -0.1, "similar") for n, t in enumerate(tasks)}
    alone = {t.name: answer(right if n in (0, 9) else wrong) for n, t in enumerate(tasks)}
    whole = {t.name: answer(right if n < 5 else wrong) for n, t in enumerate(tasks)}
    # A task that was not finished counts for no variant.
    tasks.append(task("shop/b.py:1"))
    full["shop/b.py:1"] = answer(right)
    answers = {"full": full, "current-file": alone, "whole-file": whole}
    summary = summarize(tasks, answers, threshold=-0.5, seed=1, precision=0.5)
    assert summary["n"] == 10
    first, second, third = summary["variants"]
    assert [v["exact_match"] for v in (first, second, third)] == [0.6, 0.2, 0.5]
    assert first["delta"] == 0.0
    assert second["delta"] == pytest.approx(-0.4)
    low, high = second["ci95"]
    assert -0.9 <= low < -0.4 < high <= 0.1
    assert second["full_lost"] == ["shop/a.py:9"]
    assert first["placed"] == {"similar": 10}
    assert second["placed"] == {}
    assert first["tokens_ratio"]["mean"] == pytest.approx(0.25)
    assert first["by_kind"] == {"call": {"n": 10, "exact_match": 0.6}}
    assert first["differing"]["n"] == 0
    assert second["differing"] == {"n": 10, "delta": second["delta"], "ci95": second["ci95"]}
    # `gross` and `net` stand nowhere around.
    assert second["unseen"]["n"] == 10
    assert second["unseen"]["delta"] == pytest.approx(-0.4)
    ratio = first["hits_to_whole_file"]
    assert ratio["ratio"] == pytest.approx(1.2)
    assert 1.0 <= ratio["ci95"][0] <= 1.2 <= ratio["ci95"][1]
    assert third["hits_to_whole_file"] is None
    assert first["show_rate"] == 1.0
    assert first["precision_shown"] == 0.6
    assert summary["chosen"]["show_rate"] == 1.0
    json.dumps(summary)


def test_nothing_is_summed_up_as_nothing() -> None:
    summary = summarize([], {"full": {}}, threshold=-0.5, seed=1, precision=0.6)
    assert summary["n"] == 0
    assert summary["variants"][0]["exact_match"] == 0.0
    assert summary["chosen"] is None
