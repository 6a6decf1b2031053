"""Makes symbols of declarations: what they are where they stand, and how they are written.

What most grammars call by the same field names (`name`, `body`, `return_type`, `type`) need not be
marked. Must never do I/O, nor know any language by name. May import this package.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sidecar.syntax.comments import doc_above, first_line_of, without_comments
from sidecar.syntax.declarators import in_declarators
from sidecar.syntax.sweep import FUNCTION_KINDS, Declaration, sweep, text_of
from sidecar.syntax.symbols import Place, Symbol

if TYPE_CHECKING:
    from tree_sitter import Node

    from sidecar.syntax.parse import Grammar

__all__ = ["TYPE_KINDS", "Declarations"]

#: What declares members: a function inside is a method, and a field found in a method is its.
TYPE_KINDS: Final = frozenset({"class", "struct", "interface", "enum", "type", "module"})
#: What members may stand in: also what adds members to a type that is declared elsewhere.
_HOLDERS: Final = TYPE_KINDS | {"extension"}
#: Values in a module are variables; in others, fields.
_MEMBERED: Final = _HOLDERS - {"module"}
_VALUES: Final = frozenset({"field", "variable", "value", "constant", "record", "entry"})
#: Objects that are written out hold members as well, but no members of a type.
_RECORDS: Final = frozenset({"record", "entry"})
#: A declaration longer than this is cut: it is shown, and a prompt has better use for tokens.
_SIGNATURE_CHARACTERS = 400
#: Values of constants, fields and types are cut much sooner.
_VALUE_CHARACTERS = 120
#: What may stand around a name and is no part of it: `:name`, "name".
_MARKS = "\"'`:"
#: What stands between a declaration and its body.
_OPENINGS = ("{", ":", "=>", "=", "->", " do", " is", " then")
_OPENING_LENGTHS = {opening[-1]: len(opening) for opening in _OPENINGS}
#: What looks like that and is a name of C++.
_OPERATORS = tuple(["operator" + opening for opening in _OPENINGS])


class Declarations:
    """Makes the symbols of one file.

    Args:
        grammar: The grammar that parsed the file.
        source: The file.
    """

    def __init__(self, grammar: Grammar, source: bytes) -> None:
        self._grammar = grammar
        self._source = source
        self._marks = [mark.decode() for mark in grammar.comment_marks]
        self._ascii = source.isascii()
        self._symbols: list[Symbol] = []
        self._places: list[Place] = []
        self._fields: dict[tuple[int, str, str], int] = {}

    def make(self, captured: dict[str, list[Node]]) -> tuple[tuple[Symbol, ...], tuple[Place, ...]]:
        """Return the symbols and where they stand, in the order of the text.

        Args:
            captured: What the language's queries marked.
        """
        for declaration in sweep(self._source, captured):
            if declaration.kind == "extension":
                self._extend(declaration)
            elif kind := self._kind(declaration):
                self._declare(declaration, kind)
        return tuple(self._symbols), tuple(self._places)

    def _kind(self, declaration: Declaration) -> str:
        """Return what a declaration is where it stands; nothing if it is none there."""
        container, kind = declaration.container, declaration.kind
        if container is None:
            return "function" if kind == "prototype" else "" if kind == "field" else kind
        if kind in ("variable", "value"):
            if container.kind in FUNCTION_KINDS:
                return ""
            return "field" if container.kind in _MEMBERED else kind
        if kind == "prototype":
            # In a body it is more often a variable that looks like one.
            return "" if container.kind in FUNCTION_KINDS else "function"
        if kind == "field":
            # `self.x = 1` stands in a method, and is a field of the class around it.
            around: Declaration | None = container
            while around is not None and around.kind not in _HOLDERS:
                around = around.container
            declaration.container = around
            return "" if around is None else kind
        return kind

    def _declare(self, declaration: Declaration, kind: str) -> None:
        node, source = declaration.node, self._source
        names = declaration.names
        if names is None:
            named = node.child_by_field_name("name")
            names = in_declarators(node) if named is None else [named]
            if not names:
                return
        ordinal, owner, member = self._around(declaration, kind)
        if kind == "function" and member:
            kind = "method"
        type_ = ""
        if kind not in TYPE_KINDS and kind != "alias":
            typed = declaration.type or node.child_by_field_name("return_type")
            typed = typed or node.child_by_field_name("type")
            if typed is not None:
                type_ = text_of(source, typed).lstrip(":->").strip()
        body = declaration.body
        if body is None and kind not in _VALUES:
            body = node.child_by_field_name("body") or _body_of_value(node)
        signature = self._signature(declaration, body)
        doc = declaration.doc
        if doc is None:
            said = doc_above(self._grammar.language, source, declaration.wrap_start)
        else:
            said = first_line_of(source[doc.start_byte : doc.end_byte].decode("utf-8", "replace"))
        bases = tuple(declaration.bases) if declaration.bases else ()
        if kind == "alias":
            kind, bases = "type", self._declared_before(ordinal)
        parameters = _parameters(declaration, kind, body) if declaration.parameters else ()
        first_line, (last_line, column) = node.start_point[0], node.end_point
        if not column and last_line > first_line:
            # Its last token is the end of its line.
            last_line -= 1
        for named in names:
            line, column = named.start_point
            name = text_of(source, named)
            start = named.start_byte
            if not name.isidentifier() or declaration.prefix:
                name, marks = _bare(name, kind, declaration.prefix)
                start, column = start + marks, column + marks
            if kind == "function" and ordinal >= 0 and self._symbols[ordinal].name == name:
                if self._places[ordinal].line == line:
                    # `this.f = function f() {}` declares one thing.
                    continue
            if kind in ("field", "value"):
                # What is assigned once more is not declared once more.
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
            if not self._ascii:
                column = len(source[start - column : start].decode("utf-8", "replace"))
            self._symbols.append(
                Symbol(name, as_kind, ordinal, owner, signature, said, bases, type_, parameters)
            )
            self._places.append(Place(line, column, first_line, last_line))

    def _around(self, declaration: Declaration, kind: str) -> tuple[int, str, bool]:
        """Return the ordinal of what is around, the type it belongs to, and if as a member."""
        owner = "" if declaration.owner is None else text_of(self._source, declaration.owner)
        container = declaration.container
        while container is not None and container.ordinal < 0:
            owner = owner or container.extends
            container = container.container
        if container is None:
            return -1, owner, bool(owner)
        if owner:
            return container.ordinal, owner, True
        if container.kind in TYPE_KINDS:
            member = container.kind != "module"
            return container.ordinal, self._symbols[container.ordinal].name, member
        if container.kind in _RECORDS and kind in ("method", "entry"):
            return container.ordinal, self._symbols[container.ordinal].name, True
        return container.ordinal, "", False

    def _declared_before(self, container: int) -> tuple[str, ...]:
        """Return the type declared last in a container, for which an alias is another name."""
        number = len(self._symbols) - 1
        while number > container:
            symbol = self._symbols[number]
            if symbol.container == container:
                return (symbol.name,) if symbol.kind in TYPE_KINDS else ()
            number = symbol.container
        return ()

    def _extend(self, declaration: Declaration) -> None:
        """Note what an extension's members belong to, and give its bases to that type."""
        if declaration.owner is None:
            return
        name = declaration.extends = text_of(self._source, declaration.owner)
        if declaration.bases:
            for number, symbol in enumerate(self._symbols):
                if symbol.name == name and symbol.kind in TYPE_KINDS:
                    bases = dict.fromkeys((*symbol.bases, *declaration.bases))
                    self._symbols[number] = symbol._replace(bases=tuple(bases))
                    break

    def _signature(self, declaration: Declaration, body: Node | None) -> str:
        start, end = declaration.wrap_start, declaration.end
        limit = _VALUE_CHARACTERS if declaration.kind in _VALUES else _SIGNATURE_CHARACTERS
        if body is not None:
            end = body.start_byte
        # Whitespace goes, so more is taken than is kept.
        text = self._source[start : min(end, start + 4 * limit)].rstrip()
        # To look for something in bytes takes several times as long.
        line = text.decode("utf-8", "replace")
        for mark in self._marks:
            if mark in line:
                line = self._uncommented(declaration.wrap, body, start, text, limit)
                break
        else:
            line = _on_one_line(line)
        if body is not None and line.endswith(_OPENINGS) and not line.endswith(_OPERATORS):
            line = line[: -_OPENING_LENGTHS[line[-1]]].rstrip()
        return line[:limit].rstrip(";, \\")

    def _uncommented(
        self, node: Node, body: Node | None, start: int, text: bytes, limit: int
    ) -> str:
        """Return a text on one line without its comments, or more than is kept of it.

        To look for comments in the tree costs more than all else about a declaration. Most of
        them stand right before a body, or in long tables, which are cut before the first one.
        """
        before = None if body is None else body.prev_sibling
        while before is not None and "comment" in before.type and before.start_byte > start:
            text = text[: before.start_byte - start].rstrip()
            before = before.prev_sibling
        whole = text.decode("utf-8", "replace")
        first = min([at for mark in self._marks if (at := whole.find(mark)) >= 0], default=-1)
        if first < 0:
            return _on_one_line(whole)
        if first > limit:
            line = _on_one_line(whole[:first])
            if len(line) > limit + max(_OPENING_LENGTHS.values()):
                return line
        text = without_comments(self._grammar, node, start, text)
        return _on_one_line(text.decode("utf-8", "replace"))


