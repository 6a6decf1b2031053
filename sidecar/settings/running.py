"""The part of the schema that says which model completes and how it is run.

May import msgspec.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from sidecar.settings.meta import meta

__all__ = ["EngineSettings", "ModelSettings"]


class ModelSettings(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """Which model completes."""

    name: Annotated[
        str,
        meta(
            "machine",
            "Name of a model in the catalogue (`sidecar models list`). "
            "Empty: the one that suits this machine.",
        ),
    ] = ""
    path: Annotated[
        str, meta("machine", "A GGUF file of your own; it is used instead of `name`.")
    ] = ""
    template: Annotated[
        str,
        meta(
            "machine",
            "Fill-in-the-middle template for a GGUF that does not tell its own. Empty: automatic.",
        ),
    ] = ""


class EngineSettings(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """How the model is run."""

    context_tokens: Annotated[
        int,
        meta(
            "machine",
            "Size of the KV cache in tokens, shared by all lanes. 0: as much as suits the machine.",
            ge=0,
            le=131072,
        ),
    ] = 0
    lanes: Annotated[
        int,
        meta("machine", "Places whose state is kept at once. 0: automatic.", ge=0, le=16),
    ] = 0
    threads: Annotated[
        int, meta("machine", "CPU threads. 0: as many as suit the machine.", ge=0, le=256)
    ] = 0
    gpu_layers: Annotated[
        int,
        meta("machine", "Layers computed on the GPU. -1: as many as fit; 0: none.", ge=-1, le=999),
    ] = -1
    kv_type: Annotated[
        Literal["auto", "f16", "q8_0", "q4_0"],
        meta("machine", "Type of the KV cache's values; the smaller ones save memory."),
    ] = "auto"
    chunk_ms: Annotated[
        int,
        meta(
            "machine",
            "Milliseconds that a chunk of a prompt may take; on the processor, where it can be "
            "stopped inside, three times as long, and 64 tokens at least. More makes cold "
            "prompts faster and cancelling lose more.",
            ge=20,
            le=5000,
        ),
    ] = 100
    drafts: Annotated[
        bool,
        meta(
            "machine",
            "Whether tokens that stood in the prompt before are tried several at a time where that "
            "is faster. The text stays the same.",
        ),
    ] = True
    draft_model: Annotated[
        str,
        meta(
            "machine",
            "Name of a smaller model in the catalogue, or a GGUF file, of the same vocabulary as "
            "the model. It tries what comes next where nothing stood in the prompt before, as long "
            "as that is measured to be faster. The text stays the same. Empty: none.",
        ),
    ] = ""
    warming: Annotated[
        Literal["auto", "always", "off"],
        meta(
            "machine",
            "Whether prompts are evaluated before somebody asks, for the places where you are "
            "likely to type next. `auto`: not on battery, nor while other programs keep the "
            "machine busy.",
        ),
    ] = "auto"
    keep_lanes_mb: Annotated[
        int,
        meta(
            "machine",
            "Megabytes of evaluated prompts that are kept on disk for the next session, so that "
            "its first suggestion need not read them again. They hold code that you worked on, lie "
            "in your cache where only you can read them, and are removed after a week. 0: none.",
            ge=0,
            le=65536,
        ),
    ] = 512
    idle_seconds: Annotated[
        int,
        meta("machine", "Seconds without use after which the engine ends.", ge=5, le=86400),
    ] = 300
    remote: Annotated[
        str,
        meta(
            "machine",
            "Address of a llama-server or vLLM that completes instead of an engine on this machine "
            "(`https://gpu.example.com:8000`). The code that the model is shown is sent there; "
            "while the server does not answer, this machine completes. Its key comes from "
            "`SIDECAR_REMOTE_KEY` or the keyring. Empty: nothing leaves this machine.",
        ),
    ] = ""
    remote_model: Annotated[
        str,
        meta("machine", "Name of the model at the remote server. Empty: the first that it has."),
    ] = ""
    remote_timeout_ms: Annotated[
        int,
        meta(
            "machine",
            "Milliseconds to wait for the first token from the remote server.",
            ge=200,
            le=120000,
        ),
    ] = 10000
