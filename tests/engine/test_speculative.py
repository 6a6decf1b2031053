"""What a guess of the next suggestion costs, and what it leaves to the user's next key."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

from sidecar.engine.lane import ROWS
from sidecar.engine.messages import Completion, Request, Segment

if TYPE_CHECKING:
    from sidecar.engine.inference import Inference
    from sidecar.engine.messages import Priority

PREFIX = "import os\n\n\ndef count_lines(path):\n"
TYPED = "    total = 0\n    with open(path) as h"


def complete(
    inference: Inference, typed: str, priority: Priority = "interactive", tokens: int = 12
) -> Completion:
    request = Request(
        "d",
        (Segment("prefix", PREFIX), Segment("suffix", "\n"), Segment("typed", typed)),
        multiline=priority == "speculative",
        max_tokens=tokens,
        time_limit_ms=1e6,
        priority=priority,
    )
    return inference.run(request, perf_counter(), lambda: False, lambda _text: None)


def test_a_guess_evaluates_nothing_and_costs_the_next_key_nothing(inference: Inference) -> None:
    """Also when it has more tokens than there are rows."""
    suggestion = complete(inference, TYPED).text
    assert len(suggestion) > 2
    guess = complete(inference, TYPED + suggestion, "speculative", ROWS + 8)
    assert guess.stats.evaluated == 0
    assert guess.stats.generated > ROWS - 8 or guess.stats.stop == "eog"
    for size in range(3):
        stats = complete(inference, TYPED + suggestion[:size]).stats
        assert (stats.evaluated, stats.passes) == (0, 0), size


def test_a_guess_says_what_is_said_when_the_line_was_ended(inference: Inference) -> None:
    """The next line of a guess is what a request on that line gives."""
    suggestion = complete(inference, TYPED).text
    said = complete(inference, TYPED + suggestion, "speculative", 24).text
    first, _, rest = said.lstrip("\n").partition("\n")
    assert said.startswith("\n") and first.strip(), "the model goes on with the block"
    indentation = first[: len(first) - len(first.lstrip())]
    fresh = complete(inference, f"{TYPED}{suggestion}\n{indentation}", tokens=24)
    assert rest and fresh.text == first.lstrip()
    assert fresh.stats.evaluated <= 3


def test_a_guess_whose_lane_was_taken_reads_no_prompt(inference: Inference) -> None:
    for lane in inference.lanes.all:
        inference.lanes.clear(lane)
    elsewhere = "".join(f"size_{number} = {number}\n" for number in range(20))
    stats = complete(inference, elsewhere, "speculative").stats
    assert (stats.stop, stats.evaluated, stats.generated) == ("cancelled", 0, 0)
    assert not inference.lanes.cells_used()
