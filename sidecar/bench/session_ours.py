"""An editor with `sidecar --stdio`, as it is driven by an extension: nothing is waited for.

Each key is told and asked for at once; the request before it is cancelled, as editors do. May
import `syntax`, `errors`, the engine's messages and this package.
"""

from __future__ import annotations

import asyncio
from statistics import median
from time import perf_counter
from typing import TYPE_CHECKING, Any

from sidecar.bench.cpu import cpu_seconds
from sidecar.bench.editor import Editor, columns
from sidecar.bench.session_play import Cost, Ghost
from sidecar.bench.session_waits import Waits
from sidecar.bench.statistics import mean, percentile_group
from sidecar.bench.typing import key_of
from sidecar.errors import SidecarError
from sidecar.syntax import Languages

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from sidecar.bench.editor import Pending
    from sidecar.bench.session_plan import Page
    from sidecar.bench.session_play import Edit
    from sidecar.bench.typing import Key
    from sidecar.engine.messages import Stats

__all__ = ["Ours"]

#: An engine that is busy may not answer at once.
_LOOKS = 20


class Ours:
    """A typist with a server of our own.

    Args:
        root: The folder that is open.
        settings: The user's settings, under `sidecar`.
        environment: Variables of the server's environment besides those of this process.
    """

    def __init__(
        self, root: Path, settings: Mapping[str, Any], environment: Mapping[str, str]
    ) -> None:
        self.waits = Waits()
        self._root = root
        self._editor = Editor(settings, root=root, environment=environment)
        self._languages = Languages.load()
        self._opened: set[str] = set()
        self._pending: Pending | None = None
        self._ghost: Ghost | None = None
        self._identity = ""
        self._tasks: set[asyncio.Task[None]] = set()
        self._answered: list[Key] = []
        self._failure: BaseException | None = None
        self._stats: Stats | None = None
        self._before: dict[str, Any] = {}

    async def __aenter__(self) -> Ours:
        await self._editor.start()
        try:
            await self._editor.until_indexed()
            self._before = await self._told()
        except BaseException:
            await self._editor.__aexit__()
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        for task in self._tasks:
            task.cancel()
        await self._editor.__aexit__()

    def show(self, page: Page) -> None:
        """Look at a file, which is opened if it was not."""
        uri = self._uri(page)
        if page.path not in self._opened:
            self._opened.add(page.path)
            language = self._languages.find("", page.path)
            name = language.ids[0] if language and language.ids else "plaintext"
            self._editor.open(uri, name, page.text)
        self._editor.focus(uri, page.line, columns(page.before))

    def move(self, page: Page) -> None:
        """Move the cursor without an edit."""
        self._ghost = None
        self._editor.move(self._uri(page), page.line, columns(page.before))

    def typed(self, page: Page, edit: Edit) -> None:
        """Tell of a key, and ask."""
        since = perf_counter()
        ghost = self._ghost
        self._ghost = ghost.typed_along(edit.text) if ghost and edit.text else None
        self._change(page, edit)
        self._ask(page, since)

    def accepted(self, page: Page, edit: Edit) -> None:
        """Tell that a suggestion was taken, and ask for what comes after it."""
        since = perf_counter()
        identity, self._ghost = self._identity, None
        self._change(page, edit)
        if identity:
            self._editor.accept(identity)
        self._ask(page, since)

    def ghost(self) -> Ghost | None:
        """Return what is on the screen."""
        if self._failure is not None:
            raise self._failure
        return self._ghost

    def leave(self, page: Page) -> None:
        """End typing here."""
        self.waits.left(perf_counter())
        self._ghost = None
        if self._pending is not None:
            self._editor.cancel(self._pending)
            self._pending = None

    def save(self, page: Page) -> None:
        """Write a file to the disk, and tell."""
        (self._root / page.path).write_text(page.text, "utf-8")
        self._editor.save(self._uri(page))

    def filled(self, page: Page, edit: Edit) -> None:
        """Tell of an edit, and do not ask."""
        self._change(page, edit)

    async def settled(self) -> Cost:
        """Wait until the last key is answered, and return what that cost."""
        while self._tasks:
            await asyncio.wait(self._tasks)
        if self._failure is not None:
            raise self._failure
        stats = self._stats
        if stats is None:
            return Cost(0, asked=False)
        return Cost(stats.evaluated, asked=stats.generated > 0)

    async def summary(self) -> dict[str, Any]:
        """Return the numbers of the session, in the contract's shape."""
        now, before = await self._told(), self._before
        evaluated = _less(now["evaluated"], before["evaluated"])
        not_held = _less(now["not_held"], before["not_held"])["interactive"]
        one_token = [key.one_token_ms for key in self._answered if key.one_token_ms > 0.0]
        keys = self.waits.keys
        cpu = None
        if now["cpu_s"] is not None and before["cpu_s"] is not None:
            cpu = now["cpu_s"] - before["cpu_s"]
        return {
            **self.waits.summary(),
            "one_token_ms": median(one_token) if one_token else None,
            "ttft_ms": percentile_group([key.ttft_ms for key in self._answered]),
            "share_zero_pass": mean([key.passes == 0 for key in self._answered]),
            "foreground_evaluated": evaluated["interactive"],
            "background_evaluated": evaluated["speculative"] + evaluated["warming"],
            "share_evaluated_le_3": 1.0 - not_held / keys if keys else 0.0,
            "cpu_s": cpu,
            "counters": _less(now["counters"], before["counters"]),
        }

    def _ask(self, page: Page, since: float) -> None:
        if self._pending is not None:
            self._editor.cancel(self._pending)
        self._identity = ""
        self.waits.key(since)

        def heard(text: str, at: float) -> None:
            if self._pending is pending:
                self._show(text, at)
                self.waits.visible(at)

        uri = self._uri(page)
        pending = self._pending = self._editor.complete(uri, page.line, page.before, heard)
        task = asyncio.create_task(self._answer(pending, since))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _answer(self, pending: Pending, since: float) -> None:
        try:
            seen = await pending.seen(since)
        except asyncio.CancelledError:
            raise
        except Exception as error:
            self._failure = error
            return
        if seen.cancelled:
            return
        self._stats = seen.stats
        if seen.stats is not None:
            self._answered.append(key_of(seen, first=False))
        if self._pending is not pending:
            return
        self._pending = None
        if seen.stats is None and not seen.text:
            self.waits.refuse()
            return
        at = since + seen.answered_ms / 1000.0
        self._identity = seen.identity
        self._show(seen.text, at)
        self.waits.whole(at)

    def _show(self, text: str, at: float) -> None:
        if not text:
            self._ghost = None
            return
        ghost = self._ghost
        # What was on the screen and only grows has been read as far as it went.
        goes_on = ghost is not None and text.startswith(ghost.text)
        self._ghost = Ghost(text, ghost.since if ghost is not None and goes_on else at)

    def _change(self, page: Page, edit: Edit) -> None:
        self._editor.change(self._uri(page), edit.line, edit.start, edit.end, edit.text)

    def _uri(self, page: Page) -> str:
        return (self._root / page.path).as_uri()

    async def _told(self) -> dict[str, Any]:
        for _ in range(_LOOKS):
            engine = (await self._editor.status())["engine"]
            process = engine["process"]
            if process is not None:
                break
        else:
            raise SidecarError("the engine does not tell what it did", "run `sidecar doctor`")
        return {
            "evaluated": process["evaluated"],
            "not_held": process["not_held"],
            "counters": (await self._editor.stats())["counters"],
            "cpu_s": cpu_seconds(self._editor.pid, engine["pid"]),
        }


def _less(now: Mapping[str, int], before: Mapping[str, int]) -> dict[str, int]:
    return {name: number - before.get(name, 0) for name, number in now.items()}
