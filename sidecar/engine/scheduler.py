"""Which request the one inference thread runs next, and how running ones are stopped.

Interactive work outranks speculative work, which outranks warming; within a rank the oldest goes
first, but short prompts are warmed before long ones, and warming that starves has a turn. The
newest request of a document cancels the older ones. A request of higher rank preempts a running one
at its next chunk or token; the preempted one starts again later and finds its finished chunks in
the lane. A chunk that who comes needs as well is finished before. Knows nothing of sockets.
"""

from __future__ import annotations

import threading
import traceback
from dataclasses import replace
from time import perf_counter
from typing import TYPE_CHECKING, Protocol

from sidecar.engine.job import RANKS, TURN_SECONDS, Job
from sidecar.engine.messages import Completion, Stats
from sidecar.errors import EngineError, SidecarError

if TYPE_CHECKING:
    from collections.abc import Callable

    from sidecar.engine.messages import Priority, Request

__all__ = ["Runner", "Scheduler"]

#: Seconds without work after which the runner may tidy up, and what it may do in no time before:
#: who types for long makes pauses of some seconds, hardly any of half a minute.
REST_SECONDS, PAUSE_SECONDS = 30.0, 2.0

#: Who gives a request up because a key was pressed asks again within this.
GRACE_SECONDS = 0.03
#: Turns of who starves take this share of the time at most: a prompt of 4,000 tokens ends within
#: minutes then though two people type without a rest, and few keys meet a turn.
TURNS_SHARE = 0.15
#: A key costs so many tokens at most, where the lane holds what stands before it.
FEW_TOKENS = 3


class Runner(Protocol):
    """What the inference thread drives: a loaded model."""

    def run(
        self,
        request: Request,
        arrived: float,
        stopped: Callable[[], bool],
        on_text: Callable[[str], None],
    ) -> Completion:
        """Complete one request."""
        ...

    def pause(self) -> None:
        """Tidy up what takes no time: called once nobody has asked for a moment."""
        ...

    def rest(self, stopped: Callable[[], bool]) -> None:
        """Tidy up: called now and then while there is nothing to do, until there is."""
        ...

    def end(self) -> None:
        """Tidy up for good."""
        ...

    def interrupt(self) -> None:
        """Stop the running decode."""
        ...

    def clear_interrupt(self) -> None:
        """Allow decoding again."""
        ...


