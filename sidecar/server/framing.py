"""Messages of the base protocol: a header with the length, then JSON.

Must never look into a message. May import the standard library.
"""

from __future__ import annotations

import asyncio
import json
import re
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["END", "FramingError", "Reader", "frame", "read_message"]

#: What `read_message` returns at the end of the stream; `None` is the message `null`.
END = object()

#: A message that is larger is a mistake or an attack, not a document.
MAX_MESSAGE_BYTES = 256 * 1024 * 1024

#: No message of the protocol is nested this deeply, and Python's stack ends not far beyond.
MAX_DEPTH = 100

#: How every header begins, of which a client that died may have written a part.
_HEADER = b"content-"
_ESCAPED = re.compile("[\udc80-\udcff]")
_LENGTH = re.compile(rb"^content-length:[ \t]*(\d{1,12})[ \t]*$", re.IGNORECASE | re.MULTILINE)


class FramingError(Exception):
    """What arrived is no message of the protocol, and no later one can be found."""


class Reader(Protocol):
    """Where messages are read: an asyncio stream, or what stands before one."""

    async def readuntil(self, separator: bytes) -> bytes:
        """Read to the end of a separator."""

    async def readexactly(self, size: int, /) -> bytes:
        """Read so many bytes."""


async def read_message(reader: Reader, *, most_bytes: int = MAX_MESSAGE_BYTES) -> Any:
    """Return the next message, or `END` at the end of the stream.

    Raises:
        FramingError: The header is malformed, or names more than `most_bytes`.
        ValueError: The body is not JSON, or nested too deeply to be a message; the next message
            can be read all the same.
    """
    length = None
    try:
        header = await reader.readuntil(b"\r\n\r\n")
        length = _LENGTH.search(header.replace(b"\r\n", b"\n"))
        if length is None:
            raise FramingError("a message without a length")
        size = int(length[1])
        if size > most_bytes:
            raise FramingError("a message larger than allowed")
        body = await reader.readexactly(size)
    except asyncio.IncompleteReadError as error:
        if length is None and not _HEADER.startswith(error.partial[: len(_HEADER)].lower()):
            raise FramingError("something that is no message") from None
        return END
    except asyncio.LimitOverrunError as error:
        raise FramingError("a header without an end") from error
    try:
        message = json.loads(body)
    except UnicodeDecodeError:
        # Editors that hold broken text send it as it is (Neovim does, of a file that is no UTF-8),
        # and count each such byte as one character, whatever they count in: so does this.
        message = json.loads(_ESCAPED.sub("?", body.decode("utf-8", "surrogateescape")))
    except RecursionError:
        raise ValueError("nested too deeply") from None
    if _is_deep(message):
        raise ValueError("nested too deeply")
    return message


def frame(message: object, default: Callable[[Any], Any] | None = None) -> bytes:
    """Return a message with its header; lone surrogates travel as JSON escapes.

    Args:
        message: What to send.
        default: Turns what JSON does not know into what it knows.
    """
    body = json.dumps(message, separators=(",", ":"), default=default).encode("ascii")
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


def _is_deep(message: object) -> bool:
    """Tell whether anything in a message lies deeper than allowed, level by level."""
    level = [message]
    for _ in range(MAX_DEPTH):
        level = [
            part
            for value in level
            if isinstance(value, dict | list)
            for part in (value.values() if isinstance(value, dict) else value)
        ]
        if not level:
            return False
    return True
