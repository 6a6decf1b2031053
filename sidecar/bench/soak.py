"""Works in files for as long as one likes, while servers are killed, and looks for what is lost.

Over real processes, in a copy of a folder, with the settings that users have. May import this
package, and `errors`.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import signal
import time
from dataclasses import dataclass, field
from time import perf_counter
from typing import TYPE_CHECKING, Any

from sidecar.bench.editor import Editor
from sidecar.bench.footprint import Life, footprint, life, lives
from sidecar.bench.routine import routine, tour
from sidecar.bench.soak_account import (
    RECOVERY_SECONDS,
    Course,
    Sample,
    Timed,
    quarter,
    schedule,
)
from sidecar.bench.typist import Typist

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from sidecar.bench.routine import Round, Source
    from sidecar.bench.soak_account import Disturbance
    from sidecar.bench.typist import Key

__all__ = ["SoakPlan", "run_soak"]

#: Between two looks at the processes: a share of the run, within limits.
_LOOKS, _LOOK_LIMITS = 300, (0.5, 5.0)
#: Work that nobody waits for may go on for so long after the last key.
_QUIET_SECONDS = 60.0
#: Processes may take so long to end after their editor, besides the time that an engine waits.
_END_SECONDS = 15.0
#: After the kill of something that works, it is worked on for so long.
_MIDST_SECONDS = 0.05


@dataclass(frozen=True, slots=True)
class SoakPlan:
    """What is done.

    Args:
        root: A copy of a folder, to work in.
        files: Files in it.
        seconds: For how long.
        seed: Which lines.
        settings: The server's settings, under `sidecar`.
    """

    root: Path
    files: Sequence[Source]
    seconds: float
    seed: int = 5
    settings: dict[str, dict[str, Any]] = field(default_factory=dict)


async def run_soak(plan: SoakPlan, on_done: Callable[[int, int], None] | None = None) -> Course:
    """Work, disturb, and look.

    Args:
        plan: What is done.
        on_done: Called with the seconds that are over, and of how many.

    Raises:
        SidecarError: There is no model, or a server refuses.
    """
    soak = _Soak(plan)
    try:
        return await soak.run(on_done or (lambda _done, _total: None))
    finally:
        await soak.close()


class _Soak:
    def __init__(self, plan: SoakPlan) -> None:
        self._plan = plan
        self._course = Course(plan.seconds)
        self._editor = Editor(plan.settings, root=plan.root)
        self._typist = Typist(self._editor, plan.files, self._typed)
        self._started = 0.0
        #: Held while servers are ended or looked at.
        self._steady = asyncio.Lock()
        #: Which processes there are, by name, and all that there were.
        self._pids: dict[str, int] = {}
        self._lives: dict[Life, str] = {}
        self._disturbed: Disturbance | None = None

    async def run(self, on_done: Callable[[int, int], None]) -> Course:
        plan, course = self._plan, self._course
        await self._editor.start()
        fit = (await self._editor.status())["fit"]
        course.lanes, course.cells = fit["lanes"], fit["context_tokens"]
        for file in range(len(plan.files)):
            self._typist.open(file)
        self._started = perf_counter()
        looking = asyncio.create_task(self._look_now_and_then())
        due = schedule(plan.seconds)
        touring: Iterator[Round] | None = None
        visits: Iterator[Round] = iter(())
        now = -1
        while (at := self._now()) < plan.seconds:
            if looking.done():
                # It only ends when it fails.
                looking.result()
            if quarter(at, plan.seconds) != now:
                now = quarter(at, plan.seconds)
                # What the first quarter had no time for is left out.
                due = due if now == 0 else []
                visits = routine(plan.files, random.Random(f"{plan.seed}:{now % 2}"))
            if due and due[0].at <= at and self._recovered(at):
                async with self._steady:
                    await self._disturb(due.pop(0))
            if touring is None and not due:
                # Servers that stay from now on have been everywhere once before they are judged:
                # what they keep of each file would otherwise come bit by bit.
                touring = tour(plan.files, random.Random(plan.seed))
            visit = next(touring or iter(()), None) or next(visits)
            course.requests += len(visit.presses) + bool(visit.takes_back)
            await self._typist.play(visit)
            on_done(min(int(self._now()), int(plan.seconds)), int(plan.seconds))
        course.seconds = self._now()
        looking.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await looking
        course.samples.append(await self._look())
        course.quiet = await self._quiet()
        await self._editor.stop()
        course.left_over = await self._left_over()
        return course

    async def close(self) -> None:
        """End the server, whatever happened."""
        await self._editor.stop()

    def _recovered(self, now: float) -> bool:
        """Tell whether there was a suggestion since the last disturbance, or none will come."""
        last = self._disturbed
        return last is None or now - last.at > RECOVERY_SECONDS

    def _now(self) -> float:
        return perf_counter() - self._started

    def _typed(self, key: Key) -> None:
        stats = key.seen.stats
        if stats is None or key.seen.cancelled:
            return
        at = key.at - self._started
        if self._disturbed is not None and stats.generated:
            self._disturbed.recovery_s = self._now() - self._disturbed.at
            self._disturbed = None
        self._course.keys.append(Timed(at, key.seen.visible_ms, stats.one_token_ms))

    async def _disturb(self, one: Disturbance) -> None:
        """Do something to a server while it works."""
        self._course.disturbances.append(one)
        engine = (await self._editor.status())["engine"]["pid"]
        one.at = self._now()
        self._typist.ask()
        await asyncio.sleep(_MIDST_SECONDS)
        match one.kind:
            case "engine killed":
                if engine is not None:
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(engine, getattr(signal, "SIGKILL", signal.SIGTERM))
            case "engine restarted":
                await self._editor.restart_engine()
            case "front killed" | "front restarted":
                await self._editor.stop(kill=one.kind == "front killed")
                self._editor = Editor(self._plan.settings, root=self._plan.root)
                await self._editor.start()
                self._typist.move_to(self._editor)
        # Processes that are found to be others from now on were ended here, however soon it is
        # over: nobody may have looked meanwhile.
        self._pids.clear()
        self._disturbed = one

    async def _look_now_and_then(self) -> None:
        low, high = _LOOK_LIMITS
        pause = min(max(self._plan.seconds / _LOOKS, low), high)
        while True:
            await asyncio.sleep(pause)
            async with self._steady:
                self._course.samples.append(await self._look())

    async def _look(self) -> Sample:
        """Look at all processes, and note which there are."""
        status = await self._editor.status()
        engine = status["engine"]["process"] or {}
        pids = {
            "front": self._editor.pid,
            "engine": status["engine"]["pid"],
            "indexer": status["index"]["pid"],
        }
        found = {name: pid for name, pid in pids.items() if pid is not None}
        if self._disturbed is not None:
            # Where processes are found to be others, that is why.
            self._pids.clear()
        for name, pid in found.items():
            before = self._pids.get(name)
            if before not in (None, pid):
                self._course.died.append(f"the {name} ended by itself at {self._now():.0f} s")
            one = life(pid)
            if one is not None:
                self._lives[one] = name
        self._pids.update(found)
        prints = {name: await asyncio.to_thread(footprint, pid) for name, pid in found.items()}
        return Sample(
            at=self._now(),
            footprints={name: taken for name, taken in prints.items() if taken is not None},
            lanes=tuple(engine.get("lanes", ())) or (0,) * self._course.lanes,
            cells=engine.get("cells_used", 0),
            lost=engine.get("lanes_lost"),
            fronts=engine.get("fronts", 1),
            waiting=bool(engine.get("busy") or engine.get("waiting")),
        )

    async def _quiet(self) -> Sample | None:
        """Wait until the engine rests, and return how things stand then; None if it never does."""
        deadline = time.monotonic() + _QUIET_SECONDS
        while time.monotonic() < deadline:
            sample = await self._look()
            if not sample.waiting and sample.lost is not None:
                return sample
            await asyncio.sleep(0.2)
        return None

    async def _left_over(self) -> list[str]:
        """Wait for the end of all processes that there were, and name those that stay."""
        idle = self._plan.settings.get("engine", {}).get("idleSeconds", 300)
        deadline = time.monotonic() + idle + _END_SECONDS
        # They are not our children, and can only be asked for.
        while time.monotonic() < deadline and any(map(lives, self._lives)):  # noqa: ASYNC110
            await asyncio.sleep(0.2)
        return sorted({name for one, name in self._lives.items() if lives(one)})
