"""Shows how a download goes on standard error: a bar on a terminal, lines anywhere else.

May import rich, and `output` of this package.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Protocol, Self

from sidecar.cli.output import note

if TYPE_CHECKING:
    from types import TracebackType

    from rich.progress import Progress, TaskID

__all__ = ["BarReporter", "LineReporter", "reporter"]

#: What is being done, as the `Downloader` names it, in words.
_WORDS = {
    "hub": "downloading",
    "index": "downloading",
    "digest": "checking the digest",
}


class ReporterContext(Protocol):
    """A reporter that has to be ended."""

    def note(self, text: str) -> None:
        """Say something in one line."""

    def at(self, doing: str, done: int, total: int) -> None:
        """Show that `done` of `total` bytes are done."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None: ...


def reporter() -> ReporterContext:
    """Return the reporter that suits standard error."""
    return BarReporter() if sys.stderr.isatty() else LineReporter()


class LineReporter:
    """Writes a line at every tenth of what is being done."""

    def __init__(self) -> None:
        self._last: tuple[str, int] = ("", 0)

    def note(self, text: str) -> None:
        """Say something in one line."""
        note(text)

    def at(self, doing: str, done: int, total: int) -> None:
        """Write a line if another tenth is done; a digest is quick, and gets one line."""
        tenth = 10 * done // max(1, total)
        before, last = self._last
        if doing != before or (tenth > last and doing != "digest"):
            # A pull that goes on in the middle starts with the tenth that it finds.
            self._last = (doing, tenth)
            share = "" if doing == "digest" else f"{10 * tenth} % of "
            note(f"{_WORDS.get(doing, doing)}: {share}{total / 1e6:,.0f} MB")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        return None


class BarReporter:
    """Draws a bar with size, speed and the time left."""

    def __init__(self) -> None:
        self._progress: Progress | None = None
        self._tasks: dict[str, TaskID] = {}

    def note(self, text: str) -> None:
        """Say something in one line above the bar."""
        if self._progress is None:
            note(text)
        else:
            self._progress.console.print(text, markup=False, highlight=False, soft_wrap=True)

    def at(self, doing: str, done: int, total: int) -> None:
        """Move the bar."""
        progress = self._started()
        task = self._tasks.get(doing)
        if task is None:
            # Begun where the pull begins, or the speed would count what was there before.
            task = progress.add_task(_WORDS.get(doing, doing), total=total, completed=done)
            self._tasks[doing] = task
        progress.update(task, completed=done, total=total)

    def _started(self) -> Progress:
        if self._progress is None:
            from rich.console import Console
            from rich.progress import (
                BarColumn,
                DownloadColumn,
                Progress,
                TextColumn,
                TimeRemainingColumn,
                TransferSpeedColumn,
            )

            self._progress = Progress(
                TextColumn("{task.description}"),
                BarColumn(),
                DownloadColumn(),
                TransferSpeedColumn(),
                TimeRemainingColumn(),
                console=Console(stderr=True),
            )
            self._progress.start()
        return self._progress

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._progress is not None:
            self._progress.stop()
