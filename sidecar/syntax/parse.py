"""Parse trees of open documents, each made from the one before and the bytes that changed.

Grammars are imported when their first document is parsed, never at start-up. Must never do I/O
besides that, nor decide anything about code. May import `text`, tree_sitter, and the grammars by
name.
"""

from __future__ import annotations

import functools
import importlib
import re
import time
from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sidecar.syntax.reading import Own
from sidecar.syntax.suspicion import as_text, is_nested, is_suspect
from sidecar.text import Buffer, encode_utf8

if TYPE_CHECKING:
    from collections.abc import Callable

    import tree_sitter
    from tree_sitter import Tree

    from sidecar.syntax.languages import Language

__all__ = ["Grammar", "Parsed", "Trees", "changed_bytes"]

#: Larger documents are not parsed: a first parse of so much takes longer than a keystroke may wait.
MAX_PARSE_BYTES = 1_000_000
#: A parse is given up after this much time of the processor. A megabyte of real code takes a fifth
#: of it, but there are texts, such as `[]{[]{...` in Go, for which it grows with the square.
MAX_PARSE_SECONDS = 0.7
#: The same for a document that was parsed before, where a keystroke usually takes a millisecond.
MAX_REPARSE_SECONDS = 0.2
#: A document is not parsed again, after a parse that was given up or a keystroke that took longer
#: than this, until so many times as much time has passed as was lost with it.
_SLOW = 0.1
_REST = 30
#: Nodes in which names are no names, or none that somebody declares.
_QUIET = re.compile(
    r"comment|string|str_text|char_literal|character_literal|heredoc|regex"
    r"|(?:primitive|predefined|void|integral|floating_point|boolean)_type"
)
#: Queries that tell what a name is.
_MENTIONED = ("references", "imports")


@dataclass(frozen=True, slots=True)
class Parsed:
    """One document's parse: the bytes, their tree, and the grammar that made it."""

    source: bytes
    tree: Tree
    grammar: Grammar


