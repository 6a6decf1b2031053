"""Lanes on disk: what a session has evaluated, for the next one.

A file holds the tokens of one lane and llama.cpp's copy of its state, and ends with a digest of all
of that, so that whatever is damaged, cut short or foreign is known before it is used, and removed.
Files are their user's alone, since tokens are code. They are bounded in bytes, the newest first,
and in age. Nothing here may fail a request: what cannot be read is not there, and what cannot be
written is not kept. Knows nothing of llama.cpp. May import `keeping`, and `settings`.
"""

from __future__ import annotations

import hashlib
import os
import stat
import struct
import time
from array import array
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from sidecar.engine.keeping import common_prefix
from sidecar.settings.private import PART, write_private

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from io import BufferedReader

__all__ = ["SECONDS_KEPT", "Shelf", "Stored"]

#: Who has not been in a file for a week reads it anew, and its code need not lie here.
SECONDS_KEPT: Final = 7 * 86400.0
#: A file is replaced by one that holds this share of it: the lane went on, or is the same place.
_SAME: Final = 0.9
_SUFFIX: Final = ".lane"
_MAGIC: Final = b"sidecar lane 1\n\0"
#: Magic, key, number of tokens, bytes of the state.
_HEAD: Final = struct.Struct("<16s16sIQ")
_DIGEST: Final = 16
#: More than any context has.
_MOST_TOKENS: Final = 1 << 20


class Stored(NamedTuple):
    """A lane on disk.

    Args:
        path: Its file.
        tokens: What it holds.
        bytes: Size of the file.
    """

    path: Path
    tokens: Sequence[int]
    bytes: int


class Shelf:
    """The lanes on disk that one kind of engine can use.

    Args:
        folder: A directory that only the user can enter; it is not made again once it is gone.
        key: Names everything that has to be the same for a state to be usable.
        limit: Most bytes of all files, those of other engines included. 0 keeps nothing.
        now: Tells seconds since the epoch, as files do.
    """

    def __init__(
        self, folder: Path, key: str, limit: int, now: Callable[[], float] = time.time
    ) -> None:
        self._folder = folder
        self._key = hashlib.blake2b(key.encode(), digest_size=16).digest()
        self._limit = limit
        self._now = now
        self._lanes: list[Stored] = []
        self.tidy()
        if limit:
            with suppress(OSError):
                self._lanes = [*filter(None, map(self._head, self._files()))]

    @property
    def lanes(self) -> Sequence[Stored]:
        """The lanes that there are."""
        return self._lanes

    def nearest(self, prompt: Sequence[int]) -> tuple[int, Stored | None]:
        """Return the lane that holds most of a prompt, and how many tokens of it."""
        prompt = array("i", prompt)
        best: tuple[int, Stored | None] = 0, None
        for lane in self._lanes:
            shared = common_prefix(lane.tokens, prompt)
            if shared > best[0]:
                best = shared, lane
        return best

    def read(self, lane: Stored) -> bytearray | None:
        """Return a lane's state; None, and the file is gone, if it is not what was written."""
        data = bytearray()
        with suppress(OSError), _opened(lane.path) as file:
            data = bytearray(os.fstat(file.fileno()).st_size)
            if file.readinto(data) != len(data):
                data = bytearray()
        body = len(data) - _DIGEST
        start = _HEAD.size + 4 * len(lane.tokens)
        if body < start or _digest(memoryview(data)[:body]) != data[body:]:
            self.remove(lane)
            return None
        del data[body:]
        del data[:start]
        return data

    def remove(self, lane: Stored) -> None:
        """Remove a lane that is of no use."""
        if lane in self._lanes:
            self._lanes.remove(lane)
        _unlink(lane.path)

    def holds(self, tokens: Sequence[int], missing: int) -> bool:
        """Tell whether a lane is here already, but for a few tokens at its end."""
        shared, _ = self.nearest(tokens)
        return shared >= len(tokens) - missing

    def put(self, tokens: Sequence[int], state: bytes | bytearray) -> bool:
        """Keep a lane in place of those that are mostly in it; tell whether it is kept.

        Args:
            tokens: What it holds.
            state: llama.cpp's copy of it.
        """
        ids = array("i", tokens)
        size = _HEAD.size + 4 * len(ids) + len(state) + _DIGEST
        if size > self._limit:
            return False
        head = _HEAD.pack(_MAGIC, self._key, len(ids), len(state)) + ids.tobytes()
        name = self._key.hex()[:12] + "-" + _digest(head).hex() + _SUFFIX
        path = self._folder / name
        if not write_private(path, (head, state, _digest(head, state))):
            return False
        for old in [*self._lanes]:
            if common_prefix(old.tokens, ids) >= _SAME * len(old.tokens):
                self._lanes.remove(old)
                if old.path != path:
                    _unlink(old.path)
        self._lanes.append(Stored(path, ids, size))
        self.tidy()
        return True

    def tidy(self) -> None:
        """Remove what is too old, or too much; all of it where nothing is to be kept."""
        oldest = self._now() - SECONDS_KEPT
        left = self._limit
        gone = set()
        for path in self._files():
            with suppress(OSError):
                found = path.lstat()
                left -= found.st_size
                if left < 0 or found.st_mtime < oldest or not stat.S_ISREG(found.st_mode):
                    gone.add(path)
                    path.unlink()
        self._lanes = [lane for lane in self._lanes if lane.path not in gone]

    def _files(self) -> list[Path]:
        """List all files of lanes, the newest first; of what a crash left over, only the old."""
        found: list[tuple[float, Path]] = []
        with suppress(OSError):
            for entry in os.scandir(self._folder):
                with suppress(OSError):
                    at = entry.stat(follow_symlinks=False).st_mtime
                    whole = entry.name.endswith(_SUFFIX)
                    part = entry.name.endswith(_SUFFIX + PART)
                    if whole or (part and (not self._limit or self._now() - at > 60)):
                        # A part goes first: it is of no use however new it is.
                        found.append((at if whole else 0.0, Path(entry.path)))
        return [path for _, path in sorted(found, reverse=True)]

    def _head(self, path: Path) -> Stored | None:
        """Read what a file holds; remove it if it is none of ours."""
        with suppress(OSError), _opened(path) as file:
            size = os.fstat(file.fileno()).st_size
            head = file.read(_HEAD.size)
            if len(head) == _HEAD.size:
                magic, key, count, state = _HEAD.unpack(head)
                whole = size == _HEAD.size + 4 * count + state + _DIGEST
                if magic == _MAGIC and count <= _MOST_TOKENS and whole:
                    if key != self._key:
                        # Another engine's, which may come back.
                        return None
                    tokens = array("i")
                    tokens.frombytes(file.read(4 * count))
                    if len(tokens) == count:
                        return Stored(path, tokens, size)
        _unlink(path)
        return None


def _opened(path: Path) -> BufferedReader:
    # A link is none of ours; and nothing that waits for a writer is opened.
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    return os.fdopen(os.open(path, flags | getattr(os, "O_BINARY", 0)), "rb")


def _digest(*pieces: bytes | bytearray | memoryview) -> bytes:
    made = hashlib.blake2b(digest_size=_DIGEST)
    for piece in pieces:
        made.update(piece)
    return made.digest()


def _unlink(path: Path) -> None:
    with suppress(OSError):
        path.unlink()
