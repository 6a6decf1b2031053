"""Notebooks after any changes, in any encoding, against their cells joined anew."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sidecar.server.documents import Documents
from sidecar.server.notebooks import Cell, CellText, NotebookChange, Notebooks
from sidecar.text import Buffer, Change, Position
from sidecar.text.lines import join_pairs

if TYPE_CHECKING:
    from sidecar.text import Encoding

URI = "file:///w/n.ipynb"
TEXTS = st.text(st.sampled_from("ab\n\r%\N{GRINNING FACE}é\ud83d\ude00\u2028 "), max_size=12)
LANGUAGES = st.sampled_from(["python", "python", "python", "sql"])
CELLS = st.tuples(st.booleans() | st.just(True), LANGUAGES, TEXTS)
NUMBERS = st.integers(0, 6)
POSITIONS = st.builds(Position, st.integers(0, 4), st.integers(0, 8))
CHANGES = st.builds(Change, POSITIONS, POSITIONS, TEXTS) | st.builds(
    Change, st.none(), st.none(), TEXTS
)
STEPS = st.one_of(
    st.tuples(st.just("splice"), NUMBERS, NUMBERS, st.lists(CELLS, max_size=3)),
    st.tuples(st.just("move"), NUMBERS, NUMBERS),
    st.tuples(st.just("kind"), NUMBERS, st.booleans()),
    st.tuples(st.just("language"), NUMBERS, LANGUAGES),
    *[st.tuples(st.just("edit"), NUMBERS, st.lists(CHANGES, min_size=1, max_size=3))] * 3,
)


class Model:
    """The cells as an editor has them."""

    def __init__(self) -> None:
        self.number = 0
        self.cells: list[str] = []
        self.code: dict[str, bool] = {}
        self.texts: dict[str, CellText] = {}

    def make(self, made: list[tuple[bool, str, str]]) -> list[str]:
        names = []
        for code, language, text in made:
            self.number += 1
            name = f"vscode-notebook-cell:/w/n.ipynb#{self.number}"
            self.code[name] = code
            self.texts[name] = CellText(language, 1, Buffer.of(text))
            names.append(name)
        return names

    def told(self, names: list[str]) -> list[Cell]:
        return [Cell(name, self.code[name]) for name in names]

    def opened(self, names: list[str]) -> dict[str, CellText]:
        return {name: self.texts[name] for name in names}

    def change(self, step: tuple[Any, ...], encoding: Encoding) -> NotebookChange:
        """Do a step, and return how an editor tells it."""
        what, at, *rest = step
        if what == "splice":
            removed, made = rest
            names = self.make(made)
            gone = self.cells[at : at + removed]
            self.cells[at : at + removed] = names
            return NotebookChange(None, at, removed, self.told(names), gone, self.opened(names))
        if not self.cells:
            return NotebookChange()
        at %= len(self.cells)
        name = self.cells[at]
        if what == "move":
            to = rest[0] % len(self.cells)
            low, high = min(at, to), max(at, to) + 1
            self.cells.insert(to, self.cells.pop(at))
            return NotebookChange(None, low, high - low, self.told(self.cells[low:high]))
        if what == "kind":
            self.code[name] = rest[0]
            return NotebookChange(cells=self.told([name]))
        if what == "language":
            self.texts[name] = self.texts[name]._replace(language=rest[0])
            return NotebookChange(closed=[name], opened=self.opened([name]))
        buffer = self.texts[name].buffer.apply(rest[0], encoding)
        self.texts[name] = self.texts[name]._replace(buffer=buffer)
        return NotebookChange(edits=[(name, 2, rest[0])])


def expected(model: Model, name: str) -> str:
    """Return a cell's text as it stands among others."""
    text = model.texts[name].buffer.text
    body = text.rstrip("\r")
    return body + "\n" * (len(text) - len(body))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
@settings(max_examples=60, deadline=None)
@given(first=st.lists(CELLS, max_size=4), steps=st.lists(STEPS, max_size=8))
def test_a_notebook_is_its_cells_joined(
    encoding: Encoding, first: list[tuple[bool, str, str]], steps: list[tuple[Any, ...]]
) -> None:
    documents = Documents(encoding)
    notebooks = Notebooks(documents)
    model = Model()
    model.cells = model.make(first)
    notebooks.open(
        URI, "/w/n.ipynb", 1, "python", model.told(model.cells), model.opened(model.cells)
    )
    for step in [None, *steps]:
        if step is not None:
            assert notebooks.change(URI, 2, model.change(step, encoding)) is not None
        (document,) = documents
        fresh = Documents(encoding)
        Notebooks(fresh).open(
            URI, "", 1, "python", model.told(model.cells), model.opened(model.cells)
        )
        (anew,) = fresh
        assert document.buffer.text == anew.buffer.text
        assert document.language == anew.language
        shown = [name for name in model.cells if notebooks.view(name) is not None]
        assert document.buffer.text == "\n\n".join(expected(model, name) for name in shown)
        assert document.buffer.text == join_pairs(document.buffer.text)
        for name in model.cells:
            text, view = model.texts[name], notebooks.view(name)
            known = notebooks.text(name)
            assert known is not None and known.buffer.text == text.buffer.text
            if view is None:
                # The letters of a magic are among those that texts are made of.
                other = text.language != document.language
                assert not model.code[name] or "%%" in text.buffer.text or other
                continue
            assert view.document is document and view.buffer.text == text.buffer.text
            stands = document.buffer.slice(view.start, view.start + len(view.buffer))
            assert stands == expected(model, name)
            for offset in range(len(view.buffer) + 1):
                # Lines and columns of a cell are those of the document, further up.
                here = view.buffer.position(offset, encoding)
                there = document.buffer.position(view.start + offset, encoding)
                top = document.buffer.line_at(view.start)
                assert (here.line + top, here.column) == (there.line, there.column)
