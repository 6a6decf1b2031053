"""How processes of the index frame what they say: a length, then one msgpack value.

A length in front lets a reader take a value out of a pipe without decoding what it only passes on.
Must never know what the values mean. May import msgpack.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any

import msgpack

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import IO

__all__ = ["MAX_FRAME_BYTES", "FrameError", "Frames", "pack", "read_frames", "unpack"]

#: Larger than what the largest file that is indexed can give; a larger frame is nonsense.
MAX_FRAME_BYTES = 64 * 1024 * 1024

_LENGTH = struct.Struct(">I")


class FrameError(Exception):
    """A peer sent what is no frame; the connection is of no further use."""


def pack(value: Any) -> bytes:
    """Frame one value."""
    body: bytes = msgpack.packb(value, unicode_errors="surrogatepass")
    return _LENGTH.pack(len(body)) + body


def unpack(body: bytes) -> Any:
    """Decode the value of a frame; arrays come as tuples, so that they are cheap and hashable.

    Raises:
        FrameError: The bytes are no value.
    """
    try:
        return msgpack.unpackb(body, use_list=False, unicode_errors="surrogatepass")
    except (ValueError, msgpack.UnpackException) as error:
        raise FrameError(f"no msgpack value ({type(error).__name__})") from error


class Frames:
    """Takes frames out of a stream of bytes that comes in pieces of any size."""

    def __init__(self) -> None:
        self._kept = bytearray()

    def feed(self, data: bytes) -> Iterator[bytes]:
        """Return the bodies of the frames that are whole now.

        Raises:
            FrameError: A frame is longer than any of ours.
        """
        kept = self._kept
        kept += data
        start = 0
        while len(kept) - start >= 4:
            length = _LENGTH.unpack_from(kept, start)[0]
            if length > MAX_FRAME_BYTES:
                raise FrameError(f"a frame of {length} bytes")
            end = start + 4 + length
            if len(kept) < end:
                break
            yield bytes(memoryview(kept)[start + 4 : end])
            start = end
        del kept[:start]


def read_frames(file: IO[bytes]) -> Iterator[bytes]:
    """Return the bodies of all frames of a pipe until it ends; half a frame at the end is none.

    Args:
        file: A pipe opened without buffering, so that a read returns what is there.

    Raises:
        FrameError: A frame is longer than any of ours.
    """
    frames = Frames()
    while data := file.read(1 << 18):
        yield from frames.feed(data)
