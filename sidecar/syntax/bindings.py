"""What names are bound to, as far as a file itself tells.

`bindings.scm` of a language marks where names get their values and how far they reach, with the
words that `grammars/languages.toml` explains. Only places where the name itself stands are asked
about, the nearest first, so that the size of a file costs next to nothing. Must never do I/O, nor
know any language by name. May import this package.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Final, NamedTuple

from sidecar.syntax.chains import MAX_CHARACTERS
from sidecar.syntax.docblocks import documented_type
from sidecar.syntax.indents import class_around, is_inside, width_at, widths
from sidecar.syntax.occurrences import places_above, places_below

if TYPE_CHECKING:
    from tree_sitter import Node

    from sidecar.syntax.parse import Parsed

__all__ = ["Binding", "Bindings"]

#: Places of a name that are looked at, above and below.
_MOST_PLACES: Final = 24
_FEW_PLACES: Final = 6
#: Bytes above a line in which names are bound that are seen there, and of the head of a function.
_REGION: Final = 3_500
_HEAD: Final = 400
#: What a query costs grows with the square of the depth that it looks into.
_DEEPEST: Final = 200
#: Words in place of a type that tell nothing of it.
_UNTOLD: Final = frozenset(
    {"var", "auto", "let", "val", "dynamic", "any", "Any", "unknown", "object", "mixed", "const"}
)
#: What tells of a value, the best first; `item` is an annotation of what a name holds many of.
_KINDS: Final = (
    "type",
    "item",
    "part.type",
    "value",
    "part",
    "entry",
    "each",
    "entered",
    "first",
    "instance",
)
#: What closures call a parameter that they do not name.
_IMPLIED: Final = frozenset({"it", "$0"})


class Binding(NamedTuple):
    """What a name is bound to.

    Args:
        kind: `type` (an annotation), `item` (an annotation of each of many), `part.type` (that of
            what has a member of the name), `value`, `part` (what has such a member), `each` (what
            iterating over it gives), `entry` (what it maps to), `entered` (what it gives as a
            context), `first` (of a tuple), `instance` (of a class), or `none` where nothing tells.
        text: The annotation or the expression.
        place: Where the binding stands, in bytes: names in its text are those before it.
    """

    kind: str
    text: str
    place: int


class Bindings:
    """What names mean at one place of a file.

    Args:
        parsed: The file.
        cursor: The place, in bytes.
    """

    def __init__(self, parsed: Parsed, cursor: int) -> None:
        self._parsed = parsed
        self._source = parsed.source
        self._root = parsed.tree.root_node
        self._cursor = cursor
        self._known: dict[tuple[str, int], Binding | None] = {}
        #: Where the heads of functions around begin and end.
        self._heads: list[tuple[int, int]] = []
        #: Ranges of classes whose names are not seen from functions inside.
        self._class: tuple[str, bool] | None = None

    @property
    def seen_from(self) -> int:
        """The place from which what is bound in the lines above is seen: on a blank line, its end.

        A block without brackets goes on to a line that nothing was written on.
        """
        before = self._source[: self._cursor]
        start = before.rfind(b"\n") + 1
        return self._cursor if before[start:].strip() else len(before.rstrip())

    def binding(self, name: str, before: int) -> Binding | None:
        """Return what a name is bound to at a place, or None where the file does not tell.

        Args:
            name: The name.
            before: The place, in bytes.
        """
        key = name, before
        if key not in self._known:
            self._known[key] = self._binding(name, before)
        return self._known[key]

    def bound(self, most: int) -> list[tuple[str, Binding]]:
        """Return names that are bound in lines above the cursor's and seen from it, nearest first.

        Args:
            most: How many names are looked at.
        """
        line = self._source.rfind(b"\n", 0, self._cursor) + 1
        seen_from = self.seen_from
        around = self._scopes_around(seen_from, self._cursor - line)
        start = max(line - _REGION, min((scope.start_byte for scope in around), default=0))
        bodies = ((scope, scope.child_by_field_name("body")) for scope in around)
        self._heads = [(scope.start_byte, body.start_byte) for scope, body in bodies if body]
        # What a long function takes stands at its head.
        heads = [scope.start_byte for scope in around if scope.start_byte < start]
        places: dict[int, int] = {}
        scopes: list[Node] = []
        for first, last in ((start, line), *((head, head + _HEAD) for head in heads[-3:])):
            for captured in self._ask(first, min(last, line)) if first < line else ():
                scopes += captured.get("scope", ())
                for node in captured.get("name", ()):
                    if first <= node.start_byte and node.end_byte <= min(last, line):
                        places[node.start_byte] = node.end_byte
        left = {node.id for node in scopes} - {node.id for node in around}
        closed = [(node.start_byte, node.end_byte) for node in scopes if node.id in left]
        found: dict[str, Binding] = {}
        tried: set[str] = set()
        for place, end in sorted(places.items(), reverse=True):
            name = self._text(place, end)
            if name in found or any(first <= place < last for first, last in closed):
                continue
            if len(tried | {name}) > most:
                break
            tried.add(name)
            if (binding := self._bound_at(place, end - place, seen_from)) is not None:
                found[name] = self._known[name, seen_from] = binding
        return list(found.items())

    def in_head(self, place: int) -> bool:
        """Tell whether one of the names that are bound is so in the head of what is around."""
        return any(start <= place < body for start, body in self._heads)

    def enclosing_class(self) -> tuple[str, bool] | None:
        """Return the class around the cursor, and whether its members are names inside."""
        if self._class is None:
            self._class = self._enclosing_class()
        return self._class if self._class[0] else None

    def _binding(self, name: str, before: int) -> Binding | None:
        if self._parsed.grammar.bindings is None:
            return None
        source, wanted = self._source, name.encode("utf-8", "replace")
        # A function sees what the one around it binds further down, once it is called.
        for places, most in (
            (places_above(source, wanted, before), _MOST_PLACES),
            (places_below(source, wanted, before), _FEW_PLACES),
        ):
            for place in itertools.islice(places, most):
                if (found := self._bound_at(place, len(wanted), before)) is not None:
                    return found
        return self._implied(before) if name in _IMPLIED else None

    def _implied(self, place: int) -> Binding | None:
        """Return what a parameter is bound to that the closure around a place does not name."""
        best: Binding | None = None
        for captured in self._ask(max(place - 1, 0), place):
            for node in captured.get("within", ()) if "it" in captured else ():
                if not node.start_byte < place <= node.end_byte:
                    continue
                for kind in _KINDS:
                    if kind in captured and (best is None or best.place < node.start_byte):
                        told = captured[kind][0]
                        text = self._text(told.start_byte, told.end_byte)
                        best = Binding(kind, text, node.start_byte)
        return best

    def _bound_at(self, place: int, length: int, before: int) -> Binding | None:
        """Return the binding of the name at a place, if it is one that is seen from another."""
        found: dict[str, Node] = {}
        is_bound = False
        of_object = self._source[place : place + 1] == b"@"
        scopes: list[Node] = []
        closed: list[Node] = []
        for captured in self._ask(place, place + length):
            for name in captured.get("name", ()):
                if name.start_byte == place and name.end_byte == place + length:
                    is_bound = True
                    for kind, nodes in captured.items():
                        found.setdefault(kind, nodes[0])
            # Names of an object's own reach as far as its class.
            scopes += captured.get("class" if of_object else "scope", ())
            closed += captured.get("closed", ())
        if not is_bound or not self._is_seen(scopes, closed, place, before):
            return None
        if "within" in found and not self._reaches(found["within"], before):
            return None
        if (
            self._root.has_error
            and place < before
            and not is_inside(self._source, place, before, self._parsed.grammar.language.header)
        ):
            return None
        binding = Binding("none", "", place)
        for kind in _KINDS:
            node = found.get(kind)
            if node is None or node.end_byte - node.start_byte > MAX_CHARACTERS:
                continue
            if node.start_byte <= before < node.end_byte:
                # The name gets its value from the very expression that is looked at.
                return None
            text = self._text(node.start_byte, node.end_byte)
            if kind in ("type", "item", "part.type") and text.strip(": ") in _UNTOLD:
                continue
            binding = Binding(kind, text, place)
            break
        if (
            binding.kind in ("none", "value", "first")
            and self._parsed.grammar.language.block_comments
        ):
            called = self._text(place, place + length)
            written = documented_type(self._source, place, called)
            return binding if written is None else Binding("type", written, place)
        return binding

    def _is_seen(self, scopes: list[Node], closed: list[Node], place: int, before: int) -> bool:
        """Tell whether a name that is bound in some scopes is seen from a place further down."""
        around = [scope for scope in scopes if scope.start_byte <= place < scope.end_byte]
        if not all(self._reaches(scope, before) for scope in around):
            return False
        innermost = max((scope.start_byte for scope in around), default=-1)
        if innermost < 0 or innermost not in {node.start_byte for node in closed}:
            return True
        # A member of a class, which functions in it do not see by its name alone.
        return not any(
            place < scope.start_byte < before and self._reaches(scope, before)
            for captured in self._ask(max(before - 1, 0), before)
            for scope in captured.get("scope", ())
        )

    def _ask(self, start: int, end: int) -> list[dict[str, list[Node]]]:
        from tree_sitter import QueryCursor

        query = self._parsed.grammar.bindings
        if query is None:
            return []
        cursor = QueryCursor(query)
        cursor.set_max_start_depth(_DEEPEST)
        cursor.set_byte_range(start, end)
        return [captured for _, captured in cursor.matches(self._root)]

    def _reaches(self, scope: Node, place: int) -> bool:
        """Tell whether a scope goes on to a place: one being written may end too early."""
        if place <= scope.end_byte:
            return scope.start_byte <= place
        source = self._source
        if source[scope.end_byte - 1 : scope.end_byte] in (b"}", b")", b"]"):
            return False
        head = width_at(source, scope.start_byte)
        return all(width > head for width in widths(source, scope.end_byte, place))

    def _enclosing_class(self) -> tuple[str, bool]:
        at = self._cursor
        while at and self._source[at - 1 : at].isspace():
            at -= 1
        best: Node | None = None
        name = ""
        closed: set[int] = set()
        for captured in self._ask(max(at - 1, 0), self._cursor + 1):
            closed.update(node.start_byte for node in captured.get("closed", ()))
            for node in captured.get("class", ()):
                if (
                    "class.name" in captured
                    and (best is None or node.start_byte >= best.start_byte)
                    and self._reaches(node, self._cursor)
                ):
                    best, named = node, captured["class.name"][0]
                    name = self._text(named.start_byte, named.end_byte)
        if best is not None:
            return name, best.start_byte not in closed
        if self._root.has_error:
            return class_around(self._source, self._cursor), False
        return "", False

    def _scopes_around(self, place: int, column: int) -> list[Node]:
        """Return what ends the reach of names and is around the cursor, the outermost first.

        Args:
            place: Where names are seen from.
            column: Of the cursor: a blank line belongs to what its indentation says.
        """
        scopes: dict[int, Node] = {}
        at = len(self._source[:place].rstrip())
        for captured in self._ask(max(at - 1, 0), max(at, 1)):
            for scope in captured.get("scope", ()):
                if not self._reaches(scope, place):
                    continue
                if place < self._cursor and scope.end_byte <= self._cursor:
                    ended = self._source[scope.end_byte - 1 : scope.end_byte] == b"}"
                    if ended or column <= width_at(self._source, scope.start_byte):
                        continue
                scopes[scope.id] = scope
        return sorted(scopes.values(), key=lambda scope: scope.start_byte)

    def _text(self, start: int, end: int) -> str:
        return self._source[start:end].decode("utf-8", "replace")
