"""What a reader must know of a file above a place: its imports, and the heads of what is around it.

A window that begins in the middle of a file shows neither which names there are nor what they
stand in. Must never do I/O, nor know any language by name. May import `text` and this package.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sidecar.syntax.queries import captures_in
from sidecar.text import to_lf

if TYPE_CHECKING:
    from tree_sitter import Node

    from sidecar.syntax.parse import Parsed

__all__ = ["above"]

#: Most bytes of imports, and of one head: the last imports and the first lines of a head stay.
_MOST_IMPORTS: Final = 1000
_MOST_HEAD: Final = 500
#: Children among which the value of a declaration is looked for.
_LOOKED_AT: Final = 4
#: Imports stand no deeper than this: in a list, in a declaration, in a condition.
_DEEPEST_IMPORT: Final = 6
#: Bytes of brackets or of a condition around imports that are taken with them.
_MOST_FRAME: Final = 24
#: What stands around a place, as queries mark it.
_AROUND: Final = tuple(
    f"def.{kind}"
    for kind in (
        *("function", "method", "class", "struct", "interface", "enum", "record"),
        *("extension", "module", "constant"),
    )
)


def above(parsed: Parsed, start: int) -> str:
    """Return imports that end above a place, and heads of declarations around it.

    Args:
        parsed: The file.
        start: Where a line starts, in bytes.
    """
    imports, heads = _imports(parsed, start), _heads(parsed, start)
    pieces = imports + heads
    if not pieces:
        return ""
    source = parsed.source
    text = b"".join(source[first:last].rstrip() + b"\n" for first, last in imports)
    if heads:
        text += b"\n" if text else b""
        text += b"".join(_shortened(source[first:last]) for first, last in heads)
    if source[pieces[-1][1] : start].strip():
        text += _gap(source, start)
    return to_lf(text.decode("utf-8", "replace"))


def _shortened(head: bytes) -> bytes:
    """Return a head that is not too long, with its first lines."""
    head = head.rstrip()
    if len(head) > _MOST_HEAD:
        head = head[: head.rfind(b"\n", 0, _MOST_HEAD) + 1].rstrip() or head[:_MOST_HEAD]
    return head + b"\n"


def _gap(source: bytes, start: int) -> bytes:
    """Return a line that tells that something was left out."""
    stop = source.find(b"\n", start)
    line = source[start : len(source) if stop < 0 else stop]
    return line[: len(line) - len(line.lstrip(b" \t"))] + b"...\n"


def _imports(parsed: Parsed, start: int) -> list[tuple[int, int]]:
    """Return the lines of the imports above a place."""
    import tree_sitter

    query = parsed.grammar.imports
    if query is None:
        return []
    cursor = tree_sitter.QueryCursor(query)
    cursor.set_max_start_depth(_DEEPEST_IMPORT)
    cursor.set_byte_range(0, start)
    source, root = parsed.source, parsed.tree.root_node
    nodes = cursor.captures(root).get("import", [])
    # A declaration of imports alone is taken whole, with its brackets or the condition it is under.
    inside: dict[tuple[int, int], int] = {}
    lines: dict[tuple[int, int], tuple[int, int]] = {}
    for node in nodes:
        outermost = root.child_with_descendant(node)
        if outermost is None:
            continue
        key = (outermost.start_byte, outermost.end_byte)
        inside[key] = inside.get(key, 0) + node.end_byte - node.start_byte
        lines[node.start_byte, node.end_byte] = key
    ranges: dict[tuple[int, int], None] = {}
    for (first, last), key in sorted(lines.items()):
        if 2 * inside[key] + _MOST_FRAME >= key[1] - key[0]:
            first, last = key
        elif source[first - 1 : first] not in (b"", b"\n"):
            continue
        first = source.rfind(b"\n", 0, first) + 1
        stop = source.find(b"\n", last - 1 if source[last - 1 : last] == b"\n" else last)
        last = len(source) if stop < 0 else stop + 1
        if last <= start:
            ranges[first, last] = None
    found: list[tuple[int, int]] = []
    room = _MOST_IMPORTS
    until = start
    for first, last in sorted(ranges, reverse=True):
        room -= last - first
        if room < 0:
            break
        if last <= until:
            found.append((first, last))
            until = first
    return found[::-1]


def _heads(parsed: Parsed, start: int) -> list[tuple[int, int]]:
    """Return the heads of declarations that begin above a place and end below it."""
    grammar, root = parsed.grammar, parsed.tree.root_node
    if grammar.facts is None:
        return []
    found = captures_in(grammar.facts, root, start, start + 1)

    def around(word: str) -> list[Node]:
        nodes = found.get(word, ())
        return [node for node in nodes if node.start_byte < start < node.end_byte]

    source = parsed.source
    wraps = around("wrap")
    nodes = {(node.start_byte, -node.end_byte): node for word in _AROUND for node in around(word)}
    heads: list[tuple[int, int]] = []
    until = 0
    for _, node in sorted(nodes.items()):
        starts = [
            wrap.start_byte
            for wrap in wraps
            # The last method of a class ends where what is around the class does.
            if wrap.end_byte == node.end_byte and until <= wrap.start_byte
        ]
        first = min([node.start_byte, *starts])
        line = source.rfind(b"\n", 0, first) + 1
        if until <= first and line < start:
            until = min(_head_end(source, node), start)
            heads.append((line, until))
    return heads


def _head_end(source: bytes, node: Node) -> int:
    """Return where the body of a declaration begins, or of the value that it names."""
    children = (node.named_child(at) for at in range(min(node.named_child_count, _LOOKED_AT)))
    for inner in (node, node.child_by_field_name("value"), *children):
        body = inner.child_by_field_name("body") if inner is not None else None
        if body is not None:
            return body.start_byte + source.startswith(b"{", body.start_byte)
    stop = source.find(b"\n", node.start_byte)
    return len(source) if stop < 0 else stop
