"""How many definitions are found in a second: over LSP while edits stream in, and in process.

May import `index` and this package.
"""

from __future__ import annotations

import asyncio
from itertools import cycle
from time import perf_counter
from typing import TYPE_CHECKING

from sidecar.bench.probes import is_probe

if TYPE_CHECKING:
    import random
    from collections.abc import Awaitable, Callable

    from sidecar.bench.front import Front
    from sidecar.index.query.reader import Reader

__all__ = ["lookups_alone", "lookups_beside", "some_names"]

#: Seconds between two saves.
_SAVE_SECONDS = 0.2
#: Files whose declarations are looked up.
_FILES = 200


def some_names(reader: Reader, rng: random.Random) -> list[str]:
    """Return names that the tree declares, in no order."""
    paths = [path for path in reader.paths() if not is_probe(path)]
    chosen = rng.sample(paths, min(_FILES, len(paths)))
    names = sorted({item.symbol.name for path in chosen for item in reader.symbols(path)})
    rng.shuffle(names)
    return names or ["probe_around"]


async def lookups_beside(
    front: Front, names: list[str], edit: Callable[[str], Awaitable[object]], seconds: float
) -> tuple[float, int]:
    """Return look-ups a second, and how many edits were saved meanwhile.

    Args:
        front: Where to look up.
        names: What to look up.
        edit: Saves an edit that makes a name known.
        seconds: How long.
    """
    until = perf_counter() + seconds
    following = cycle(names)
    done = saved = 0

    async def look_up() -> None:
        nonlocal done
        while perf_counter() < until:
            done += bool(await front.symbols(query=next(following), exact=True, limit=5))

    async def save() -> None:
        nonlocal saved
        while perf_counter() < until:
            await edit(f"probe_stream_{saved}")
            saved += 1
            await asyncio.sleep(_SAVE_SECONDS)

    started = perf_counter()
    # Two: the next question is there when an answer has gone out.
    await asyncio.gather(look_up(), look_up(), save())
    return done / (perf_counter() - started), saved


def lookups_alone(reader: Reader, names: list[str]) -> float:
    """Return look-ups a second in one process, of names that were not asked for before."""
    reader.definitions("probe_around")
    started = perf_counter()
    for name in names:
        reader.definitions(name, limit=5)
    return len(names) / (perf_counter() - started)
