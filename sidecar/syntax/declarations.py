"""Makes symbols of the nodes that a language's queries marked.

A sweep over what was marked, in the order of the text, puts names, types and bases with the
declarations that hold them; what most grammars call by the same field names need not be marked.
Must never do I/O, nor know any language by name. May import this package.
"""

from __future__ import annotations

from operator import itemgetter
from typing import TYPE_CHECKING, Final

from sidecar.syntax.comments import doc_above, first_line_of, without_comments
from sidecar.syntax.declarators import in_declarators
from sidecar.syntax.symbols import Place, Symbol

if TYPE_CHECKING:
    from tree_sitter import Node

    from sidecar.syntax.parse import Grammar

__all__ = ["TYPE_KINDS", "Place", "Sweep", "Symbol"]

#: What declares members: a function inside is a method, and a field found in a method is its.
TYPE_KINDS: Final = frozenset({"class", "struct", "interface", "enum", "type", "module"})
#: What members may stand in: also what adds members to a type that is declared elsewhere.
_HOLDERS: Final = TYPE_KINDS | {"extension"}
#: Values in a module are variables; in others, fields.
_MEMBERED: Final = _HOLDERS - {"module"}
_FUNCTIONS: Final = frozenset({"function", "method"})
_VALUES: Final = frozenset({"field", "variable", "value", "constant", "record", "entry"})
#: Objects that are written out hold members as well, but no members of a type.
_RECORDS: Final = frozenset({"record", "entry"})
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
#: A declaration longer than this is cut: it is shown, and a prompt has better use for tokens.
_SIGNATURE_CHARACTERS = 400
#: Values of constants, fields and types are cut much sooner.
_VALUE_CHARACTERS = 120
#: What may stand around a name and is no part of it: `:name`, "name".
_MARKS = "\"'`:"
#: What stands between a declaration and its body.
_OPENINGS = ("{", ":", "=>", "=", "->", " do", " is", " then")


