"""A line that is too unlikely is cut as soon as that is certain, and no other is."""

from __future__ import annotations

from math import log
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sidecar.engine.messages import Request
from sidecar.engine.run import Account, Run
from sidecar.engine.stream import TextStream
from sidecar.engine.sureness import Sureness
from sidecar.engine.template import Assembled

if TYPE_CHECKING:
    from collections.abc import Sequence

LIKELY, UNLIKELY = log(0.9), log(0.5)


def generated(least: float, tokens: Sequence[tuple[str, float]], *, multiline: bool) -> Run:
    """Return a run that was given tokens with their log-probabilities, until it had enough."""
    request = Request("d", (), multiline=multiline, least_confidence=least)
    stream = TextStream(b"", multiline=multiline)
    prompt = Assembled([1], b"", {})
    run = Run(request, prompt, stream, Account(0.0), lambda: False, lambda _text: None, None)
    for piece, logprob in tokens:
        stream.feed(piece.encode())
        run.account.logprobs.append(logprob)
        if run.unsure() or stream.ended:
            break
    return run


@pytest.mark.parametrize(
    ("least", "tokens", "text", "taken"),
    [
        (0.0, [("a", -50.0), ("b", -50.0)], "ab", 2),
        (0.8, [("a", LIKELY), ("b", LIKELY)], "ab", 2),
        (0.8, [("a", LIKELY), ("b", UNLIKELY), ("c", 0.0)], "", 2),
        (0.8, [("a", LIKELY), ("\n", LIKELY), ("b", LIKELY), ("\n", LIKELY)], "a\nb\n", 4),
        (0.8, [("a", LIKELY), ("\n", LIKELY), ("b", UNLIKELY), ("c", 0.0)], "a", 3),
        (0.8, [("a\n", LIKELY), ("\n  b", UNLIKELY)], "a", 2),
        (0.8, [("a", LIKELY), ("\n", UNLIKELY), ("b", 0.0)], "", 2),
    ],
    ids=["all", "sure", "unsure", "line by line", "the second", "a blank", "an end that is unsure"],
)
def test_lines_that_are_sure_are_left(
    least: float, tokens: list[tuple[str, float]], text: str, taken: int
) -> None:
    run = generated(least, tokens, multiline=True)
    assert (run.stream.text, len(run.account.logprobs)) == (text, taken)


def test_the_end_of_a_single_line_counts() -> None:
    run = generated(0.8, [("a", LIKELY), ("\n", UNLIKELY)], multiline=False)
    assert run.stream.text == ""


def test_what_ends_a_block_does_not_count() -> None:
    sureness_of = generated(0.8, [("a", LIKELY)], multiline=True)
    sureness_of.stream.ended = "dedent"
    sureness_of.account.logprobs.append(UNLIKELY)
    assert not sureness_of.unsure()
    assert sureness_of.stream.text == "a"


@given(
    st.lists(st.floats(-3.0, 0.0), min_size=1, max_size=12),
    st.floats(0.01, 0.99),
)
def test_a_line_is_cut_exactly_when_all_of_it_is_too_unlikely(
    logprobs: list[float], least: float
) -> None:
    """Ending early changes when that is known, and not what is shown."""
    sureness = Sureness(least)
    early = any(sureness.falls(logprob) for logprob in logprobs)
    total = 0.0
    for logprob in logprobs:
        total += logprob
    assert early == (total < log(least))
