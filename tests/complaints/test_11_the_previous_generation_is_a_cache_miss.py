"""Complaint 11: the cache misses the previous generation, and an off-by-one breaks the prefix."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

import pytest

from sidecar.engine.messages import Completion, Request, Segment

if TYPE_CHECKING:
    from sidecar.engine.inference import Inference

pytestmark = pytest.mark.engine

PREFIX = "import os\n\n\ndef count_lines(path):\n"


def complete(inference: Inference, typed: str, max_tokens: int = 12) -> Completion:
    segments = (Segment("prefix", PREFIX), Segment("suffix", "\n"), Segment("typed", typed))
    request = Request("d", segments, max_tokens=max_tokens)
    return inference.run(request, perf_counter(), lambda: False, lambda _text: None)


def test_an_accepted_suggestion_is_evaluated_already(inference: Inference) -> None:
    typed = "    with open(pa"
    suggestion = complete(inference, typed).text
    assert suggestion
    assert complete(inference, typed + suggestion).stats.evaluated == 0


def test_the_same_prompt_again_evaluates_nothing(inference: Inference) -> None:
    for _again in range(3):
        stats = complete(inference, "    return os.").stats
    assert (stats.evaluated, stats.passes) == (0, 0)
