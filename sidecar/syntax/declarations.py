"""Makes symbols of the nodes that a language's queries marked.

A sweep over what was marked, in the order of the text, puts names, types and bases with the
declarations that hold them; what most grammars call by the same field names need not be marked.
Must never do I/O, nor know any language by name. May import this package.
"""

from __future__ import annotations

from operator import itemgetter
from typing import TYPE_CHECKING, Final, NamedTuple

from sidecar.syntax.comments import doc_above, first_line_of, without_comments

if TYPE_CHECKING:
    from tree_sitter import Node

    from sidecar.syntax.parse import Grammar

__all__ = ["TYPE_KINDS", "Place", "Sweep", "Symbol"]

#: What declares members: a function inside is a method, and a field found in a method is its.
TYPE_KINDS: Final = frozenset({"class", "struct", "interface", "enum", "type", "module"})
_FUNCTIONS: Final = frozenset({"function", "method"})
_VALUES: Final = frozenset({"field", "variable", "value", "constant", "record", "entry"})
#: Objects that are written out hold members as well, but no members of a type.
_RECORDS: Final = frozenset({"record", "entry"})
#: Which of two words for one declaration says more: a function over the value that it is as well.
_SPECIAL: Final = {
    kind: number
    for number, kind in enumerate(
        (
            *("variable", "value", "field", "record", "entry", "constant", "type", "module"),
            *("class", "struct", "interface", "enum", "function", "method"),
        )
    )
}
#: A declaration longer than this is cut: it is shown, and a prompt has better use for tokens.
_SIGNATURE_CHARACTERS = 400
#: Values of constants, fields and types are cut much sooner.
_VALUE_CHARACTERS = 120
#: What stands between a declaration and its body.
_OPENINGS = ("{", ":", "=>", "=", "->", " do", " is", " then")


class Symbol(NamedTuple):
    """One declaration, blind to where it stands.

    Args:
        name: Its name.
        kind: function, method, class, struct, interface, enum, type, constant, variable, field or
            module.
        container: Ordinal of the declaration around it in the same file, or -1.
        owner: The type whose member it is, which may stand in another file; or nothing.
        signature: The declaration without its body, on one line.
        doc: First line of its documentation.
        bases: Types that it extends or implements.
        type: What it returns, or the annotated type of its value.
        parameters: Names and types of the parameters whose types are annotated.
    """

    name: str
    kind: str
    container: int
    owner: str
    signature: str
    doc: str
    bases: tuple[str, ...]
    type: str
    parameters: tuple[tuple[str, str], ...]


class Place(NamedTuple):
    """Where a symbol stands: its name's line and column, and its first and last line.

    Lines and columns are counted from 0, columns in code points.
    """

    line: int
    column: int
    first_line: int
    last_line: int


class _Declaration:
    """A declaration while the sweep collects its parts."""

    __slots__ = (
        "bases", "body", "container", "doc", "end", "kind", "names", "node", "ordinal",
        "owner", "parameters", "start", "type", "wrap",
    )  # fmt: skip

    def __init__(self, kind: str, node: Node, start: int, end: int) -> None:
        self.kind = kind
        self.node = node
        self.start = start
        self.end = end
        self.wrap = node
        self.container: _Declaration | None = None
        self.ordinal = -1
        self.names: list[Node] | None = None
        self.body: Node | None = None
        self.type: Node | None = None
        self.owner: Node | None = None
        self.doc: Node | None = None
        self.bases: list[str] | None = None
        self.parameters: list[tuple[int, str, str]] | None = None


