"""How a model is loaded, and what its vocabulary names: values of `model`. Imports nothing."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["FimTokens", "ModelOptions"]


@dataclass(frozen=True, slots=True)
class ModelOptions:
    """How a model is loaded.

    Args:
        context_tokens: Cells of the KV cache, shared by all lanes.
        lanes: Sequences.
        threads: CPU threads.
        gpu_layers: Layers offloaded; 0 keeps everything on the CPU.
        kv_type: `f16`, `q8_0` or `q4_0`.
        batch_tokens: Most tokens of a pass, 1 to 512; memory for a row is reserved for each.
    """

    context_tokens: int = 8192
    lanes: int = 4
    threads: int = 2
    gpu_layers: int = 0
    kv_type: str = "f16"
    batch_tokens: int = 512


@dataclass(frozen=True, slots=True)
class FimTokens:
    """Ids of a vocabulary's fill-in-the-middle tokens, -1 where it has none."""

    prefix: int
    suffix: int
    middle: int
    repo: int
    separator: int
    pad: int
