"""Puts what a language's queries marked with the declaration that holds it.

Must never do I/O, nor know any language by name. May import nothing of sidecar.
"""

from __future__ import annotations

from operator import itemgetter
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from tree_sitter import Node

__all__ = ["FUNCTION_KINDS", "Declaration", "sweep", "text_of"]

FUNCTION_KINDS: Final = frozenset({"function", "method"})
#: Which of two words for one declaration says more: a function over the value that it is as well.
_SPECIAL: Final = {
    kind: number
    for number, kind in enumerate(
        (
            *("variable", "value", "field", "record", "entry", "constant", "type", "extension"),
            *("module", "class", "struct", "interface", "enum", "alias", "prototype"),
            *("function", "method"),
        )
    )
}


class Declaration:
    """A declaration, and the parts of it that were marked."""

    __slots__ = (
        "bases", "body", "container", "doc", "end", "extends", "kind", "names", "node",
        "ordinal", "owner", "parameter_of", "parameters", "prefix", "start", "type", "wrap",
        "wrap_start",
    )  # fmt: skip

    def __init__(
        self, kind: str, node: Node, start: int, end: int, container: Declaration | None
    ) -> None:
        self.kind = kind
        self.node = node
        #: The node with decorators and the like around it.
        self.wrap = node
        self.wrap_start = start
        self.start = start
        self.end = end
        self.container = container
        self.ordinal = -1
        self.extends = ""
        self.prefix = ""
        self.names: list[Node] | None = None
        self.body: Node | None = None
        self.type: Node | None = None
        self.owner: Node | None = None
        self.doc: Node | None = None
        self.bases: list[str] | None = None
        #: Where each stands, its name and its type.
        self.parameters: list[tuple[int, str, str]] | None = None
        #: Whose parameter this field is as well.
        self.parameter_of: Declaration | None = None


def sweep(source: bytes, captured: dict[str, list[Node]]) -> list[Declaration]:
    """Return the declarations with their parts, in the order of the text.

    Args:
        source: The file.
        captured: What was marked, by the words that `grammars/languages.toml` explains.
    """
    items: list[tuple[int, int, int, str, Node]] = []
    for name, nodes in captured.items():
        if name[0] == "_":
            # Marked for a condition of the query alone.
            continue
        rank = 0 if name == "wrap" else 1 if name[:4] == "def." else 2
        items += [(n.start_byte, -n.end_byte, rank, name, n) for n in nodes]
    # A declaration comes before its parts, and the larger of two before what it holds.
    items.sort(key=itemgetter(0, 1, 2))
    found: list[Declaration] = []
    open_: list[Declaration] = []
    wrap: Node | None = None
    wrap_start = wrap_end = -1
    for start, minus_end, rank, name, node in items:
        while open_ and open_[-1].end <= start:
            open_.pop()
        if rank == 2:
            if open_:
                _add(source, open_[-1], name, node)
            continue
        end = -minus_end
        if rank == 0:
            wrap, wrap_start, wrap_end = node, start, end
            continue
        last = open_[-1] if open_ else None
        if last is not None and last.start == start and last.end == end:
            # Marked by two patterns: the more special word stands.
            if _SPECIAL[name[4:]] > _SPECIAL[last.kind]:
                last.kind = name[4:]
            continue
        declaration = Declaration(name[4:], node, start, end, last)
        if wrap is not None:
            if end <= wrap_end:
                declaration.wrap, declaration.wrap_start = wrap, wrap_start
            wrap = None
        found.append(declaration)
        open_.append(declaration)
    return found


def text_of(source: bytes, node: Node) -> str:
    """Return a node's text on one line."""
    text = source[node.start_byte : node.end_byte].decode("utf-8", "replace")
    return text if text.isidentifier() else " ".join(text.split())


def _add(source: bytes, declaration: Declaration, name: str, node: Node) -> None:
    if name == "name":
        if declaration.names is None:
            declaration.names = [node]
        elif node not in declaration.names:
            declaration.names.append(node)
    elif name == "doc":
        declaration.doc = declaration.doc or node
    elif name == "base":
        declaration.bases = declaration.bases or []
        declaration.bases.append(text_of(source, node))
    elif name == "body":
        declaration.body = declaration.body or node
    elif name == "type":
        declaration.type = declaration.type or node
    elif name == "owner":
        declaration.owner = declaration.owner or node
    elif name == "name.prefix":
        declaration.prefix = text_of(source, node)
    elif name[:5] == "param":
        if declaration.kind == "field":
            # A parameter may be a field as well, and stays a parameter.
            if node.parent == declaration.node:
                declaration.parameter_of = declaration.container
            declaration = declaration.parameter_of or declaration
        declaration.parameters = declaration.parameters or []
        _add_parameter(declaration.parameters, name, text_of(source, node), node.start_byte)


def _add_parameter(
    parameters: list[tuple[int, str, str]], name: str, text: str, start: int
) -> None:
    if name == "param":
        if parameters and not parameters[-1][1]:
            # `int a`: its type came before.
            start, _, type_ = parameters.pop()
            parameters.append((start, text, type_))
        else:
            parameters.append((start, text, ""))
        return
    if not parameters or parameters[-1][2]:
        parameters.append((start, "", text))
        return
    # `a, b int` gives one type to both.
    for number in reversed(range(len(parameters))):
        at, called, has = parameters[number]
        if has:
            break
        parameters[number] = (at, called, text)