class Sweep:
    """Goes through what was marked in the order of the text.

    Args:
        grammar: The grammar that parsed the file.
        source: The file.
    """

    def __init__(self, grammar: Grammar, source: bytes) -> None:
        self._grammar = grammar
        self._source = source
        self._ascii = source.isascii()
        self._symbols: list[Symbol] = []
        self._places: list[Place] = []
        self._fields: dict[tuple[int, str], int] = {}

    def run(self, captured: dict[str, list[Node]]) -> tuple[tuple[Symbol, ...], tuple[Place, ...]]:
        """Return the declarations and where they stand, in the order of the text."""
        for declaration in self._declarations(captured):
            self._finish(declaration)
        return tuple(self._symbols), tuple(self._places)

    def _declarations(self, captured: dict[str, list[Node]]) -> list[_Declaration]:
        items: list[tuple[int, int, int, str, Node]] = []
        for name, nodes in captured.items():
            rank = 0 if name == "wrap" else 1 if name[:4] == "def." else 2
            items += [(n.start_byte, -n.end_byte, rank, name, n) for n in nodes]
        # A declaration comes before its parts, and the larger of two before what it holds.
        items.sort(key=itemgetter(0, 1, 2))
        found: list[_Declaration] = []
        open_: list[_Declaration] = []
        wrap: Node | None = None
        wrap_end = -1
        for start, minus_end, rank, name, node in items:
            while open_ and open_[-1].end <= start:
                open_.pop()
            if rank == 2:
                if open_:
                    # A parameter may be a field as well, and stays a parameter.
                    field = len(open_) > 1 and open_[-1].kind == "field" and name[:5] == "param"
                    around = field and open_[-2].kind in _FUNCTIONS
                    self._part(open_[-2 if around else -1], name, node)
                continue
            end = -minus_end
            if rank == 0:
                wrap, wrap_end = node, end
                continue
            last = open_[-1] if open_ else None
            if last is not None and last.start == start and last.end == end:
                # Marked by two patterns: the more special word stands.
                if _SPECIAL[name[4:]] > _SPECIAL[last.kind]:
                    last.kind = name[4:]
                continue
            declaration = _Declaration(name[4:], node, start, end)
            declaration.container = last
            if wrap is not None:
                if end <= wrap_end:
                    declaration.wrap = wrap
                wrap = None
            found.append(declaration)
            open_.append(declaration)
        return found

    def _part(self, declaration: _Declaration, name: str, node: Node) -> None:
        if name == "name":
            if declaration.names is None:
                declaration.names = [node]
            elif node not in declaration.names:
                declaration.names.append(node)
        elif name == "param":
            if declaration.parameters is None:
                declaration.parameters = []
            declaration.parameters.append((node.start_byte, self._text(node), ""))
        elif name == "param.type":
            type_ = self._text(node)
            parameters = declaration.parameters or []
            # `a, b int` gives one type to both.
            for number in reversed(range(len(parameters))):
                start, called, has = parameters[number]
                if has:
                    break
                parameters[number] = (start, called, type_)
        elif name == "base":
            if declaration.bases is None:
                declaration.bases = []
            declaration.bases.append(self._text(node))
        elif name == "doc":
            if declaration.doc is None:
                declaration.doc = node
        elif name == "body":
            if declaration.body is None:
                declaration.body = node
        elif name == "type":
            if declaration.type is None:
                declaration.type = node
        elif name == "owner" and declaration.owner is None:
            declaration.owner = node

    def _finish(self, declaration: _Declaration) -> None:
        container, kind = declaration.container, declaration.kind
        if kind in ("variable", "value"):
            if container is not None and container.kind in _FUNCTIONS:
                return
            if container is not None and container.kind in TYPE_KINDS:
                kind = "field"
        elif kind == "field":
            # `self.x = 1` stands in a method, and is a field of the class around it.
            while container is not None and container.kind not in TYPE_KINDS:
                container = container.container
            if container is None:
                return
        while container is not None and container.ordinal < 0:
            container = container.container
        node = declaration.node
        names = declaration.names
        if names is None:
            named = node.child_by_field_name("name")
            if named is None:
                return
            names = [named]
        owner = "" if declaration.owner is None else self._text(declaration.owner)
        ordinal = -1
        if container is not None:
            ordinal = container.ordinal
            if not owner and (
                container.kind in TYPE_KINDS
                or (container.kind in _RECORDS and kind in ("method", "entry"))
            ):
                owner = self._symbols[ordinal].name
        if kind == "function" and owner and (container is None or container.kind != "module"):
            kind = "method"
        type_ = ""
        if kind not in TYPE_KINDS:
            typed = declaration.type or node.child_by_field_name("return_type")
            typed = typed or node.child_by_field_name("type")
            if typed is not None:
                type_ = self._text(typed).lstrip(":->").strip()
        body = declaration.body
        if body is None and kind not in _VALUES:
            body = node.child_by_field_name("body") or self._body_of_value(node)
        signature = self._signature(declaration, body)
        doc = (
            first_line_of(self._slice(declaration.doc))
            if declaration.doc is not None
            else doc_above(self._grammar.language, self._source, declaration.wrap.start_byte)
        )
        bases = tuple(declaration.bases or ())
        parameters: tuple[tuple[str, str], ...] = ()
        if declaration.parameters and kind != "type":
            # Those of functions in its body are not its own.
            until = declaration.end if body is None else body.start_byte
            parameters = tuple((n, t) for at, n, t in declaration.parameters if at < until)
        first_line, last_line = node.start_point[0], node.end_point[0]
        for named in names:
            name = self._text(named)
            if kind == "function" and ordinal >= 0:
                around = self._symbols[ordinal].name, self._places[ordinal].line
                if around == (name, named.start_point[0]):
                    # `this.f = function f() {}` declares one thing.
                    continue
            if kind == "field":
                known = self._fields.setdefault((ordinal, name), len(self._symbols))
                if known < len(self._symbols):
                    if type_ and not self._symbols[known].type:
                        self._symbols[known] = self._symbols[known]._replace(type=type_)
                    continue
            if declaration.ordinal < 0:
                declaration.ordinal = len(self._symbols)
            as_kind = kind
            if kind in ("value", "record"):
                as_kind = "constant" if name.isupper() else "variable"
            elif kind == "entry":
                as_kind = "field"
            self._symbols.append(
                Symbol(name, as_kind, ordinal, owner, signature, doc, bases, type_, parameters)
            )
            line, column = named.start_point
            if not self._ascii:
                start = named.start_byte
                column = len(self._source[start - column : start].decode("utf-8", "replace"))
            self._places.append(Place(line, column, first_line, last_line))

    def _body_of_value(self, node: Node) -> Node | None:
        """Return the body of a function that is assigned, where that is a declaration as well."""
        value = node.child_by_field_name("value") or node.child_by_field_name("right")
        return None if value is None else value.child_by_field_name("body")

    def _signature(self, declaration: _Declaration, body: Node | None) -> str:
        node = declaration.wrap
        start, end = node.start_byte, declaration.end
        limit = _VALUE_CHARACTERS if declaration.kind in _VALUES else _SIGNATURE_CHARACTERS
        if body is not None:
            end = body.start_byte
        # Whitespace goes, so more is taken than is kept.
        text = self._source[start : min(end, start + 4 * limit)]
        language = self._grammar.language
        marked = language.block_comments and b"/*" in text
        if marked or any(mark in text for mark in language.comments):
            text = without_comments(self._grammar, node, start, text)
        line = " ".join(text.decode("utf-8", "replace").split())
        if body is not None:
            for opening in _OPENINGS:
                if line.endswith(opening) and not line.endswith("operator" + opening):
                    line = line[: -len(opening)].rstrip()
                    break
        return line[:limit].rstrip(";, ")

    def _slice(self, node: Node) -> str:
        return self._source[node.start_byte : node.end_byte].decode("utf-8", "replace")

    def _text(self, node: Node) -> str:
        text = self._source[node.start_byte : node.end_byte].decode("utf-8", "replace")
        return text if text.isidentifier() else " ".join(text.split())