class _Declaration:
    """A declaration while the sweep collects its parts."""

    __slots__ = (
        "bases", "body", "container", "doc", "end", "extends", "kind", "names", "node",
        "ordinal", "owner", "parameter_of", "parameters", "prefix", "start", "type", "wrap",
    )  # fmt: skip

    def __init__(self, kind: str, node: Node, start: int, end: int) -> None:
        self.kind = kind
        self.node = node
        self.start = start
        self.end = end
        self.wrap = node
        self.container: _Declaration | None = None
        self.ordinal = -1
        self.extends = ""
        self.prefix = ""
        self.names: list[Node] | None = None
        self.body: Node | None = None
        self.type: Node | None = None
        self.owner: Node | None = None
        self.doc: Node | None = None
        self.bases: list[str] | None = None
        self.parameters: list[tuple[int, str, str]] | None = None
        #: Whose parameter this field is as well.
        self.parameter_of: _Declaration | None = None


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
        self._fields: dict[tuple[int, str, str], int] = {}

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
        if declaration.kind == "field" and name in ("param", "param.type"):
            if node.parent == declaration.node:
                declaration.parameter_of = declaration.container
            declaration = declaration.parameter_of or declaration
        if name == "name":
            if declaration.names is None:
                declaration.names = [node]
            elif node not in declaration.names:
                declaration.names.append(node)
        elif name == "name.prefix":
            declaration.prefix = self._text(node)
        elif name == "param":
            if declaration.parameters is None:
                declaration.parameters = []
            parameters = declaration.parameters
            if parameters and not parameters[-1][1]:
                # `int a`: its type came before.
                start, _, type_ = parameters.pop()
                parameters.append((start, self._text(node), type_))
            else:
                parameters.append((node.start_byte, self._text(node), ""))
        elif name == "param.type":
            type_ = self._text(node)
            if declaration.parameters is None:
                declaration.parameters = []
            parameters = declaration.parameters
            if not parameters or parameters[-1][2]:
                parameters.append((node.start_byte, "", type_))
                return
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
        if kind == "extension":
            self._extend(declaration)
            return
        if kind in ("variable", "value"):
            if container is not None and container.kind in _FUNCTIONS:
                return
            if container is not None and container.kind in _MEMBERED:
                kind = "field"
        elif kind == "prototype":
            # In a body it is more often a variable that looks like one.
            if container is not None and container.kind in _FUNCTIONS:
                return
            kind = "function"
        elif kind == "field":
            # `self.x = 1` stands in a method, and is a field of the class around it.
            while container is not None and container.kind not in _HOLDERS:
                container = container.container
            if container is None:
                return
        owner = "" if declaration.owner is None else self._text(declaration.owner)
        while container is not None and container.ordinal < 0:
            owner = owner or container.extends
            container = container.container
        node = declaration.node
        names = declaration.names
        if names is None:
            named = node.child_by_field_name("name")
            names = in_declarators(node) if named is None else [named]
            if not names:
                return
        ordinal = -1
        member = bool(owner)
        if container is not None:
            ordinal = container.ordinal
            if not owner and (
                container.kind in TYPE_KINDS
                or (container.kind in _RECORDS and kind in ("method", "entry"))
            ):
                owner = self._symbols[ordinal].name
                member = container.kind != "module"
        if kind == "function" and member:
            kind = "method"
        type_ = ""
        if kind not in TYPE_KINDS and kind != "alias":
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
        if kind == "alias":
            kind, bases = "type", self._declared_before(ordinal)
        parameters: tuple[tuple[str, str], ...] = ()
        # What a type is made of has parameters of its own; a delegate is a type that takes some.
        takes = kind not in _VALUES and (kind != "type" or node.child_by_field_name("parameters"))
        if declaration.parameters and takes:
            # Those of functions in its body are not its own.
            until = declaration.end if body is None else body.start_byte
            parameters = tuple((n, t) for at, n, t in declaration.parameters if n and at < until)
        first_line, (last_line, column) = node.start_point[0], node.end_point
        if not column and last_line > first_line:
            # Its last token is the end of its line.
            last_line -= 1
        for named in names:
            name = self._text(named)
            start, column = named.start_byte, named.start_point[1]
            if declaration.prefix:
                words = declaration.prefix.isidentifier() and name[:1].isidentifier()
                name = declaration.prefix + " " * words + name
            if kind == "function" and ordinal >= 0:
                around = self._symbols[ordinal].name, self._places[ordinal].line
                if around == (name, named.start_point[0]):
                    # `this.f = function f() {}` declares one thing.
                    continue
            if name[:1] in _MARKS and name.strip(_MARKS):
                column += len(name) - len(name.lstrip(_MARKS))
                start += column - named.start_point[1]
                name = name.strip(_MARKS)
            elif "(" in name and kind in _FUNCTIONS and name[:9] != "operator(":
                # `operator bool()`: there is no node for its name alone.
                name = name.partition("(")[0].rstrip()
            # What is assigned once more is not declared once more.
            if kind in ("field", "value"):
                known = self._fields.setdefault((ordinal, owner, name), len(self._symbols))
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
            if not self._ascii:
                column = len(self._source[start - column : start].decode("utf-8", "replace"))
            self._places.append(Place(named.start_point[0], column, first_line, last_line))

    def _body_of_value(self, node: Node) -> Node | None:
        """Return the body of a function that is assigned, where that is a declaration as well."""
        value = node.child_by_field_name("value") or node.child_by_field_name("right")
        return None if value is None else value.child_by_field_name("body")

    def _declared_before(self, container: int) -> tuple[str, ...]:
        """Return the type declared last in a container, for which an alias is another name."""
        number = len(self._symbols) - 1
        while number > container:
            symbol = self._symbols[number]
            if symbol.container == container:
                return (symbol.name,) if symbol.kind in TYPE_KINDS else ()
            number = symbol.container
        return ()

    def _extend(self, declaration: _Declaration) -> None:
        """Note what an extension's members belong to, and give its bases to that type."""
        if declaration.owner is None:
            return
        name = declaration.extends = self._text(declaration.owner)
        if declaration.bases:
            for number, symbol in enumerate(self._symbols):
                if symbol.name == name and symbol.kind in TYPE_KINDS:
                    bases = dict.fromkeys((*symbol.bases, *declaration.bases))
                    self._symbols[number] = symbol._replace(bases=tuple(bases))
                    break

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
        if "( " in line or " )" in line:
            # It was wrapped, or is written with space inside of brackets.
            line = line.replace("( ", "(").replace(" )", ")").replace(",)", ")")
        if body is not None:
            for opening in _OPENINGS:
                if line.endswith(opening) and not line.endswith("operator" + opening):
                    line = line[: -len(opening)].rstrip()
                    break
        return line[:limit].rstrip(";, \\")

    def _slice(self, node: Node) -> str:
        return self._source[node.start_byte : node.end_byte].decode("utf-8", "replace")

    def _text(self, node: Node) -> str:
        text = self._source[node.start_byte : node.end_byte].decode("utf-8", "replace")
        return text if text.isidentifier() else " ".join(text.split())
