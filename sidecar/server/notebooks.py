"""The open notebooks: the code cells of each as one document, and where in it a cell stands.

The document is one of the open documents like any other, under a name that no client gives; what
is asked about a cell is asked about it. Every state is an immutable value that the next change
replaces. Must never know LSP types. May import `text`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from sidecar.text import Buffer, Document
from sidecar.text.notebook import HEAD, SEPARATOR, as_shown, main_language, of_kernel

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sidecar.server.documents import Documents
    from sidecar.text import Change

__all__ = ["Cell", "CellText", "NotebookChange", "Notebooks", "View"]


class Cell(NamedTuple):
    """A cell of a notebook: its text's name, and whether it is code."""

    uri: str
    code: bool


class CellText(NamedTuple):
    """The text of a cell."""

    language: str
    version: int
    buffer: Buffer


@dataclass(frozen=True, slots=True)
class NotebookChange:
    """What an editor changed in a notebook, applied in the order of these.

    Args:
        kernel: The kernel's language; None if nothing is said of it.
        start: Where cells were replaced.
        removed: How many were.
        added: Those that stand there now.
        closed: Names of texts that are gone.
        opened: Texts that came, by name.
        cells: Cells that are of another kind now.
        edits: Edits of cells: name, version, and changes.
    """

    kernel: str | None = None
    start: int = 0
    removed: int = 0
    added: Sequence[Cell] = ()
    closed: Sequence[str] = ()
    opened: Mapping[str, CellText] | None = None
    cells: Sequence[Cell] = ()
    edits: Sequence[tuple[str, int, Sequence[Change]]] = ()


@dataclass(frozen=True, slots=True)
class View:
    """What a client calls a document: all of one, or the cell of a notebook.

    Args:
        document: The document that it is a part of.
        buffer: The part's own text, in which the client counts.
        start: Offset of the part in the document.
    """

    document: Document
    buffer: Buffer
    start: int


class _Part(NamedTuple):
    """A cell that is a part of the document."""

    uri: str
    buffer: Buffer
    start: int


@dataclass(frozen=True, slots=True)
class _Open:
    """An open notebook as it is now."""

    kernel: str
    cells: tuple[Cell, ...]
    texts: Mapping[str, CellText]
    parts: tuple[_Part, ...]
    document: Document