class Scheduler:
    """Queue and inference thread of one engine.

    Args:
        load: Called first on the inference thread; returns the runner. Its errors go to
            `on_loaded`.
        on_loaded: Called on the inference thread with the runner or the error.
    """

    def __init__(
        self,
        load: Callable[[], Runner],
        on_loaded: Callable[[Runner | BaseException], None],
    ) -> None:
        self._load = load
        self._on_loaded = on_loaded
        self._wake = threading.Condition()
        self._waiting: list[Job] = []
        self._running: Job | None = None
        self._runner: Runner | None = None
        self._tickets = 0
        #: How often a job was interrupted for a more urgent one.
        self.preempted = 0
        self._closed = False
        self._had_turn = False
        #: From when on somebody may have a turn again.
        self._next_turn = 0.0
        #: Prompt tokens evaluated, and requests for which more than a few were, by rank.
        self._evaluated = dict.fromkeys(RANKS, 0)
        self._not_held = dict.fromkeys(RANKS, 0)
        self._thread = threading.Thread(target=self._work, name="inference", daemon=True)

    def start(self) -> None:
        """Start the inference thread, which loads the model first."""
        self._thread.start()

    def submit(self, job: Job) -> None:
        """Queue a job, cancelling older ones of the same document and owner."""
        with self._wake:
            ended = [old for old in self._waiting if job.is_newer_of(old)]
            for old in ended:
                self._waiting.remove(old)
            self._tickets += 1
            job.ticket = self._tickets
            self._waiting.append(job)
            running = self._running
            if running is not None and job.is_newer_of(running):
                running.cancelled = True
            self._make_way(job)
            self._wake.notify()
        for old in ended:
            old.on_done(_cancelled())

    def waited(self, owner: object, document: str) -> None:
        """Take in that somebody waits for what was begun for a document before they asked.

        It goes behind what others wait for already.

        Args:
            owner: Stands for the connection.
            document: Key of the document.
        """
        with self._wake:
            for job in (*self._waiting, *filter(None, [self._running])):
                mine = job.owner is owner and job.request.document == document
                if mine and job.rank and not job.cancelled:
                    self._tickets += 1
                    job.waited, job.ticket = True, self._tickets
                    if job is not self._running:
                        self._make_way(job)

    def _make_way(self, job: Job) -> None:
        """Stop what runs, if it was cancelled, or a job goes before it."""
        running = self._running
        if running is None:
            return
        if not running.cancelled and job.order() < running.order():
            running.preempted = True
            self.preempted += 1
        if running.cancelled or (running.stopped() and not running.turn_ends):
            # A turn ends with the pass that is under way: else one whose passes take longer would
            # never get on.
            self._interrupt_unless_needed(running)

    def cancel(self, job: Job) -> None:
        """Cancel a job: at once when it waits, at the next chunk or token when it runs."""
        with self._wake:
            waits = job in self._waiting
            if waits:
                self._waiting.remove(job)
            elif job is self._running:
                job.cancelled = True
                if job.spoke or job.request.priority != "interactive":
                    self._interrupt()
                else:
                    self._interrupt_in_a_moment(job)
        if waits:
            job.on_done(_cancelled())

    def account(self) -> dict[str, dict[Priority, int]]:
        """Tell what was evaluated so far: tokens, and requests that needed more than a few."""
        with self._wake:
            return {"evaluated": dict(self._evaluated), "not_held": dict(self._not_held)}

    def status(self) -> dict[str, int | bool]:
        """Tell whether the inference thread works, and how many jobs wait."""
        with self._wake:
            return {"busy": self._running is not None, "waiting": len(self._waiting)}

    def queue(self) -> dict[Priority, int]:
        """Tell how many jobs of each rank wait."""
        with self._wake:
            waiting = [job.request.priority for job in self._waiting]
        return {priority: waiting.count(priority) for priority in RANKS}

    def at_rest(self, look: Callable[[], int]) -> int | None:
        """Look at what the inference thread owns while it rests; None if it works."""
        with self._wake:
            # With the lock held, nothing can begin meanwhile.
            return look() if self._runner is not None and self._running is None else None

    def close(self) -> None:
        """Stop the running job and end the thread."""
        with self._wake:
            self._closed = True
            if self._running is not None:
                self._stop(self._running)
            self._wake.notify()
        self._thread.join()

    def _stop(self, job: Job) -> None:
        job.cancelled = True
        self._interrupt()

    def _interrupt_in_a_moment(self, job: Job) -> None:
        def due() -> None:
            with self._wake:
                if self._running is job:
                    self._interrupt_unless_needed(job)

        timer = threading.Timer(GRACE_SECONDS, due)
        timer.daemon = True
        timer.start()

    def _interrupt_unless_needed(self, running: Job) -> None:
        """Stop a chunk, unless it is of a prompt that somebody waits for as well.

        Where keys come faster than chunks end, nothing of a prompt would ever be finished.
        """
        if not any(job.goes_on_with(running) for job in self._waiting):
            self._interrupt()

    def _interrupt(self) -> None:
        if self._runner is not None:
            self._runner.interrupt()

    def _work(self) -> None:
        try:
            runner = self._load()
        except BaseException as error:
            self._on_loaded(error)
            return
        with self._wake:
            self._runner = runner
        self._on_loaded(runner)
        while (job := self._next(runner)) is not None:
            self._run(runner, job)
        self._tidied(runner.end)

    def _next(self, runner: Runner) -> Job | None:
        paused = False
        while True:
            with self._wake:
                seconds = REST_SECONDS if paused else PAUSE_SECONDS
                wanted = self._wake.wait_for(self._wanted, seconds)
                if self._closed:
                    return None
                if wanted:
                    job = self._chosen()
                    self._waiting.remove(job)
                    self._running = job
                    # Under the lock: an interrupt for this job can only come after it is seen to
                    # run.
                    runner.clear_interrupt()
                    return job
            # Without the lock: it may write for a while, and whoever asks meanwhile must be heard.
            self._tidied((lambda: runner.rest(self._wanted)) if paused else runner.pause)
            paused = True

    def _chosen(self) -> Job:
        """Return the job whose turn it is."""
        now = perf_counter()
        first = min(self._waiting, key=Job.order)
        # Where one got nowhere, and in no time, a key comes before the next turn all the same.
        rests = now < self._next_turn or (self._had_turn and first.request.priority != "warming")
        starving = [] if rests else [job for job in self._waiting if job.starves(now)]
        job = min(starving, key=lambda one: one.ticket) if starving else first
        self._had_turn = job.preempted = job is not first
        job.turn_ends = now + TURN_SECONDS if job.preempted else 0.0
        return job

    def _wanted(self) -> bool:
        return bool(self._waiting) or self._closed

    def _tidied(self, tidy: Callable[[], None]) -> None:
        try:
            tidy()
        except Exception:
            # What is not tidy costs memory or a cold prompt, never the thread.
            traceback.print_exc()

    def _run(self, runner: Runner, job: Job) -> None:
        result: Completion | SidecarError
        before, started = job.evaluated, perf_counter()

        def on_text(text: str) -> None:
            job.spoke = True
            job.on_text(text)

        try:
            result = runner.run(job.request, job.arrived, job.stopped, on_text)
        except SidecarError as error:
            result = error
        except Exception as error:
            # The thread must outlive a defect; the trace holds our code, never the user's.
            traceback.print_exc()
            result = EngineError(
                f"the engine failed on a request ({type(error).__name__})", "see the engine's log"
            )
        if isinstance(result, Completion):
            if not before:
                # What it finds later is what it has evaluated.
                job.reused = result.stats.reused
            job.evaluated += result.stats.evaluated
            stats = replace(result.stats, evaluated=job.evaluated, reused=job.reused)
            result = replace(result, stats=stats)
        with self._wake:
            self._running = None
            if job.turn_ends:
                now = perf_counter()
                self._next_turn = now + (now - started) * (1.0 / TURNS_SHARE - 1.0)
            if isinstance(result, Completion):
                if job.evaluated > before:
                    job.got_on = perf_counter()
                self._evaluated[job.request.priority] += job.evaluated - before
                if before <= FEW_TOKENS < job.evaluated:
                    self._not_held[job.request.priority] += 1
            unfinished = isinstance(result, Completion) and result.stats.stop == "cancelled"
            again = unfinished and job.preempted and not job.cancelled and not self._closed
            if again:
                self._waiting.append(job)
        if not again:
            job.on_done(result)


def _cancelled() -> Completion:
    return Completion(text="", stats=Stats(stop="cancelled"))
