"""Removes what engines that ended long ago have left in the runtime directory.

Each model, setting and version has files of its own there, which nobody else would ever remove.
Must never touch a file whose lock another process holds, or whose name is not an engine's.
"""

from __future__ import annotations

import re
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from sidecar.engine.spec import Meeting
from sidecar.locks import FileLock

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["SECONDS_KEPT", "remove_leftovers"]

#: Somebody may still want to read the log of an engine that failed.
SECONDS_KEPT = 7 * 86400.0

_NAME = re.compile(r"([0-9a-f]{12})\.(?:life|start|log|sock)")


def remove_leftovers(own: Meeting) -> None:
    """Remove the files of other engines that have ended and were not touched for a week.

    Args:
        own: The meeting whose files stay, because its engine is about to serve.
    """
    groups: dict[str, list[Path]] = {}
    with suppress(OSError):
        for path in own.folder.iterdir():
            name = _NAME.fullmatch(path.name)
            if name is not None and name[1] != own.key:
                groups.setdefault(name[1], []).append(path)
    for key, paths in groups.items():
        # A file may vanish at any moment: other engines clean up as well.
        with suppress(OSError):
            if _is_old(paths):
                _remove(Meeting(own.folder, key), paths)


def _is_old(paths: list[Path]) -> bool:
    return time.time() - max(path.lstat().st_mtime for path in paths) > SECONDS_KEPT


def _remove(meeting: Meeting, paths: list[Path]) -> None:
    """Remove an engine's files while no front can start it and it cannot run."""
    with FileLock(meeting.start_lock) as start, FileLock(meeting.life_lock) as life:
        if not start.acquire() or not life.acquire():
            return
        # The locks last, and the one that fronts take first at the very end: until then nobody can
        # begin anew with files that we are about to remove.
        locks = (meeting.life_lock, meeting.start_lock)
        for path in (*(path for path in paths if path not in locks), *locks):
            path.unlink(missing_ok=True)
