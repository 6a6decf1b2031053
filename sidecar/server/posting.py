"""Tells `sidecar stats` of this front, for as long as it lives.

May import `telemetry`, `settings` and the session.
"""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING, Any

from sidecar import __version__
from sidecar.errors import SidecarError
from sidecar.settings.paths import runtime_dir
from sidecar.telemetry.posting import Poster

if TYPE_CHECKING:
    from sidecar.server.session import Session

__all__ = ["Posting"]

log = logging.getLogger(__name__)

_MOST_OF_A_NAME = 60


class Posting:
    """Keeps the file of one session.

    Args:
        session: The session.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._started = time.time()
        self._poster: Poster | None = None

    async def keep(self) -> None:
        """Tell what changes, until cancelled; where there is no private place for it, nothing."""
        try:
            folder = runtime_dir()
        except SidecarError as error:
            log.warning("`sidecar stats` will not see this process: %s", error)
            return
        self._poster = Poster(folder, self._session.metrics, self._facts)
        await self._poster.keep()

    def close(self) -> None:
        """Take away what was told."""
        if self._poster is not None:
            self._poster.close()

    def _facts(self) -> dict[str, Any]:
        session = self._session
        status = session.supervisor.status
        return {
            "version": __version__,
            "client": session.client.name[:_MOST_OF_A_NAME],
            "started": self._started,
            "documents": len(session.documents),
            "engine": {
                "phase": status.phase,
                "model": status.model,
                "pid": session.supervisor.pid,
            },
        }
