"""The interface fingerprint of a file: eight bytes that change when what it declares changes.

Blind to positions, documentation, comments, formatting and bodies: while it stays, no other file
needs another look. Must never read files. May import `syntax`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

import msgpack
import xxhash

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sidecar.syntax.imports import Import
    from sidecar.syntax.symbols import Symbol

__all__ = ["interface_fingerprint"]

#: What is declared inside one of these is part of a body.
_WITH_BODY: Final = frozenset({"function", "method"})
#: Text in quotes is kept as it is: a space in a default value is no formatting.
_QUOTED = re.compile(r"""("[^"\\\n]*(?:\\.[^"\\\n]*)*"|'[^'\\\n]*(?:\\.[^'\\\n]*)*')""")
#: Spaces beside what is no letter are the formatter's business. A pattern that begins with what it
#: looks for is tried only there, which is several times as fast.
_SPACES = re.compile(r" (?:(?=[^\w\s])|(?<=[^\w\s] ))")
#: So are commas before what closes.
_COMMAS: Final = ((",)", ")"), (",]", "]"), (",}", "}"), (",>", ">"))

#: With a buffer that is kept: `packb` makes one each time, which costs more than packing.
_pack: Any = msgpack.Packer().pack


def interface_fingerprint(symbols: Sequence[Symbol], imports: Iterable[Import]) -> bytes:
    """Return the fingerprint of a file's declarations.

    The order of declarations counts, since fields and members of an enumeration have one; the
    order of imports does not, since tools sort them.

    Args:
        symbols: The declarations.
        imports: What the file imports, which others may import from it.
    """
    numbers: dict[int, int] = {-1: -1}
    declared: list[tuple[str, str, int, str, int, int]] = []
    texts: list[str] = []
    for ordinal, symbol in enumerate(symbols):
        name, kind, container, owner, signature, _, bases, type_, parameters = symbol
        around = numbers.get(container)
        if around is None:
            continue
        if kind not in _WITH_BODY:
            # Only what others can name gets a number, so that a body may hold what it likes.
            numbers[ordinal] = len(declared)
        declared.append((kind, name, around, owner, len(bases), len(parameters)))
        texts += (signature, type_, *bases)
        for parameter in parameters:
            texts += parameter
    imported = sorted({(module, name, alias) for module, name, alias, _ in imports})
    return xxhash.xxh3_64_digest(_pack((declared, _unformatted("\n".join(texts)), imported)))


def _unformatted(text: str) -> str:
    """Return declarations without what formatting may change, one a line as before."""
    if '"' not in text and "'" not in text:
        return _unspaced(text)
    pieces = _QUOTED.split(text)
    pieces[::2] = map(_unspaced, pieces[::2])
    return "".join(pieces)


def _unspaced(text: str) -> str:
    text = _SPACES.sub("", text)
    for written, kept in _COMMAS:
        text = text.replace(written, kept)
    return text
