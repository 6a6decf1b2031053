"""Where a file uses names: calls, members and arguments, each with its place, and lines of code.

The queries that facts come from mark the names; what is around one tells the rest. Must never do
I/O, nor know any language by name. May import this package.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sidecar.syntax.queries import captures

if TYPE_CHECKING:
    from tree_sitter import Node

    from sidecar.syntax.parse import Parsed

__all__ = ["Argument", "Use", "code_lines", "uses_of"]

#: Nodes that stand around a name before its call: `a.b.name<T>(…)`.
_MOST_AROUND = 3
_OPERATORS = (b".", b"->", b"::")
_TEXTS = ("string", "comment", "jsx_text", "heredoc")


class Argument(NamedTuple):
    """One argument of a call, in bytes.

    Args:
        start: Where it begins.
        end: Where it ends.
        keyword: The name that it is given by, or nothing.
    """

    start: int
    end: int
    keyword: str


class Use(NamedTuple):
    """A name that is called, or read as a member.

    Args:
        name: The name.
        start: Where it begins, in bytes.
        end: Where it ends.
        member: Whether it is read from something before a dot.
        receiver: What stands before the dot, as written.
        arguments: Of the call, if it is called.
    """

    name: str
    start: int
    end: int
    member: bool
    receiver: str
    arguments: tuple[Argument, ...]


def uses_of(parsed: Parsed) -> list[Use]:
    """Return what a file calls and reads, in the order of the text."""
    query, source = parsed.grammar.facts, parsed.source
    if query is None:
        return []
    marked = captures(query, parsed.tree.root_node)
    others = {node.start_byte for node in marked.get("ref.none", [])}
    found: dict[int, Use] = {}
    for kind in ("ref.call", "ref.called", "ref.member"):
        for node in marked.get(kind, []):
            start, end = node.start_byte, node.end_byte
            before = source[max(start - 3, 0) : start]
            # Three dots spread what follows.
            member = before.endswith(_OPERATORS) and not before.endswith(b"..")
            if start in others or (kind == "ref.member" and not member):
                continue
            found[start] = Use(
                _text(source, start, end),
                start,
                end,
                member,
                _receiver(source, node) if member else "",
                _arguments(source, node),
            )
    return [found[start] for start in sorted(found)]


def code_lines(parsed: Parsed) -> frozenset[int]:
    """Return the lines that neither begin in a text or a comment nor end in a comment."""
    root = parsed.tree.root_node
    lines = []
    at = 0
    for number, line in enumerate(parsed.source.split(b"\n")):
        code = line.strip()
        if code:
            first = at + len(line) - len(line.lstrip())
            if not _is(root, first, _TEXTS) and not _is(root, first + len(code) - 1, _TEXTS[1:2]):
                lines.append(number)
        at += len(line) + 1
    return frozenset(lines)


def _is(root: Node, at: int, kinds: tuple[str, ...]) -> bool:
    node = root.descendant_for_byte_range(at, at + 1)
    while node is not None and not node.is_named:
        # The marks of a comment are nodes of their own in some languages.
        if any(kind in node.type for kind in kinds):
            return True
        node = node.parent
    return node is not None and any(kind in node.type for kind in kinds)


def _receiver(source: bytes, node: Node) -> str:
    around = node.parent
    if around is None:
        return ""
    return _text(source, around.start_byte, node.start_byte).strip().rstrip(".>:?!-").strip()


def _arguments(source: bytes, node: Node) -> tuple[Argument, ...]:
    around = node.parent
    for _ in range(_MOST_AROUND):
        if around is None:
            return ()
        given = around.child_by_field_name("arguments")
        if given is not None:
            between = source[node.end_byte : given.start_byte].strip()
            if given.start_byte < node.end_byte or (between and not between.startswith(b"<")):
                return ()
            if "argument" not in given.type:
                return ()
            return tuple(
                Argument(child.start_byte, child.end_byte, _keyword(source, child))
                for child in given.named_children
                if "comment" not in child.type
            )
        around = around.parent
    return ()


def _keyword(source: bytes, node: Node) -> str:
    name = node.child_by_field_name("name")
    if name is None or name.start_byte != node.start_byte:
        return ""
    if source[name.end_byte : node.end_byte].lstrip()[:1] not in (b"=", b":"):
        return ""
    return _text(source, name.start_byte, name.end_byte)


def _text(source: bytes, start: int, end: int) -> str:
    return source[start:end].decode("utf-8", "replace")
