"""Complaint 10: an interrupted connection drops the whole KV cache."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

import pytest

from sidecar.engine.messages import Request, Segment

if TYPE_CHECKING:
    from sidecar.engine.inference import Inference

pytestmark = pytest.mark.engine

PREFIX = "\n".join(f"value_{n} = compute({n})" for n in range(40)) + "\n"


def test_what_was_evaluated_before_the_interruption_is_found_again(inference: Inference) -> None:
    request = Request("d", (Segment("prefix", PREFIX), Segment("typed", "x = ")), max_tokens=1)
    asked = iter(range(100))
    first = inference.run(request, perf_counter(), lambda: next(asked) >= 5, lambda _text: None)
    assert first.stats.stop == "cancelled"
    assert first.stats.evaluated > 0
    second = inference.run(request, perf_counter(), lambda: False, lambda _text: None)
    assert second.stats.reused == first.stats.evaluated
