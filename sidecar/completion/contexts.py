"""Makes the heads of prompts: snapshots in, a head out.

The one place that waits for what `context` needs: the workspace's index and token counts. May
import `context`, `syntax` and `text`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Protocol, TypeVar

from sidecar.context.gathering import OUTLINE, Gathered, gather
from sidecar.context.head import Head, head_of, texts_of
from sidecar.context.snapshot import EMPTY, Place

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence

    from sidecar.completion.anchor import Extension
    from sidecar.context.snapshot import Snapshot
    from sidecar.syntax import Languages, Trees
    from sidecar.text import Document

__all__ = ["Contexts", "HeadOptions", "NoWorkspace", "Workspace", "head_tokens"]

T = TypeVar("T")

#: Where a head is chosen for a model of this speed, in this time, and within these limits.
_LEAST_TOKENS, _MOST_TOKENS = 512, 2048
_TARGET_SECONDS: Final = 4.0


class Workspace(Protocol):
    """What is known of the files around a document."""

    async def ask(self, document: Document, question: Callable[[str, Snapshot], T]) -> T | None:
        """Ask about the workspace of a document.

        Args:
            document: The document.
            question: Called with its path in the workspace, and what is known; on a thread.

        Returns:
            None if the document lies in no workspace.
        """


class NoWorkspace:
    """Stands where there is no index: the current file has to do."""

    async def ask(self, document: Document, question: Callable[[str, Snapshot], T]) -> T | None:
        """Return that nothing is known."""
        return None


@dataclass(frozen=True, slots=True)
class HeadOptions:
    """What a head may hold.

    Args:
        sources: Names of the sources that are asked.
        tokens: Most tokens.
    """

    sources: frozenset[str]
    tokens: int


def head_tokens(chosen: int, window_tokens: int, prompt_tokens_per_s: float) -> int:
    """Return how many tokens a head may have.

    Args:
        chosen: What the user set; 0 for what suits the machine.
        window_tokens: Tokens of the current file's window.
        prompt_tokens_per_s: Measured speed of the model.
    """
    if chosen:
        return chosen
    possible = int(prompt_tokens_per_s * _TARGET_SECONDS) - window_tokens
    return min(max(possible, _LEAST_TOKENS), _MOST_TOKENS)


class Contexts:
    """Makes heads.

    Args:
        workspace: What is known of other files.
        languages: The languages there are.
        trees: The parse trees of open documents.
    """

    def __init__(self, workspace: Workspace, languages: Languages, trees: Trees) -> None:
        self._workspace = workspace
        self._languages = languages
        self._trees = trees

    async def gather(
        self,
        document: Document,
        anchor: int,
        cursor: int,
        options: HeadOptions,
        previous: Head | None = None,
    ) -> Gathered:
        """Find what would help at a place.

        Args:
            document: The document.
            anchor: Offset where typed text begins.
            cursor: Offset of the cursor.
            options: What is asked.
            previous: The document's last head.
        """
        language = self._languages.find(document.language, document.path)
        parsed = self._trees.parse(document.uri, language, document.buffer) if language else None

        shown = previous.paths if previous else ()

        def question(path: str, snapshot: Snapshot) -> Gathered:
            place = Place(document, path, language, parsed, anchor, cursor)
            return gather(place, snapshot, options.sources, shown)

        found = await self._workspace.ask(document, question)
        return found or question(document.path.rpartition("/")[2], EMPTY)

    async def is_current(self, document: Document, head: Head) -> bool:
        """Tell whether all that a head shows of other files is what stands there now.

        What cannot be told, since there is no index yet, is taken to be so: the head that would be
        made without one shows nothing of them at all.
        """
        versions = head.held.versions

        def question(_path: str, snapshot: Snapshot) -> bool:
            return all(snapshot.version(path) == versions.get(path) for path in head.paths)

        return await self._workspace.ask(document, question) is not False

    async def head(
        self,
        document: Document,
        extension: Extension,
        cursor: int,
        options: HeadOptions,
        count: Callable[[Sequence[str]], Awaitable[Mapping[str, int]]],
        previous: Head | None,
    ) -> Head:
        """Make the head for an anchor that was just chosen.

        Args:
            document: The document.
            extension: The anchor, applied to the cursor.
            cursor: Offset of the cursor.
            options: What it may hold.
            count: Counts tokens; what it leaves out is estimated.
            previous: The document's last head.
        """
        anchor = extension.anchor
        if anchor.window_start == 0 and anchor.to_end:
            # The window shows the whole file.
            options = replace(options, sources=options.sources - {OUTLINE})
        if not options.sources:
            return Head()
        gathered = await self.gather(document, anchor.offset, cursor, options, previous)
        counts = await count(texts_of(gathered))
        seen = (anchor.shown_prefix, anchor.shown_suffix)
        return head_of(gathered, options.tokens, counts, seen=seen, previous=previous)
