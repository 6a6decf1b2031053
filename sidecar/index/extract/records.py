"""What the store keeps of one file, made where the file was parsed and ready to be written.

Packing is done here, by the processes that extract, because the writer is one and they are many.
Must never read files or the database. May import `syntax`, and `fingerprint` of this package.
"""

from __future__ import annotations

import re
from array import array
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

import msgpack

from sidecar.index.extract.fingerprint import interface_fingerprint
from sidecar.syntax.facts import Facts
from sidecar.syntax.symbols import Symbol

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = [
    "FileRecord",
    "make_record",
    "names_of",
    "pack_symbols",
    "read_columns",
    "read_places",
    "read_reference",
    "read_references",
    "read_rows",
    "read_symbols",
    "search_words",
    "symbol_of",
]

#: Words that were split lately: the same few thousand stand in every file of a workspace.
_SPLIT_WORDS = 1 << 16
#: Where a compound word falls apart: `parseHTTPBody2` has parse, HTTP and Body2.
_HUMPS = re.compile(r"[A-Z]+(?![^\W\d_A-Z])[0-9]*|[A-Z]?[^\W_A-Z]+")
#: Counts of references are kept in two bytes each.
_MANY = 0xFFFF

#: What stands for the parts of a symbol that are left out.
_EMPTY: tuple[Any, ...] = ("", "", (), "", ())

#: With a buffer that is kept: `packb` makes one each time, which costs more than packing.
_pack: Any = msgpack.Packer().pack
_unpack: Any = msgpack.unpackb


class FileRecord(NamedTuple):
    """One file as it is written to the store.

    Args:
        path: Relative to the workspace, or absolute for a file outside of it.
        language: Its language's name, or nothing.
        size: Bytes, as they were when it was read.
        mtime_ns: Time of its last change, as it was when it was read.
        digest: Of its content, 16 bytes.
        fingerprint: Of its interface, 8 bytes.
        errors: Regions that did not parse.
        external: Whether it lies outside of the workspace.
        symbols: Packed declarations.
        names: What they are called, and whether outside of all others.
        owners: Types whose members stand outside of all declarations here.
        imports: Module, name and alias of each import.
        places: Packed positions of symbols and imports.
        references: Packed names with their counts.
        symbol_count: How many declarations there are.
        reference_count: How many references there are.
        words: Identifier words and the parts of compound ones, separated by spaces.
    """

    path: str
    language: str
    size: int
    mtime_ns: int
    digest: bytes
    fingerprint: bytes
    errors: int
    external: bool
    symbols: bytes
    names: Sequence[tuple[str, bool]]
    owners: Sequence[str]
    imports: Sequence[tuple[str, str, str]]
    places: bytes
    references: bytes
    symbol_count: int
    reference_count: int
    words: str


def make_record(
    path: str,
    language: str,
    size: int,
    mtime_ns: int,
    content_digest: bytes,
    facts: Facts | None,
    *,
    external: bool = False,
) -> FileRecord:
    """Pack the facts of a file.

    Args:
        path: Relative to the workspace, or absolute for a file outside of it.
        language: Its language's name, or nothing.
        size: Bytes, as they were when it was read.
        mtime_ns: Time of its last change, as it was when it was read.
        content_digest: What `content.digest` says of its content.
        facts: What it holds, or None if it is known by its path only.
        external: Whether it lies outside of the workspace.
    """
    known = Facts((), (), (), {}, "", 0) if facts is None else facts
    references, count = _pack_references(known.references)
    symbols = known.symbols
    return FileRecord(
        path,
        language,
        size,
        mtime_ns,
        content_digest,
        interface_fingerprint(symbols, known.imports),
        known.errors,
        external,
        pack_symbols(symbols),
        *names_of(symbols),
        [(module, name, alias) for module, name, alias, _ in known.imports],
        _pack_places(known),
        references,
        len(symbols),
        count,
        search_words(known.words),
    )


def pack_symbols(symbols: Sequence[Symbol]) -> bytes:
    """Pack declarations by columns: what is looked through, and the rest of each in one piece.

    So a file of a thousand declarations is looked through without unpacking their signatures.
    """
    if not symbols:
        return b""
    names, kinds, containers, owners, *_ = zip(*symbols, strict=True)
    rests = [_pack(symbol[4 : _length(symbol)]) for symbol in symbols]
    packed: bytes = _pack((names, kinds, containers, owners, rests))
    return packed


