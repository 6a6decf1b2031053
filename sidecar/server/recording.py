"""A whole session with one client in a file: each message as it came or went, one JSON line each.

Such a file holds whatever was said, so code, settings and paths: it is its user's alone, and is
made only where the command line names it. Must never import pygls, nor change a message. May import
`errors` and `telemetry`.
"""

from __future__ import annotations

import json
import os
from time import perf_counter
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from sidecar import __version__
from sidecar.errors import UsageError
from sidecar.telemetry.private_file import PrivateFile

if TYPE_CHECKING:
    from pathlib import Path

    from sidecar.server.framing import Reader
    from sidecar.server.streams import Writer

__all__ = ["Entry", "RecordedReader", "RecordedWriter", "Recording", "Side", "read_recording"]

#: Who said it. What the server notes for a replay alone was said to nobody.
Side = Literal["client", "server", "note"]

#: Stands in the name of a file for the number of the process: editors start several servers.
_PID = "{pid}"
_FORMAT = 1


class Entry(NamedTuple):
    """One message.

    Args:
        at_ms: When, since the server was started.
        side: Who said it.
        message: What was said.
    """

    at_ms: float
    side: Side
    message: dict[str, Any]

    @property
    def number(self) -> int | str | None:
        """The id of a request or of an answer, where there is one of a known type."""
        number = self.message.get("id")
        return number if isinstance(number, int | str) else None


class Recording:
    """Writes messages as they come and go.

    Args:
        path: A file to be written anew, readable by its user only; `{pid}` in its name becomes the
            number of this process.

    Raises:
        UsageError: The file cannot be written.
    """

    def __init__(self, path: Path) -> None:
        name = str(path).replace(_PID, str(os.getpid()))
        self._file = PrivateFile(name, "recording")
        self._zero = perf_counter()
        self._write(json.dumps({"recording": _FORMAT, "sidecar": __version__}).encode())

    def heard(self, body: bytes) -> None:
        """Write what the client said; what is no message is left out."""
        try:
            message = json.loads(body)
        except (ValueError, RecursionError):
            return
        if isinstance(message, dict):
            self._line("client", _compact(message))

    def said(self, data: bytes) -> None:
        """Write what is sent to the client: a message in its frame."""
        _, _, body = data.partition(b"\r\n\r\n")
        # We framed it: one line of ASCII.
        self._line("server", body)

    def note(self, facts: dict[str, Any]) -> None:
        """Write what a replay has to know, and no client is told."""
        self._line("note", _compact(facts))

    def close(self) -> None:
        """Write no more."""
        self._file.close()

    def _line(self, side: Side, body: bytes) -> None:
        at_ms = (perf_counter() - self._zero) * 1000
        self._write(b'{"at_ms":%.3f,"from":"%s","message":%s}' % (at_ms, side.encode(), body))

    def _write(self, line: bytes) -> None:
        self._file.write(line + b"\n")


class RecordedReader:
    """A stream of messages whose bodies are recorded.

    Args:
        reader: The stream.
        recording: Where they are written.
    """

    def __init__(self, reader: Reader, recording: Recording) -> None:
        self._reader = reader
        self._recording = recording

    async def readuntil(self, separator: bytes) -> bytes:
        """Read a header."""
        return await self._reader.readuntil(separator)

    async def readexactly(self, size: int) -> bytes:
        """Read a body."""
        body = await self._reader.readexactly(size)
        self._recording.heard(body)
        return body


class RecordedWriter:
    """A way to the client on which messages are recorded.

    Args:
        writer: The way.
        recording: Where they are written.
    """

    def __init__(self, writer: Writer, recording: Recording) -> None:
        self._writer = writer
        self._recording = recording

    def write(self, data: bytes, /) -> None:
        """Write one message, and record it even if the client is gone."""
        self._recording.said(data)
        self._writer.write(data)

    def close(self) -> None:
        """Close the stream."""
        self._writer.close()


def read_recording(path: Path) -> list[Entry]:
    """Return the messages of a recording; a last line that was cut off is left out.

    Raises:
        UsageError: The file is none.
    """
    try:
        lines = path.read_bytes().split(b"\n")
    except OSError as error:
        raise UsageError(f"{path} cannot be read ({error.strerror})", _advice(error)) from error
    # Behind the last line break stands nothing, or what a killed server did not get to write.
    whole = lines[:-1]
    try:
        head = json.loads(whole[0])
        if head["recording"] != _FORMAT:
            raise UsageError(
                f"{path} is a recording of another form", "record the session with this version"
            )
        return [_entry(line) for line in whole[1:]]
    except (ValueError, LookupError, TypeError, RecursionError) as error:
        raise UsageError(
            f"{path} is no recording", "make one with `sidecar --stdio --record FILE`"
        ) from error


def _advice(error: OSError) -> str:
    if isinstance(error, IsADirectoryError):
        return "give a recording, not a folder"
    return "check its permissions" if isinstance(error, PermissionError) else "check its name"


def _entry(line: bytes) -> Entry:
    found = json.loads(line)
    side, message = found["from"], found["message"]
    if side not in ("client", "server", "note") or not isinstance(message, dict):
        raise ValueError("not a message")
    return Entry(float(found["at_ms"]), side, message)


def _compact(message: object) -> bytes:
    return json.dumps(message, separators=(",", ":")).encode("ascii")
