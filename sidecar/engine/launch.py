"""Meeting an engine: connect to the one that runs, or start it under a lock; look at all that run.

The engine outlives the front that started it. Must never import llama_cpp or numpy.
"""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
import threading
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sidecar.engine.messages import pack, unpacker
from sidecar.engine.spec import Meeting
from sidecar.errors import EngineError
from sidecar.locks import FileLock
from sidecar.settings.paths import runtime_dir

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import msgpack

    from sidecar.engine.spec import EngineSpec

__all__ = ["Link", "connect_or_launch", "is_listening", "observe"]


@dataclass(frozen=True, slots=True)
class Link:
    """A connection on which the engine has said hello.

    Args:
        reader: Its bytes.
        writer: Where requests go.
        messages: Decoder that may already hold what came behind the hello.
        hello: The engine's first message.
    """

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    messages: msgpack.Unpacker
    hello: dict[str, Any]


#: How long libgomp's threads spin for each other before they sleep; by default nearly for ever.
_SPINS = "2000"
_LAUNCH_SECONDS = 20.0
_POLL_SECONDS = 0.02
_LOOK_SECONDS = 2.0
_LOG_BYTES = 1024 * 1024


async def connect_or_launch(spec: EngineSpec, check: Callable[[], None] | None = None) -> Link:
    """Connect to the engine of a spec, starting it if none runs.

    Args:
        spec: The engine wanted.
        check: Called before an engine is started; raises when the machine has no memory for it.

    Raises:
        EngineError: The engine did not start, or its socket's path is too long.
    """
    meeting = Meeting(runtime_dir(), spec.key())
    link = await _connect(meeting.socket)
    if link is not None:
        return link
    lock = FileLock(meeting.start_lock)
    try:
        async with asyncio.timeout(_LAUNCH_SECONDS):
            while not lock.acquire():  # noqa: ASYNC110 - the holder is another process.
                # Another front is starting the same engine.
                await asyncio.sleep(_POLL_SECONDS)
            with lock:
                link = await _connect(meeting.socket)
                if link is None:
                    if check is not None:
                        check()
                    link = await _launch(spec, meeting)
                return link
    except TimeoutError:
        raise EngineError(
            f"the engine did not answer within {_LAUNCH_SECONDS:.0f} s",
            f"look into {meeting.log}, or run `sidecar doctor`",
        ) from None


def is_listening(path: Path) -> bool:
    """Tell whether an engine takes connections: of one that was killed the socket's file stays."""
    with socket.socket(socket.AF_UNIX) as tried:
        # One that hangs takes none once enough wait.
        tried.settimeout(1.0)
        try:
            tried.connect(str(path))
        except OSError:
            return False
    return True


async def _launch(spec: EngineSpec, meeting: Meeting) -> Link:
    process = _spawn(spec, meeting.log)
    while True:
        link = await _connect(meeting.socket)
        if link is not None:
            return link
        if process.poll() is not None:
            raise EngineError(
                f"the engine ended at once: {_last_line(meeting.log)}", "run `sidecar doctor`"
            )
        await asyncio.sleep(_POLL_SECONDS)


def _spawn(spec: EngineSpec, log: Path) -> subprocess.Popen[bytes]:
    # Between the operations of a pass threads wait for each other. Spinning for ever, they starve
    # the editor and themselves as soon as anything else runs; sleeping at once costs a wake-up for
    # each operation. Measured on two cores (one token, idle / beside two busy processes): default
    # 29 ms / 2,650 ms; 3,000 spins 27 / 124; 1,000 spins 32 / 68; passive 52 / 48.
    environment = {"GOMP_SPINCOUNT": _SPINS, **os.environ}
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND
    with suppress(OSError):
        if log.stat().st_size > _LOG_BYTES:
            flags |= os.O_TRUNC
    file = os.open(log, flags, 0o600)
    try:
        process = subprocess.Popen(
            [sys.executable, "-m", "sidecar.engine", "--spec", spec.to_json()],
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=file,
            env=environment,
            start_new_session=True,
            close_fds=True,
        )
        # The engine may outlive this front, or die before it: somebody has to take its exit code.
        threading.Thread(target=process.wait, name="reaper", daemon=True).start()
        return process
    finally:
        os.close(file)


async def _connect(path: Path) -> Link | None:
    try:
        reader, writer = await asyncio.open_unix_connection(path)
    except (FileNotFoundError, ConnectionError):
        return None
    # A process that is dying still takes connections for a moment; a hello shows that it lives.
    messages = unpacker()
    link = None
    try:
        with suppress(ConnectionError, ValueError):
            while link is None and (data := await reader.read(65536)):
                messages.feed(data)
                for kind, body in messages:
                    if kind == "hello":
                        link = Link(reader, writer, messages, body)
                    break
    finally:
        if link is None:
            writer.close()
    return link


async def observe(folder: Path) -> list[dict[str, Any]]:
    """Ask all running engines how they are, without being in anybody's way.

    Args:
        folder: The directory of their sockets.

    Returns:
        What each tells: its `status`, and the `phase` and `info` of its state. An engine that does
        not answer is named with the phase `silent`.
    """
    answers = await asyncio.gather(*map(_looked_at, _sockets(folder)))
    return [answer for answer in answers if answer is not None]


def _sockets(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.sock"))


async def _looked_at(path: Path) -> dict[str, Any] | None:
    told: dict[str, Any] = {"engine": path.stem, "phase": "silent"}
    link = None
    try:
        async with asyncio.timeout(_LOOK_SECONDS):
            link = await _connect(path)
            if link is None:
                return None
            # An engine does not live longer because somebody looks at it.
            link.writer.write(pack("status", {"id": 1, "observer": True}))
            while True:
                for kind, body in link.messages:
                    if kind == "state":
                        told |= {"phase": body["phase"], "info": body["info"]}
                    elif kind == "status":
                        return {**told, **body["status"]}
                data = await link.reader.read(65536)
                if not data:
                    return None
                link.messages.feed(data)
    except (TimeoutError, OSError, ValueError, TypeError, KeyError):
        return told
    finally:
        if link is not None:
            link.writer.close()


def _last_line(log: Path) -> str:
    with suppress(OSError):
        lines = log.read_text(errors="replace").strip().splitlines()
        if lines:
            return lines[-1].removeprefix("sidecar: ")
    return "no reason given"
