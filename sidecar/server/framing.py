"""Messages of the base protocol: a header with the length, then JSON.

Must never look into a message. May import the standard library.
"""

from __future__ import annotations

import asyncio
import json
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["FramingError", "frame", "read_message"]

#: A message that is larger is a mistake or an attack, not a document.
MAX_MESSAGE_BYTES = 256 * 1024 * 1024

_LENGTH = re.compile(rb"^content-length:[ \t]*(\d{1,12})[ \t]*$", re.IGNORECASE | re.MULTILINE)


class FramingError(Exception):
    """What arrived is no message of the protocol, and no later one can be found."""


async def read_message(
    reader: asyncio.StreamReader, *, most_bytes: int = MAX_MESSAGE_BYTES
) -> Any | None:
    """Return the next message, or None at the end of the stream.

    Raises:
        FramingError: The header is malformed, or names more than `most_bytes`.
        ValueError: The body is not JSON; the next message can be read all the same.
    """
    try:
        header = await reader.readuntil(b"\r\n\r\n")
        length = _LENGTH.search(header.replace(b"\r\n", b"\n"))
        if length is None:
            raise FramingError("a message without a length")
        size = int(length[1])
        if size > most_bytes:
            raise FramingError("a message larger than allowed")
        body = await reader.readexactly(size)
    except asyncio.IncompleteReadError:
        return None
    except asyncio.LimitOverrunError as error:
        raise FramingError("a header without an end") from error
    return json.loads(body)


def frame(message: object, default: Callable[[Any], Any] | None = None) -> bytes:
    """Return a message with its header; lone surrogates travel as JSON escapes.

    Args:
        message: What to send.
        default: Turns what JSON does not know into what it knows.
    """
    body = json.dumps(message, separators=(",", ":"), default=default).encode("ascii")
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)
