"""Open notebooks: which cells make the document, and where they stand in it."""

from __future__ import annotations

import pytest

from sidecar.completion.anchor import choose, extend
from sidecar.completion.closers import closers_after
from sidecar.completion.finish import finish
from sidecar.completion.suggestion import Suggestion
from sidecar.server.documents import Documents
from sidecar.server.notebooks import Cell, CellText, NotebookChange, Notebooks, View
from sidecar.text import Buffer, Change, Position

URI = "file:///w/n.ipynb"
CELLS = (
    "import os\nfrom app import Order",
    "# Title",
    "def total(order: Order) -> int:\n    return sum(order.prices)",
    "select 1",
    "%%bash\nls",
    "print(total(Order()))\n",
)


def opened(kernel: str = "python") -> tuple[Documents, Notebooks]:
    documents = Documents("utf-16")
    notebooks = Notebooks(documents)
    languages = ("python", "markdown", "python", "sql", "python", "python")
    notebooks.open(
        URI,
        "/w/n.ipynb",
        1,
        kernel,
        [Cell(f"#{number}", number != 1) for number in range(len(CELLS))],
        {
            f"#{number}": CellText(language, 1, Buffer.of(text))
            for number, (text, language) in enumerate(zip(CELLS, languages, strict=True))
        },
    )
    return documents, notebooks


def seen(notebooks: Notebooks, name: str) -> View:
    view = notebooks.view(name)
    assert view is not None
    return view


def test_code_of_one_language_makes_the_document() -> None:
    documents, notebooks = opened()
    (document,) = documents
    assert document.buffer.text == "\n\n".join((CELLS[0], CELLS[2], CELLS[5]))
    assert (document.path, document.language) == ("/w/n.ipynb", "python")
    assert [notebooks.view(f"#{number}") is not None for number in range(6)] == [
        *(True, False, True, False, False, True),
    ]
    view = seen(notebooks, "#2")
    assert document.buffer.slice(view.start, view.start + len(view.buffer)) == CELLS[2]
    known = notebooks.text("#1")
    assert known is not None and known.buffer.text == CELLS[1]
    assert notebooks.document(URI) is document and notebooks.view(URI) is None


@pytest.mark.parametrize(
    ("kernel", "language"), [("python", "python"), ("sql", "sql"), ("", "python")]
)
def test_the_kernel_decides_else_most_cells(kernel: str, language: str) -> None:
    (document,) = opened(kernel)[0]
    assert document.language == language
    assert ("select" in document.buffer.text) == (language == "sql")


def test_cells_come_go_move_and_change() -> None:
    documents, notebooks = opened()

    def text() -> str:
        (document,) = documents
        return document.buffer.text

    def change(change: NotebookChange) -> str:
        assert notebooks.change(URI, 2, change) is not None
        return text()

    new = {"#9": CellText("python", 1, Buffer.of("new = 1"))}
    assert change(NotebookChange(None, 1, 0, [Cell("#9", True)], [], new)) == "\n\n".join(
        (CELLS[0], "new = 1", CELLS[2], CELLS[5])
    )
    assert change(NotebookChange(None, 0, 2, [Cell("#9", True), Cell("#0", True)])).startswith(
        f"new = 1\n\n{CELLS[0]}\n\n{CELLS[2]}"
    )
    assert change(NotebookChange(None, 0, 1, [], ["#9"])).startswith(CELLS[0])
    assert notebooks.view("#9") is notebooks.text("#9") is None
    assert CELLS[2] not in change(NotebookChange(cells=[Cell("#2", False)]))
    assert change(NotebookChange(cells=[Cell("#2", True), Cell("#1", True)])) == "\n\n".join(
        (CELLS[0], CELLS[2], CELLS[5])
    )
    again = {"#3": CellText("python", 1, Buffer.of("x = 1"))}
    assert "x = 1" in change(NotebookChange(closed=["#3"], opened=again))
    shell = Change(Position(0, 0), Position(1, 0), "")
    assert "\n\nls\n\n" in change(NotebookChange(edits=[("#4", 2, [shell])]))
    assert change(NotebookChange(kernel="markdown", cells=[Cell("#1", True)])) == CELLS[1]
    assert notebooks.change("file:///w/other.ipynb", 2, NotebookChange()) is None


def test_a_closed_notebook_leaves_nothing() -> None:
    documents, notebooks = opened()
    closed = notebooks.close(URI)
    assert closed is not None and len(documents) == 0
    assert notebooks.close(URI) is notebooks.view("#0") is notebooks.text("#0") is None
    plain = documents.open("file:///w/a.py", "/w/a.py", "python", 1, "a")
    assert notebooks.view("file:///w/a.py") == View(plain, plain.buffer, 0)


def test_an_edit_shares_the_text_of_other_cells() -> None:
    documents = Documents("utf-16")
    notebooks = Notebooks(documents)
    names = [f"#{number}" for number in range(40)]
    long = "".join(f"value_{line} = {line}\n" for line in range(60))
    texts = {name: CellText("python", 1, Buffer.of(long)) for name in names}
    cells = [Cell(name, True) for name in names]
    before = notebooks.open(URI, "/w/n.ipynb", 1, "python", cells, texts)
    key = Change(Position(3, 0), Position(3, 0), "x")
    states = notebooks.change(URI, 2, NotebookChange(edits=[("#20", 2, [key])]))
    assert states is not None and states[0] is before
    (differing,) = before.buffer.differences(states[1].buffer)
    assert differing[1] - differing[0] < 4 * 2048 < len(before.buffer)


def test_typing_in_a_cell_keeps_the_anchor() -> None:
    _, notebooks = opened()
    edit = Change(Position(1, 0), Position(1, 0), "\nfor order in orders:\n    ")
    assert notebooks.change(URI, 2, NotebookChange(edits=[("#5", 2, [edit])]))
    view = seen(notebooks, "#5")
    cursor = view.start + len(view.buffer)
    anchor = choose(view.document, cursor).anchor
    for number, key in enumerate("print(order)"):
        here = Position(3, 4 + number)
        assert notebooks.change(
            URI, 3 + number, NotebookChange(edits=[("#5", 3, [Change(here, here, key)])])
        )
        view = seen(notebooks, "#5")
        extension = extend(anchor, view.document, cursor + number + 1)
        assert extension is not None and extension.anchor is anchor
        assert extension.typed.endswith("print(order)"[: number + 1])


@pytest.mark.parametrize(
    "raw",
    ["prices)", "prices)\n\n\nprint(total(Order()))\n", "prices))]\n\n    return 1\nprint(1)\n"],
)
@pytest.mark.parametrize("multiline", [True, False])
def test_a_suggestion_replaces_text_of_its_cell_alone(raw: str, multiline: bool) -> None:
    _, notebooks = opened()
    view = seen(notebooks, "#2")
    offset = view.start + len(view.buffer) - len("prices)")
    gone = Change(Position(1, 21), Position(1, 28), "")
    assert notebooks.change(URI, 2, NotebookChange(edits=[("#2", 2, [gone])]))
    view = seen(notebooks, "#2")
    assert offset == view.start + len(view.buffer)
    closers = closers_after(view.document.buffer, offset)
    made = finish(raw, view.document, offset, closers, multiline=multiline)
    assert isinstance(made, Suggestion)
    assert view.start <= made.start <= made.end <= view.start + len(view.buffer)
    # What the next cell says is not said once more.
    assert "print(total" not in made.insert
