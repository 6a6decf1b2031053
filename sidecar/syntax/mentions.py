"""Which names stand in a part of a file: what is called, read as a member, or used as a type.

Names are read as text, since code at a cursor rarely parses, and the tree tells what is no code:
comments, strings and imports. Must never do I/O, nor know any language by name. May import this
package.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from sidecar.syntax.queries import captures_in

if TYPE_CHECKING:
    from sidecar.syntax.parse import Parsed

__all__ = ["Mention", "mentions_in"]

#: A part that is longer is cut: nobody writes so much in the lines around a cursor.
_MOST_BYTES: Final = 50_000
#: Statements that span more are no imports, whatever they look like.
_MOST_IMPORTED: Final = 4_000
#: A name with what joins it to the one before, and whether it is called or gets a value.
#: Bytes beyond ASCII stand as one character each.
_NAME: Final = re.compile(
    r"((?:\?\.|!!\.|!\.|&\.|::|\.|\\)\s*|\?->|(?<=[\w\])])->)?"
    r"([A-Za-z_$\x80-\xff][\w$\x80-\xff]*)"
    r"(?=(!?(?:::)?(?:<[\w\s,.<>\[\]|&?:*]{0,80}>)?\s?\(|\s*(?::=|=(?![=>~])|in\s))?)",
    re.ASCII,
)
#: Words behind which a name gets a value.
_BINDING: Final = frozenset({"let", "const", "var", "val", "mut", "for", "as", "static"})
#: Names that mean the object at hand, or what is around it, in some language.
_SELF: Final = frozenset(
    {"self", "this", "super", "cls", "Self", "base", "parent", "static", "crate"}
)
#: What names begin with that are looked up from the outermost module on.
_ROOTS: Final = frozenset({"crate", "super", "self", "global"})
_OUTERMOST: Final = frozenset({"crate", "global"})


class Mention(NamedTuple):
    """A name where it stands.

    Args:
        name: The name.
        start: Where it begins, in bytes.
        role: `call`, `member` (read from something), `type`, or `name`.
        qualifier: The names before it, joined with `.`, in `app.models.Order`; `?` where it is a
            member of something else; empty where nothing stands before it.
    """

    name: str
    start: int
    role: str
    qualifier: str


def mentions_in(parsed: Parsed | None, source: bytes, start: int, end: int) -> list[Mention]:
    """Return the names in a part of a file, in the order of the text.

    Names that get their values in this part are left out where nothing else is done with them.

    Args:
        parsed: The file's tree, if there is one.
        source: The file's bytes, or at least so many of them.
        start: Where the part begins.
        end: Where it ends.
    """
    end = min(end, start + _MOST_BYTES)
    chunk = source[start:end]
    types: set[int] = set()
    words: frozenset[str] = frozenset()
    if parsed is not None:
        query, words = parsed.grammar.mentions
        marked = captures_in(query, parsed.tree.root_node, start, end)
        ranges = [
            (max(first, start) - start, node.end_byte - start)
            for node in marked.get("quiet", ())
            # What holds nodes may hold code; its own text is a node as well.
            if not node.named_child_count and (first := node.start_byte) < end
        ]
        for node in marked.get("import", ()):
            first, last = node.byte_range
            if last - first < _MOST_IMPORTED and first < end:
                ranges.append((max(first, start) - start, last - start))
        chunk = _without(chunk, ranges)
        for word in ("ref.type", "ref.any_type"):
            types.update(node.start_byte for node in marked.get(word, ()))
    found: list[Mention] = []
    bound: set[str] = set()
    last, path, before = -1, "", ""
    text = chunk.decode("latin-1")
    for match in _NAME.finditer(text):
        joined, name, behind = match.groups()
        at = match.start(2)
        called = behind is not None and behind[-1] == "("
        qualifier = ""
        if joined:
            qualifier = path if match.start() == last and path else "?"
        elif name in words:
            last, path, before = match.end(), name if name in _SELF else "", name
            continue
        elif (behind and not called) or before in _BINDING:
            bound.add(name)
        last = match.end()
        before = name
        if called:
            path = "" if not joined else "?"
        elif not qualifier:
            path = name
        else:
            path = "?" if qualifier == "?" else f"{qualifier}.{name}"
        if name in _SELF:
            continue
        if qualifier:
            while (head := qualifier.partition("."))[0] in _ROOTS and head[2]:
                qualifier = head[2]
            if qualifier in _OUTERMOST:
                qualifier = ""
            role = "member" if qualifier else "name"
        else:
            role = "name"
        if start + at in types:
            role = "type"
        elif called:
            role = "call"
        found.append(Mention(name, start + at, role, qualifier))
    if not chunk.isascii():
        found = [
            mention._replace(name=_decoded(mention.name), qualifier=_decoded(mention.qualifier))
            for mention in found
        ]
        bound = set(map(_decoded, bound))
    if not bound:
        return found
    return [
        item for item in found if item.name not in bound or item.role != "name" or item.qualifier
    ]


def _decoded(name: str) -> str:
    return name if name.isascii() else name.encode("latin-1").decode("utf-8", "replace")


def _without(chunk: bytes, ranges: list[tuple[int, int]]) -> bytes:
    """Return a text with spaces in place of some parts."""
    text = bytearray(chunk)
    most = len(text)
    for start, end in ranges:
        end = min(end, most)
        text[start:end] = b" " * (end - start)
    return bytes(text)
