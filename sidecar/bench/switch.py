"""A branch switch: thousands of files change at once while somebody types.

The front has no model, so that what a completion waits for is the front itself, and the index if
that holds it up. May import `index`, `errors` and this package.
"""

from __future__ import annotations

import asyncio
from time import perf_counter
from typing import TYPE_CHECKING, Any

from sidecar.bench.front import Front
from sidecar.bench.statistics import percentile_group
from sidecar.errors import SidecarError
from sidecar.index.files.content import digest

if TYPE_CHECKING:
    from pathlib import Path

    from sidecar.bench.probes import Probes
    from sidecar.index.query.reader import Reader

__all__ = ["measure_switch"]

#: Files that a switch touches.
_FILES = 3_000
#: Somebody types ten letters a second.
_KEY_SECONDS = 0.1
_QUIET_SECONDS = 2.0
_LOOK_SECONDS = 0.1
#: What is not known after so long is told of, and waited for no longer.
_KNOWN_SECONDS = 60.0
_NAME = "probe_switched"


async def measure_switch(root: Path, cache: Path, probes: Probes, reader: Reader) -> dict[str, Any]:
    """Change files, and measure what completions take meanwhile and when all is known.

    Args:
        root: The tree.
        cache: Where its index lies.
        probes: Our files in it.
        reader: The index.

    Raises:
        SidecarError: It is not to be had any more.
    """
    ending = probes.dialect.ending
    paths = [path for path in reader.paths() if path.endswith(ending)][:_FILES]
    if not paths:
        raise SidecarError("the index was replaced while it was measured", "measure it again")
    typed = probes.edit(0)
    before: list[float] = []
    during: list[float] = []
    async with Front(root, cache, watches_files=True) as front:
        await front.until_indexed()
        front.open(typed, probes.dialect.language)
        before += await _type(front, typed, perf_counter() + _QUIET_SECONDS)
        touched = [root / path for path in paths if root / path != typed]
        switch = asyncio.create_task(_switched(front, root, touched, probes, reader))
        while not switch.done():
            during += await _type(front, typed, perf_counter() + _KEY_SECONDS)
        seconds, unknown = await switch
    return {
        "files": len(touched),
        "known_s": None if unknown else seconds,
        "unknown": unknown,
        "keys": len(during),
        "answered_ms": percentile_group(during),
        "worst_ms": max(during),
        "quiet_answered_ms": percentile_group(before),
        "quiet_worst_ms": max(before),
    }


async def _type(front: Front, path: Path, until: float) -> list[float]:
    """Ask for completions until a time, and return the milliseconds of each answer."""
    times = []
    while True:
        times.append(await front.complete(path))
        await asyncio.sleep(_KEY_SECONDS)
        if perf_counter() > until:
            return times


async def _switched(
    front: Front, root: Path, paths: list[Path], probes: Probes, reader: Reader
) -> tuple[float, list[str]]:
    """Write files as git does, tell of them in one message, and wait until all are known.

    Returns:
        How long that took, and which files were not known when it took too long.
    """
    added = probes.dialect.outer.format(name=_NAME)
    written = await asyncio.to_thread(_append, paths, added)
    told = perf_counter()
    front.tell_changed(paths)
    left = [(path.relative_to(root).as_posix(), content) for path, content in written]
    while left and perf_counter() - told < _KNOWN_SECONDS:
        path, content = left[-1]
        # By content and not by name: in a file that does not parse the name is not always found.
        # One that is left out now, as it has grown too large, is not known at all.
        if reader.digest(path) in (content, None):
            left.pop()
            # Somebody types on this loop.
            await asyncio.sleep(0)
        else:
            await asyncio.sleep(_LOOK_SECONDS)
    return perf_counter() - told, [path for path, _ in left]


def _append(paths: list[Path], text: str) -> list[tuple[Path, bytes]]:
    """Add to files, and return the digest of what is in each."""
    written = []
    for path in paths:
        content = path.read_bytes() + text.encode()
        path.write_bytes(content)
        written.append((path, digest(content)))
    return written
