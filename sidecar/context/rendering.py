"""Declarations written without their bodies, as their language writes them.

What is written depends on a declaration and its file alone, never on a cursor, so that it holds
still. Must never do I/O. May import `syntax`, `index`'s answers, and this package.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from sidecar.context.selecting import (
    FUNCTIONS,
    VALUES,
    distinct,
    is_constructor,
    shown_members,
)
from sidecar.syntax.languages import Language, Languages

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sidecar.index.query.answers import Definition

__all__ = ["Rendering"]

#: Signatures of values are cut after so many characters by `syntax`.
_CUT: Final = 118
#: A value with text in it that is longer says less than the room it takes.
_LONG_TEXT: Final = 48
#: A decorator and its arguments, where lines end statements.
_DECORATOR: Final = re.compile(r"@[\w.]+(?:\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))?\s+(?=@|\w)")
#: What a field is read from where it is declared in a constructor.
_INSIDE: Final = re.compile(r"(?:self|this)\.|@")
#: A function that is the value of a name.
_ARROW: Final = re.compile(r"(?!.*\bfunction\b)[\w\s$:<>\[\],.|#]*=\s*(?:async\b\s*)?[(<\w$]")
_ACCESSORS: Final = re.compile(r"\s*(\{\s*(?:(?:\w+\s+)?(?:get|set|init)\s*;\s*)+\})")
_WORDS: Final = re.compile(r"[a-z]+(?: [a-z]+)*")
_SPACE: Final = re.compile(r"[ \t]+(?=\S)")


class Rendering:
    """Writes the declarations of one file.

    Args:
        language: The name of the file's language.
        text: The file, where it is at hand: it tells what has a body, and how lines are indented.
        path: Where it lies; what is declared elsewhere is told by its own words alone.
    """

    def __init__(self, language: str, text: str | None, path: str = "") -> None:
        self._path = path
        known = Languages.load().named(language)
        self._known = known
        self._language = known or Language(language)
        self._form = self._language.form
        self._text = text or ""
        self._split: list[str] | None = None
        self._indent = "    "

    @property
    def _lines(self) -> list[str]:
        """The file's lines, split when the first is asked for."""
        if self._split is None:
            self._split = self._text.split("\n") if self._text else []
        return self._split

    def function(self, overloads: Sequence[Definition]) -> str:
        """Return a function, or several of one name, each with the first line of what it says."""
        shown = self._without_implementation(overloads)
        doc = next((item.symbol.doc for item in reversed(overloads) if item.symbol.doc), "")
        texts = [self._declared(item, "") for item in shown[:-1]]
        last = shown[-1]
        quotes = self._form.docstring
        if not doc or last.symbol.kind not in FUNCTIONS:
            return "\n".join([*texts, self._declared(last, "")]) + "\n"
        if quotes:
            head = self._signature(last, "")
            said = doc.replace("\\", "\\\\").replace(quotes, "'''")
            texts.append(f"{head}{self._form.opens}\n    {quotes}{said}{quotes}\n    ...")
            return "\n".join(texts) + "\n"
        return "\n".join([self._comment(doc), *texts, self._declared(last, "")]) + "\n"

    def value(self, item: Definition) -> str:
        """Return a constant, a variable or a type that has no members."""
        symbol = item.symbol
        doc = self._comment(symbol.doc) + "\n" if symbol.doc else ""
        return doc + self._field(item, self._form.ends) + "\n"

    def names(self, items: Sequence[Definition]) -> str:
        """Return a comment with the names of what there is no room to show, or nothing."""
        listed = ", ".join(dict.fromkeys(item.symbol.name for item in items))
        return self._comment(f"... {listed}") + "\n" if listed else ""

    def header(self, item: Definition) -> str:
        """Return the head of a type, with nothing in it."""
        form = self._form
        text = self._signature(item, "")
        if form.opens == ":":
            return f"{text}: ...\n"
        if form.closes == "end":
            return f"{text}{self._language.ellipsis}\n"
        if item.symbol.kind == "type" or self._has_body(item) is False:
            return f"{text}{form.ends}\n"
        return f"{text}{form.opens} ... {form.closes}\n"

    def type(self, item: Definition, members: Sequence[Definition]) -> str:
        """Return a type with the signatures of its members.

        Args:
            item: The type.
            members: Its own members in the order of the text; those of other files as well, where
                a language declares members outside of their type.
        """
        symbol, form = item.symbol, self._form
        # What is declared in the head of a type or of a constructor is not declared once more.
        makers = [m for m in members if is_constructor(m, symbol.name)]
        members = distinct(m for m in members if not _in_head(m, item, makers))
        shown = shown_members(self._known, symbol.name, members)
        inside = [member for member in shown if member.symbol.container >= 0]
        outside = [member for member in shown if member.symbol.container < 0]
        self._indent = self._indentation(item, inside or outside)
        lines = self._block(item, inside, len(shown) < len(members))
        if outside:
            lines += self._outside(symbol.name, outside)
        if symbol.doc and not form.docstring:
            lines.insert(0, self._comment(symbol.doc))
        return "\n".join(lines) + "\n"

    def member(self, owner: Definition | None, overloads: Sequence[Definition]) -> str:
        """Return a member, or several of one name, in the head of the type that it belongs to."""
        first = overloads[0]
        if owner is None or first.symbol.container < 0:
            return self.function(overloads)
        self._indent = self._indentation(owner, overloads)
        shown = self._without_implementation(overloads)
        lines = [self._signature(owner, "") + self._form.opens]
        lines += [self._declared(item, self._indent, owner) for item in shown]
        return "\n".join([*lines, *filter(None, [self._form.closes])]) + "\n"

    def _block(self, item: Definition, shown: list[Definition], cut: bool) -> list[str]:
        """Return a type and the members that stand in it, line by line."""
        symbol, form = item.symbol, self._form
        doc = symbol.doc if form.docstring else ""
        if not shown and not doc:
            return [self.header(item).rstrip("\n")]
        lines = [self._signature(item, "") + form.opens]
        if doc:
            said = doc.replace("\\", "\\\\").replace(form.docstring, "'''")
            lines.append(f"{self._indent}{form.docstring}{said}{form.docstring}")
        methods = [member for member in shown if member.symbol.kind in FUNCTIONS]
        inner: dict[int, list[Definition]] = {}
        fields: list[Definition] = []
        for member in shown:
            if member.symbol.kind in FUNCTIONS:
                continue
            if not _INSIDE.match(member.symbol.signature):
                fields.append(member)
                continue
            at = next((n for n, method in enumerate(methods) if _within(member, method)), -1)
            inner.setdefault(at, []).append(member)
        lines += self._fields(item, fields)
        if -1 in inner:
            # The method that declares them is not shown.
            lines += [self._indent + self._field(member, form.ends) for member in inner[-1]]
        kept = {id(member) for member in self._without_implementation(methods)}
        for number, method in enumerate(methods):
            if id(method) in kept:
                lines += self._method(method, item, inner.get(number, []))
        if cut or (form.docstring and not shown):
            lines.append(self._indent + "...")
        return lines + ([form.closes] if form.closes else [])

    def _fields(self, item: Definition, fields: list[Definition]) -> list[str]:
        form = self._form
        values = [member for member in fields if member.symbol.kind in VALUES]
        if (
            item.symbol.kind == "enum"
            and form.closes.startswith("}")
            and not any(member.symbol.signature.startswith("case ") for member in values)
        ):
            plain = [m for m in values if not m.symbol.type]
            listed = ", ".join(member.symbol.signature.rstrip(",;") for member in plain)
            lines = [self._indent + listed] if plain else []
            rest = [member for member in fields if member not in plain]
            if rest and lines:
                lines[0] += form.field_ends
        else:
            lines, rest = [], fields
        for member in rest:
            if member.symbol.kind in VALUES:
                lines.append(self._indent + self._field(member, form.field_ends))
            else:
                lines.append(self._indent + self.header(member).rstrip("\n"))
        return lines

    def _method(self, method: Definition, owner: Definition, inner: list[Definition]) -> list[str]:
        if not inner:
            return [self._declared(method, self._indent, owner)]
        indent, form = self._indent, self._form
        deeper = "\t" if indent == "\t" else indent or "    "
        lines = [indent + self._signature(method, indent) + form.opens]
        lines += [indent + deeper + self._field(member, form.ends) for member in inner]
        lines.append(indent + deeper + "...")
        return lines + ([indent + form.closes.rstrip(";")] if form.closes else [])

    def _outside(self, name: str, members: list[Definition]) -> list[str]:
        """Return members that stand outside of their type."""
        around = self._form.outside
        kept = self._without_implementation(members)
        if not around:
            return [self._declared(member, "") for member in kept]
        head = around.replace("{}", name) + self._form.opens
        return [
            head,
            *[self._declared(member, self._indent) for member in kept],
            self._form.closes,
        ]

    def _declared(self, item: Definition, indent: str, owner: Definition | None = None) -> str:
        """Return a declaration with what stands for its body."""
        form, symbol = self._form, item.symbol
        if symbol.kind not in FUNCTIONS:
            return indent + self._field(item, form.field_ends if owner else form.ends)
        text = indent + self._signature(item, indent)
        if form.opens == ":":
            return f"{text}: ..."
        if form.closes == "end":
            return text + self._language.ellipsis
        body = self._has_body(item)
        if body is None:
            of_interface = owner is not None and owner.symbol.kind == "interface"
            body = not of_interface and not re.search(r"\babstract\b", symbol.signature)
        if not body:
            return text + form.ends
        if _ARROW.match(symbol.signature):
            return f"{text} => ...{form.ends}"
        return text + " { ... }"

    def _signature(self, item: Definition, indent: str) -> str:
        """Return a signature; where lines end statements, each decorator on a line of its own."""
        text = item.symbol.signature
        if self._form.opens != ":" or not text.startswith("@"):
            return text
        lines = []
        while found := _DECORATOR.match(text):
            lines.append(found[0].rstrip())
            text = text[found.end() :]
        return f"\n{indent}".join([*lines, text])

    def _field(self, item: Definition, ends: str) -> str:
        symbol = item.symbol
        text = symbol.signature.rstrip(",;")
        value = text.partition(" = ")[2]
        quoted = len(value) > _LONG_TEXT and ('"' in value or "'" in value)
        if quoted or (len(text) >= _CUT and "=" in text):
            text = text.partition("=")[0] + "= ..."
        if self._form.opens == ":":
            return text
        place = item.place
        line = self._lines[place.line] if place.line < len(self._lines) else ""
        at = line.find(symbol.signature)
        if at > 0 and _WORDS.fullmatch(before := line[:at].strip()):
            # The word that declares several at once.
            text = f"{before} {text}"
        if at >= 0 and (accessors := _ACCESSORS.match(line, at + len(symbol.signature))):
            return f"{text} {accessors[1]}"
        if at >= 0 and line[at + len(symbol.signature) :].lstrip().startswith("=>"):
            return f"{text} => ...{ends}"
        if text.startswith("#") and symbol.kind == "constant":
            # A macro goes to the end of its line.
            return text
        return text + ends

    def _has_body(self, item: Definition) -> bool | None:
        """Tell whether a declaration has a body, or None if nothing tells it."""
        first, last = item.place.first_line, item.place.last_line
        if (self._path and item.path != self._path) or last >= len(self._lines):
            return None
        line = self._lines[last]
        if first != last:
            return line.rstrip(" \t;,)").endswith("}")
        tail = item.symbol.signature[-12:]
        at = line.find(tail, max(item.place.column - len(tail), 0))
        if at < 0:
            return "{" in line
        return line[at + len(tail) :].lstrip()[:1] in ("{", "=", ":", "-")

    def _without_implementation(self, overloads: Sequence[Definition]) -> list[Definition]:
        """Leave out functions of which only the overloads are meant to be seen."""
        if len(overloads) < 2 or not self._form.overloads:
            return list(overloads)
        bare = {item.symbol.name for item in overloads if self._is_overload(item)}
        return [
            item for item in overloads if item.symbol.name not in bare or self._is_overload(item)
        ]

    def _is_overload(self, item: Definition) -> bool:
        if item.symbol.kind not in FUNCTIONS:
            return False
        pattern = self._form.overloads
        return pattern is not None and (
            pattern.match(item.symbol.signature) is not None
            if pattern.pattern
            else self._has_body(item) is False
        )

    def _comment(self, doc: str) -> str:
        return f"{self._language.comments[0].decode()} {doc}"

    def _indentation(self, owner: Definition, members: Sequence[Definition]) -> str:
        """Return how the members of a type are indented in the file, compared with it."""
        if self._form.opens == ":":
            # As good as everywhere, and a large file need not be split for it.
            return "    "
        around = self._space(owner)
        for member in members:
            found = self._space(member).removeprefix(around)
            if found:
                return found
        return "    "

    def _space(self, item: Definition) -> str:
        line = item.place.first_line
        found = _SPACE.match(self._lines[line]) if line < len(self._lines) else None
        return found[0] if found else ""


def _in_head(member: Definition, owner: Definition, makers: Sequence[Definition]) -> bool:
    """Tell whether a field is declared in the head of its type, or by a constructor's parameter."""
    written = member.symbol.signature
    if member.symbol.kind not in VALUES:
        return False
    return written in owner.symbol.signature or any(
        written in maker.symbol.signature and _within(member, maker) for maker in makers
    )


def _within(member: Definition, method: Definition) -> bool:
    return method.place.first_line <= member.place.line <= method.place.last_line
