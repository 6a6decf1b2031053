"""Grammars with their queries, and parses that are given up where they take too long.

Grammars are imported when their first text is parsed, never at start-up. Must never do I/O besides
that, nor decide anything about code. May import tree_sitter, and the grammars by name.
"""

from __future__ import annotations

import functools
import importlib
import re
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sidecar.syntax.reading import Own
from sidecar.syntax.suspicion import as_text, is_nested, is_suspect

if TYPE_CHECKING:
    import tree_sitter
    from tree_sitter import Tree

    from sidecar.syntax.languages import Language

__all__ = ["MAX_PARSE_SECONDS", "Grammar", "Parsed"]

#: A parse is given up after this much time of the processor. A megabyte of real code takes a fifth
#: of it, but there are texts, such as `[]{[]{...` in Go, for which it grows with the square.
MAX_PARSE_SECONDS = 0.7
#: Nodes in which names are no names, or none that somebody declares.
_QUIET = re.compile(
    r"comment|string|str_text|char_literal|character_literal|heredoc|regex"
    r"|(?:primitive|predefined|void|integral|floating_point|boolean)_type"
)
#: Queries that tell what a name is.
_MENTIONED = ("references", "imports")


@dataclass(frozen=True, slots=True, weakref_slot=True)
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
        source = as_text(source)
        shape = self.shape_within(seconds, source, before)
        return None if shape is None else self.complete(source, shape)

    def shape_within(self, seconds: float, source: bytes, before: Tree | None) -> Tree | None:
        """Do the same with UTF-8, but for a tree that does not hold it: to be completed."""
        if is_nested(source):
            return None
        until = time.thread_time() + seconds
        parser, read = self._own.parser, self._own.reader.of(source)

        def late(_at: int, _error: bool) -> bool:
            return time.thread_time() > until

        try:
            # Only a parse that asks for its text says how it gets on, but the nodes of such a
            # tree ask for theirs again, of a reader that reads another one by then.
            if before is None:
                return parser.parse(read, progress_callback=late)
            return parser.parse(read, before, progress_callback=late)
        except ValueError:
            parser.reset()
            return None

    def complete(self, source: bytes, shape: Tree) -> Tree:
        """Return the tree of a text whose shape is known, with the text.

        Takes over what is there: a tenth of the time, but where there are errors.
        """
        return self.parser.parse(source, shape)

    @classmethod
    @functools.cache
    def of(cls, language: Language) -> Grammar | None:
        """Load a language's grammar; None where there is no grammar, or no query that uses it."""
        if language.query("scopes") is None and language.query("symbols") is None:
            return None
        import tree_sitter

        capsule = _load(language)
        return None if capsule is None else cls(language, tree_sitter.Language(capsule))


def _kinds(loaded: tree_sitter.Language) -> list[tuple[str, bool]]:
    """Return the kinds of nodes that there are, and which of them have names."""
    return [
        (kind, loaded.node_kind_is_named(number))
        for number in range(loaded.node_kind_count)
        if loaded.node_kind_is_visible(number) and (kind := loaded.node_kind_for_id(number))
    ]


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
