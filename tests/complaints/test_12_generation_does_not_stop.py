"""Complaint 12: Qwen's FIM does not stop at `<|endoftext|>` and loops on `<|fim_pad|>`."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

import pytest

from sidecar.engine.messages import Request, Segment

if TYPE_CHECKING:
    from sidecar.engine.inference import Inference

pytestmark = pytest.mark.engine

ENDS = (
    "<|endoftext|>",
    "<|im_end|>",
    "<|fim_prefix|>",
    "<|fim_suffix|>",
    "<|fim_middle|>",
    "<|fim_pad|>",
    "<|repo_name|>",
    "<|file_sep|>",
)


@pytest.mark.parametrize("text", ENDS)
def test_every_special_token_ends_a_generation(
    inference: Inference, pieces: list[bytes], text: str
) -> None:
    tokens = inference.model.tokenize(text.encode(), special=True)
    assert len(tokens) == 1
    assert tokens[0] in inference.model.end_tokens(pieces) | inference.template.stops


def test_a_finished_function_ends_by_itself(inference: Inference) -> None:
    segments = (
        Segment("prefix", "def add(left, right):\n"),
        Segment("suffix", "\n\n\nprint(add(1, 2))\n"),
        Segment("typed", "    return left + righ"),
    )
    request = Request("d", segments, multiline=True, max_tokens=64)
    completion = inference.run(request, perf_counter(), lambda: False, lambda _text: None)
    assert completion.stats.stop == "eog"
    assert completion.stats.generated < request.max_tokens
