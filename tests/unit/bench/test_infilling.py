"""Prompts of tasks are the product's, answers are judged, and gains are paired."""

from __future__ import annotations

import pytest

from sidecar.bench.infilling import VARIANTS, Outcome, Placement, outcome_of, summarize
from sidecar.bench.tasks import Task
from sidecar.engine.messages import Completion, Stats

BODY = "".join(f"    value_{n} = n + {n}\n" for n in range(12))
ABOVE = "import os\n\n\ndef build(n):\n"


def task(before: str, after: str, window: tuple[int, int] = (100, 100)) -> Task:
    return Task("a", "a.py", before, "rest", after, window)


def check_segments(placement: Placement, made: Task, expected: dict[str, str]) -> None:
    segments = {part.kind: part.text for part in placement.segments(made)}
    assert segments == expected


def test_the_anchor_is_the_start_of_the_body() -> None:
    check_segments(
        Placement(),
        task(ABOVE + BODY + "    ret", "\n\n\nother = 1\n"),
        {"prefix": ABOVE, "typed": BODY + "    ret", "suffix": "\n\n\nother = 1\n"},
    )


def test_a_model_may_want_it_some_lines_above() -> None:
    lines = BODY.splitlines(keepends=True)
    check_segments(
        Placement(use_body=False),
        task(ABOVE + BODY + "    ret", "\n"),
        {
            "prefix": ABOVE + "".join(lines[:-8]),
            "typed": "".join(lines[-8:]) + "    ret",
            "suffix": "\n",
        },
    )


def test_the_window_counts_lines_from_the_cursor() -> None:
    made = task(ABOVE + BODY + "    ret", "\n" + "x = 1\n" * 9, (13, 3))
    segments = {part.kind: part.text for part in Placement().segments(made)}
    # The window stands below what the file imports.
    window = ABOVE[-14:] + BODY + "    ret"
    assert segments["prefix"] + segments["typed"] == "import os\n" + window
    assert 2 <= segments["suffix"].count("x = 1") <= 3


def test_blocks_are_cut_as_for_an_editor() -> None:
    block = Task("a", "a.py", "def f():\n    a = 1", "2\n    b = 2", "\n    return a\n", (9, 9))
    said = "2\n    b = 2\n    return a\n\n\ndef g():\n    pas"
    completion = Completion(said, Stats(stop="tokens"))
    assert Placement().shown(block, completion) == block.rest
    line = task("a", "\n")
    assert Placement().shown(line, completion) == said


@pytest.mark.parametrize(
    ("text", "exact"),
    [("rest", True), ("rest  ", True), ("rest\nmore", True), ("res", False), (" rest", False)],
)
def test_the_rest_of_the_line_is_what_counts(text: str, exact: bool) -> None:
    outcome = outcome_of(task("a", "\n"), text, 3)
    assert outcome.exact is exact
    assert (outcome.similarity == 1.0) is exact
    assert outcome.evaluated == 3


@pytest.mark.parametrize(
    ("text", "stop", "exact", "stopped"),
    [
        ("rest\n    more", "eog", True, True),
        ("rest  \n    more\n", "eog", True, True),
        ("rest\n    less", "eog", False, True),
        ("rest\n    more", "tokens", True, False),
        ("rest\n    more\n    still", "eog", False, False),
        ("rest", "eog", False, False),
    ],
)
def test_of_several_lines_all_count_and_where_it_ends(
    text: str, stop: str, exact: bool, stopped: bool
) -> None:
    made = Task("a", "a.py", "a", "rest\n    more", "\n", (100, 100))
    outcome = outcome_of(made, text, 3, stop)
    assert (outcome.exact, outcome.stopped) == (exact, stopped)
    variant = VARIANTS[-1]
    (result,) = summarize({"a": {variant: outcome}}, [variant], 3)["results"]
    assert result["stops_at_line"] == float(stopped)


def test_gains_are_paired() -> None:
    wrong, right = Outcome(False, 0.5, 100), Outcome(True, 1.0, 2)
    first, ours = VARIANTS[0], VARIANTS[-1]
    outcomes = {str(n): dict.fromkeys(VARIANTS, wrong) for n in range(10)}
    for n in range(6):
        outcomes[str(n)][ours] = right
    # A task that was not finished counts for no variant.
    outcomes["unfinished"] = {first: right}
    summary = summarize(outcomes, VARIANTS, seed=1)
    assert [result["n"] for result in summary["results"]] == [10] * 4
    assert [result["exact_match"] for result in summary["results"]] == [0.0, 0.0, 0.0, 0.6]
    assert summary["results"][-1]["evaluated"] == pytest.approx(41.2)
    gain = summary["difference"]
    assert gain["exact_match"] == pytest.approx(0.6)
    low, high = gain["ci95"]
    assert 0.2 <= low < 0.6 < high <= 1.0


def test_one_variant_alone_has_no_gain() -> None:
    assert summarize({}, VARIANTS[:1], seed=1)["difference"] is None
