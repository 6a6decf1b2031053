"""Measures the index on a copy of a tree: the first time, a restart, edits, look-ups, memory.

Everything goes through real fronts over LSP, so that times are an editor's: from the save being
told to the front's own answer from the index. May import `index` and this package.
"""

from __future__ import annotations

import asyncio
import random
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import TYPE_CHECKING, Any

from sidecar.bench.floor import bare_parse_seconds, ctags_seconds
from sidecar.bench.front import LOOK_SECONDS, Front
from sidecar.bench.lookups import lookups_alone, lookups_beside, some_names
from sidecar.bench.probes import Probes, copy_tree, is_probe
from sidecar.bench.processes import memory
from sidecar.bench.statistics import percentile_group
from sidecar.bench.switch import measure_switch
from sidecar.index.extract.pool import cores
from sidecar.index.files.walk import Walk
from sidecar.index.query.reader import Reader

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["IndexPlan", "run_index"]

#: Files whose imports are looked at: as many as somebody's module has, and no more.
_IMPORTS = range(3, 31)


@dataclass(frozen=True, slots=True)
class IndexPlan:
    """What is measured.

    Args:
        path: The tree; it is copied and not touched.
        rounds: Edits of each kind.
        editors: Editors that save at once.
        starts: How often a server is started on a full index, and on an empty one.
        seconds: How long look-ups are counted.
        seed: Which names and files.
    """

    path: Path
    rounds: int = 40
    editors: int = 5
    starts: int = 3
    seconds: float = 5.0
    seed: int = 7


async def run_index(plan: IndexPlan, on_step: Callable[[str], None]) -> dict[str, Any]:
    """Measure everything, and return it in the contract's shape.

    Args:
        plan: What is measured.
        on_step: Called with what is measured next.

    Raises:
        SidecarError: There is nothing to index, or the index fails.
    """
    with tempfile.TemporaryDirectory(prefix="sidecar-bench-index-") as folder:
        return await _Run(plan, Path(folder), on_step).measure()


