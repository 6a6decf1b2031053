"""Questions to the index, asked off the loop, with open documents in place of their files.

The loop never waits for the database or for facts to be extracted; what is extracted of a document
is kept until its text changes, and nothing is extracted before somebody asks. May import `index`,
`syntax` and `text`.
"""

from __future__ import annotations

import asyncio
import logging
import os
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, NamedTuple

from sidecar.index.files.content import digest
from sidecar.index.files.secrets import is_secret
from sidecar.index.query.overlay import Overlay, Unsaved
from sidecar.index.query.reader import Reader
from sidecar.index.roots import relative
from sidecar.syntax.facts import facts_of
from sidecar.syntax.parse import Grammar
from sidecar.text import encode_utf8

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path
    from typing import TypeVar

    from sidecar.server.documents import Documents
    from sidecar.syntax import Languages, Trees
    from sidecar.syntax.facts import Facts
    from sidecar.syntax.parse import Parsed
    from sidecar.telemetry import Metrics
    from sidecar.text import Buffer, Document

    T = TypeVar("T")

__all__ = ["Lookups"]

log = logging.getLogger(__name__)

_BOM = b"\xef\xbb\xbf"


class _Digests(NamedTuple):
    """What a document's file may have as its digest if it is saved as it stands."""

    buffer: Buffer
    plain: bytes
    with_mark: bytes


