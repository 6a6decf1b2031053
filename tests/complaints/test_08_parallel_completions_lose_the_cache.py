"""Complaint 8: parallel completions moved slots and lost the prefix cache."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

import pytest

from sidecar.engine.messages import Request, Segment, Stats

if TYPE_CHECKING:
    from sidecar.engine.inference import Inference

pytestmark = pytest.mark.engine


def complete(inference: Inference, document: str, prefix: str, typed: str) -> Stats:
    segments = (Segment("prefix", prefix), Segment("suffix", "\n"), Segment("typed", typed))
    request = Request(document, segments, max_tokens=1)
    return inference.run(request, perf_counter(), lambda: False, lambda _text: None).stats


def test_documents_that_take_turns_keep_their_lanes(inference: Inference) -> None:
    prefixes = {name: f"import {name}\n\n\ndef main():\n" for name in ("os", "re", "json")}
    for name, prefix in prefixes.items():
        complete(inference, name, prefix, f"    {name}.")
    for _turn in range(2):
        for name, prefix in prefixes.items():
            assert complete(inference, name, prefix, f"    {name}.").evaluated == 0, name
