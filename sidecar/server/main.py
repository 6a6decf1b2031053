"""Serves editors: over standard input and output, or over a loopback port with a token.

Answers `initialize` before the rest of the server is imported. May import the standard library and
the light modules of `server` at its top.
"""

from __future__ import annotations

import asyncio
import gc
import ipaddress
import logging
import os
import secrets
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from sidecar.allocator import share_heap
from sidecar.errors import SidecarError, UsageError
from sidecar.server.framing import END, FramingError, Reader, frame, read_message
from sidecar.server.handshake import Client, answer, client_of
from sidecar.server.options import Options
from sidecar.server.recording import RecordedReader, RecordedWriter, Recording
from sidecar.server.streams import DescriptorWriter, Writer, claim_stdio, read_descriptor
from sidecar.telemetry import LogSettings, configure_logging
from sidecar.telemetry.trace import Trace

if TYPE_CHECKING:
    from pathlib import Path

    from sidecar.telemetry.logs import Level

__all__ = ["parse_endpoint", "serve"]

log = logging.getLogger(__name__)

_TOKEN_VARIABLE = "SIDECAR_TCP_TOKEN"
#: A stranger on the port gets this long and may say this much before it has shown the token.
_STRANGER_SECONDS = 10.0
_STRANGER_BYTES = 1024 * 1024

_NO_CLIENT = "let an editor start this, or see `sidecar --help` for commands"

_NOT_INITIALIZED = -32002
_INVALID_REQUEST = -32600


def serve(
    *,
    tcp: str | None,
    log_level: Level | None,
    log_file: Path | None,
    trace_file: Path | None,
    record_file: Path | None = None,
) -> int:
    """Serve one client and return the exit code.

    Args:
        tcp: `HOST:PORT` to listen at, or None for standard input and output.
        log_level: Least severity that is logged.
        log_file: Where to log instead of standard error.
        trace_file: Where to write what each request's time went into, if anywhere.
        record_file: Where to write all that is said over standard input and output, code
            included, if anywhere.

    Raises:
        UsageError: The endpoint is not a loopback address, or a file cannot be written.
        SidecarError: It cannot be listened at.
    """
    endpoint = parse_endpoint(tcp) if tcp is not None else None
    # Before there are threads.
    share_heap()
    # Before anything else can write to standard output.
    streams = claim_stdio() if endpoint is None else None
    configure_logging(LogSettings(log_level or "warning", log_file))
    trace = Trace(trace_file, "sidecar front") if trace_file is not None else None
    recording = Recording(record_file) if record_file is not None else None
    if recording is not None:
        log.warning("this session is recorded with its code, settings and paths")
    options = Options(may_log=log_file is None, trace=trace, recording=recording)
    try:
        if streams is not None:
            return asyncio.run(_serve_stdio(*streams, options))
        assert endpoint is not None
        return asyncio.run(_serve_tcp(*endpoint, options))
    finally:
        if trace is not None:
            trace.close()
        if recording is not None:
            recording.close()


def parse_endpoint(text: str) -> tuple[str, int]:
    """Read `HOST:PORT`.

    Raises:
        UsageError: It is malformed, or would let other machines in.
    """
    host, colon, port = text.rpartition(":")
    host = host.strip("[]")
    if not colon or not host or not port.isdecimal() or int(port) > 65535:
        raise UsageError(f"{text!r} is not HOST:PORT", "write for example --tcp 127.0.0.1:7331")
    loopback = host == "localhost"
    with suppress(ValueError):
        loopback = loopback or ipaddress.ip_address(host).is_loopback
    if not loopback:
        raise UsageError(f"{host!r} is not a loopback address", "use 127.0.0.1 or localhost")
    return host, int(port)


async def _serve_stdio(input_descriptor: int, output_descriptor: int, options: Options) -> int:
    reader: Reader = await read_descriptor(input_descriptor)
    writer: Writer = DescriptorWriter(output_descriptor)
    if options.recording is not None:
        reader = RecordedReader(reader, options.recording)
        writer = RecordedWriter(writer, options.recording)
    try:
        client = await _handshake(reader, writer)
    except FramingError as error:
        sys.stderr.write(f"sidecar: {error} came in; {_NO_CLIENT}\n")
        return 1
    except OSError as error:
        log.error("the client cannot be reached: %s", type(error).__name__)
        return 1
    return 1 if client is None else await _run(client, reader, writer, options)


async def _serve_tcp(host: str, port: int, options: Options) -> int:
    token = os.environ.get(_TOKEN_VARIABLE) or secrets.token_urlsafe(24)
    code: asyncio.Future[int] = asyncio.get_running_loop().create_future()
    taken = False

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal taken
        try:
            client = None
            with suppress(TimeoutError, FramingError, ValueError, OSError):
                async with asyncio.timeout(_STRANGER_SECONDS):
                    client = await _handshake(
                        reader, writer, token=token, most_bytes=_STRANGER_BYTES
                    )
            if client is None or taken:
                return
            taken = True
            server.close()
            code.set_result(await _run(client, reader, writer, options))
        except Exception as error:
            if not taken:
                # Whatever a stranger sent: it costs the stranger the connection, nobody else.
                log.warning("a connection was closed: %s", type(error).__name__)
            elif not code.done():
                # Nobody else would hear of it, and the process would wait for ever.
                code.set_exception(error)
        finally:
            writer.close()

    try:
        server = await asyncio.start_server(connected, host, port)
    except OSError as error:
        raise SidecarError(
            f"{host}:{port} cannot be listened at ({error.strerror})", "choose another port"
        ) from error
    place = server.sockets[0].getsockname()
    secret = "" if _TOKEN_VARIABLE in os.environ else f" with initializationOptions.token {token}"
    sys.stderr.write(f"sidecar: listening at {place[0]}:{place[1]}{secret}\n")
    sys.stderr.flush()
    return await code


async def _run(client: Client, reader: Reader, writer: Writer, options: Options) -> int:
    # Only now: the client has its answer, and these imports take a third of a second.
    from sidecar.server.lazy import import_types

    import_types()
    from sidecar.server.app import App

    # What was imported stays. To look through it took the collector 30 ms, amid somebody's keys.
    gc.freeze()
    return await App(client, writer, options).run(reader)


async def _handshake(
    reader: Reader,
    writer: Writer,
    *,
    token: str | None = None,
    most_bytes: int | None = None,
) -> Client | None:
    """Answer messages until `initialize` came; None when the client left or may not come in.

    Raises:
        FramingError: What arrives is no message.
    """
    limit = {} if most_bytes is None else {"most_bytes": most_bytes}
    while True:
        try:
            message = await read_message(reader, **limit)
        except ValueError:
            writer.write(_refusal(None, -32700, "not JSON"))
            continue
        if message is END:
            return None
        if not isinstance(message, dict):
            writer.write(_refusal(None, _INVALID_REQUEST, "not a message of JSON-RPC 2.0"))
            continue
        number, method = message.get("id"), message.get("method")
        if method == "exit":
            return None
        if method != "initialize":
            if number is not None:
                writer.write(_refusal(number, _NOT_INITIALIZED, "initialize comes first"))
            continue
        client = client_of(message.get("params"))
        if token is not None and not client.knows(token):
            writer.write(_refusal(number, _INVALID_REQUEST, "the token is missing or wrong"))
            return None
        writer.write(frame({"jsonrpc": "2.0", "id": number, "result": answer(client)}))
        return client


def _refusal(number: object, code: int, message: str) -> bytes:
    error: dict[str, Any] = {"code": code, "message": message}
    return frame({"jsonrpc": "2.0", "id": number, "error": error})
