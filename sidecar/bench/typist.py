"""Somebody at the keyboard of an editor: does what a routine says, and tells what was seen.

Keeps the texts of the open documents, so that the work goes on in another editor when a server was
killed. May import `errors` and this package.
"""

from __future__ import annotations

import asyncio
from itertools import takewhile
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple

from sidecar.bench.editor import columns
from sidecar.errors import SidecarError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sidecar.bench.editor import Editor, Pending, Seen
    from sidecar.bench.routine import Press, Round, Source

__all__ = ["Key", "Typist"]


class Key(NamedTuple):
    """One key that was answered.

    Args:
        at: `perf_counter` when it was pressed.
        first: Whether it was the first on its line.
        seen: What the editor saw.
    """

    at: float
    first: bool
    seen: Seen


class Typist:
    """Works in files with one editor at a time.

    Args:
        editor: Where to begin.
        files: The files.
        on_key: Called with each key that was answered.
        tells_cursor: Whether the editor tells where the cursor goes; many do not.
    """

    def __init__(
        self,
        editor: Editor,
        files: Sequence[Source],
        on_key: Callable[[Key], None],
        *,
        tells_cursor: bool = True,
    ) -> None:
        self._editor = editor
        self._tells_cursor = tells_cursor
        self._files = files
        self._on_key = on_key
        #: Lines of the documents that are open.
        self._open: dict[int, list[str]] = {}
        self._last = (0, 0)
        self._looked_at: int | None = None
        self._saves = 0
        #: Requests that were given up, until they are answered.
        self._given_up: set[asyncio.Task[Seen]] = set()

    def move_to(self, editor: Editor) -> None:
        """Go on in another editor, in which the same documents are opened."""
        self._editor = editor
        self._looked_at = None
        for file, lines in self._open.items():
            self._tell_open(file, lines)

    def open(self, file: int) -> None:
        """Open a file, if it is not open."""
        if file not in self._open:
            self._open[file] = list(self._files[file].lines)
            self._tell_open(file, self._open[file])

    async def play(self, visit: Round) -> None:
        """Visit a line, and leave it as it was.

        Raises:
            SidecarError: The server refused, or ended.
        """
        file, number = self._last = visit.file, visit.number
        self.open(file)
        original = self._open[file][number]
        if self._tells_cursor:
            self._go_to(file, number, original)
        await asyncio.sleep(visit.look)
        self._rewrite(file, number, original[: len(original) - len(original.lstrip())])
        seen: Seen | None = None
        before = ""
        for place, press in enumerate(visit.presses):
            seen = await self._press(file, number, press, first=place == 0)
            before = press.stroke.before
        if visit.takes_back:
            before = before[: -visit.takes_back]
            seen = await self._again(file, number, before)
        if visit.accepts and seen is not None and seen.text and "\n" not in seen.text:
            self._editor.accept(seen.identity)
            await self._again(file, number, before + seen.text)
        self._rewrite(file, number, original)
        if visit.saves:
            self._save(file)
        if visit.closes:
            self._editor.close(self._uri(file))
            del self._open[file]
        await self._answers()

    def ask(self) -> None:
        """Ask at the place that was visited last, and never look at the answer."""
        file, number = self._last
        lines = self._open.get(file)
        if lines is not None:
            self._editor.complete(self._uri(file), number, lines[number])

    async def _press(self, file: int, number: int, press: Press, *, first: bool) -> Seen | None:
        stroke = press.stroke
        whole = stroke.before + stroke.after
        start = columns(whole[: stroke.start])
        # What is typed over is the same character that stands there afterwards.
        removed = columns(whole[stroke.start : stroke.end])
        since = perf_counter()
        self._editor.change(self._uri(file), number, start, start + removed, stroke.text)
        self._open[file][number] = whole
        pending = self._editor.complete(self._uri(file), number, stroke.before)
        if not press.hasty:
            seen = await self._answered(pending, since, first=first)
            await asyncio.sleep(max(press.pause - seen.answered_ms / 1000.0, 0.0))
            return seen
        await asyncio.sleep(press.pause)
        self._editor.cancel(pending)
        self._given_up.add(asyncio.create_task(pending.seen(since)))
        return None

    async def _again(self, file: int, number: int, line: str) -> Seen:
        """Have a line end where the cursor is then, and ask."""
        since = perf_counter()
        self._rewrite(file, number, line)
        pending = self._editor.complete(self._uri(file), number, line)
        return await self._answered(pending, since, first=False)

    async def _answered(self, pending: Pending, since: float, *, first: bool) -> Seen:
        seen = await pending.seen(since)
        self._on_key(Key(since, first, seen))
        return seen

    async def _answers(self) -> None:
        """Wait for the answers to what was given up: each request has one."""
        given_up, self._given_up = self._given_up, set()
        await asyncio.gather(*given_up)

    def _rewrite(self, file: int, number: int, line: str) -> None:
        """Replace what is another text in a line."""
        old = self._open[file][number]
        if old == line:
            return
        pairs = zip(old, line, strict=False)
        kept = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
        start = columns(old[:kept])
        self._editor.change(self._uri(file), number, start, columns(old), line[kept:])
        self._open[file][number] = line

    def _save(self, file: int) -> None:
        """Write a file, which declares something else each time."""
        self._saves += 1
        source, lines = self._files[file], self._open[file]
        last = len(lines) - 1
        added = f"def soaked_{self._saves}(value): return value"
        if source.language == "python" and not source.lines[-1]:
            self._rewrite(file, last, added)
        try:
            source.path.write_text("\n".join(lines), "utf-8")
        except OSError as error:
            raise SidecarError(
                f"{source.path} cannot be written ({error.strerror})", "make room on the disk"
            ) from error
        self._editor.save(self._uri(file))

    def _go_to(self, file: int, number: int, before: str) -> None:
        """Put the cursor somewhere, maybe in another document than before."""
        place = (self._uri(file), number, columns(before))
        if file != self._looked_at:
            self._looked_at = file
            self._editor.focus(*place)
        self._editor.move(*place)

    def _tell_open(self, file: int, lines: Sequence[str]) -> None:
        self._editor.open(self._uri(file), self._files[file].language, "\n".join(lines))

    def _uri(self, file: int) -> str:
        return self._files[file].path.as_uri()
