"""The messages that LSP does not have, or has with fewer fields than clients send.

pygls drops fields that its types do not declare, and turns the parameters of methods that it does
not know into named tuples; so these are declared here, and `protocol.py` puts them in their place.
May import lsprotocol and attrs, and the messages about notebooks.
"""

from __future__ import annotations

from typing import Any

import attrs
from lsprotocol import types

from sidecar.server.notebook_types import NOTEBOOK_MESSAGES

__all__ = [
    "CONTEXT_CARD",
    "DEPS",
    "DID_CHANGE_STATUS",
    "DID_FOCUS",
    "DID_MOVE_CURSOR",
    "DID_PARTIALLY_ACCEPT",
    "DID_SHOW",
    "INLINE_COMPLETION_PROGRESS",
    "MESSAGES",
    "STATS",
    "STATUS",
    "SYMBOLS",
    "ContextCardParams",
    "DepsParams",
    "DidFocusParams",
    "DidMoveCursorParams",
    "DidPartiallyAcceptParams",
    "DidShowParams",
    "InlineCompletionParams",
    "StatusParams",
    "SymbolsParams",
]

# The first four are named and shaped as editors already send them to GitHub's language server.
DID_SHOW = "textDocument/didShowCompletion"
DID_PARTIALLY_ACCEPT = "textDocument/didPartiallyAcceptCompletion"
DID_FOCUS = "textDocument/didFocus"
DID_CHANGE_STATUS = "didChangeStatus"
DID_MOVE_CURSOR = "sidecar/didMoveCursor"
INLINE_COMPLETION_PROGRESS = "sidecar/inlineCompletionProgress"
STATUS = "sidecar/status"
STATS = "sidecar/stats"
CONTEXT_CARD = "sidecar/contextCard"
SYMBOLS = "sidecar/symbols"
DEPS = "sidecar/deps"


@attrs.frozen
class InlineCompletionParams:
    """LSP's parameters, and more from clients that know us.

    Attributes:
        stream_token: From those that want the text as it grows.
        sidecar: What they tell of the moment, unchecked: see `told.py`.
    """

    text_document: types.TextDocumentIdentifier
    position: types.Position
    context: types.InlineCompletionContext | None = None
    work_done_token: int | str | None = None
    stream_token: str | None = None
    sidecar: Any = None


@attrs.frozen
class DidShowParams:
    """A suggestion is on the screen."""

    item: types.InlineCompletionItem


@attrs.frozen
class DidPartiallyAcceptParams:
    """A part of a suggestion was accepted.

    Attributes:
        item: The suggestion.
        accepted_length: UTF-16 units, from the start of its text.
    """

    item: types.InlineCompletionItem
    accepted_length: int


@attrs.frozen
class DidFocusParams:
    """The user looks at another document, or at none.

    Attributes:
        position: The cursor in it, from clients that know us.
    """

    text_document: types.TextDocumentIdentifier | None = None
    position: types.Position | None = None


@attrs.frozen
class DidMoveCursorParams:
    """The cursor stands somewhere else, and not because of an edit."""

    text_document: types.TextDocumentIdentifier
    position: types.Position


@attrs.frozen
class StatusParams:
    """Asks how things are; with a document, also what the server believes its text to be."""

    text_document: types.TextDocumentIdentifier | None = None


@attrs.frozen
class ContextCardParams:
    """Asks what a completion at a place would show to the model."""

    text_document: types.TextDocumentIdentifier
    position: types.Position


@attrs.frozen
class SymbolsParams:
    """Asks the index for declarations.

    Attributes:
        query: A name, its beginning, or letters of it in order; none for all of a file.
        path: A file: the only one without a query, else the one from which one looks.
        limit: How many to return.
        exact: Whether the name has to be just the query.
    """

    query: str | None = None
    path: str | None = None
    limit: int = 50
    exact: bool = False


@attrs.frozen
class DepsParams:
    """Asks what a file imports, and what imports it."""

    path: str


@attrs.frozen
class InlineCompletionRequest:
    """`textDocument/inlineCompletion`."""

    id: int | str
    params: InlineCompletionParams
    method: str = types.TEXT_DOCUMENT_INLINE_COMPLETION
    jsonrpc: str = "2.0"


@attrs.frozen
class DidShowNotification:
    """`textDocument/didShowCompletion`."""

    params: DidShowParams
    method: str = DID_SHOW
    jsonrpc: str = "2.0"


@attrs.frozen
class DidPartiallyAcceptNotification:
    """`textDocument/didPartiallyAcceptCompletion`."""

    params: DidPartiallyAcceptParams
    method: str = DID_PARTIALLY_ACCEPT
    jsonrpc: str = "2.0"


@attrs.frozen
class DidFocusNotification:
    """`textDocument/didFocus`."""

    params: DidFocusParams | None = None
    method: str = DID_FOCUS
    jsonrpc: str = "2.0"


@attrs.frozen
class DidMoveCursorNotification:
    """`sidecar/didMoveCursor`."""

    params: DidMoveCursorParams
    method: str = DID_MOVE_CURSOR
    jsonrpc: str = "2.0"


@attrs.frozen
class StatusRequest:
    """`sidecar/status`."""

    id: int | str
    params: StatusParams | None = None
    method: str = STATUS
    jsonrpc: str = "2.0"


@attrs.frozen
class StatsRequest:
    """`sidecar/stats`, which has no parameters."""

    id: int | str
    params: Any = None
    method: str = STATS
    jsonrpc: str = "2.0"


@attrs.frozen
class ContextCardRequest:
    """`sidecar/contextCard`."""

    id: int | str
    params: ContextCardParams
    method: str = CONTEXT_CARD
    jsonrpc: str = "2.0"


@attrs.frozen
class SymbolsRequest:
    """`sidecar/symbols`."""

    id: int | str
    params: SymbolsParams
    method: str = SYMBOLS
    jsonrpc: str = "2.0"


@attrs.frozen
class DepsRequest:
    """`sidecar/deps`."""

    id: int | str
    params: DepsParams
    method: str = DEPS
    jsonrpc: str = "2.0"


@attrs.frozen
class WatchedFilesNotification:
    """`workspace/didChangeWatchedFiles`, left as it came.

    A branch switch names thousands of files, and to make a value of each would hold up the loop.
    """

    params: Any
    method: str = types.WORKSPACE_DID_CHANGE_WATCHED_FILES
    jsonrpc: str = "2.0"


#: The messages by method.
MESSAGES: dict[str, type[Any]] = {
    types.TEXT_DOCUMENT_INLINE_COMPLETION: InlineCompletionRequest,
    DID_SHOW: DidShowNotification,
    DID_PARTIALLY_ACCEPT: DidPartiallyAcceptNotification,
    DID_FOCUS: DidFocusNotification,
    DID_MOVE_CURSOR: DidMoveCursorNotification,
    STATUS: StatusRequest,
    STATS: StatsRequest,
    CONTEXT_CARD: ContextCardRequest,
    SYMBOLS: SymbolsRequest,
    DEPS: DepsRequest,
    types.WORKSPACE_DID_CHANGE_WATCHED_FILES: WatchedFilesNotification,
    **NOTEBOOK_MESSAGES,
}
