"""What a model needs from a machine, and whether it is one that can complete code.

Pure: works on a header that was read before. May import `errors` and `gguf`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sidecar.errors import ModelError

if TYPE_CHECKING:
    from pathlib import Path

    from sidecar.models.gguf import Header

__all__ = ["ModelShape", "refuse_unsuitable", "shape_of"]

#: Architectures that turn text into vectors or read images, and never continue a text.
_NOT_GENERATING = (
    "bert",
    "nomic-bert",
    "nomic-bert-moe",
    "jina-bert-v2",
    "jina-bert-v3",
    "modern-bert",
    "neo-bert",
    "eurobert",
    "gemma-embedding",
    "t5encoder",
)


@dataclass(frozen=True, slots=True)
class ModelShape:
    """The sizes that decide where a model fits.

    Attributes:
        bytes: Bytes of weights.
        layers: Number of transformer blocks.
        kv_bytes_per_token: Bytes of a 16-bit KV cache for one token, all layers together.
        context_tokens: The longest text it was trained on.
        vocabulary: Number of tokens it knows: the buffer for its answers is as wide.
        head: Size of one attention head; quantised caches work in blocks of 32.
    """

    bytes: int
    layers: int
    kv_bytes_per_token: int
    context_tokens: int = 32768
    vocabulary: int = 151936
    head: int = 128


def shape_of(header: Header) -> ModelShape:
    """Return the sizes of the model that a header describes."""
    arch = header.text("general.architecture") or ""
    layers = header.number(f"{arch}.block_count") or 1
    width = header.number(f"{arch}.embedding_length") or 0
    heads = header.number(f"{arch}.attention.head_count") or 1
    key = header.number(f"{arch}.attention.key_length") or width // heads
    value = header.number(f"{arch}.attention.value_length") or key
    kv_key = f"{arch}.attention.head_count_kv"
    per_layer = header.arrays.get(kv_key)
    if per_layer is not None:
        kv_heads = sum(int(count) for count in per_layer)
    else:
        kv_heads = layers * (header.number(kv_key) or heads)
    return ModelShape(
        bytes=header.file_bytes,
        layers=layers,
        kv_bytes_per_token=2 * kv_heads * (key + value),
        context_tokens=header.number(f"{arch}.context_length") or 4096,
        vocabulary=header.lengths.get("tokenizer.ggml.tokens") or 32000,
        head=key,
    )


def refuse_unsuitable(path: Path, header: Header) -> None:
    """Raise if the model in a whole GGUF file cannot continue text.

    Raises:
        ModelError: It is an embedding model, an adapter, a part of another model, or has no
            weights.
    """
    arch = header.text("general.architecture")
    if not arch:
        raise ModelError(f"{path} names no model architecture", _FIX)
    # 0 is "none": a model that says so generates text.
    pooling = header.number(f"{arch}.pooling_type") or 0
    if arch in _NOT_GENERATING or pooling > 0:
        raise ModelError(f"{path} is an embedding model: it cannot complete text", _FIX)
    kind = header.text("general.type") or "model"
    if arch == "clip" or kind in ("mmproj", "adapter", "imatrix", "vocab") or not header.tensors:
        what = {"adapter": "an adapter (LoRA)", "imatrix": "a table for quantising"}.get(
            kind, "only a vocabulary" if not header.tensors else "the image part of a model"
        )
        raise ModelError(f"{path} is {what}, not a language model", _FIX)


_FIX = "give a code model in GGUF format (`sidecar models list` shows some)"
