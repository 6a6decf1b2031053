"""A draft model guesses as far as that pays, and not at all where it does not."""

from __future__ import annotations

import random

import pytest
from pass_costs import GPU, NO_GAIN, PassCosts

from sidecar.engine.drafts import MOST_GUESSES
from sidecar.engine.guessing import Guessing
from sidecar.engine.steering import Steering, kind_of

#: A model on two cores, as measured.
TWO_CORES = PassCosts(1.0, 1.5, 1.6, 1.7, 2.1, 2.4, 2.7, 3.0)
SURE = kind_of(20.0)


def steering(costs: PassCosts, each: float, right: float = 0.9) -> Steering:
    """One that knows what a pass of the draft model costs, and has seen how often it is right."""
    made = Steering(costs)
    made.each = each
    source = random.Random(1)
    for _ in range(400):
        made.note(SURE, source.random() < right)
    return made


@pytest.mark.parametrize(
    ("costs", "each", "right", "pays"),
    [
        (TWO_CORES, 0.1, 0.9, True),
        (TWO_CORES, 0.1, 0.2, False),
        (TWO_CORES, 1.0, 0.99, False),
        (NO_GAIN, 0.1, 0.99, False),
        (GPU, 0.3, 0.8, True),
    ],
    ids=["small and right", "often wrong", "as slow as the model", "no gain", "a GPU"],
)
def test_it_is_used_where_it_pays(costs: PassCosts, each: float, right: float, pays: bool) -> None:
    assert steering(costs, each, right).pays() is pays


def test_reading_has_to_pay_as_well() -> None:
    made = steering(TWO_CORES, 0.1)
    assert made.pays(behind=1.0, left=20.0)
    assert not made.pays(behind=30.0, left=20.0)
    assert not made.pays(behind=1.0, left=1.0)


def test_guesses_go_on_while_they_are_sure() -> None:
    made = steering(TWO_CORES, 0.1, 0.97)
    assert made.goes_on([SURE])
    assert made.goes_on([SURE] * 4)
    assert not made.goes_on([SURE] * MOST_GUESSES)
    unsure = kind_of(0.1)
    for _ in range(100):
        made.note(unsure, right=False)
    assert not made.goes_on([SURE, unsure])


def test_only_what_pays_is_verified() -> None:
    made = steering(TWO_CORES, 0.1, 0.97)
    unsure = kind_of(0.1)
    for _ in range(200):
        made.note(unsure, right=False)
    assert made.length([]) == 0
    assert made.length([SURE] * 3) == 3
    assert made.length([SURE, SURE, unsure, SURE]) == 2
    assert made.length([unsure]) == 0
    assert steering(NO_GAIN, 0.1, 0.99).length([SURE] * 3) == 0


def test_what_it_really_gained_decides_in_the_end() -> None:
    """Estimates promise much, but all has to be computed again."""
    made = steering(TWO_CORES, 0.1)
    assert made.worth is None
    for _ in range(10):
        made.began(2.0)
        made.won()
        made.lost(4)
    assert made.worth is not None
    assert made.worth < 1.0
    assert not made.pays()
    made.tried()
    assert made.pays()


def test_it_is_tried_again_after_long() -> None:
    made = steering(NO_GAIN, 0.1)
    assert not made.stale
    for _ in range(40):
        made.ended(12, 12)
    assert made.stale
    made.began(2.0)
    assert not made.stale


def test_what_is_left_is_told_by_how_long_suggestions_were() -> None:
    made = steering(TWO_CORES, 0.1)
    for _ in range(60):
        made.ended(6, 0)
    assert made.left(2, 40) == pytest.approx(4.0, abs=0.5)
    assert made.left(30, 40) == 2.0
    assert made.left(2, 3) == 3.0


@pytest.mark.parametrize(
    ("gap", "kind"), [(0.0, 0), (0.49, 0), (0.5, 1), (3.0, 3), (100.0, 5), (float("inf"), 5)]
)
def test_kinds(gap: float, kind: int) -> None:
    assert kind_of(gap) == kind


class Guesser:
    """Stands for the draft model: guesses the same each time."""

    def __init__(self, *guesses: int, verified: int) -> None:
        self.steering = steering(TWO_CORES, 0.1)
        self.guesses, self.verified = guesses, verified

    def guess(self, *_what: object, **_how: object) -> tuple[list[tuple[int, int]], int]:
        from sidecar.engine.drafts import Guess

        return [Guess(token, SURE) for token in self.guesses], self.verified


def test_a_request_counts_what_was_verified_and_learns_from_all() -> None:
    guesser = Guesser(1, 2, 3, verified=2)
    one = Guessing(guesser, lambda: False, waited=True)
    assert one.guess([9], 5, lambda _token: True, 3) == [1, 2]
    for token in (1, 2, 7, 8):
        one.feed(token)
    assert (one.drafted, one.accepted) == (2, 2)
    assert one.guess([9], 5, lambda _token: True, 3) == [1, 2]
    one.feed(5)
    one.feed(2)
    assert (one.drafted, one.accepted) == (4, 2)
    assert one.guess([9], 5, lambda _token: True, 3) == [1, 2]
    # The choice was close, and all is computed again without guesses.
    one.feed(1)
    one.again(2)
    one.feed(2)
    assert (one.drafted, one.accepted) == (6, 3)
    one.feed(9)
    won = guesser.steering._won
    one.feed(1)
    assert guesser.steering._won == won