def _length(symbol: Symbol) -> int:
    """Return how many fields there are up to the last that holds something."""
    if symbol[8]:
        return 9
    if symbol[7]:
        return 8
    if symbol[6]:
        return 7
    return 6 if symbol[5] else 5


def read_columns(
    packed: bytes | None,
) -> tuple[list[str], list[str], list[int], list[str], list[bytes]]:
    """Return names, kinds, containers, owners and packed rests of declarations."""
    if not packed:
        return [], [], [], [], []
    names, kinds, containers, owners, rests = _unpack(packed)
    return names, kinds, containers, owners, rests


def read_rows(packed: bytes | None) -> list[tuple[str, str, int, str, bytes]]:
    """Return name, kind, container, owner and the packed rest of each declaration."""
    return list(zip(*read_columns(packed), strict=True))


def symbol_of(row: tuple[str, str, int, str, bytes]) -> Symbol:
    """Return the declaration of a row."""
    rest = _unpack(row[4], use_list=False)
    return Symbol._make(row[:4] + rest + _EMPTY[len(rest) :])


def read_symbols(packed: bytes | None) -> list[Symbol]:
    """Return packed declarations."""
    return list(map(symbol_of, read_rows(packed)))


def names_of(symbols: Iterable[tuple[Any, ...]]) -> tuple[list[tuple[str, bool]], list[str]]:
    """Return what is looked up by name.

    Returns:
        Each name with whether it stands outside of all declarations, and the types whose members
        do, although they belong to it.
    """
    names: dict[str, bool] = {}
    owners: dict[str, None] = {}
    for symbol in symbols:
        if symbol[2] < 0:
            names[symbol[0]] = True
            if symbol[3]:
                owners[symbol[3]] = None
        else:
            names.setdefault(symbol[0], False)
    return list(names.items()), list(owners)


def _pack_places(facts: Facts) -> bytes:
    if not facts.places and not facts.imports:
        return b""
    flat = [number for place in facts.places for number in place]
    packed: bytes = _pack((flat, [import_[3] for import_ in facts.imports]))
    return packed


def read_places(packed: bytes) -> tuple[list[int], list[int]]:
    """Return the places of a file's declarations, four numbers each, and lines of its imports."""
    if not packed:
        return [], []
    numbers, lines = _unpack(packed)
    return numbers, lines


def _pack_references(references: dict[str, tuple[int, int, int]]) -> tuple[bytes, int]:
    """Pack names in one text and counts in one array, so that one name is found by a search."""
    if not references:
        return b"", 0
    counts = [number for three in references.values() for number in three]
    total = sum(counts)
    if max(counts) > _MANY:
        counts = [min(number, _MANY) for number in counts]
    names = "\n".join(references)
    packed: bytes = _pack((f"\n{names}\n".encode(), array("H", counts).tobytes()))
    return packed, total


def read_references(packed: bytes) -> dict[str, tuple[int, int, int]]:
    """Return how often each name is called, read as an attribute, and used as a type."""
    if not packed:
        return {}
    names, counts = _unpack(packed)
    numbers = iter(array("H", counts))
    return dict(
        zip(
            names[1:-1].decode().split("\n"),
            zip(numbers, numbers, numbers, strict=True),
            strict=True,
        )
    )


def read_reference(packed: bytes, name: bytes) -> tuple[int, int, int] | None:
    """Return the counts of one name without unpacking the others, or None if it is not there."""
    if name not in packed:
        return None
    names, counts = _unpack(packed)
    at = names.find(b"\n%b\n" % name)
    if at < 0:
        return None
    start = 6 * names.count(b"\n", 0, at)
    calls, attributes, types = array("H", counts[start : start + 6])
    return calls, attributes, types


def search_words(words: str) -> str:
    """Return words, each given once, with the lower-case parts of compound ones behind them."""
    listed = words.split()
    # All in C: this runs over some hundred words of every file of a first index.
    parts = dict.fromkeys(chain.from_iterable(map(_parts, listed)))
    return " ".join(chain(listed, parts))


@lru_cache(_SPLIT_WORDS)
def _parts(word: str) -> tuple[str, ...]:
    """Return the lower-case parts of a compound word, or nothing if it is none."""
    if word.islower() or word.isupper():
        if "_" not in word:
            return ()
        return tuple([part for part in word.lower().split("_") if len(part) > 1])
    parts = _HUMPS.findall(word)
    if len(parts) == 1 and len(parts[0]) == len(word):
        return ()
    return tuple([part.lower() for part in parts if len(part) > 1])