def _on_one_line(line: str) -> str:
    if "\n" in line or "  " in line or "\t" in line or "\r" in line:
        line = " ".join(line.split())
    if "( " in line or " )" in line:
        # It was wrapped, or is written with space inside of brackets.
        line = line.replace("( ", "(").replace(" )", ")").replace(",)", ")")
    return line


def _body_of_value(node: Node) -> Node | None:
    """Return the body of a function that is assigned, where that is a declaration as well."""
    value = node.child_by_field_name("value") or node.child_by_field_name("right")
    return None if value is None else value.child_by_field_name("body")


def _parameters(
    declaration: Declaration, kind: str, body: Node | None
) -> tuple[tuple[str, str], ...]:
    """Return the parameters with types, without those of functions in its body."""
    # What a type is made of has parameters of its own; a delegate is a type that takes some.
    if kind in _VALUES:
        return ()
    if kind == "type" and declaration.node.child_by_field_name("parameters") is None:
        return ()
    until = declaration.end if body is None else body.start_byte
    listed = declaration.parameters or ()
    return tuple([(name, type_) for at, name, type_ in listed if name and at < until])


def _bare(name: str, kind: str, prefix: str) -> tuple[str, int]:
    """Return a name without the marks around it, and how many stand before it."""
    if prefix:
        words = prefix.isidentifier() and name[:1].isidentifier()
        name = prefix + " " * words + name
    marks = 0
    if name[:1] in _MARKS and name.strip(_MARKS):
        marks = len(name) - len(name.lstrip(_MARKS))
        name = name.strip(_MARKS)
    elif "(" in name and kind in FUNCTION_KINDS and name[:9] != "operator(":
        # `operator bool()`: there is no node for its name alone.
        name = name.partition("(")[0].rstrip()
    return name, marks
