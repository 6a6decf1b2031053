"""What is fitted is within its budget, the same in any process, and holds still."""

from __future__ import annotations

import hashlib
import os
import random
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from hypothesis import given, settings
from hypothesis import strategies as st

from sidecar.context.fit import Budget, Fitted, fit, texts_to_count
from sidecar.context.repository import repository_texts
from sidecar.context.snapshot import Snippet
from sidecar.context.window import Tokens

if TYPE_CHECKING:
    from collections.abc import Sequence

SOURCES = ("notes", "bases", "definitions", "callees", "members", "similar", "edits", "viewed", "x")
TIERS = ("core", "extended", "extended", "extended", "background")
#: Lines that make texts which are alike, and texts that are not.
LINES = (
    "def total(order, discount):",
    "    amount = sum(line.price for line in order.lines)",
    "    return amount.rounded(order.currency)",
    "class Report(Base):",
    "    def write(self, rows, stream):",
    "        stream.writelines(map(str, rows))",
    "    1, 2, 3,",
    "",
    "# Licensed under the same terms",
    "größe = '" + "é" * 70 + "'",
)
#: Room that nothing fills, and noise that two scores and the best of two sources may have.
PLENTY = Budget(1_000_000)
NOISE = 0.1

BUDGETS = st.builds(Budget, st.integers(-10, 600), st.integers(0, 300))
TEXTS = st.lists(st.sampled_from(LINES), max_size=8).map(
    lambda lines: "".join(f"{line}\n" for line in lines)
)
SCORES = st.one_of(
    st.floats(0, 10), st.sampled_from((0.0, 1.0, 1.0, float("nan"), float("inf"), -1.0))
)


@st.composite
def offers(draw: st.DrawFn) -> list[Snippet]:
    """Candidates of all kinds, with texts that are alike and keys that come twice."""
    found = []
    for _ in range(draw(st.integers(0, 14))):
        source = draw(st.sampled_from(SOURCES))
        path = draw(st.sampled_from(("a.py", "b/c.py", "größe.ts")))
        key = f"{source}:{path}:{draw(st.integers(0, 5))}"
        text, short = draw(TEXTS), draw(st.one_of(st.just(""), TEXTS))
        tier = draw(st.sampled_from(TIERS))
        found.append(Snippet(source, key, path, text, draw(SCORES), "near", short, tier))
    return found


@st.composite
def distinct_offers(draw: st.DrawFn) -> list[Snippet]:
    """Candidates that have nothing to do with each other, and scores that are scores."""
    found = []
    for number in range(draw(st.integers(1, 14))):
        source = draw(st.sampled_from(SOURCES))
        path = draw(st.sampled_from(("a.py", "b/c.py", "d.ts")))
        lines = draw(st.integers(1, 6))
        text = "".join(f"n{number}_{n} = n{number}_call_{n}(n{number}_{n})\n" for n in range(lines))
        short = draw(st.sampled_from(("", f"n{number}_{lines}\n")))
        score = draw(st.floats(0.1, 10))
        tier = draw(st.sampled_from(TIERS[1:]))
        found.append(Snippet(source, f"{source}:{number}", path, text, score, "near", short, tier))
    return found


COUNTS = st.dictionaries(TEXTS, st.integers(1, 60), max_size=8)


def what(fitted: Fitted) -> list[tuple[str, str]]:
    return [(kept.snippet.key, kept.text) for kept in fitted.kept]


def is_within(fitted: Fitted, budget: Budget, counts: dict[str, int]) -> None:
    assert sum(kept.tokens for kept in fitted.kept) <= max(budget.tokens, 0)
    background = [kept for kept in fitted.kept if kept.snippet.tier == "background"]
    if budget.background_tokens:
        assert sum(kept.tokens for kept in background) <= budget.background_tokens
    # The same counted anew, from what is sent.
    tokens = Tokens(counts)
    headers = [text.partition("\n")[0] + "\n" for text in repository_texts(fitted.kept, "")[1:]]
    taken = sum(Tokens().text(header) for header in headers)
    taken += sum(
        tokens.text(kept.text)
        for kept in fitted.kept
        if kept.whole or not kept.note.startswith("cut")
    )
    assert taken <= max(budget.tokens, 0)


@settings(max_examples=150, deadline=None)
@given(
    offers(),
    offers(),
    BUDGETS,
    BUDGETS,
    COUNTS,
    st.randoms(use_true_random=False),
    st.lists(TEXTS, max_size=2),
)
def test_a_budget_is_never_exceeded_and_every_candidate_is_accounted_for(
    first: list[Snippet],
    second: list[Snippet],
    budget: Budget,
    other: Budget,
    counts: dict[str, int],
    generator: random.Random,
    seen: list[str],
) -> None:
    before = fit(first, budget, counts, seen=seen)
    is_within(before, budget, counts)
    # Candidates that were offered before, others, and some with another text.
    mixed = [
        replace(one, text=one.text + "x = new(1)\n") if generator.random() < 0.2 else one
        for one in first + second
    ]
    generator.shuffle(mixed)
    for turn in (mixed, first, second):
        after = fit(turn, other, counts, previous=before, seen=seen)
        is_within(after, other, counts)
        assert len(after.kept) + len(after.dropped) == len(turn)
        keys = [kept.snippet.key for kept in after.kept]
        assert len(set(keys)) == len(keys)
        assert set(keys) <= {one.key for one in turn}
        assert what(after)[: after.unchanged] == what(before)[: after.unchanged]
        before = after


