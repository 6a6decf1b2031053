"""An editor with the best local plugin for llama-server, driven as `facts` tell of it.

One question is under way at a time, and is not given up; while it is, a key is tried again every
tenth of a second. What is shown is followed by a question as if it were taken. Chunks of other code
go into a ring while nobody types, each with a question that has it evaluated. Never talks to
another machine. May import `errors` and this package.
"""

from __future__ import annotations

import asyncio
import random
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final

from sidecar.bench.cpu import cpu_seconds, listener
from sidecar.bench.peer import Peer, loopback_address
from sidecar.bench.plugin import Answers, Local, Ring, local_context, shown
from sidecar.bench.session_play import Cost, Ghost
from sidecar.bench.session_waits import Waits
from sidecar.bench.statistics import mean, percentile_group
from sidecar.errors import SidecarError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sidecar.bench.session_plan import Page
    from sidecar.bench.session_play import Edit

__all__ = ["Theirs"]

_RETRY_SECONDS: Final = 0.1
_RING_SECONDS: Final = 1.0
_IDLE_SECONDS: Final = 3.0
_ENTER_SECONDS: Final = 0.1
_LOOK_SECONDS: Final = 0.005
#: Milliseconds of generation for a key, and for what is asked as if a suggestion were taken.
_FIRST_MS: Final = 250
_NEXT_MS: Final = 1000
#: A cursor that moved by more lines than this has code around it that is worth a chunk.
_FAR_LINES: Final = 32
_SCOPE_LINES: Final = 1024
_BEFORE_LINES: Final = 256
_AFTER_LINES: Final = 64
#: Nothing is asked by itself with more characters behind the cursor.
_MOST_BEHIND: Final = 8
#: A key that evaluates no more costs what was typed.
_FEW_TOKENS: Final = 3

_COMMON: dict[str, Any] = {"stream": False, "cache_prompt": True, "id_slot": 0}
_ASKED: dict[str, Any] = {
    **_COMMON,
    "n_predict": 128,
    "top_k": 40,
    "top_p": 0.99,
    "samplers": ["top_k", "top_p", "infill"],
    "t_max_prompt_ms": 500,
}
_WARMED: dict[str, Any] = {
    **_COMMON,
    "input_prefix": "",
    "input_suffix": "",
    "prompt": "",
    "n_predict": 0,
    "temperature": 0.0,
    "samplers": [],
    "t_max_prompt_ms": 1,
    "t_max_predict_ms": 1,
}


