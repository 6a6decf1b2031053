"""Reads the header of a GGUF file: metadata, and how long the file must be.

Must never read the weights, and must answer within some 50 ms: the vocabulary is stepped over, not
decoded. Everything in the file is taken as untrusted. May import `errors` only.
The format: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO

from sidecar.errors import ModelError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

__all__ = ["TENSOR_TYPES", "DamagedError", "Header", "Scalar", "read_header"]

Scalar = str | int | float | bool

_U32 = struct.Struct("<I")
_U64 = struct.Struct("<Q")
#: Value types of metadata: number in the file -> how it is stored. 8 is a string, 9 an array.
_VALUES = {
    0: struct.Struct("<B"),
    1: struct.Struct("<b"),
    2: struct.Struct("<H"),
    3: struct.Struct("<h"),
    4: _U32,
    5: struct.Struct("<i"),
    6: struct.Struct("<f"),
    7: struct.Struct("<?"),
    10: _U64,
    11: struct.Struct("<q"),
    12: struct.Struct("<d"),
}
_STRING, _ARRAY = 8, 9
#: Tensor types: number in the file -> (weights in a block, bytes of a block).
TENSOR_TYPES = {
    0: (1, 4),
    1: (1, 2),
    2: (32, 18),
    3: (32, 20),
    6: (32, 22),
    7: (32, 24),
    8: (32, 34),
    9: (32, 36),
    10: (256, 84),
    11: (256, 110),
    12: (256, 144),
    13: (256, 176),
    14: (256, 210),
    15: (256, 292),
    16: (256, 66),
    17: (256, 74),
    18: (256, 98),
    19: (256, 50),
    20: (32, 18),
    21: (256, 110),
    22: (256, 82),
    23: (256, 136),
    24: (1, 1),
    25: (1, 2),
    26: (1, 4),
    27: (1, 8),
    28: (1, 8),
    29: (256, 56),
    30: (1, 2),
    34: (256, 54),
    35: (256, 66),
    39: (32, 17),
}
_FIRST_READ = 8 << 20
#: Longer arrays are vocabularies; their length is kept, their content is not.
_KEPT_ARRAY = 1024
#: Never to remove it: the file may be the only one of somebody else's.
_OTHER_FILE = "choose another file"
#: More than any model has; a damaged count must not become a long loop.
_MOST_ENTRIES = 1 << 17


class DamagedError(ModelError):
    """A model file is empty, cut short or has a damaged header."""


class _CutShortError(Exception):
    """The header says that more follows than the file holds."""


@dataclass(frozen=True, slots=True)
class Header:
    """What a GGUF file says about itself.

    Attributes:
        version: Version of the format.
        tensors: Number of tensors.
        metadata: Numbers, truth values and strings by key.
        arrays: Short arrays of numbers by key.
        lengths: Lengths of all arrays by key.
        needed_bytes: How long the file must be for its tensors to be whole.
        file_bytes: How long it is.
    """

    version: int
    tensors: int
    metadata: Mapping[str, Scalar]
    arrays: Mapping[str, tuple[Scalar, ...]]
    lengths: Mapping[str, int]
    needed_bytes: int
    file_bytes: int

    def number(self, key: str) -> int | None:
        """Return the whole number under `key`, or None."""
        value = self.metadata.get(key)
        return value if isinstance(value, int) and not isinstance(value, bool) else None

    def text(self, key: str) -> str | None:
        """Return the string under `key`, or None."""
        value = self.metadata.get(key)
        return value if isinstance(value, str) else None


def read_header(path: Path) -> Header:
    """Read the header of a GGUF file and check that the file is whole.

    Raises:
        ModelError: The file cannot be read, is no GGUF, or is cut short.
    """
    try:
        if path.is_dir():
            raise ModelError(f"{path} is a directory", "give the GGUF file in it")
        # Before it is opened: opening a pipe would wait for somebody to write to it.
        if path.exists() and not path.is_file():
            raise ModelError(f"{path} is not a regular file", "give the path of a GGUF file")
        with path.open("rb") as file:
            size = file.seek(0, 2)
            file.seek(0)
            return _checked(path, _parse(path, file, size))
    except FileNotFoundError as error:
        raise ModelError(
            f"there is no file {path}", "give the path of a GGUF file, or pull a model by its name"
        ) from error
    except OSError as error:
        denied = isinstance(error, PermissionError)
        raise ModelError(
            f"{path} cannot be read ({error.strerror})",
            "make the file readable for this user" if denied else _OTHER_FILE,
        ) from error
    except ValueError as error:
        raise ModelError(f"no file can be called {str(path)!r}", _OTHER_FILE) from error


def _checked(path: Path, header: Header) -> Header:
    if header.file_bytes < header.needed_bytes:
        raise _cut_short(path, header.file_bytes, header.needed_bytes)
    return header


def _parse(path: Path, file: BinaryIO, size: int) -> Header:
    reader = _Reader(file, size)
    try:
        _check_magic(path, reader.data)
        reader.pos = 4
        version = reader.u32()
        if version not in (2, 3):
            raise ModelError(
                f"{path} has version {version} of the GGUF format",
                "convert it again with a current llama.cpp, on this kind of machine",
            )
        tensors, entries = reader.u64(), reader.u64()
        if tensors > _MOST_ENTRIES or entries > _MOST_ENTRIES:
            raise _damaged(path)
        metadata: dict[str, Scalar] = {}
        arrays: dict[str, tuple[Scalar, ...]] = {}
        lengths: dict[str, int] = {}
        for _ in range(entries):
            key, kind = reader.string(), reader.u32()
            if kind == _ARRAY:
                lengths[key], kept = reader.array()
                if kept is not None:
                    arrays[key] = kept
            else:
                metadata[key] = reader.value(kind)
        end = _end_of_tensors(reader, tensors)
    except _CutShortError as error:
        raise _cut_short(path, size, None) from error
    except (KeyError, UnicodeDecodeError, ValueError) as error:
        raise _damaged(path) from error
    alignment = metadata.get("general.alignment", 32)
    if not isinstance(alignment, int) or alignment < 1:
        raise _damaged(path)
    start = -(-reader.pos // alignment) * alignment
    return Header(
        version=version,
        tensors=tensors,
        metadata=metadata,
        arrays=arrays,
        lengths=lengths,
        needed_bytes=start + end if tensors else reader.pos,
        file_bytes=size,
    )


def _end_of_tensors(reader: _Reader, count: int) -> int:
    """Step over the tensor descriptions and return where the last tensor ends."""
    end = 0
    for _ in range(count):
        reader.skip(reader.u64())
        weights = 1
        for _ in range(min(reader.u32(), 8)):
            weights *= reader.u64()
        # A type that came after this version: where it starts is known, its length is not.
        block, size = TENSOR_TYPES.get(reader.u32(), (1, 0))
        end = max(end, reader.u64() + weights // block * size)
    return end


class _Reader:
    """Little-endian values from the start of a file, read in as much as they need."""

    def __init__(self, file: BinaryIO, size: int) -> None:
        self._file = file
        self._size = size
        self.data = file.read(_FIRST_READ)
        self.pos = 0

    def u32(self) -> int:
        return int(self._unpack(_U32))

    def u64(self) -> int:
        return int(self._unpack(_U64))

    def skip(self, count: int) -> None:
        self.pos += count
        self._have(self.pos)

    def string(self) -> str:
        length = self.u64()
        start = self.pos
        self.skip(length)
        return self.data[start : self.pos].decode("utf-8", "replace")

    def value(self, kind: int) -> Scalar:
        if kind == _STRING:
            return self.string()
        found: Scalar = self._unpack(_VALUES[kind])
        return found

    def array(self) -> tuple[int, tuple[Scalar, ...] | None]:
        """Step over an array; return its length, and its content if that is short numbers."""
        kind, count = self.u32(), self.u64()
        if kind == _STRING:
            self._skip_strings(count)
            return count, None
        stored = _VALUES[kind]
        if count > _KEPT_ARRAY:
            self.skip(count * stored.size)
            return count, None
        return count, tuple(self.value(kind) for _ in range(count))

    def _skip_strings(self, count: int) -> None:
        # The loop that decides how long reading takes: 300,000 turns for a vocabulary and its
        # merges, some 30 ms. Bounds are checked by struct itself, so that the loop has no branch.
        if count > self._size // 8:
            raise _CutShortError
        done, pos = 0, self.pos
        length_at = _U64.unpack_from
        while True:
            data = self.data
            try:
                for done in range(done, count):  # noqa: B007, B020 - it resumes
                    pos += 8 + length_at(data, pos)[0]
                break
            except (struct.error, OverflowError, IndexError):
                self._have(pos + 8)
        self.pos = pos
        self._have(pos)

    def _unpack(self, stored: struct.Struct) -> int:
        end = self._have(self.pos + stored.size)
        found = stored.unpack_from(self.data, self.pos)[0]
        self.pos = end
        return found  # type: ignore[no-any-return]

    def _have(self, end: int) -> int:
        """Make sure that everything before `end` was read."""
        if end > self._size:
            raise _CutShortError
        if end > len(self.data):
            self.data += self._file.read(max(end, 2 * len(self.data)) - len(self.data))
            if end > len(self.data):
                raise _CutShortError
        return end


def _check_magic(path: Path, data: bytes) -> None:
    if data.startswith(b"GGUF"):
        return
    if not data:
        raise DamagedError(f"{path} is empty", _OTHER_FILE)
    if data.startswith(b"version https://git-lfs"):
        raise ModelError(
            f"{path} is a Git LFS pointer, not the model itself", "fetch it with `git lfs pull`"
        )
    text = not data[:256].translate(None, _TEXT_BYTES)
    raise ModelError(
        f"{path} is {'a text file, not a GGUF model' if text else 'not a GGUF file'}",
        "give a model in GGUF format, or run `sidecar models pull`",
    )


_TEXT_BYTES = bytes(range(0x20, 0x7F)) + b"\t\n\r\f" + bytes(range(0x80, 0x100))


def _cut_short(path: Path, have: int, need: int | None) -> DamagedError:
    known = f": it has {have:,} of {need:,} bytes" if need else ""
    return DamagedError(f"{path} is cut short{known}", _OTHER_FILE)


def _damaged(path: Path) -> DamagedError:
    return DamagedError(f"{path} has a damaged GGUF header", _OTHER_FILE)
