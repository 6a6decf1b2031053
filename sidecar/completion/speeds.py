"""How fast models were on this machine: a small private file that outlives the front.

What the engine measures when it loads a model is a few passes, on a machine that is busy with
loading; what real requests took is better known after the first session. A file that is damaged or
cannot be written costs nothing but that. May import `latency`.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
import os
import platform
import tempfile
import time
from typing import TYPE_CHECKING, Any, Final

from sidecar.completion.latency import Latency, Speeds
from sidecar.errors import SidecarError

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from pathlib import Path

    from sidecar.engine.messages import ModelInfo
    from sidecar.engine.spec import EngineSpec

__all__ = ["KeptSpeeds", "SpeedFile", "name_of"]

_FILE: Final = "speeds.json"
#: Models and machines that are remembered: a cache may be shared by machines.
_MOST: Final = 32
_MOST_BYTES: Final = 64_000
#: After so many answers they are written, besides at the end: a front may be killed.
_WRITE_AFTER: Final = 32
#: What no machine that runs a model takes for a token.
_SLOWEST_MS: Final = 60_000.0


def name_of(spec: EngineSpec) -> str:
    """Name a model as it is run on this machine, by a digest that tells nobody which."""
    told = [
        spec.identity,
        spec.threads,
        spec.gpu_layers,
        spec.kv_type,
        platform.node(),
        platform.machine(),
        os.cpu_count(),
    ]
    return hashlib.sha256(json.dumps(told).encode()).hexdigest()[:16]


class SpeedFile:
    """The file.

    Args:
        folder: Returns the directory that it lies in; may raise when there is none.
    """

    def __init__(self, folder: Callable[[], Path]) -> None:
        self._folder = folder

    def read(self, name: str) -> Speeds | None:
        """Return what is remembered by a name, if that can be read."""
        found = self._read().get(name)
        return None if found is None else Speeds(found["prompt_ms"], found["token_ms"])

    def write(self, name: str, speeds: Speeds) -> None:
        """Remember speeds by a name, beside what others have written meanwhile."""
        known = self._read()
        known[name] = {**speeds._asdict(), "at": time.time()}
        newest = sorted(known.items(), key=lambda item: item[1]["at"])[-_MOST:]
        with contextlib.suppress(OSError, SidecarError):
            path = self._folder() / _FILE
            # Made readable for its owner alone.
            handle, written = tempfile.mkstemp(dir=path.parent, prefix=f".{_FILE}-")
            try:
                with os.fdopen(handle, "w", encoding="utf-8") as file:
                    json.dump(dict(newest), file)
                os.replace(written, path)
            except OSError:
                os.unlink(written)
                raise

    def _read(self) -> dict[str, dict[str, float]]:
        try:
            with open(self._folder() / _FILE, encoding="utf-8") as file:
                found = json.loads(file.read(_MOST_BYTES))
        except (OSError, ValueError, RecursionError, SidecarError):
            return {}
        if not isinstance(found, dict):
            return {}
        return {name: entry for name, entry in found.items() if _is_entry(entry)}


class KeptSpeeds:
    """Gives a latency the speeds that are known of its model, and keeps what it learns.

    Args:
        file: Where speeds are kept.
        spawn: Starts work that nobody waits for and that ends with the session.
    """

    def __init__(
        self, file: SpeedFile, spawn: Callable[[Coroutine[object, object, None]], object]
    ) -> None:
        self.latency = Latency(self._learned)
        self._file = file
        self._spawn = spawn
        self._name = ""

    async def begin(self, spec: EngineSpec, info: ModelInfo | None) -> None:
        """Begin with an engine that is ready.

        Args:
            spec: What it was started with.
            info: What it tells of its model.
        """
        self._name = name = name_of(spec)
        measured = Speeds.of(info)
        self.latency.begin(measured)
        kept = await asyncio.to_thread(self._file.read, name)
        if kept is not None and self._name == name and not self.latency.learned:
            self.latency.begin(kept)

    async def close(self) -> None:
        """Write what was learned, if anything was."""
        latency = self.latency
        if self._name and latency.learned and latency.speeds is not None:
            latency.learned = 0
            await asyncio.to_thread(self._file.write, self._name, latency.speeds)

    def _learned(self) -> None:
        if self.latency.learned >= _WRITE_AFTER:
            self._spawn(self.close())


def _is_entry(entry: Any) -> bool:
    return isinstance(entry, dict) and all(
        isinstance(entry.get(key), int | float) and 0 < entry[key] < most
        for key, most in (
            ("prompt_ms", _SLOWEST_MS),
            ("token_ms", _SLOWEST_MS),
            ("at", float("inf")),
        )
    )