class Theirs:
    """A typist with the plugin.

    Args:
        url: Where llama-server listens.
        seed: Of what the plugin draws.
    """

    def __init__(self, url: str, seed: int) -> None:
        self.waits = Waits()
        self.evaluated: list[int] = []
        self._url = url
        self._peer = Peer(url)
        # What warms has a connection of its own, as each of the plugin's questions has.
        self._warmer = Peer(url)
        self._answers = Answers()
        self._ring = Ring(random.Random(seed))
        self._page: Page | None = None
        self._ghost: Ghost | None = None
        self._indent = 0
        self._typing = False
        self._busy = False
        self._picked = -9999
        self._moved = perf_counter()
        self._retry: asyncio.TimerHandle | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._failure: BaseException | None = None
        self._cpu: float | None = None
        self._background = 0
        self._known = 0
        self._more = 0

    async def __aenter__(self) -> Theirs:
        self._peer.model()
        self._cpu = self._cpu_seconds()
        self._spawn(self._update_ring())
        return self

    async def __aexit__(self, *_: object) -> None:
        self._stop_retry()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._peer.close()
        self._warmer.close()

    def show(self, page: Page) -> None:
        """Look at a file."""
        if self._page is not None:
            self._ring.pick_around(self._page)
        self._page = page
        loop = asyncio.get_running_loop()
        loop.call_later(_ENTER_SECONDS, self._ring.pick_around, page)
        self.move(page)

    def move(self, page: Page) -> None:
        """Move the cursor without an edit."""
        self._page, self._moved, self._ghost = page, perf_counter(), None

    def typed(self, page: Page, edit: Edit) -> None:
        """Show what is known, and ask."""
        since = perf_counter()
        self._typing = True
        self.waits.key(since)
        ghost = self._ghost
        self.move(page)
        along = ghost.typed_along(edit.text) if ghost and edit.text else None
        if not self._hint(page, along.since if along else None):
            self._ask(page)

    def accepted(self, page: Page, edit: Edit) -> None:
        """Take in that a suggestion was taken."""
        self.typed(page, edit)

    def ghost(self) -> Ghost | None:
        """Return what is on the screen."""
        if self._failure is not None:
            raise self._failure
        return self._ghost

    def leave(self, page: Page) -> None:
        """End typing here."""
        self.waits.left(perf_counter())
        self._typing, self._ghost = False, None
        self._stop_retry()

    def save(self, page: Page) -> None:
        """Take a chunk of a file that is saved."""
        self._ring.pick_around(page)

    def filled(self, page: Page, edit: Edit) -> None:
        """Take in an edit that nothing is asked for."""

    async def settled(self) -> Cost:
        """Wait until nothing is asked or about to be, and return what the last key cost."""
        while True:
            if not self._busy and self._retry is None:
                break
            await asyncio.sleep(_LOOK_SECONDS)
        if self._failure is not None:
            raise self._failure
        evaluated = self.evaluated[self._known :]
        self._known = len(self.evaluated)
        return Cost(sum(evaluated), asked=bool(evaluated))

    async def summary(self) -> dict[str, Any]:
        """Return the numbers of the session, in the contract's shape."""
        # It does not give up what it was asked, so that is part of what the session costs.
        await self.settled()
        cpu = self._cpu_seconds()
        keys = self.waits.keys
        waits = self.waits.summary()
        return {
            **waits,
            # Nothing of an answer is shown before all of it.
            "ttft_ms": waits["visible_ms"],
            "share_zero_pass": 1.0 - len(self.evaluated) / keys if keys else 0.0,
            "foreground_evaluated": sum(self.evaluated),
            "background_evaluated": self._background,
            "share_evaluated_le_3": 1.0 - self._more / keys if keys else 0.0,
            "evaluated": percentile_group(self.evaluated),
            "evaluated_per_request": mean(self.evaluated),
            "cpu_s": None if cpu is None or self._cpu is None else cpu - self._cpu,
        }

    def _ask(self, page: Page, accepted: Sequence[str] = ()) -> None:
        self._stop_retry()
        if self._busy:
            loop = asyncio.get_running_loop()
            self._retry = loop.call_later(_RETRY_SECONDS, self._again, page, tuple(accepted))
            return
        local = local_context(page, accepted, self._indent)
        if len(page.lines[page.line]) - page.column > _MOST_BEHIND or self._answers.has(local):
            return
        self._indent = local.indent
        body = {
            "input_prefix": local.prefix,
            "prompt": local.middle,
            "input_suffix": local.suffix,
            "input_extra": self._ring.extra(),
            "n_indent": local.indent,
            "t_max_predict_ms": _NEXT_MS if accepted else _FIRST_MS,
            **_ASKED,
        }
        self._busy = True
        self._spawn(self._answer(local, body, guessed=bool(accepted)))
        if abs(page.line - self._picked) > _FAR_LINES:
            far = max(page.line - _BEFORE_LINES, 0)
            self._ring.pick(page.lines[max(page.line - _SCOPE_LINES, 0) : far])
            below = page.line + _AFTER_LINES
            self._ring.pick(page.lines[below : below + _AFTER_LINES])
            self._picked = page.line

    def _again(self, page: Page, accepted: Sequence[str]) -> None:
        self._retry = None
        if page is self._page:
            self._ask(page, accepted)

    async def _answer(self, local: Local, body: dict[str, Any], *, guessed: bool) -> None:
        try:
            answer = await asyncio.to_thread(self._peer.fill, body)
        except SidecarError as error:
            # Before it looks as if all were answered.
            self._failure = error
            return
        finally:
            self._busy = False
        evaluated = answer["timings"]["prompt_n"]
        if guessed:
            self._background += evaluated
        else:
            self.evaluated.append(evaluated)
            self._more += evaluated > _FEW_TOKENS
        self._answers.add(local, answer["content"])
        if self._ghost is None and self._page is not None and self._typing:
            self._hint(self._page)

    def _hint(self, page: Page, since: float | None = None) -> bool:
        """Show what is known for the text as it stands, and ask for what may come after it.

        Returns:
            Whether anything is known.
        """
        known = self._answers.find(local_context(page))
        if known is None:
            return False
        found = shown(page, known)
        now = perf_counter()
        self.waits.whole(now)
        if found.text:
            self._ghost = Ghost(found.text, now if since is None else since)
            self._ask(page, found.lines)
        return True

    async def _update_ring(self) -> None:
        while True:
            await asyncio.sleep(_RING_SECONDS)
            if self._typing and perf_counter() - self._moved < _IDLE_SECONDS:
                continue
            if self._ring.update():
                body = {**_WARMED, "input_extra": self._ring.extra()}
                answer = await asyncio.to_thread(self._warmer.fill, body)
                self._background += answer.get("timings", {}).get("prompt_n", 0)

    def _stop_retry(self) -> None:
        if self._retry is not None:
            self._retry.cancel()
            self._retry = None

    def _spawn(self, work: Any) -> None:
        task: asyncio.Task[None] = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            self._failure = task.exception()

    def _cpu_seconds(self) -> float | None:
        process = listener(loopback_address(self._url)[1])
        return None if process is None else cpu_seconds(process)
