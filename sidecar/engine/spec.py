"""Which engine a front wants, and where in the runtime directory that engine is met.

Fronts that agree on protocol, model and context settings meet at the same socket; others start
their own engine. May import settings' paths.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sidecar import PROTOCOL
from sidecar.errors import EngineError

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["DRAFT_BATCH", "DRAFT_CONTEXT", "SOCKET_PATH_BYTES", "EngineSpec", "Meeting"]

#: The shorter of Linux's 107 and macOS's 103 usable bytes of `sun_path`.
SOCKET_PATH_BYTES = 103

#: Cells of a draft model's cache, and the most tokens that it reads in one pass.
DRAFT_CONTEXT = 1280
DRAFT_BATCH = 128


@dataclass(frozen=True, slots=True)
class EngineSpec:
    """What an engine is started with.

    Args:
        model_path: The GGUF file.
        identity: Digest that stands for the model's content.
        context_tokens: Cells of the KV cache.
        lanes: Sequences.
        threads: CPU threads.
        gpu_layers: Layers offloaded.
        kv_type: `f16`, `q8_0` or `q4_0`.
        chunk_ms: Milliseconds that a prompt chunk may take.
        idle_seconds: The engine ends after this long without a connection.
        template: Texts of the fill-in-the-middle template, where the file does not tell.
        lanes_folder: Where lanes are kept for the next session; None if they are not.
        lanes_bytes: Most bytes of them. 0 keeps none, and removes what is there.
        draft_path: The GGUF file of a smaller model that drafts, if there is one.
        draft_identity: Digest that stands for its content.
        draft_gpu_layers: Its layers that are offloaded.
    """

    model_path: Path
    identity: str
    context_tokens: int = 8192
    lanes: int = 4
    threads: int = 2
    gpu_layers: int = 0
    kv_type: str = "f16"
    chunk_ms: float = 100.0
    idle_seconds: float = 300.0
    template: Mapping[str, str] | None = None
    lanes_folder: Path | None = None
    lanes_bytes: int = 0
    draft_path: Path | None = None
    draft_identity: str = ""
    draft_gpu_layers: int = 0

    def key(self) -> str:
        """Name the engine that serves this spec: equal for fronts that can share one."""
        agreed = [
            PROTOCOL,
            self.identity,
            self.context_tokens,
            self.lanes,
            self.threads,
            self.gpu_layers,
            self.kv_type,
            self.chunk_ms,
            dict(self.template) if self.template else None,
            # Who turns it off is not served by an engine that goes on keeping.
            self.lanes_bytes,
            self.draft_identity,
            self.draft_gpu_layers,
        ]
        return hashlib.sha256(json.dumps(agreed, sort_keys=True).encode()).hexdigest()[:12]

    def to_json(self) -> str:
        """Write the spec for the engine's command line."""
        return json.dumps(asdict(self), default=str)

    @classmethod
    def from_json(cls, text: str) -> EngineSpec:
        """Read what `to_json` wrote."""
        fields: dict[str, Any] = json.loads(text)
        paths = {
            name: Path(fields[name])
            for name in ("model_path", "lanes_folder", "draft_path")
            if fields.get(name) is not None
        }
        return cls(**{**fields, **paths})


@dataclass(frozen=True, slots=True)
class Meeting:
    """The files of one engine in the runtime directory.

    Args:
        folder: A directory that only the user can enter.
        key: The spec's key.
    """

    folder: Path
    key: str

    @property
    def socket(self) -> Path:
        """Where the engine listens.

        Raises:
            EngineError: The path is longer than a socket's may be.
        """
        path = self.folder / f"{self.key}.sock"
        if len(bytes(path)) > SOCKET_PATH_BYTES:
            raise EngineError(
                f"the socket path {path} is longer than {SOCKET_PATH_BYTES} bytes",
                "set SIDECAR_RUNTIME_DIR to a directory with a shorter path",
            )
        return path

    @property
    def start_lock(self) -> Path:
        """Held by the front that starts the engine."""
        return self.folder / f"{self.key}.start"

    @property
    def life_lock(self) -> Path:
        """Held by the engine for as long as it lives."""
        return self.folder / f"{self.key}.life"

    @property
    def log(self) -> Path:
        """Where the engine's standard error goes."""
        return self.folder / f"{self.key}.log"
