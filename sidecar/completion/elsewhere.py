"""The server that completes instead of an engine on this machine, where the user named one.

Nothing is asked of it while it is to be left alone. May import `models`, and `remote`, whose
libraries are loaded only when there is a server to ask.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from sidecar.errors import EngineError
from sidecar.models.catalogue import load_catalogue
from sidecar.remote.breaker import Breaker

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from sidecar.engine.interface import EngineState
    from sidecar.remote.client import RemoteClient
    from sidecar.remote.spec import RemoteSpec
    from sidecar.telemetry import Metrics

__all__ = ["Elsewhere", "nowhere", "template_of_file"]

log = logging.getLogger(__name__)


async def nowhere() -> RemoteSpec | None:
    """Name no server: all is done on this machine."""
    return None


class Elsewhere:
    """Meets the server, and knows when to try again.

    Args:
        find: Returns the server that the user named, if any.
        metrics: Where meetings are counted.
    """

    def __init__(self, find: Callable[[], Awaitable[RemoteSpec | None]], metrics: Metrics) -> None:
        self.spec: RemoteSpec | None = None
        #: Why it does not serve now.
        self.reason = ""
        self._find = find
        self._metrics = metrics
        self._breaker = Breaker()

    @property
    def rest(self) -> float | None:
        """Seconds until it may be asked again, None where there is no server."""
        return None if self.spec is None else self._breaker.rest

    def reset(self) -> None:
        """Forget that it failed."""
        self._breaker = Breaker()

    async def look(self) -> RemoteSpec | None:
        """Return the server that the user named, if any.

        Raises:
            EngineError: The address is no good.
        """
        self.spec = await self._find()
        return self.spec

    async def meet(
        self, on_state: Callable[[RemoteClient, EngineState], None]
    ) -> RemoteClient | None:
        """Return a connection to the server if it can be used now.

        Args:
            on_state: Called with the client at each new state of it.
        """
        if self.spec is None or self._breaker.open:
            return None
        from sidecar.remote.client import RemoteClient

        client = RemoteClient(
            self.spec, lambda state: on_state(client, state), self._breaker, template_of_file
        )
        try:
            await client.start()
        except EngineError as error:
            self._metrics.count("remote.refused")
            self.lost(error)
            return None
        self._metrics.count("remote.met")
        return client

    def lost(self, error: EngineError) -> None:
        """Note why the server does not serve."""
        log.warning("the remote engine does not serve: %s", error)
        self.reason = error.what


def template_of_file(file: str) -> Mapping[str, str] | None:
    """Return the template of a model file that the catalogue knows."""
    entry = load_catalogue().by_file(file)
    return entry.template.texts() if entry is not None and entry.template else None
