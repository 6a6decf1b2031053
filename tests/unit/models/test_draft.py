"""A draft model speaks the same tokens, or is refused with a next step."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from sidecar.errors import ModelError
from sidecar.models.draft import draft_bytes, refuse_other_vocabulary
from sidecar.models.gguf import Header, read_header
from sidecar.models.shape import shape_of

if TYPE_CHECKING:
    from pathlib import Path

MODEL, PRE, TOKENS = (
    "tokenizer.ggml.model",
    "tokenizer.ggml.pre",
    "tokenizer.ggml.tokens",
)


@pytest.fixture(scope="session")
def qwen(model_path: Path) -> Header:
    """What the file of Qwen2.5-Coder-0.5B says of itself."""
    return read_header(model_path)


def like(header: Header, model: str, pre: str, tokens: int) -> Header:
    """Return a header with what another model's file says of its vocabulary."""
    return replace(
        header,
        metadata={**header.metadata, MODEL: model, PRE: pre},
        lengths={**header.lengths, TOKENS: tokens},
    )


def test_a_model_can_draft_for_its_family(qwen: Header) -> None:
    refuse_other_vocabulary("itself", qwen, qwen)
    # Qwen2.5-Coder of 7B and more.
    refuse_other_vocabulary("draft", like(qwen, "gpt2", "qwen2", 152064), qwen)
    # Old files do not tell how they cut text before they look for tokens.
    without = {key: value for key, value in qwen.metadata.items() if key != PRE}
    refuse_other_vocabulary("draft", replace(qwen, metadata=without), qwen)


@pytest.mark.parametrize(
    ("model", "pre", "tokens"),
    [
        ("gpt2", "deepseek-coder", 32256),
        ("gpt2", "starcoder", 49152),
        ("gpt2", "smollm", 49152),
        ("gpt2", "llama-bpe", 128256),
        ("llama", "default", 32016),
        ("gpt2", "qwen2", 151646),
    ],
    ids=["DeepSeek-Coder", "StarCoder2", "SmolLM2", "Llama 3", "CodeLlama", "another Qwen"],
)
def test_others_cannot(qwen: Header, model: str, pre: str, tokens: int) -> None:
    with pytest.raises(ModelError, match="another vocabulary") as caught:
        refuse_other_vocabulary("draft", qwen, like(qwen, model, pre, tokens))
    assert "draftModel" in caught.value.fix


def test_a_draft_model_takes_little_beside_its_weights(qwen: Header) -> None:
    shape = shape_of(qwen)
    assert shape.bytes < draft_bytes(shape, 1280, 128) < shape.bytes + (100 << 20)