class Lookups:
    """Asks the indexes of some roots.

    Args:
        documents: The open documents.
        languages: The languages there are.
        trees: The parse trees of open documents.
        metrics: Counts answers; its counters of the index are written by the reading thread alone.
    """

    def __init__(
        self, documents: Documents, languages: Languages, trees: Trees, metrics: Metrics
    ) -> None:
        self._documents = documents
        self._languages = languages
        self._trees = trees
        self._metrics = metrics
        # One: a reader is for one caller at a time, and the loop must get its turn.
        self._executor = ThreadPoolExecutor(1, "index-reader")
        self._readers: dict[str, Reader] = {}
        self._digests: dict[str, _Digests] = {}
        self._facts: dict[str, tuple[Buffer, Unsaved | None]] = {}
        #: By root, a generation with the texts of its documents, and which of these differ.
        self._compared: dict[str, tuple[tuple[int, dict[str, Buffer]], list[str]]] = {}
        #: Languages whose grammars are loaded, which takes longer than the loop may wait.
        self._loaded: set[str] = set()
        #: Whether an open document may be shown: those that hold secrets may not.
        self._shown: dict[str, bool] = {}

    @property
    def roots(self) -> list[str]:
        """The roots that can be asked about, the innermost first."""
        return sorted(self._readers, key=len, reverse=True)

    def open_paths(self) -> list[str]:
        """Return the paths of open documents that lie below a root, the newest first."""
        paths = [document.path for document in self._documents]
        return [path for path in reversed(paths) if self.root_of(path) is not None]

    def serve(self, databases: Mapping[str, Path]) -> None:
        """Ask these databases from now on, and no others."""
        for root in [root for root in self._readers if root not in databases]:
            self._executor.submit(self._readers.pop(root).close)
        for root, path in databases.items():
            if root not in self._readers:
                self._readers[root] = Reader(path, self._metrics)

    def move(self, root: str, database: Path) -> None:
        """Ask another database about a root that is served."""
        reader = self._readers.get(root)
        if reader is not None:
            self._executor.submit(reader.close)
            self._readers[root] = Reader(database, self._metrics)
            self._compared.pop(root, None)

    def root_of(self, path: str) -> str | None:
        """Return the innermost root that holds a path, if there is one."""
        return next((root for root in self.roots if relative(root, path) is not None), None)

    async def ask(self, root: str, question: Callable[[Overlay], T], nothing: T) -> T:
        """Ask about one root.

        Args:
            root: One of `roots`.
            question: Called with the index on the reading thread.
            nothing: The answer of an index that is damaged, until it is made anew.

        Raises:
            StoreDamagedError: It is damaged; its writer has to be told.
        """
        reader = self._readers.get(root)
        if reader is None:
            return nothing
        documents = self.inside(root)
        loop = asyncio.get_running_loop()
        # Usually nothing has to be parsed, and one change of threads is enough.
        answer, differing = await loop.run_in_executor(
            self._executor, self._try, root, reader, documents, question
        )
        if not differing:
            assert answer is not None
            return answer[0]
        unsaved: dict[str, Unsaved] = {}
        parsed: dict[str, Parsed] = {}
        for path in differing:
            document = documents[path]
            kept = self._facts.get(document.uri)
            if kept is not None and kept[0] is document.buffer:
                if kept[1] is not None:
                    unsaved[path] = kept[1]
                continue
            language = self._languages.find(document.language, document.path)
            if language is not None and language.name not in self._loaded:
                await loop.run_in_executor(self._executor, Grammar.of, language)
                self._loaded.add(language.name)
            # Mostly there already, or a few changed bytes: completing keeps these trees as well.
            tree = self._trees.parse(document.uri, language, document.buffer) if language else None
            if tree is not None and tree.grammar.facts is not None:
                parsed[path] = tree
            else:
                # What is on disk is the best that there is.
                self._facts[document.uri] = document.buffer, None
        return await loop.run_in_executor(
            self._executor, self._answer, reader, documents, unsaved, parsed, question
        )

    def close(self) -> None:
        """Let go of all databases."""
        self.serve({})
        self._executor.shutdown(wait=True, cancel_futures=False)

    def inside(self, root: str) -> dict[str, Document]:
        """Return the open documents below a root that may be shown, by their paths in it."""
        found = {}
        for uri in [uri for uri in self._shown if self._documents.get(uri) is None]:
            for kept in (self._shown, self._digests, self._facts):
                kept.pop(uri, None)
        for document in self._documents:
            uri = document.uri
            if uri not in self._shown:
                # Asks where links lead, hence once.
                self._shown[uri] = not is_secret(document.path)
            if self._shown[uri] and (path := relative(root, document.path)):
                found[path] = document
        return found

    def _try(
        self,
        root: str,
        reader: Reader,
        documents: Mapping[str, Document],
        question: Callable[[Overlay], T],
    ) -> tuple[tuple[T] | None, list[str]]:
        """Return the answer, or else the documents of which not all facts are there."""
        with reader.holding():
            return self._try_now(root, reader, documents, question)

    def _try_now(
        self,
        root: str,
        reader: Reader,
        documents: Mapping[str, Document],
        question: Callable[[Overlay], T],
    ) -> tuple[tuple[T] | None, list[str]]:
        differing = self._differing(root, reader, documents)
        unsaved: dict[str, Unsaved] = {}
        for path in differing:
            document = documents[path]
            kept = self._facts.get(document.uri)
            if kept is None or kept[0] is not document.buffer:
                return None, differing
            if kept[1] is not None:
                unsaved[path] = kept[1]
        return (question(Overlay(reader, unsaved)),), []

    def _differing(self, root: str, reader: Reader, documents: Mapping[str, Document]) -> list[str]:
        """Return the documents that hold something else than the index knows of their files."""
        if not documents:
            return []
        state = reader.generation, {path: item.buffer for path, item in documents.items()}
        compared = self._compared.get(root)
        # Buffers are compared by identity: each change of a document makes another one.
        if compared is None or compared[0] != state:
            compared = self._compared[root] = state, self._compare(root, reader, documents)
        return compared[1]

    def _compare(self, root: str, reader: Reader, documents: Mapping[str, Document]) -> list[str]:
        found = []
        for path, document in documents.items():
            stored = reader.digest(path)
            if stored is None:
                # What is on disk and not in the index was left out of it.
                if reader.available and not os.path.lexists(os.path.join(root, path)):
                    found.append(path)
                continue
            known = self._digests.get(document.uri)
            if known is None or known.buffer is not document.buffer:
                source = encode_utf8(document.buffer.text)
                known = _Digests(document.buffer, digest(source), digest(_BOM + source))
                self._digests[document.uri] = known
            if stored not in known[1:]:
                found.append(path)
        return found

    def _answer(
        self,
        reader: Reader,
        documents: Mapping[str, Document],
        unsaved: dict[str, Unsaved],
        parsed: Mapping[str, Parsed],
        question: Callable[[Overlay], T],
    ) -> T:
        for path, tree in parsed.items():
            document = documents[path]
            facts = self._extracted(tree)
            made = unsaved[path] = Unsaved(path, tree.grammar.language.name, facts)
            self._facts[document.uri] = document.buffer, made
        with reader.holding():
            return question(Overlay(reader, unsaved))

    def _extracted(self, tree: Parsed) -> Facts:
        with self._metrics.span("index.extract_ms"):
            return facts_of(tree.grammar, tree.tree.root_node, tree.source)
