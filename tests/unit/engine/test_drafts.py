"""Guesses come from what stood there before, and are used only where they pay."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pass_costs import GPU, NO_GAIN, PassCosts

from sidecar.engine.circles import copy_of
from sidecar.engine.drafts import (
    LONGEST,
    MOST_GUESSES,
    Controller,
    Drafts,
    Guess,
    Lookup,
)

CYCLE = [1, 2, 3, 4]


#: Two cores, as measured.
TWO_CORES = PassCosts(1.0, 1.6, 2.0, 2.4, 3.0, 3.5, 3.9, 4.2)


def taught(costs: PassCosts, right: float) -> Controller:
    """A controller that has seen how often guesses of kind 0 are right."""
    controller = Controller(costs)
    source = random.Random(1)
    for _ in range(400):
        controller.note(0, source.random() < right)
    return controller


def tokens_of(guesses: list[Guess]) -> list[int]:
    return [guess.token for guess in guesses]


@pytest.mark.parametrize(
    ("tokens", "guesses", "matched"),
    [
        ([], [], 0),
        ([1, 2], [], 0),
        ([1, 2, 3, 4, 5, 1, 2, 3], [4, 5, 1, 2], 3),
        ([1, 2, 3, 4, 1, 2, 3, 9, 1, 2, 3], [9, 1, 2, 3], 3),
        ([1, 2, 3, 4, 5, 6, 7, 1, 9, 4, 5, 6, 8, 1, 2, 3, 4, 5, 6], [7, 1, 9, 4], 6),
        ([7, 7, 7, 7], [7, 7, 7, 7], 3),
        ([1, 2, 1, 2, 1, 2], [1, 2, 1, 2], 4),
    ],
    ids=["nothing", "too few", "found", "the latest", "longer first", "one token", "a circle"],
)
def test_guesses_are_what_followed(tokens: list[int], guesses: list[int], matched: int) -> None:
    lookup = Lookup(tokens)
    assert (tokens_of(lookup.guess(4)), lookup.matched) == (guesses, matched)


def test_a_token_in_place_of_another_does_not_end_a_match() -> None:
    lookup = Lookup([1, 2, 3, 4, 5, 6, 1, 2, 3])
    lookup.feed(9)
    assert tokens_of(lookup.guess(2)) == [5, 6]
    lookup.feed(8)
    assert lookup.guess(2) == [], "two are too much"


def test_a_match_that_goes_on_to_agree_is_followed() -> None:
    first, later = [1, 2, 3, 4, 5, 6], [9, 2, 3, 4, 8]
    lookup = Lookup([*first, *later, 1, 2, 3])
    for matched, token in ((3, 4), (4, 5), (5, 6)):
        assert tokens_of(lookup.guess(1)) == [token]
        assert lookup.matched == matched
        lookup.feed(token)


@settings(deadline=None)
@given(st.lists(st.integers(0, 3), max_size=80), st.lists(st.integers(0, 3), max_size=20))
def test_a_lookup_that_was_fed_knows_what_one_made_anew_does(
    before: list[int], fed: list[int]
) -> None:
    lookup = Lookup(before)
    for token in fed:
        lookup.feed(token)
    anew = Lookup([*before, *fed])
    assert not anew.guess(1) or lookup.guess(1)
    assert lookup.matched <= LONGEST
    everything = [*before, *fed]
    guesses = tokens_of(lookup.guess(5))
    if lookup.matched < 3:
        return
    # Whatever is guessed stood behind the same tokens, or goes on in a circle.
    size = min(lookup.matched, 6)
    places = [
        place
        for place in range(size, len(everything))
        if everything[place - size : place] == everything[-size:]
        and everything[place] == guesses[0]
    ]
    assert places


@pytest.mark.parametrize(
    ("costs", "right", "lengths"),
    [
        (TWO_CORES, 0.3, (0, 0)),
        (TWO_CORES, 0.6, (0, 2)),
        (TWO_CORES, 0.97, (3, MOST_GUESSES)),
        (NO_GAIN, 0.97, (0, 0)),
        (GPU, 0.4, (2, MOST_GUESSES)),
    ],
    ids=["seldom right", "often right", "nearly always right", "no gain", "passes cost the same"],
)
def test_drafts_are_as_long_as_pays(
    costs: PassCosts, right: float, lengths: tuple[int, int]
) -> None:
    controller = taught(costs, right)
    assert lengths[0] <= controller.length([0] * 9) <= lengths[1]
    assert controller.length([]) == 0
    assert controller.length([0, 0]) <= 2


def test_a_draft_ends_before_an_unlikely_guess() -> None:
    controller = taught(TWO_CORES, 0.99)
    for _ in range(100):
        controller.note(1, right=False)
    assert controller.length([0] * 7) == 7
    assert controller.length([0, 0, 0, 1, 0, 0, 0]) == 3


def test_rates_are_learned_for_each_kind() -> None:
    controller = Controller(TWO_CORES)
    first, second = controller.rate(0), controller.rate(1)
    for _ in range(100):
        controller.note(0, right=False)
    assert controller.rate(0) < 0.1 < first
    assert controller.rate(1) == second


def test_an_unlikely_cost_is_measured_again_when_little_can_be_lost() -> None:
    outlier = PassCosts(*NO_GAIN.costs, stale=True)
    assert taught(outlier, 0.999).length([0] * 7) > 0
    assert taught(outlier, 0.5).length([0] * 7) == 0
    outlier.stale = False
    assert taught(outlier, 0.999).length([0] * 7) == 0


def test_a_longer_match_and_a_habit_are_trusted_more() -> None:
    row = [1, 2, 3, 4]
    controller = Controller(TWO_CORES)

    def rate(tokens: list[int]) -> float:
        return controller.rate(Lookup(tokens).guess(1)[0].kind)

    once, habit, other = [*row, 1, 2, 3], [*row, *row, 1, 2, 3], [*row, 9, *row[:3], 5, 1, 2, 3]
    assert rate(other) < rate(once) < rate(habit)
    assert rate(once) < rate([*range(20), *range(19)])


def drafts(prompt: list[int], controller: Controller, barred: int = -1) -> Drafts:
    return Drafts(controller, prompt, lambda token: token != barred)


def test_a_draft_ends_before_what_would_end_the_generation() -> None:
    prompt = [1, 2, 3, 4, 5, 6, 7, 1, 2, 3]
    assert drafts(prompt, Controller(GPU)).guess(3) == [4, 5, 6]
    assert drafts(prompt, Controller(GPU), barred=6).guess(5) == [4, 5]
    assert drafts(prompt, Controller(GPU), barred=4).guess(5) == []


def test_a_request_learns_from_every_token_though_nothing_is_drafted() -> None:
    prompt = [1, 2, 3, 4, 5, 1, 2, 3]
    kinds = [guess.kind for guess in Lookup(prompt).guess(2)]
    controller = Controller(NO_GAIN)
    before = [controller.rate(kind) for kind in kinds]
    one = drafts(prompt, controller)
    assert one.guess(4) == []
    one.feed(4)
    one.feed(9)
    one.learn()
    assert controller.rate(kinds[0]) > before[0]
    assert controller.rate(kinds[1]) < before[1]


def test_what_is_never_drafted_teaches_nothing() -> None:
    prompt = [1, 2, 3, 4, 5, 1, 2, 3]
    kind = Lookup(prompt).guess(1)[0].kind
    controller = Controller(NO_GAIN)
    before = controller.rate(kind)
    one = drafts(prompt, controller, barred=4)
    one.guess(4)
    one.feed(9)
    one.learn()
    assert controller.rate(kind) == before


@pytest.mark.parametrize(
    ("tokens", "copies"),
    [
        ([], 0),
        ([1, 2, 3] * 3, 0),
        ([5, *CYCLE * 3], 0),
        ([5, *CYCLE * 4], 12),
        ([5, *range(8), *range(8), *range(8)], 16),
        ([5, *range(8), *range(8), *range(7)], 0),
        ([0] * 15, 0),
        ([0] * 16, 15),
        ([0, 1] * 8, 14),
    ],
)
def test_a_circle_is_noticed(tokens: list[int], copies: int) -> None:
    assert copy_of(tokens) == copies
