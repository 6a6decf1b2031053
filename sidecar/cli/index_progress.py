"""Shows on a terminal how indexing goes: a bar with files and their rate.

May import rich.
"""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from types import TracebackType

    from rich.progress import Progress, TaskID

__all__ = ["IndexProgress"]

_WORDS = {"walking": "looking for files", "checking": "comparing files", "indexing": "indexing"}
#: What is over sooner is not worth a bar that comes and goes.
_SHOWN_SECONDS = 0.3


class IndexProgress:
    """A bar on standard error."""

    def __init__(self) -> None:
        self._progress: Progress | None = None
        self._task: TaskID | None = None
        self._phase = ""
        self._since = perf_counter()
        self._begun = self._since

    def at(self, phase: str, done: int, total: int) -> None:
        """Move the bar."""
        now = perf_counter()
        if now - self._begun < _SHOWN_SECONDS or phase not in _WORDS:
            return
        progress = self._started()
        if phase != self._phase or self._task is None:
            if self._task is not None:
                progress.remove_task(self._task)
            self._phase, self._since = phase, now
            self._task = progress.add_task(_WORDS[phase], total=total or None, rate="")
        rate = done / (now - self._since) if now > self._since else 0.0
        progress.update(
            self._task, completed=done, total=total or None, rate=f"{rate:,.0f} files/s"
        )

    def _started(self) -> Progress:
        if self._progress is None:
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

            self._progress = Progress(
                TextColumn("{task.description}"),
                BarColumn(),
                MofNCompleteColumn(),
                TextColumn("{task.fields[rate]}"),
                console=Console(stderr=True),
                transient=True,
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
