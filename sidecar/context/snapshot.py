"""What sources of context are given: a place, what is known of its workspace, and what they offer.

Values only, so that the same snapshots make the same prompt in any process. Must never do I/O: an
index and the texts of files are handed in. May import `text`, `syntax` and
`index/query/answers.py`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sidecar.index.query.answers import Definition, Imported, Reference, Related
    from sidecar.syntax import Language
    from sidecar.syntax.parse import Parsed
    from sidecar.text import Document

__all__ = [
    "EMPTY",
    "Diagnostic",
    "Edit",
    "Index",
    "Place",
    "Selected",
    "Snapshot",
    "Snippet",
    "Source",
    "Tier",
    "Viewed",
]

#: `core` is never cut, `extended` shrinks to signatures before it is dropped, `background` goes
#: first.
Tier = Literal["core", "extended", "background"]


class Index(Protocol):
    """The questions that sources ask of the index: those of `index/query/overlay.py`."""

    def definitions(
        self, name: str, near: str | None = None, limit: int = 20, *, types_only: bool = False
    ) -> Sequence[Definition]:
        """Return declarations of exactly this name, those nearest to a file first."""

    def members(
        self, type_name: str, path: str, limit: int = 200, depth: int = 8
    ) -> Sequence[Definition]:
        """Return the members of a type as it is written in a file, then those of its bases.

        A depth of 1 leaves the bases out.
        """

    def symbols(self, path: str) -> Sequence[Definition]:
        """Return what a file declares, in the order of the text."""

    def imports(self, path: str) -> Sequence[Imported]:
        """Return what a file imports, and where that leads."""

    def imported_files(self, path: str) -> Sequence[str]:
        """Return the files that a file imports, and those that declare what it imports."""

    def importers(self, path: str) -> Sequence[str]:
        """Return the files that import a file, or a name that it declares."""

    def references(
        self, name: str, near: str | None = None, limit: int = 1_000
    ) -> Sequence[Reference]:
        """Return the files that refer to a name, and how often."""

    def search(
        self, words: str, limit: int = 20, near: str | None = None, without: str | None = None
    ) -> Sequence[Related]:
        """Return the files that hold the most telling of some words, with their scores."""

    def near(self, path: str, limit: int = 20) -> Sequence[Related]:
        """Return files that have to do with a file by name, imports or folder."""

    def paths(self) -> Sequence[str]:
        """Return all files, in the order of their names."""


class Edit(NamedTuple):
    """A region of a file that was edited.

    Args:
        path: Relative to the workspace.
        first_line: Its first line as it is now, from 0.
        last_line: Its last line, inclusive.
    """

    path: str
    first_line: int
    last_line: int


class Viewed(NamedTuple):
    """A file that was looked at.

    Args:
        path: Relative to the workspace.
        line: Where the cursor was last, from 0; -1 if it never was in it.
    """

    path: str
    line: int


class Diagnostic(NamedTuple):
    """What an editor reports of a line of the current file.

    Args:
        line: The line, from 0.
        severity: 1 for an error, 2 for a warning, as LSP counts.
        message: What is wrong.
    """

    line: int
    severity: int
    message: str


class Selected(NamedTuple):
    """Lines of a document of which something is selected.

    Args:
        path: Relative to the workspace.
        first_line: The first of them, from 0.
        last_line: The last one, inclusive.
    """

    path: str
    first_line: int
    last_line: int


@dataclass(frozen=True, slots=True)
class Place:
    """Where context is wanted.

    Args:
        document: The document.
        path: Its path relative to the workspace, with `/`; its name where it lies in none.
        language: Its language, if it is known.
        parsed: Its tree, if there is one.
        anchor: Offset where the frozen text before ends and typed text begins, in characters.
        cursor: Offset of the cursor.
    """

    document: Document
    path: str
    language: Language | None
    parsed: Parsed | None
    anchor: int
    cursor: int


def _unknown(_path: str) -> bytes | None:
    return None


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What is known of the workspace at one moment.

    Args:
        index: Answers about one state of it.
        text: Returns a file's text with LF breaks by its path as the index has it: an open document
            as it stands, else what is on disk; None for what may not be shown or is gone.
        version: Returns what tells whether a path still has the text that it had; None where that
            is not known.
        name: The workspace's name.
        edits: Where was edited lately, the newest first; regions do not overlap.
        viewed: What was looked at lately, the newest first.
        notes: The project's notes, if there are any.
        diagnostics: What the editor last reported of the document that is asked about.
        selected: What is selected in a document that may be shown, if anything is.
    """

    index: Index
    text: Callable[[str], str | None]
    version: Callable[[str], bytes | None] = _unknown
    name: str = ""
    edits: tuple[Edit, ...] = ()
    viewed: tuple[Viewed, ...] = ()
    notes: str = ""
    diagnostics: tuple[Diagnostic, ...] = ()
    selected: Selected | None = None


class _NoIndex:
    """Knows nothing."""

    def definitions(
        self, name: str, near: str | None = None, limit: int = 20, *, types_only: bool = False
    ) -> Sequence[Definition]:
        return ()

    def members(
        self, type_name: str, path: str, limit: int = 200, depth: int = 8
    ) -> Sequence[Definition]:
        return ()

    def symbols(self, path: str) -> Sequence[Definition]:
        return ()

    def imports(self, path: str) -> Sequence[Imported]:
        return ()

    def imported_files(self, path: str) -> Sequence[str]:
        return ()

    def importers(self, path: str) -> Sequence[str]:
        return ()

    def references(
        self, name: str, near: str | None = None, limit: int = 1_000
    ) -> Sequence[Reference]:
        return ()

    def search(
        self, words: str, limit: int = 20, near: str | None = None, without: str | None = None
    ) -> Sequence[Related]:
        return ()

    def near(self, path: str, limit: int = 20) -> Sequence[Related]:
        return ()

    def paths(self) -> Sequence[str]:
        return ()


#: What is known where there is no workspace.
EMPTY: Final = Snapshot(_NoIndex(), lambda path: None)


@dataclass(frozen=True, slots=True)
class Snippet:
    """A piece of text that a source offers for a prompt.

    Args:
        source: Name of the source.
        key: What it is, whatever its text: the same at the next anchor, so that it can keep its
            place (`definitions:src/app.py:Order`).
        path: The file that it is shown as from.
        text: Its text with LF breaks, ending in one.
        short: The same as signatures only; empty if there is no shorter form.
        score: How much it should help, comparable within a source; more is better.
        reason: Why it was chosen, for people; never code.
        tier: What gives way first.
    """

    source: str
    key: str
    path: str
    text: str
    score: float
    reason: str
    short: str = ""
    tier: Tier = "extended"


class Source(Protocol):
    """A module of `context/sources`."""

    #: What settings, cards and benchmarks call it.
    NAME: str

    def offer(self, place: Place, snapshot: Snapshot) -> list[Snippet]:
        """Return what would help at a place, the best first."""
