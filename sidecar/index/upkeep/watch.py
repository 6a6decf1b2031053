"""Watches directories where the editor does not report file events itself.

On Linux every watched directory costs a thread and one of the user's inotify watches, so only
those used last are watched, without what lies below them; elsewhere one watch holds the whole
tree. What is missed is found by a sweep. Must never tell what happened to a path, only that
something did; runs `report` on threads of its own. May import watchdog.
"""

from __future__ import annotations

import errno
import logging
import os
import sys
from collections import OrderedDict
from queue import SimpleQueue
from typing import TYPE_CHECKING

from watchdog.events import (
    DirCreatedEvent,
    DirDeletedEvent,
    DirMovedEvent,
    FileClosedEvent,
    FileCreatedEvent,
    FileDeletedEvent,
    FileModifiedEvent,
    FileMovedEvent,
    FileSystemEvent,
    FileSystemEventHandler,
)
from watchdog.observers import Observer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from watchdog.observers.api import BaseObserver, ObservedWatch

__all__ = ["LIMIT", "Watcher"]

log = logging.getLogger(__name__)

#: Most directories watched one by one.
LIMIT = 200

#: Where the system tells when a file that was written is closed, what happens before is of no
#: use: each event wakes two threads.
_EVENTS: list[type[FileSystemEvent]] = [
    DirCreatedEvent,
    DirDeletedEvent,
    DirMovedEvent,
    FileCreatedEvent,
    FileDeletedEvent,
    FileMovedEvent,
    FileClosedEvent if sys.platform.startswith("linux") else FileModifiedEvent,
]

#: inotify says these for its own limits, which are no lack of space and no open files.
_REASONS = {
    errno.ENOSPC: "the limit of inotify watches is reached",
    errno.EMFILE: "the limit of inotify instances is reached",
}


class Watcher:
    """The watches of one root.

    Args:
        root: Absolute path of the root.
        report: Called with absolute paths at which something happened, on a thread of the watcher.
        limit: Most directories watched one by one.
        recursive: Whether one watch holds the whole tree; by default where the system can do that.
    """

    def __init__(
        self,
        root: str,
        report: Callable[[list[str]], None],
        limit: int = LIMIT,
        recursive: bool = not sys.platform.startswith("linux"),
    ) -> None:
        self._root = root
        self._limit = limit
        self._recursive = recursive
        self._watches: OrderedDict[str, ObservedWatch] = OrderedDict()
        self._handler = _Handler(report)
        #: What the user should know: why changes may be seen late.
        self.notice = ""
        self._observer: BaseObserver | None = None
        try:
            self._observer = Observer()
            self._observer.start()
        except (OSError, RuntimeError) as error:
            self._refused(error)
        if recursive:
            self._watch(root)

    @property
    def directories(self) -> list[str]:
        """The directories watched, the one used last at the end."""
        return list(self._watches)

    def use(self, directories: Iterable[str]) -> list[str]:
        """Watch these directories, giving up those that were used longest ago.

        Args:
            directories: Absolute paths, the most important one first.

        Returns:
            Those that were not watched before: what happened in them was not told.
        """
        if self._recursive:
            return []
        self._forget_removed()
        wanted = list(dict.fromkeys(directories))[: self._limit]
        fresh = [directory for directory in wanted if directory not in self._watches]
        for directory in reversed(wanted):
            if directory in self._watches:
                self._watches.move_to_end(directory)
            else:
                self._watch(directory)
        while len(self._watches) > self._limit:
            self._unwatch(self._watches.popitem(last=False)[1])
        return [directory for directory in fresh if directory in self._watches]

    def close(self) -> None:
        """End all watches and their threads."""
        if self._observer is not None and self._observer.is_alive():
            self._observer.stop()
            self._observer.join()

    def _watch(self, directory: str) -> None:
        if self._observer is None or self.notice:
            return
        try:
            self._watches[directory] = self._observer.schedule(
                self._handler, directory, recursive=self._recursive, event_filter=_EVENTS
            )
        except (FileNotFoundError, NotADirectoryError, PermissionError):
            # It went away meanwhile, or cannot be read: nothing to see.
            return
        except (OSError, RuntimeError) as error:
            self._refused(error)

    def _unwatch(self, watch: ObservedWatch | None) -> None:
        if self._observer is not None and watch is not None:
            self._observer.unschedule(watch)

    def _forget_removed(self) -> None:
        while not self._handler.removed.empty():
            self._unwatch(self._watches.pop(self._handler.removed.get(), None))

    def _refused(self, error: OSError | RuntimeError) -> None:
        """Note that the user's watches or instances are used up, or that no thread can start."""
        number = error.errno if isinstance(error, OSError) else None
        reason = _REASONS.get(number or 0) or (os.strerror(number) if number else "no more threads")
        log.warning("directories cannot be watched: %s", reason)
        self.notice = (
            f"the system allows no more watched directories ({reason}); "
            "changes outside the editor are found by a sweep"
        )


class _Handler(FileSystemEventHandler):
    """Turns watchdog's events into names."""

    def __init__(self, report: Callable[[list[str]], None]) -> None:
        self._report = report
        #: Directories that were removed: a watch on one sees nothing of a new one of that name.
        self.removed: SimpleQueue[str] = SimpleQueue()

    def on_any_event(self, event: FileSystemEvent) -> None:
        """Report the one or two paths of an event."""
        paths = [os.fsdecode(path) for path in (event.src_path, event.dest_path) if path]
        if isinstance(event, DirDeletedEvent | DirMovedEvent):
            self.removed.put(paths[0])
        self._report(paths)
