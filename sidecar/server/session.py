"""What every feature works with: the collaborators of one client's session.

Values and references only; `app.py` puts them together. May import everything of `server` but
`app.py` and `features`.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sidecar.completion.outcome import Outcome
    from sidecar.completion.service import CompletionService
    from sidecar.completion.supervisor import Supervisor
    from sidecar.completion.warming import Warming
    from sidecar.server.configuration import Configuration
    from sidecar.server.documents import Documents
    from sidecar.server.handshake import Client
    from sidecar.server.indexing import Indexing
    from sidecar.server.notebooks import Notebooks
    from sidecar.server.noting import Notes
    from sidecar.server.outbound import Outbound
    from sidecar.server.workspaces import Workspaces
    from sidecar.telemetry import Metrics
    from sidecar.text import Document

__all__ = ["Offered", "Session"]

#: Offered items that feedback may still come for.
_OFFERED = 64


@dataclass(frozen=True, slots=True)
class Offered:
    """A suggestion that the client has, and where it was made."""

    uri: str
    version: int
    characters: int


@dataclass(slots=True)
class Session:
    """One client's session.

    Args:
        client: What the client told about itself.
        documents: The open documents, those made of notebooks included.
        notebooks: The open notebooks, and which document a name stands for.
        configuration: The settings in force.
        supervisor: Keeps the engine.
        service: Completes.
        warming: Evaluates prompts before somebody asks.
        indexing: Keeps the indexes of the open folders.
        workspaces: Knows the files around documents, and what was done in them.
        outbound: The way to the client.
        metrics: Counters of this front.
        notes: What a recording of the session has to tell.
    """

    client: Client
    documents: Documents
    notebooks: Notebooks
    configuration: Configuration
    supervisor: Supervisor
    service: CompletionService
    warming: Warming
    indexing: Indexing
    workspaces: Workspaces
    outbound: Outbound
    metrics: Metrics
    notes: Notes
    offered: OrderedDict[str, Offered] = field(default_factory=OrderedDict)
    last: dict[str, tuple[Document, int, Outcome]] = field(default_factory=dict)
    _numbers: int = 0

    def remember(self, offered: Offered) -> str:
        """Keep what was offered until feedback comes, and return its identity."""
        self._numbers += 1
        identity = str(self._numbers)
        self.offered[identity] = offered
        while len(self.offered) > _OFFERED:
            self.offered.popitem(last=False)
        return identity

    def answered(self, document: Document, offset: int, outcome: Outcome) -> None:
        """Keep what a request came to, unless its document was closed meanwhile."""
        if self.documents.get(document.uri) is not None:
            self.last[document.uri] = (document, offset, outcome)

    def forget(self, uri: str) -> None:
        """Drop everything about a document that was closed."""
        self.service.forget(uri)
        self.warming.forget(uri)
        self.workspaces.closed(uri)
        self.last.pop(uri, None)
