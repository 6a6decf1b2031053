"""What editors tell of the moment is kept as far as it makes sense, and follows the text."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sidecar.context.snapshot import Diagnostic, Selected
from sidecar.server.documents import Documents
from sidecar.server.told import Told
from sidecar.text import Change, Document, Position

HERE, THERE = "file:///w/a.py", "file:///w/b.py"
TEN = "".join(f"line {n}\n" for n in range(10))


class Desk:
    """Two open documents, and what is told."""

    def __init__(self) -> None:
        self.documents = Documents("utf-16")
        self.documents.open(HERE, "/w/a.py", "python", 1, TEN)
        self.documents.open(THERE, "/w/b.py", "python", 1, TEN)
        self.told = Told(self.documents)

    def document(self, uri: str = HERE) -> Document:
        found = self.documents.get(uri)
        assert found is not None
        return found

    def take(self, said: object) -> None:
        self.told.take(self.document(), said)

    def edit(self, uri: str, line: int, count: int, text: str) -> None:
        change = Change(Position(line, 0), Position(line + count, 0), text)
        self.documents.change(uri, 2, [change])

    def diagnostics(self) -> list[tuple[int, int, str]]:
        return [tuple(item) for item in self.told.diagnostics(self.document())]  # type: ignore[misc]

    def selected(self) -> Selected | None:
        return self.told.selected({"a.py": self.document(), "b.py": self.document(THERE)})


def span(first: int, last: int, *columns: int) -> dict[str, Any]:
    start, end = columns or (0, 3)
    return {
        "start": {"line": first, "character": start},
        "end": {"line": last, "character": end},
    }


def report(line: int, message: object = "wrong", **more: object) -> dict[str, Any]:
    return {"range": span(line, line), "message": message, **more}


@pytest.mark.parametrize(
    ("sent", "expected"),
    [
        ([report(3)], [(3, 1, "wrong")]),
        ([report(3, severity=2, code="E1", source="x", tags=[1])], [(3, 2, "wrong")]),
        ([report(3, {"kind": "markdown", "value": "`x`"})], [(3, 1, "`x`")]),
        ([report(3), report(1, severity=4)], [(3, 1, "wrong"), (1, 4, "wrong")]),
        # What makes no sense costs itself only.
        ([None, 3, "x", [], {}, {"range": 1}, report(2)], [(2, 1, "wrong")]),
        ([report(-1), report(99), report(True), report(1.5), report("1")], []),  # type: ignore[arg-type]
        ([report(1, None), report(1, ["x"]), report(1, {}), report(1, severity="1")], []),
        ([], []),
    ],
)
def test_diagnostics(sent: object, expected: list[tuple[int, int, str]]) -> None:
    desk = Desk()
    desk.take({"diagnostics": sent})
    assert desk.diagnostics() == expected


@pytest.mark.parametrize(
    "said", [None, 1, "x", [], {}, {"diagnostics": None}, {"diagnostics": {"0": report(1)}}]
)
def test_what_is_not_told_stays_as_it_was(said: object) -> None:
    desk = Desk()
    desk.take({"diagnostics": [report(3)], "selection": {"range": span(1, 2)}})
    desk.take(said)
    assert desk.diagnostics() == [(3, 1, "wrong")]
    assert desk.selected() == Selected("a.py", 1, 2)
    desk.take({"diagnostics": [], "selection": None})
    assert (desk.diagnostics(), desk.selected()) == ([], None)


@pytest.mark.parametrize(
    ("line", "count", "text", "expected"),
    [
        (8, 1, "new\n", [2, 5]),
        (0, 0, "new\nand more\n", [4, 7]),
        (0, 1, "", [1, 4]),
        # What was written anew may be right now.
        (2, 1, "other\n", [5]),
        (1, 5, "", []),
    ],
)
def test_diagnostics_follow_the_text(line: int, count: int, text: str, expected: list[int]) -> None:
    desk = Desk()
    desk.take({"diagnostics": [report(2), report(5)]})
    desk.edit(HERE, line, count, text)
    assert [item[0] for item in desk.diagnostics()] == expected
    assert desk.told.diagnostics(desk.document(THERE)) == ()


@pytest.mark.parametrize(
    ("sent", "expected"),
    [
        ({"range": span(1, 4)}, ("a.py", 1, 4)),
        ({"range": span(1, 4), "text": "line 1\n"}, ("a.py", 1, 4)),
        ({"range": span(1, 4), "textDocument": {"uri": THERE}}, ("b.py", 1, 4)),
        ({"range": span(1, 1, 2, 4)}, ("a.py", 1, 1)),
        # Whole lines end at the start of the next one.
        ({"range": span(1, 4, 0, 0)}, ("a.py", 1, 3)),
        # A cursor is no selection, and neither is nonsense.
        ({"range": span(1, 1, 2, 2)}, None),
        ({"range": span(4, 1)}, None),
        ({"range": span(99, 100)}, None),
        ({"range": span(1, 4), "textDocument": {"uri": "file:///w/closed.py"}}, None),
        ({"range": span(1, 4), "textDocument": None}, None),
        ({"range": span(1, 4), "textDocument": {"uri": 1}}, None),
        ({"range": {"start": {"line": 1}}}, None),
        ({}, None),
        ("x", None),
    ],
)
def test_selections(sent: object, expected: tuple[str, int, int] | None) -> None:
    desk = Desk()
    desk.take({"selection": sent})
    assert desk.selected() == expected


def test_a_selection_is_gone_once_its_document_changes_or_closes() -> None:
    desk = Desk()
    sent = {"selection": {"range": span(1, 4), "textDocument": {"uri": THERE}}}
    desk.take(sent)
    desk.edit(HERE, 1, 1, "other\n")
    assert desk.selected() == Selected("b.py", 1, 4)
    desk.edit(THERE, 8, 1, "other\n")
    assert desk.selected() is None
    desk.take(sent)
    desk.told.forget(THERE)
    assert desk.selected() is None


def test_diagnostics_of_a_closed_document_are_forgotten() -> None:
    desk = Desk()
    desk.take({"diagnostics": [report(3)]})
    desk.told.forget(HERE)
    assert desk.diagnostics() == []


def test_there_are_limits() -> None:
    desk = Desk()
    desk.take({"diagnostics": [report(3, "x" * 100_000)] * 5_000})
    found = desk.told.diagnostics(desk.document())
    assert len(found) == 1_000
    assert found[0] == Diagnostic(3, 1, "x" * 4_000)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                "diagnostics selection range start end line character message severity "
                "textDocument uri value".split()
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(VALUES)
def test_nothing_that_may_come_fails(said: object) -> None:
    desk = Desk()
    desk.take(said)
    desk.take({"diagnostics": said, "selection": said})
    desk.take(
        {"diagnostics": [said, {"range": said, "message": "x"}], "selection": {"range": said}}
    )
    desk.diagnostics()
    desk.selected()