@settings(max_examples=150, deadline=None)
@given(offers(), BUDGETS, COUNTS, st.lists(TEXTS, max_size=2), st.randoms(use_true_random=False))
def test_its_own_result_changes_nothing_and_neither_does_the_order(
    candidates: list[Snippet],
    budget: Budget,
    counts: dict[str, int],
    seen: list[str],
    generator: random.Random,
) -> None:
    found = fit(candidates, budget, counts, seen=seen)
    again = fit(candidates, budget, counts, previous=found, seen=seen)
    assert again == replace(found, unchanged=len(found.kept))
    assert texts_to_count(candidates) == texts_to_count(candidates[::-1])
    generator.shuffle(candidates)
    assert fit(candidates, budget, counts, seen=seen) == found
    assert fit(candidates, budget, counts, previous=found, seen=seen) == again


@settings(max_examples=150, deadline=None)
@given(distinct_offers(), st.integers(0, 600), st.data())
def test_noise_in_scores_changes_nothing(
    candidates: list[Snippet], room: int, data: st.DataObject
) -> None:
    budget = Budget(room)
    found = fit(candidates, budget, {})
    for _ in range(3):
        noise = data.draw(
            st.lists(
                st.floats(1 - NOISE, 1 + NOISE), min_size=len(candidates), max_size=len(candidates)
            )
        )
        trembling = [
            replace(one, score=one.score * factor)
            for one, factor in zip(candidates, noise, strict=True)
        ]
        again = fit(trembling, budget, {}, previous=found)
        assert what(again) == what(found)
        assert again.unchanged == len(found.kept)


@settings(max_examples=100, deadline=None)
@given(distinct_offers(), st.data())
def test_what_goes_takes_only_itself(candidates: list[Snippet], data: st.DataObject) -> None:
    found = fit(candidates, PLENTY, {})
    assert len(found.kept) == len(candidates)
    gone = data.draw(st.sampled_from(candidates))
    rest = [one for one in candidates if one is not gone]
    after = fit(rest, PLENTY, {}, previous=found)
    assert what(after) == [pair for pair in what(found) if pair[0] != gone.key]
    assert after.unchanged == [key for key, _ in what(found)].index(gone.key)


@settings(max_examples=100, deadline=None)
@given(distinct_offers(), st.data())
def test_a_text_that_changed_is_replaced_where_it_stands(
    candidates: list[Snippet], data: st.DataObject
) -> None:
    found = fit(candidates, PLENTY, {})
    old = data.draw(st.sampled_from(candidates))
    new = replace(old, text="edited(now, again, and_again)\n", short="")
    after = fit([new if one is old else one for one in candidates], PLENTY, {}, previous=found)
    expected = [(key, new.text if key == old.key else text) for key, text in what(found)]
    assert what(after) == expected
    assert after.unchanged == [key for key, _ in expected].index(old.key)


def many(count: int) -> tuple[list[Snippet], list[Snippet]]:
    """Candidates of two places, from a generator that is the same everywhere."""
    generator = random.Random(11)
    places = []
    for _ in range(2):
        place = []
        for number in range(count):
            source = generator.choice(SOURCES)
            path = f"src/{generator.randrange(5)}.py"
            text = (
                "".join(f"{line}\n" for line in generator.choices(LINES, k=6))
                + f"name_{number % 30}()\n"
            )
            short, tier = generator.choice(("", "def f(): ...\n")), generator.choice(TIERS)
            place.append(
                Snippet(
                    source, f"{source}:{number}", path, text, generator.random(), "", short, tier
                )
            )
        places.append(place)
    return places[0], places[1]


def digest(shuffled: Sequence[Sequence[Snippet]]) -> str:
    """Tell all that is fitted at two places, one after the other."""
    found = Fitted()
    told = []
    for place in (*shuffled, *shuffled):
        found = fit(place, Budget(900, 200), {}, previous=found, seen=["\n".join(LINES[:4])])
        told.append(f"{found}\n{repository_texts(found.kept, 'shop')}\n{texts_to_count(place)}")
    return hashlib.sha256("".join(told).encode()).hexdigest()


def test_another_process_fits_the_same_byte_for_byte() -> None:
    expected = digest(many(60))
    program = "import test_fit as t; print(t.digest([place[::-1] for place in t.many(60)]))"
    for seed in ("1", "4242"):
        here = Path(__file__).resolve()
        paths = os.pathsep.join((str(here.parents[2]), str(here.parent)))
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": paths}
        done = subprocess.run(
            [sys.executable, "-c", program],
            env=environment,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert done.stdout.strip() == expected, done.stderr
