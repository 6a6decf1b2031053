"""Ends the front when the editor that started it is gone without saying so.

The end of standard input says it too, but not when another process holds the pipe's other end.
May import the standard library.
"""

from __future__ import annotations

import asyncio
import os

__all__ = ["wait_until_gone"]

SECONDS_BETWEEN_LOOKS = 2.0


async def wait_until_gone(process_id: int | None) -> None:
    """Return when the process has ended; never, if it cannot be watched.

    A process that is not there at the beginning belongs to another machine or container, and its
    number says nothing here. On Windows there is no harmless way to ask: standard input must do.
    """
    if process_id is None or os.name != "posix" or not _exists(process_id):
        await asyncio.Event().wait()
        return
    # A process that is not our child can only be asked for.
    while _exists(process_id):  # noqa: ASYNC110
        await asyncio.sleep(SECONDS_BETWEEN_LOOKS)


def _exists(process_id: int) -> bool:
    try:
        os.kill(process_id, 0)
    except ProcessLookupError:
        return False
    except OSError:
        # It exists and is somebody else's.
        return True
    return True
