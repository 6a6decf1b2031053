"""Which parts of a file an outline leaves out, and what stands in their place.

What is not known to be a body, a long value, a comment or a statement stays: an outline may be
longer than it had to be, but loses no declaration. Must never do I/O, nor know any language by
name. May import this package.
"""

from __future__ import annotations

import re
from operator import itemgetter
from typing import TYPE_CHECKING, Final, NamedTuple

from sidecar.syntax.foldcomments import comment_folds
from sidecar.syntax.folds import Fold, first_doc_line, nested, outside_bodies, shortened
from sidecar.syntax.repair import repaired

if TYPE_CHECKING:
    from tree_sitter import Node

    from sidecar.syntax.parse import Parsed

__all__ = ["Folding", "folding_of"]

#: A value that takes more bytes is a table, of which its first and last bracket say enough.
_LONG: Final = 160
#: Bodies that lie in more bodies are not looked at: to ask for a node's parent takes longer the
#: deeper it is.
_DEEPEST: Final = 32
#: Which of two words for one range is heard first.
_RANKS: Final = {
    word: rank
    for rank, word in enumerate(
        (
            "open",
            "gone",
            "statement",
            "import",
            "keep",
            "table",
            "literal",
            "cut",
            "body",
            "docstring",
        )
    )
}
_BRACKETS: Final = {b"{": b"{ ... }", b"(": b"( ... )"}
_LABEL: Final = re.compile(rb"\s*\w+\s*:\s*(?://.*|/\*.*)?$")


class Folding(NamedTuple):
    """The folds of a file.

    Args:
        folds: By their start, the larger first; bodies lie in bodies, nothing else does.
        errors: Ranges that do not parse, outside of bodies.
        constructors: Where bodies that declare fields start, and the range of what they belong to.
    """

    folds: tuple[Fold, ...]
    errors: tuple[tuple[int, int], ...]
    constructors: tuple[tuple[int, int, int], ...] = ()


def folding_of(parsed: Parsed, unfinished: int | None = None) -> Folding | None:
    """Return the folds of a file, or None where its language has no query for them.

    Args:
        parsed: The file.
        unfinished: A place in the line that is being written, in bytes: where the file does not
            parse, it is tried without that line.
    """
    import tree_sitter

    parsed, left_out = repaired(parsed, unfinished)
    queries = parsed.grammar.folding
    if queries is None:
        return None
    root = parsed.tree.root_node
    captured = tree_sitter.QueryCursor(queries[0]).captures(root)
    if queries[1] is not None:
        # A pattern that begins at the root is under way, and costs time, until all of the tree was
        # walked; one that begins right below it is looked for there alone.
        cursor = tree_sitter.QueryCursor(queries[1])
        cursor.set_max_start_depth(1)
        for word, nodes in cursor.captures(root).items():
            captured.setdefault(word, []).extend(nodes)
    folder = _Folder(parsed, left_out)
    found = folder.fold(captured)
    errors: list[tuple[int, int]] = []
    if root.has_error:
        nodes = tree_sitter.QueryCursor(parsed.grammar.errors).captures(root).get("error", [])
        errors = outside_bodies(sorted((node.start_byte, node.end_byte) for node in nodes), found)
    return Folding(tuple(found), tuple(errors), tuple(folder.constructors))


class _Open:
    """A statement or table that goes unless something in it must stay."""

    __slots__ = ("end", "goes", "kind", "start")

    def __init__(self, kind: str, start: int, end: int) -> None:
        self.kind = kind
        self.start = start
        self.end = end
        self.goes = True