class Grammar:
    """A loaded grammar: its parser and its queries.

    Args:
        language: The language.
        loaded: Its grammar.
    """

    def __init__(self, language: Language, loaded: tree_sitter.Language) -> None:
        import tree_sitter

        def compiled(*names: str) -> tree_sitter.Query | None:
            texts = [text for name in names if (text := language.query(name))]
            return tree_sitter.Query(loaded, "\n".join(texts)) if texts else None

        self.language = language
        #: What a comment may begin with, in bytes.
        self.comment_marks = (*language.comments, *((b"/*",) if language.block_comments else ()))
        self._own = Own(loaded)
        self._loaded = loaded
        #: Functions and their bodies.
        self.scopes = compiled("scopes")
        #: Everything that the index keeps, found in one pass, since walking the tree is the cost.
        self.facts = compiled("symbols", "references", "imports")
        #: What is looked for only at the outermost nodes: a pattern that begins at the root of a
        #: tree is under way, and costs time, until all of the tree was walked.
        self.top = compiled("top")
        self.errors = tree_sitter.Query(loaded, "[(ERROR) (MISSING)] @error")
        kinds = {kind for kind, named in _kinds(loaded) if named and "comment" in kind}
        comments = "".join(f"({kind})" for kind in sorted(kinds))
        self.comments = tree_sitter.Query(loaded, f"[{comments}] @comment") if kinds else None

    @property
    def parser(self) -> tree_sitter.Parser:
        """This thread's parser."""
        return self._own.parser

    @functools.cached_property
    def folding(self) -> tuple[tree_sitter.Query, tree_sitter.Query | None] | None:
        """What outlines leave out, anywhere and outermost; made when the first is asked for."""
        import tree_sitter

        text, top = self.language.query("folding"), self.language.query("foldtop")
        if text is None:
            return None
        query = tree_sitter.Query(self._loaded, text)
        return query, tree_sitter.Query(self._loaded, top) if top else None

    @functools.cached_property
    def imports(self) -> tree_sitter.Query | None:
        """Statements that import; made when the first is asked for."""
        import tree_sitter

        text = self.language.query("imports")
        return tree_sitter.Query(self._loaded, text) if text else None

    @functools.cached_property
    def bindings(self) -> tree_sitter.Query | None:
        """Where names get their values; made when the first is asked for."""
        import tree_sitter

        text = self.language.query("bindings")
        return tree_sitter.Query(self._loaded, text) if text else None

    @functools.cached_property
    def mentions(self) -> tuple[tree_sitter.Query, frozenset[str]]:
        """What is no code (@quiet) or tells what a name is, and all words that are no names."""
        import tree_sitter

        kinds = _kinds(self._loaded)
        quiet = {kind for kind, named in kinds if named and _QUIET.search(kind)}
        texts = [text for name in _MENTIONED if (text := self.language.query(name))]
        texts.append("[" + "".join(f"({kind})" for kind in sorted(quiet)) + "] @quiet")
        words = frozenset(kind for kind, named in kinds if not named and kind.isidentifier())
        return tree_sitter.Query(self._loaded, "\n".join(texts)), words

    def parse(self, source: bytes) -> Tree | None:
        """Parse a file, or return None where that would take too long.

        Made for processes that may be ended when a text nobody suspects takes longer still.
        """
        if is_nested(source):
            return None
        source = as_text(source)
        if is_suspect(source) and self.parse_within(MAX_PARSE_SECONDS, source) is None:
            return None
        return self.parser.parse(source)

    def parse_within(
        self, seconds: float, source: bytes, before: Tree | None = None
    ) -> Tree | None:
        """Parse a text in so much time of the processor, or return None.

        Args:
            seconds: The time.
            source: The text.
            before: The tree of an earlier text, edited where this one differs.
        """
        if is_nested(source):
            return None
        source = as_text(source)
        until = time.thread_time() + seconds
        parser, read = self._own.parser, self._own.reader.of(source)

        def late(_at: int, _error: bool) -> bool:
            return time.thread_time() > until

        try:
            # Only a parse that asks for its text says how it gets on, but the nodes of such a
            # tree ask for their text again each time they are asked for theirs.
            if before is None:
                tree = parser.parse(read, progress_callback=late)
            else:
                tree = parser.parse(read, before, progress_callback=late)
        except ValueError:
            parser.reset()
            return None
        # Takes over what is there: a tenth of the time, but where there are errors.
        return parser.parse(source, tree)

    @classmethod
    @functools.cache
    def of(cls, language: Language) -> Grammar | None:
        """Load a language's grammar; None where there is no grammar, or no query that uses it."""
        if language.query("scopes") is None and language.query("symbols") is None:
            return None
        import tree_sitter

        capsule = _load(language)
        return None if capsule is None else cls(language, tree_sitter.Language(capsule))