class _Run:
    """One run, in a folder of its own."""

    def __init__(self, plan: IndexPlan, folder: Path, on_step: Callable[[str], None]) -> None:
        self._plan = plan
        self._root = folder / "tree"
        self._cache = folder / "cache"
        self._cold_cache = folder / "cold"
        self._on_step = on_step
        self._random = random.Random(plan.seed)
        self._probes: Probes

    async def measure(self) -> dict[str, Any]:
        plan = self._plan
        self._on_step("copying the tree")
        self._root.mkdir()
        self._cache.mkdir()
        copy_tree(plan.path, self._root)
        paths = [found.path for found in Walk(self._root).files()]
        self._probes = Probes(self._root, paths, plan.rounds)
        self._probes.write(plan.editors)
        first = await self._first()
        restart = await self._restart()
        edits = await self._edits()
        return {
            **first,
            "restart_s": restart,
            "visible_ms": {
                **edits.pop("visible_ms"),
                "concurrent": await self._concurrent(),
            },
            **edits,
            "switch": await self._switch(),
            **await self._cold(),
        }

    async def _first(self) -> dict[str, Any]:
        """Index the tree for the first time, between two bare parses of the same files."""
        processes = cores()
        paths = [self._root / found.path for found in Walk(self._root).files()]
        self._on_step("bare parse")
        bare = [bare_parse_seconds(paths, processes)]
        self._on_step("first index")
        async with Front(self._root, self._cache) as front:
            state = await front.until_indexed()
            since_handshake = perf_counter() - front.initialized
            used = memory(state["pid"])
            with self._reader() as reader:
                counts = reader.counts()
                indexed = [self._root / path for path in reader.paths()]
        self._on_step("bare parse, and ctags")
        bare.append(bare_parse_seconds(indexed, processes))
        ctags = ctags_seconds(indexed, processes)
        per = 100_000 / max(1, counts.symbols)
        # The quicker one: it is what the machine can do.
        floor = min(bare)
        return {
            "files": counts.files,
            "symbols": counts.symbols,
            "bytes": counts.source_bytes,
            "processes": processes,
            "first_index_s": state["firstSeconds"],
            "first_index_from_handshake_s": since_handshake,
            "bare_parse_s": floor,
            "bare_parse_runs_s": bare,
            "ratio_to_bare_parse": state["firstSeconds"] / floor,
            "ctags_s": ctags,
            "rss_mb": used.rss_mb if used else None,
            "peak_mb": used.peak_mb if used else None,
            "rss_mb_per_100k": used.rss_mb * per if used else None,
            "db_bytes": counts.database_bytes,
            "db_bytes_per_100k": round(counts.database_bytes * per),
        }

    async def _restart(self) -> float:
        """Return how long it takes until a tree that has not changed is known to be so."""
        self._on_step("restart with nothing changed")
        times = []
        for _ in range(self._plan.starts):
            async with Front(self._root, self._cache) as front:
                state = await front.until_indexed()
                times.append(float(state["firstSeconds"]))
        return median(times)

    async def _edits(self) -> dict[str, Any]:
        """Save edits one after another, and count look-ups while more are saved."""
        plan = self._plan
        async with Front(self._root, self._cache) as front:
            await front.until_indexed()
            self._on_step("edits of a body")
            body = [await self._edit(front, 0, f"probe_body_{n}") for n in range(plan.rounds)]
            self._on_step("edits of an interface, with importers of importers")
            interface = await self._chain(front)
            self._on_step("edits that only a watcher sees")
            watched = [await self._watched(front, n) for n in range(min(10, plan.rounds))]
            self._on_step("look-ups while edits are saved")
            with self._reader() as reader:
                names = some_names(reader, self._random)
            lookups, saved = await lookups_beside(
                front, names, lambda name: self._save_only(front, name), plan.seconds
            )
            # Everything was taken in, not only told.
            await front.visible(f"probe_stream_{saved - 1}")
        with self._reader() as reader:
            alone = lookups_alone(reader, names)
        return {
            "visible_ms": {
                "body": percentile_group(body),
                "interface": percentile_group(interface),
            },
            "watcher_ms": percentile_group(watched),
            "lookups_per_s": lookups,
            "saves_during_lookups": saved,
            "reader_lookups_per_s": alone,
        }

    async def _edit(self, front: Front, editor: int, name: str) -> float:
        """Edit and save a file, and return the milliseconds until its new name is found."""
        path = self._probes.edit(editor)
        text = self._probes.body_edit(name)
        await self._type(front, path, text)
        return await self._save(front, path, text, name)

    async def _save_only(self, front: Front, name: str) -> None:
        path, text = self._probes.edit(0), self._probes.body_edit(name)
        await self._type(front, path, text)
        front.save(path, text)

    async def _save(self, front: Front, path: Path, text: str, name: str) -> float:
        saved = front.save(path, text)
        return (await front.visible(name) - saved) * 1000.0

    async def _type(self, front: Front, path: Path, text: str) -> None:
        """Change a document, and ask about it as completing does, long before it is saved."""
        if path not in front.opened:
            front.open(path, self._probes.dialect.language)
        front.change(path, text)
        await front.symbols(path=str(path))

    async def _chain(self, front: Front) -> list[float]:
        """Add functions to C, which A imports from B that has them from C."""
        times = []
        probes = self._probes
        last, names = probes.file("probe_c"), []
        definer = last.relative_to(self._root).as_posix()
        for number in range(self._plan.rounds):
            names.append(probes.chained(number))
            text = probes.interface_edit(names)
            await self._type(front, last, text)
            saved = front.save(last, text)
            at = await front.defined(probes.file("probe_a"), names[-1], definer)
            times.append((max(at, await front.visible(names[-1])) - saved) * 1000.0)
        return times

    async def _watched(self, front: Front, number: int) -> float:
        """Write a file that is open and say nothing; the document is closed, as it would win."""
        path = self._probes.edit(1 % self._plan.editors)
        front.open(path, self._probes.dialect.language)
        await front.symbols(path=str(path))
        front.close_document(path)
        name = f"probe_watched_{number}"
        written = perf_counter()
        path.write_text(self._probes.body_edit(name), "utf-8")
        return (await front.visible(name) - written) * 1000.0

    async def _concurrent(self) -> dict[str, float] | None:
        """Have several editors save at once, each in a file of its own."""
        plan, probes = self._plan, self._probes
        self._on_step(f"{plan.editors} editors that save at once")
        # Editors do not ask for what they saved; together these ask no more than one alone.
        look = plan.editors * LOOK_SECONDS
        fronts = [Front(self._root, self._cache, look_seconds=look) for _ in range(plan.editors)]
        times: list[float] = []
        try:
            for front in fronts:
                await front.__aenter__()
            await _until_one_indexed(fronts)
            for front in fronts:
                await front.until(lambda state: state["pid"] is not None)
                await front.visible(probes.chained(0))
            for number in range(max(2, plan.rounds // 4)):
                saves = []
                for editor, front in enumerate(fronts):
                    path, name = probes.edit(editor), f"probe_at_once_{editor}_{number}"
                    edit = probes.interface_edit([name]) if number % 2 else probes.body_edit(name)
                    await self._type(front, path, edit)
                    saves.append(self._save(front, path, edit, name))
                times += await asyncio.gather(*saves)
        finally:
            for front in fronts:
                await front.__aexit__()
        return percentile_group(times)

    async def _switch(self) -> dict[str, Any]:
        self._on_step("a branch switch while somebody types")
        with self._reader() as reader:
            return await measure_switch(self._root, self._cache, self._probes, reader)

    async def _cold(self) -> dict[str, Any]:
        """Open a file while an empty index is being filled, and wait for its imports."""
        self._on_step("imports of an opened file on an empty index")
        times: list[float] = []
        late: float | None = None
        for path, targets in self._importing():
            took = await self._imports(path, targets, at_start=False)
            if took is not None:
                times.append(took)
            late = late or await self._imports(path, targets, at_start=True)
        return {
            "imports_known_ms": median(times) if times else None,
            "imports_known_runs_ms": times,
            "imports_known_from_handshake_ms": late,
        }

    async def _imports(self, path: str, targets: set[str], *, at_start: bool) -> float | None:
        """Return the milliseconds; None if the file was known before it was opened."""
        shutil.rmtree(self._cold_cache, ignore_errors=True)
        self._cold_cache.mkdir()
        file = self._root / path
        async with Front(self._root, self._cold_cache) as front:
            opened = front.initialized
            if not at_start:
                state = await front.until(
                    lambda state: (
                        state.get("phase") == "indexing" or bool(state.get("firstSeconds"))
                    )
                )
                if state["phase"] != "indexing" or await front.symbols(path=str(file)):
                    return None
                opened = perf_counter()
            front.open(file, self._probes.dialect.language)
            return (await front.imports_known(file, targets) - opened) * 1000.0

    def _importing(self) -> list[tuple[str, set[str]]]:
        """Return files that import others of the tree, from those that are indexed last."""
        found = []
        with self._reader() as reader:
            paths = [path for path in reader.paths() if not is_probe(path)]
            for path in reversed(paths[len(paths) // 2 :]):
                targets = {item.target for item in reader.imports(path) if item.target}
                if len(targets) in _IMPORTS:
                    found.append((path, targets))
                if len(found) == self._plan.starts:
                    break
        return found

    def _reader(self) -> Reader:
        (path,) = (self._cache / "index").glob("*.sqlite")
        return Reader(path)


async def _until_one_indexed(fronts: list[Front]) -> None:
    """Wait until the one of several fronts that does the heavy work has done it."""
    waiting = [asyncio.create_task(front.until_indexed()) for front in fronts]
    try:
        done, _ = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            await task
    finally:
        for task in waiting:
            task.cancel()