class Notebooks:
    """The notebooks that the editor has open.

    Args:
        documents: The open documents, which theirs are kept among.
    """

    def __init__(self, documents: Documents) -> None:
        self._documents = documents
        self._open: dict[str, _Open] = {}
        #: The notebook of each text.
        self._home: dict[str, str] = {}

    def open(
        self,
        uri: str,
        path: str,
        version: int,
        kernel: str,
        cells: Sequence[Cell],
        texts: Mapping[str, CellText],
    ) -> Document:
        """Take in a notebook that was opened, or opened again.

        Args:
            uri: The editor's name of it.
            path: Its file.
            version: The editor's version number.
            kernel: The kernel's language, if that is known.
            cells: Its cells, in order.
            texts: Their texts, by name.
        """
        self.close(uri)
        document = Document(f"sidecar-notebook:{uri}", path, kernel, version, Buffer.of(""))
        return self._keep(uri, _Open(kernel, tuple(cells), texts, (), document)).document

    def change(
        self, uri: str, version: int, change: NotebookChange
    ) -> tuple[Document, Document] | None:
        """Apply a change, and return the document before and after; None if it is not open."""
        before = self._open.get(uri)
        if before is None:
            return None
        cells = list(before.cells)
        start = max(change.start, 0)
        cells[start : start + max(change.removed, 0)] = change.added
        kinds = dict(change.cells)
        texts = {name: text for name, text in before.texts.items() if name not in change.closed}
        texts |= change.opened or {}
        for name, number, changes in change.edits:
            if name in texts:
                buffer = texts[name].buffer.apply(changes, self._documents.encoding)
                texts[name] = texts[name]._replace(version=number, buffer=buffer)
        changed = replace(
            before,
            kernel=before.kernel if change.kernel is None else change.kernel,
            cells=tuple([Cell(name, kinds.get(name, code)) for name, code in cells]),
            texts=texts,
            document=replace(before.document, version=version),
        )
        return before.document, self._keep(uri, changed).document

    def close(self, uri: str) -> Document | None:
        """Forget a notebook, and return its document if it was open."""
        closed = self._open.pop(uri, None)
        if closed is None:
            return None
        for name in closed.texts:
            self._home.pop(name, None)
        self._documents.close(closed.document.uri)
        return closed.document

    def document(self, uri: str) -> Document | None:
        """Return the document of a notebook, or None if it is not open."""
        notebook = self._open.get(uri)
        return None if notebook is None else notebook.document

    def text(self, name: str) -> CellText | None:
        """Return the text of a cell of any kind; None if it is none of ours."""
        home = self._home.get(name)
        return None if home is None else self._open[home].texts.get(name)

    def view(self, name: str) -> View | None:
        """Return what a client calls by a name; None for what is not open, or no code of ours."""
        home = self._home.get(name)
        if home is None:
            document = self._documents.get(name)
            return None if document is None else View(document, document.buffer, 0)
        notebook = self._open[home]
        for part in notebook.parts:
            if part.uri == name:
                return View(notebook.document, part.buffer, part.start)
        return None

    def _keep(self, uri: str, notebook: _Open) -> _Open:
        """Keep a notebook whose cells may have changed, with its document made right."""
        cells = [
            (cell.uri, text)
            for cell in notebook.cells
            if cell.code and (text := notebook.texts.get(cell.uri)) is not None
        ]
        language = main_language(notebook.kernel, [text.language for _, text in cells])
        parts = _placed(
            [
                (name, text.buffer)
                for name, text in cells
                if text.language == language and of_kernel(text.buffer.slice(0, HEAD))
            ]
        )
        buffer = _joined(notebook.document.buffer, notebook.parts, parts)
        document = replace(notebook.document, language=language, buffer=buffer)
        if (before := self._open.get(uri)) is not None:
            for name in before.texts:
                self._home.pop(name, None)
        self._home |= dict.fromkeys(notebook.texts, uri)
        kept = self._open[uri] = replace(notebook, parts=parts, document=document)
        self._documents.keep(document)
        return kept


def _placed(cells: Sequence[tuple[str, Buffer]]) -> tuple[_Part, ...]:
    parts = []
    start = 0
    for uri, buffer in cells:
        parts.append(_Part(uri, buffer, start))
        start += len(buffer) + len(SEPARATOR)
    return tuple(parts)


def _joined(buffer: Buffer, old: Sequence[_Part], new: Sequence[_Part]) -> Buffer:
    """Return the text of new parts, made from that of the old ones by an edit where they differ."""
    most = min(len(old), len(new))
    head = 0
    while head < most and old[head].buffer is new[head].buffer:
        head += 1
    tail = 0
    while tail < most - head and old[-1 - tail].buffer is new[-1 - tail].buffer:
        tail += 1
    gone, come = old[head : len(old) - tail], new[head : len(new) - tail]
    if not gone and not come:
        return buffer
    if len(gone) == len(come) == 1 and not _is_cut(gone[0]) and not _is_cut(come[0]):
        # Typing: of a cell that is large, most is shared.
        before, after = gone[0], come[0]
        for start, end, first, last in reversed(before.buffer.differences(after.buffer)):
            text = after.buffer.slice(first, last)
            buffer = buffer.edit(before.start + start, before.start + end, text)
        return buffer
    texts = [as_shown(part.buffer.text) for part in come]
    if tail:
        start, end = old[head].start, old[len(old) - tail].start
        return buffer.edit(start, end, "".join(text + SEPARATOR for text in texts))
    if head:
        start = old[head - 1].start + len(old[head - 1].buffer)
        return buffer.edit(start, len(buffer), "".join(SEPARATOR + text for text in texts))
    return buffer.edit(0, len(buffer), SEPARATOR.join(texts))


def _is_cut(part: _Part) -> bool:
    """Tell whether a part is not shown as it is."""
    size = len(part.buffer)
    return part.buffer.slice(size - 1, size) == "\r"