class Trees:
    """The trees of the documents used last; each parse starts from the one before.

    Args:
        limit: Documents whose trees are kept.
    """

    def __init__(self, limit: int = 16) -> None:
        self._limit = limit
        self._kept: OrderedDict[str, tuple[Buffer, Parsed]] = OrderedDict()
        #: Until when documents are left alone that took too long.
        self._resting: dict[str, float] = {}
        #: Bytes in edits given to re-parses, for tests of the mechanism: a keystroke adds a few.
        self.edited_bytes = 0

    def parse(self, uri: str, language: Language, buffer: Buffer) -> Parsed | None:
        """Return the tree of a document as it is now.

        Returns:
            None where no grammar serves, and for texts that take too long: no keystroke waits for
            what a hostile document costs.
        """
        grammar = Grammar.of(language)
        if grammar is None or len(buffer) > MAX_PARSE_BYTES:
            return None
        kept = self._kept.get(uri)
        if kept is not None and kept[0] is buffer and kept[1].grammar is grammar:
            self._kept.move_to_end(uri)
            return kept[1]
        if time.monotonic() < self._resting.get(uri, 0.0):
            return None
        start = time.thread_time()
        source = encode_utf8(buffer.text)
        known = kept is not None and kept[1].grammar is grammar
        if kept is not None and known:
            tree = self._reparse(*kept, buffer, source)
        else:
            tree = grammar.parse_within(MAX_PARSE_SECONDS, source)
        spent = time.thread_time() - start
        if tree is None or (known and spent > _SLOW):
            self._resting[uri] = time.monotonic() + _REST * spent
        if tree is None:
            return None
        parsed = Parsed(source, tree, grammar)
        self._kept[uri] = (buffer, parsed)
        self._kept.move_to_end(uri)
        if len(self._kept) > self._limit:
            self._kept.popitem(last=False)
        return parsed

    def forget(self, uri: str) -> None:
        """Drop a closed document's tree."""
        self._kept.pop(uri, None)
        self._resting.pop(uri, None)

    def _reparse(self, before: Buffer, old: Parsed, after: Buffer, source: bytes) -> Tree | None:
        # Editing a tree changes it in place, and the old snapshot may still be in use.
        tree = old.tree.copy()
        # From the end, so that the places of the edits before it are still those of the old text.
        for start, end, new_start, new_end in reversed(before.differences(after)):
            removed = encode_utf8(before.slice(start, end))
            added = encode_utf8(after.slice(new_start, new_end))
            first, removed_end, added_end = changed_bytes(removed, added)
            self.edited_bytes += max(removed_end, added_end) - first
            origin = len(encode_utf8(before.slice(0, start)))
            start_point = _advance((0, 0), old.source[: origin + first])
            tree.edit(
                start_byte=origin + first,
                old_end_byte=origin + removed_end,
                new_end_byte=origin + added_end,
                start_point=start_point,
                old_end_point=_advance(start_point, removed[first:removed_end]),
                new_end_point=_advance(start_point, added[first:added_end]),
            )
        return old.grammar.parse_within(MAX_REPARSE_SECONDS, source, tree)


def _kinds(loaded: tree_sitter.Language) -> list[tuple[str, bool]]:
    """Return the kinds of nodes that there are, and which of them have names."""
    return [
        (kind, loaded.node_kind_is_named(number))
        for number in range(loaded.node_kind_count)
        if loaded.node_kind_is_visible(number) and (kind := loaded.node_kind_for_id(number))
    ]


def changed_bytes(old: bytes, new: bytes) -> tuple[int, int, int]:
    """Return where two texts begin to differ, and where the difference ends in each."""
    limit = min(len(old), len(new))
    start = _common(limit, lambda n: old[:n] == new[:n])
    rest = limit - start
    tail = _common(rest, lambda n: old[len(old) - n :] == new[len(new) - n :])
    # An edit must not cut a character: step back to the first byte of one.
    while start and _inside(old, new, start):
        start -= 1
    while tail and _inside(old, new, len(old) - tail, len(new) - tail):
        tail -= 1
    return start, len(old) - tail, len(new) - tail


def _common(limit: int, equal: Callable[[int], bool]) -> int:
    """Find by halving the largest n at which `equal(n)` holds."""
    low, high = 0, limit
    while low < high:
        middle = (low + high + 1) // 2
        if equal(middle):
            low = middle
        else:
            high = middle - 1
    return low


def _inside(old: bytes, new: bytes, at: int, new_at: int | None = None) -> bool:
    new_at = at if new_at is None else new_at
    return (at < len(old) and old[at] & 0xC0 == 0x80) or (
        new_at < len(new) and new[new_at] & 0xC0 == 0x80
    )


def _advance(point: tuple[int, int], text: bytes) -> tuple[int, int]:
    """Return where a text ends that begins at a row and column."""
    rows = text.count(b"\n")
    if not rows:
        return point[0], point[1] + len(text)
    return point[0] + rows, len(text) - text.rindex(b"\n") - 1


def _load(language: Language) -> object | None:
    """Import a grammar: its own wheel, or the optional pack."""
    if language.module:
        try:
            return _call(importlib.import_module(language.module), language.function)
        except ImportError:
            return None
    if language.pack:
        try:
            pack = importlib.import_module("tree_sitter_language_pack")
            return _call(pack, "get_binding", language.pack)
        except (ImportError, LookupError):
            return None
    return None


def _call(module: object, name: str, *arguments: str) -> object:
    result: object = getattr(module, name)(*arguments)
    return result
