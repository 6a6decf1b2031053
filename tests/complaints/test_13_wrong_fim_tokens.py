"""Complaint 13: wrong FIM tokens for the model, or none, or they leak into the code."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

import pytest

from sidecar.engine.messages import Request, Segment

if TYPE_CHECKING:
    from sidecar.engine.inference import Inference

pytestmark = pytest.mark.engine


def test_the_template_is_the_one_that_the_file_names(inference: Inference) -> None:
    template = inference.template
    names = {"prefix": "<|fim_prefix|>", "suffix": "<|fim_suffix|>", "middle": "<|fim_middle|>"}
    assert template.order == "psm"
    for part, text in names.items():
        assert getattr(template, part) == tuple(
            inference.model.tokenize(text.encode(), special=True)
        )


@pytest.mark.parametrize("suffix", ["", "\n", "\n" * 50 + "done()\n"])
def test_each_marker_stands_once_whatever_the_suffix(inference: Inference, suffix: str) -> None:
    segments = (Segment("prefix", "a = 1\n"), Segment("suffix", suffix), Segment("typed", "b = "))
    tokens = inference.assembler.assemble(Request("d", segments)).tokens
    for marker in (
        inference.template.prefix,
        inference.template.suffix,
        inference.template.middle,
    ):
        assert tokens.count(marker[0]) == 1


def test_no_marker_leaks_into_a_suggestion(inference: Inference) -> None:
    code = 'MARKERS = ["<|fim_prefix|>", "<|fim_suf'
    segments = (Segment("prefix", ""), Segment("suffix", '"]\n'), Segment("typed", code))
    request = Request("d", segments, max_tokens=16)
    completion = inference.run(request, perf_counter(), lambda: False, lambda _text: None)
    special = inference.template.stops
    lane = max(inference.lanes.all, key=lambda lane: lane.used)
    length = len(inference.assembler.assemble(request).tokens)
    assert not special & set(lane.tokens[length:])
    assert completion.stats.generated > 0