class _Folder:
    """Makes the folds of one file."""

    def __init__(self, parsed: Parsed, left_out: tuple[int, int] | None = None) -> None:
        #: A line that was not parsed, which the body before it may go on with.
        self._left_out = left_out
        language = parsed.grammar.language
        self._source = parsed.source
        self._marks = parsed.grammar.comment_marks
        self._ellipsis = language.ellipsis.encode()
        self._blocks = language.block_comments
        self._bodies: list[Fold] = []
        self.constructors: list[tuple[int, int, int]] = []
        self._declaring: set[int] = set()
        self._open: list[_Open] = []
        #: Those that hold what is looked at.
        self._around: list[_Open] = []
        self._values: list[Fold] = []
        self._imports: set[int] = set()

    def fold(self, captured: dict[str, list[Node]]) -> list[Fold]:
        """Return the folds, in order.

        Args:
            captured: What was marked, by the words that `grammars/languages.toml` explains.
        """
        comments = [(n.start_byte, n.end_byte) for n in captured.pop("comment", ())]
        self._declaring = {node.start_byte for node in captured.pop("constructor", ())}
        opened = {node.start_byte for node in captured.pop("open", ())}
        documented = {n.start_byte: n.end_byte for n in captured.get("docstring", ())}
        items = [
            (node.start_byte, -node.end_byte, rank, word, node)
            for word, nodes in captured.items()
            if (rank := _RANKS.get(word)) is not None
            for node in nodes
        ]
        items.sort(key=itemgetter(0, 1, 2))
        source = self._source
        inside = head = -1
        around: list[int] = []
        for start, minus_end, _, word, node in items:
            end = -minus_end
            if word == "body":
                while around and around[-1] <= start:
                    around.pop()
                if start not in opened and len(around) < _DEEPEST:
                    around.append(end)
                    doc_end = documented.get(start, -1)
                    last = self._body(node, doc_end, inside)
                    if start >= inside:
                        # Its documentation stays outside.
                        head, inside = doc_end, last
            elif start < inside and start >= head:
                continue
            elif word == "docstring":
                text = first_doc_line(source[start:end])
                if len(text) < end - start:
                    self._values.append(Fold(start, end, "doc", text))
            elif word == "literal":
                self._value(start, end)
            elif word == "gone":
                inside, head = max(inside, end), -1
                self._values.append(Fold(*self._statement(start, end), "statement", b""))
            elif word == "cut":
                start = len(source[:start].rstrip())
                self._values.append(Fold(start, end, "cut", b""))
            elif word in ("statement", "table"):
                item = _Open(word, start, end)
                # What does not parse is shown, since nobody knows what it declares.
                item.goes = word == "table" or not node.has_error
                self._open.append(item)
                while self._around and self._around[-1].end <= start:
                    self._around.pop()
                self._around.append(item)
            else:
                self._keep("statement", start)
                if word == "import":
                    self._imports.add(source.rfind(b"\n", 0, start) + 1)
        return self._all(sorted(comments))

    def _all(self, comments: list[tuple[int, int]]) -> list[Fold]:
        gone = []
        for item in self._open:
            if item.kind == "table" and item.goes:
                self._value(item.start, item.end)
            elif item.kind == "statement" and item.goes:
                gone.append(Fold(*self._statement(item.start, item.end), "statement", b""))
        folds = nested(self._bodies + self._values + gone)
        folds += comment_folds(self._source, comments, folds, self._imports, blocks=self._blocks)
        folds.sort(key=lambda fold: (fold.start, -fold.end))
        return folds

    def _keep(self, kind: str, start: int) -> None:
        while self._around and self._around[-1].end <= start:
            self._around.pop()
        for item in self._around:
            if item.kind == kind:
                item.goes = False

    def _value(self, start: int, end: int) -> None:
        if end - start > _LONG:
            text = shortened(self._source[start:end])
            before = self._source[max(start - 200, 0) : start].rstrip()
            if before.endswith(b"\\"):
                # A macro, which goes on below its name.
                start, text = start - min(start, 200) + len(before[:-1].rstrip()), b" " + text
            if len(text) < end - start:
                self._values.append(Fold(start, end, "value", text))

    def _body(self, node: Node, documented: int, inside: int) -> int:
        """Fold a body; return its end.

        Args:
            node: The body.
            documented: Where its documentation ends, if it starts with some.
            inside: End of the body that it lies in, or less than its start.
        """
        source = self._source
        first, end = node.start_byte, node.end_byte
        start = self._head_end(node, first)
        if first >= inside:
            # It declares something, if only a test or a route.
            self._keep("table", first)
            self._keep("statement", first)
        if first >= inside and node.has_error:
            end = self._own_end(node, start, end)
        elif self._left_out is not None and self._goes_on(node, end, self._left_out[0]):
            end = self._left_out[1]
        opening = source[first : first + 1]
        text = _BRACKETS.get(opening)
        space = b" " if start < first else b""
        if documented >= 0:
            line = source.rfind(b"\n", 0, first) + 1
            start, text = documented, b"\n" + source[line:first] + b"..."
            if source[line:first].strip():
                text = b"; ..."
        elif text is not None:
            text = space + text
        elif opening == b"=":
            text = space + (b"=> ..." if source[first + 1 : first + 2] == b">" else b"= ...")
        elif self._ellipsis.endswith(b"end") and self._closing_end(node) is not None:
            end = max(end, self._closing_end(node) or 0)
            text = self._ellipsis
        elif self._ellipsis.endswith(b"end"):
            text = space + b"..."
        else:
            text = self._ellipsis if start < first else b"..."
        if len(text) <= end - start:
            owner = node.parent
            head = first if owner is None else owner.start_byte
            head = source.rfind(b"\n", 0, head) + 1
            self._bodies.append(Fold(start, end, "body", text, head))
            if first in self._declaring and owner is not None and owner.parent is not None:
                holder = owner.parent
                self.constructors.append((start, holder.start_byte, holder.end_byte))
        return end

    def _goes_on(self, node: Node, end: int, line: int) -> bool:
        """Tell whether a line below a body that has no bracket at its end belongs to it."""
        source = self._source
        if end > line or source[end:line].strip() or source[end - 1 : end] in (b"}", b")"):
            return False
        owner = node if node.parent is None else node.parent
        head = source.rfind(b"\n", 0, owner.start_byte) + 1
        return _width(source[line : line + 200]) > _width(source[head : head + 200])

    @staticmethod
    def _closing_end(node: Node) -> int | None:
        """Return where the `end` of a body stands, if it has one."""
        parent = node.parent
        if parent is None or not parent.child_count:
            return None
        last = parent.children[-1]
        return last.end_byte if last.type == "end" else None

    def _head_end(self, node: Node, first: int) -> int:
        """Return where the head of a body ends, before comments between the two."""
        source = self._source
        line = source.rfind(b"\n", 0, max(first - 1, 0)) + 1
        at = first
        while at and source[at - 1 : at].isspace():
            at -= 1
        line = source.rfind(b"\n", 0, at) + 1
        if not any(mark in source[line:at] for mark in (*self._marks, b"*/")):
            return at
        before = node.prev_sibling
        while before is not None and "comment" in before.type:
            before = before.prev_sibling
        return at if before is None else before.end_byte

    def _own_end(self, node: Node, start: int, end: int) -> int:
        """Return where a body that does not parse ends: before what is indented like its head.

        An unfinished line can stretch a body over all that follows.
        """
        source = self._source
        head = source.rfind(b"\n", 0, start) + 1
        parent = node.parent
        if parent is not None:
            head = source.rfind(b"\n", 0, parent.start_byte) + 1
        level = _width(source[head : head + 200])
        at = source.find(b"\n", start, end)
        last = -1
        while at >= 0:
            stop = source.find(b"\n", at + 1, end)
            line = source[at + 1 : end if stop < 0 else stop]
            stripped = line.lstrip()
            if stripped:
                mark = stripped[:1]
                if (
                    last >= 0
                    and _width(line) <= level
                    and (mark.isalpha() or mark in (b"@", b"_", b"[", b"/"))
                    and not stripped.startswith((b"end", b"else", b"catch", b"rescue", b"ensure"))
                    and not _LABEL.match(line)
                ):
                    return last
                last = at + 1 + len(line.rstrip())
            at = stop
        return end

    def _statement(self, start: int, end: int) -> tuple[int, int]:
        """Return the range of a statement with what belongs to it on its last line."""
        source = self._source
        stop = source.find(b"\n", end)
        stop = len(source) if stop < 0 else stop
        rest = source[end:stop].strip(b" \t\r;")
        if not rest or (rest.startswith(self._marks) and b"/*" not in rest):
            return start, stop
        return start, end


def _width(line: bytes) -> int:
    return len(line[: len(line) - len(line.lstrip(b" \t"))].expandtabs(8))
