r"""Server-sent events: from the bytes of a stream to the data of each event.

Lines end at line feeds alone, with or without a carriage return before them: JSON may hold U+2028
and the like, at which `str.splitlines` would cut. Pure.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["MOST_BYTES", "Events"]

#: An event larger than this is no event.
MOST_BYTES = 1024 * 1024


class Events:
    """Takes the bytes of one stream as they come."""

    def __init__(self) -> None:
        self._line: list[bytes] = []
        self._data: list[bytes] = []
        self._size = 0

    def feed(self, data: bytes) -> Iterator[bytes]:
        """Yield the data of the events that have ended.

        Args:
            data: The next bytes, however they were cut.

        Raises:
            ValueError: An event is too large.
        """
        self._size += len(data)
        *ends, rest = data.split(b"\n")
        for end in ends:
            line = b"".join((*self._line, end)).removesuffix(b"\r")
            self._line.clear()
            if not line:
                if self._data:
                    yield b"\n".join(self._data)
                    self._data.clear()
                self._size = len(rest)
                continue
            # What begins with a colon is a comment; other fields say nothing that is needed.
            name, _, value = line.partition(b":")
            if name == b"data":
                self._data.append(value.removeprefix(b" "))
        if rest:
            self._line.append(rest)
        if self._size > MOST_BYTES:
            raise ValueError("an event is too large")
