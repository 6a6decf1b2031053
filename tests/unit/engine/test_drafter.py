"""What a draft model holds follows the lane in use, and it reads no more than it has to."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sidecar.engine.decode import Decoder
from sidecar.engine.drafter import Drafter, same_tokens
from sidecar.engine.drafts import Controller
from sidecar.engine.messages import Request
from sidecar.engine.model import Interrupted
from sidecar.engine.pace import Batches, Pace
from sidecar.engine.template import Assembled
from sidecar.errors import EngineError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

WORDS = 64
READ = 256
LEAD = (63,)


class Counting:
    """Stands for a model whose sequences are lists, and that says the number after the last one."""

    def __init__(self) -> None:
        self.held: dict[int, list[int]] = {}
        self.decode_calls = 0
        self.decode_s = 0.0
        self.read = 0
        self.fails: Exception | None = None

    def decode(self, lane: int, tokens: Sequence[int], position: int) -> NDArray[np.float32]:
        held = self.held.setdefault(lane, [])
        assert position == len(held), "positions are consecutive"
        assert len(tokens) <= 128
        if self.fails is not None:
            raise self.fails
        held.extend(tokens)
        self.decode_calls += 1
        self.read += len(tokens)
        logits = np.zeros(WORDS, np.float32)
        logits[(held[-1] + 1) % WORDS] = 20.0
        return logits

    def length(self, lane: int) -> int:
        return len(self.held.get(lane, ()))

    def truncate(self, lane: int, length: int) -> bool:
        del self.held.setdefault(lane, [])[length:]
        return True


def drafter() -> tuple[Drafter, Counting]:
    """One for which a pass of several tokens costs what one does, so that it always pays."""
    passes = Batches()
    passes.note(1, 10.0)
    for size in (2, 4, 8):
        passes.note(size, 10.0)
    pace = Pace(1e9)
    pace.note(1, 0.001)
    pace.note(16, 0.0011)
    model = Counting()
    return Drafter(model, passes, LEAD, pace), model


def guess(
    one: Drafter, tokens: Sequence[int], most: int = 4, barred: int = -1, *, waited: bool = True
) -> list[int]:
    guesses, verified = one.guess(
        tokens,
        most,
        lambda token: token != barred,
        lambda: False,
        generated=1,
        waited=waited,
    )
    return [guess.token for guess in guesses[:verified]]


def test_it_guesses_until_a_token_does_not_fit() -> None:
    one, _model = drafter()
    assert guess(one, [1, 2, 3]) == [4, 5, 6, 7]
    assert guess(one, [1, 2, 3], most=2) == [4, 5]
    assert guess(one, [1, 2, 3], barred=5) == [4]
    assert guess(one, [1, 2, 3], barred=4) == []
    assert guess(one, [1, 2, 3], most=0) == []


def test_it_reads_the_end_of_a_prompt_behind_the_mark_and_then_only_what_is_new() -> None:
    one, model = drafter()
    prompt = [n % 50 for n in range(1000)]
    guess(one, prompt)
    assert model.held[0][: READ + 1] == [*LEAD, *prompt[-READ:]]
    before = model.read
    guess(one, [*prompt, 50])
    # The first guess was right and stands there; its row is computed again, and three guesses.
    assert model.read - before <= 4
    before = model.read
    guess(one, [*prompt, 7, 8])
    assert model.read - before <= 2 + 3


def test_a_mark_that_is_read_anyway_is_not_put_before() -> None:
    one, model = drafter()
    prompt = [n % 50 for n in range(1000)]
    prompt[-100] = LEAD[0]
    guess(one, prompt)
    assert model.held[0][:READ] == prompt[-READ:]


def test_two_places_are_known_at_once() -> None:
    one, model = drafter()
    here, there = [n % 50 for n in range(600)], [(n * 7) % 50 for n in range(600)]
    for tokens in (here, there):
        guess(one, tokens)
    before = model.read
    for tokens in (here, there, here):
        guess(one, [*tokens, 1])
    assert model.read - before <= 3 * 6


def test_what_was_stopped_or_failed_is_not_held() -> None:
    one, model = drafter()
    guess(one, [1, 2, 3])
    model.fails = Interrupted()
    with pytest.raises(Interrupted):
        guess(one, [1, 2, 3, 9])
    model.fails = None
    assert guess(one, [1, 2, 3, 9]) == [10, 11, 12, 13]
    model.fails = EngineError("no", "none")
    assert guess(one, [1, 2, 3, 9, 9]) == []
    assert "no" in one.problem
    model.fails = None
    assert guess(one, [1, 2, 3]) == [], "it is not asked again"


def test_a_stop_is_heard_between_passes() -> None:
    one, model = drafter()
    answers = iter([False, False, True])
    with pytest.raises(Interrupted):
        one.guess([1, 2], 5, lambda _t: True, lambda: next(answers), generated=1, waited=True)
    assert model.decode_calls == 2


def test_what_is_warmed_is_read() -> None:
    one, model = drafter()
    one.warm([1, 2, 3], lambda: False)
    assert model.held[0] == [1, 2, 3]
    one.warm([1, 2, 3], lambda: False)
    assert model.read == 3


@given(
    st.lists(
        st.tuples(st.integers(0, 400), st.lists(st.integers(0, 5), min_size=1, max_size=300)),
        max_size=8,
    )
)
def test_it_holds_what_it_says(edits: list[tuple[int, list[int]]]) -> None:
    """Whatever is cut off and typed, what is guessed follows the last token."""
    one, model = drafter()
    tokens: list[int] = [0]
    for keep, more in edits:
        tokens = [*tokens[:keep], *more]
        assert guess(one, tokens, most=1) == [tokens[-1] + 1]
        for number, size in enumerate(one.told()["tokens"]):
            assert model.length(number) == size <= 640


def test_tokens_mean_the_same_but_for_padding() -> None:
    pieces = [b"a", b"b", b"c"]
    assert same_tokens(pieces, [b"a", b"b", b"c", b"", b""])
    assert same_tokens([*pieces, b"pad"], pieces)
    assert not same_tokens(pieces, [b"a", b"c", b"b"])


def test_what_does_not_pay_is_not_read_and_loses_nothing() -> None:
    one, model = drafter()
    here = [n % 50 for n in range(600)]
    guess(one, here)
    guess(one, [n * 3 % 50 for n in range(600)])
    slow = Batches()
    slow.note(1, 10.0)
    for size in (2, 4, 8):
        slow.note(size, 10.0 * size)
    costs, one.steering.costs = one.steering.costs, slow
    before = model.read
    assert guess(one, [n * 7 % 50 for n in range(600)]) == []
    assert model.read == before
    one.steering.costs = costs
    assert guess(one, [*here, 1]) == [2, 3, 4, 5]
    assert model.read - before <= 5


def test_what_the_model_has_no_token_for_is_not_verified() -> None:
    """CodeLlama of 7B has 16 tokens more than that of 34B, and says them where a middle ends."""
    one, _model = drafter()
    pieces = [b"x"] * 5
    decoder = Decoder(None, None, None, pieces, frozenset(), Controller(Batches()), one)
    prompt = Assembled([1, 2, 3], b"", {})
    drafts = decoder._drafts(Request("d", ()), prompt, lambda: False)
    assert drafts is not None
    assert drafts.guess(4) == [4]
