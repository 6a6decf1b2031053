"""pygls' JSON-RPC with our message types, our documents, and one answer for every request.

What pygls does by itself and this class undoes: it keeps documents (wrongly split and at the cost
of the whole file), answers `initialize` (done already, see `handshake.py`), leaves requests without
an answer when they are malformed, and fails when an answer arrives too late. May import pygls.
"""

from __future__ import annotations

import asyncio
import contextvars
import logging
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.exceptions import (
    JsonRpcException,
    JsonRpcInvalidParams,
    JsonRpcInvalidRequest,
    JsonRpcMethodNotFound,
    JsonRpcServerNotInitialized,
)
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol, default_converter, lsp_method

from sidecar import __version__
from sidecar.server.framing import frame
from sidecar.server.lazy import make_when_used
from sidecar.server.types import MESSAGES

if TYPE_CHECKING:
    from collections.abc import Callable

    from sidecar.server.streams import Writer

__all__ = ["Protocol", "Server"]

log = logging.getLogger(__name__)


class Protocol(LanguageServerProtocol):
    """One connection to one client, which has been answered its `initialize`."""

    # A builtin that is no function is not registered, and our feature of that name is called.
    lsp_text_document__did_open = None  # type: ignore[assignment]
    lsp_text_document__did_change = None  # type: ignore[assignment]
    lsp_text_document__did_close = None  # type: ignore[assignment]
    lsp_notebook_document__did_open = None  # type: ignore[assignment]
    lsp_notebook_document__did_change = None  # type: ignore[assignment]
    lsp_notebook_document__did_close = None  # type: ignore[assignment]
    lsp_workspace__did_change_workspace_folders = None  # type: ignore[assignment]
    lsp_workspace__execute_command = None  # type: ignore[assignment]
    lsp_initialized = None  # type: ignore[assignment]

    #: Called with the exit code when the client says `exit`.
    on_exit: Callable[[int], None] | None = None
    #: Called with the method of a message whose parameters are not of their types.
    on_malformed: Callable[[str], None] | None = None

    @lsp_method(types.INITIALIZE)
    def lsp_initialize(self, params: types.InitializeParams) -> None:  # type: ignore[override]
        """Refuse to be initialized twice."""
        raise JsonRpcInvalidRequest("the server is initialized already")

    @lsp_method(types.EXIT)
    def lsp_exit(self, *_: object) -> None:  # type: ignore[override]
        """End, with 0 if a shutdown came first."""
        if self.on_exit is not None:
            self.on_exit(0 if self._shutdown else 1)

    def __init__(self, server: LanguageServer, converter: Any) -> None:
        super().__init__(server, converter)
        self._asked: dict[object, asyncio.Future[Any]] = {}
        self._questions = 0

    def get_message_type(self, method: str) -> type[Any] | None:  # type: ignore[override]
        """Return our own type for a message where we have one."""
        own = MESSAGES.get(method)
        return own if own is not None else super().get_message_type(method)

    def receive(self, raw: object) -> None:
        """Handle one message; every request gets exactly one answer."""
        if not isinstance(raw, dict) or raw.get("jsonrpc") != "2.0":
            self.refuse(None, JsonRpcInvalidRequest("not a message of JSON-RPC 2.0"))
            return
        method, number = raw.get("method"), raw.get("id")
        if not isinstance(method, str | None) or not isinstance(number, int | str | None):
            self.refuse(None, JsonRpcInvalidRequest("the method or the id is of no known type"))
            return
        if method is None:
            # Answers stay plain: their keys may be any words, which attributes cannot be.
            self._answered(number, raw)
            return
        try:
            if self._shutdown and method != types.EXIT:
                raise JsonRpcInvalidRequest("the server is shutting down")
            if method != types.CANCEL_REQUEST:
                self._get_handler(method)
            message = self.structure_message(raw)
        except JsonRpcException as error:
            if isinstance(error, JsonRpcInvalidParams) and self.on_malformed is not None:
                self.on_malformed(method)
            if number is not None:
                self.refuse(number, error)
            # Clients may send any `$/` notification, and servers may ignore it.
            elif not str(method).startswith("$/"):
                log.warning("a notification was not taken: %s", type(error).__name__)
            return
        # pygls finds out what a message is by asking for its attributes, at 0.1 ms a message.
        params = getattr(message, "params", None)
        context = contextvars.copy_context()
        if number is not None:
            context.run(self._handle_request, number, method, params)
        else:
            context.run(self._handle_notification, method, params)

    def refuse(self, number: int | str | None, error: JsonRpcException) -> None:
        """Answer a request with an error."""
        # By hand: pygls leaves out an id that is null, which the specification wants to see.
        told = {"code": error.code, "message": error.message}
        self._send_data({"jsonrpc": "2.0", "id": number, "error": told})

    def tell(self, method: str, params: object) -> None:
        """Send a notification of plain values."""
        self._send_data({"jsonrpc": "2.0", "method": method, "params": params})

    async def ask(self, method: str, params: object) -> Any:
        """Send a request of plain values and return the plain result.

        Raises:
            JsonRpcException: The client answers with an error.
        """
        self._questions += 1
        number = f"sidecar-{self._questions}"
        future = self._asked[number] = asyncio.get_running_loop().create_future()
        self._send_data({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        try:
            return await future
        finally:
            del self._asked[number]

    def _handle_cancel_notification(self, msg_id: int | str) -> None:
        """Cancel a request; one that was answered meanwhile is no reason for a warning."""
        future = self._request_futures.pop(msg_id, None)
        if future is not None:
            future.cancel()

    def _answered(self, number: object, raw: dict[str, Any]) -> None:
        future = self._asked.get(number)
        if future is None or future.done():
            return
        error = raw.get("error")
        if isinstance(error, dict):
            future.set_exception(
                JsonRpcException(str(error.get("message", "")), code=error.get("code"))
            )
        else:
            future.set_result(raw.get("result"))

    def _send_data(self, data: Any) -> None:
        """Write one message; a client that is gone ends the server, and no handler hears of it."""
        if self.writer is None:
            return
        try:
            self.writer.write(frame(data, default=self._serialize_message))
        except OSError:
            self.writer = None
            if self.on_exit is not None:
                self.on_exit(1)


class Server(LanguageServer):
    """pygls' server, reduced to its registry of handlers; reading and ending are ours."""

    protocol: Protocol

    def __init__(self, writer: Writer) -> None:
        super().__init__(
            "sidecar", __version__, protocol_cls=Protocol, converter_factory=_converter
        )
        self.protocol.set_writer(writer)

    def report_server_error(self, error: Exception, source: Any) -> None:
        """Log what failed; pygls would show it to the user, with whatever code is in it."""
        if not isinstance(error, JsonRpcMethodNotFound | JsonRpcServerNotInitialized):
            log.error("pygls reports %s", type(error).__name__)


def _converter() -> Any:
    """Return pygls' converter, but one that does not turn what is no text into text."""
    converter: Any = default_converter()  # type: ignore[no-untyped-call]
    converter.register_structure_hook(str, _text)
    make_when_used(converter)
    return converter


def _text(value: object, kind: type[str]) -> str:
    if not isinstance(value, str):
        raise TypeError("not a string")
    # Enumerations of strings come here too.
    return value if kind is str else kind(value)
