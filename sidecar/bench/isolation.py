"""Keeps a benchmark's engine apart from those of editors, and from the one of its last run.

An engine that an editor shares would be slowed by both, and one that is left from the last run
remembers prompts that this run means to be new. May import the standard library.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["own_cache", "own_runtime"]

_VARIABLE = "SIDECAR_RUNTIME_DIR"
_CACHE_VARIABLE = "SIDECAR_CACHE_DIR"
_LANES = "SIDECAR_LANES_DIR"
_START_SECONDS = 2.0


@contextlib.contextmanager
def own_runtime() -> Iterator[str]:
    """Meet engines in a directory of our own, in this process and those that it starts."""
    before = {name: os.environ.get(name) for name in (_VARIABLE, _LANES)}
    # Short: the path of a Unix socket has room for about 100 bytes, and temporary directories of
    # some systems nearly fill it.
    base = min((tempfile.gettempdir(), "/tmp"), key=lambda p: (not os.path.isdir(p), len(p)))
    folder = tempfile.mkdtemp(prefix="sidecar-bench-", dir=base)
    os.environ[_VARIABLE] = folder
    # Neither what a session left is found, nor is anything left for the next one.
    os.environ[_LANES] = str(Path(folder) / "lanes")
    try:
        yield folder
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
        _wait_for_start(Path(folder))
        # The engine ends by itself, soon after its last connection, and needs none of it.
        shutil.rmtree(folder, ignore_errors=True)


@contextlib.contextmanager
def own_cache(models: Path) -> Iterator[Path]:
    """Keep what is learned of a workspace in a directory of our own, with the user's models in it.

    Args:
        models: Where these are.
    """
    before = os.environ.get(_CACHE_VARIABLE)
    with tempfile.TemporaryDirectory(prefix="sidecar-bench-", ignore_cleanup_errors=True) as folder:
        cache = Path(folder)
        if models.is_dir():
            (cache / models.name).symlink_to(models.resolve())
        os.environ[_CACHE_VARIABLE] = folder
        try:
            yield cache
        finally:
            if before is None:
                del os.environ[_CACHE_VARIABLE]
            else:
                os.environ[_CACHE_VARIABLE] = before


def _wait_for_start(folder: Path) -> None:
    """Wait for an engine that is being started, which would make the directory again."""
    deadline = time.monotonic() + _START_SECONDS
    while any(folder.glob("*.start")) and not any(folder.glob("*.sock")):
        if time.monotonic() > deadline:
            return
        time.sleep(0.05)
