"""Code that looks like what is being written, found in other files of a real index."""

from __future__ import annotations

import gc
import weakref
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sidecar.context.alike import GRID, WINDOW, compare, names_of, windows_of
from sidecar.context.excerpt import excerpt, starts_of, text_of
from sidecar.context.snapshot import Place, Snapshot
from sidecar.context.sources import similar
from sidecar.index.once import index_once
from sidecar.index.query.reader import Reader
from sidecar.syntax import Languages
from sidecar.text import Buffer, Document

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from sidecar.context.snapshot import Snippet

    Offer = Callable[..., list[Snippet]]

HANDLER = '''

def handle_{0}(request, session):
    """Answer a {0}."""
    {0} = session.load_{0}(request.identifier)
    if {0} is None:
        raise MissingRecord(request.identifier)
    session.audit_trail.record("{0}", request.user)
    return render_{0}({0}, request.language)
'''
FILLER = "".join(f"\n\ndef filler_{n}(value):\n    return value + {n}\n" for n in range(30))
FILES = {
    "app/orders.py": "import session" + FILLER + HANDLER.format("order") + FILLER,
    "app/people.py": "import session" + HANDLER.format("person") + FILLER,
    "app/other.py": "import os" + FILLER,
    "app/same.ts": "function handle(request, session) { session.audit_trail.record(request) }\n"
    * 9,
    "lib/a.ts": "export function draw(canvas: Canvas) {\n  canvas.strokeOutline(1)\n}\n",
    "lib/b.tsx": "export function paint(canvas: Canvas) {\n  canvas.strokeOutline(2)\n}\n",
    "lib/c.js": "export function fill(canvas) {\n  canvas.strokeOutline(3)\n}\n",
    "lib/d.go": "package lib\n\nfunc Draw(canvas Canvas) {\n\tcanvas.strokeOutline(4)\n}\n",
}
WRITING = "import session\n" + HANDLER.format("invoice").replace(
    '    session.audit_trail.record("invoice", request.user)\n', "    session.audit|\n"
)


@pytest.fixture(scope="module")
def offer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Offer]:
    folder: Path = tmp_path_factory.mktemp("similar")
    root, database = folder / "root", folder / "index.db"
    for path, text in FILES.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    index_once(str(root), database=lambda _: database)
    with Reader(database) as reader:

        def offered(path: str, marked: str, hidden: str = "") -> list[Snippet]:
            cursor = marked.index("|")
            document = Document("file:///" + path, path, "", 1, Buffer.of(marked.replace("|", "")))
            language = Languages.load().find("", path)

            def text(path: str) -> str | None:
                file = root / path
                return file.read_text() if path != hidden and file.is_file() else None

            place = Place(document, path, language, None, cursor, cursor)
            return similar.offer(place, Snapshot(index=reader, text=text))

        yield offered


def test_the_likest_come_first_with_what_follows(offer: Offer) -> None:
    found = offer("app/invoices.py", WRITING)
    assert {snippet.path for snippet in found} == {"app/orders.py", "app/people.py"}
    for snippet in found:
        assert "session.audit_trail.record(" in snippet.text
        assert "return render_" in snippet.text
        assert snippet.text.count("\n") <= similar.LINES
        assert snippet.text in FILES[snippet.path]
        assert snippet.key.startswith(f"similar:{snippet.path}:")
    assert found[0].score >= found[1].score


@pytest.mark.parametrize(
    ("path", "marked", "expected"),
    [
        (
            "lib/new.ts",
            "function go(canvas: Canvas) {\n  canvas.strokeOutline|\n}\n",
            "a.ts b.tsx c.js",
        ),
        ("lib/new.go", "func Go(canvas Canvas) {\n\tcanvas.strokeOutline|\n}\n", "d.go"),
        # The current file is never searched.
        ("lib/d.go", FILES["lib/d.go"].replace("(4)", "|"), ""),
        # Of a language that nobody knows, nothing else is known.
        ("lib/new.unknown", "canvas.strokeOutline|", ""),
        ("lib/empty.ts", "|", ""),
    ],
)
def test_only_the_same_family(offer: Offer, path: str, marked: str, expected: str) -> None:
    allowed = {f"lib/{name}" for name in expected.split()}
    found = {snippet.path for snippet in offer(path, marked)}
    assert found <= allowed
    assert len(found) == min(len(allowed), similar.SHOWN)


def test_the_rest_of_the_line_is_not_looked_for(offer: Offer) -> None:
    answer = WRITING.replace("session.audit|", "session.audit|_trail.record(strokeOutline)")
    assert offer("app/invoices.py", answer) == offer("app/invoices.py", WRITING)


def test_what_may_not_be_shown_is_left_out(offer: Offer) -> None:
    found = offer("app/invoices.py", WRITING, "app/orders.py")
    assert [snippet.path for snippet in found] == ["app/people.py"]


def test_it_holds_still_within_a_function(offer: Offer) -> None:
    lines = WRITING.replace("|", "").split("\n")
    keys = []
    for line in range(5, 10):
        marked = "\n".join([*lines[:line], lines[line] + "|", *lines[line + 1 :]])
        keys.append([snippet.key for snippet in offer("app/invoices.py", marked)])
    assert all(key == keys[0] for key in keys)


def test_names_and_parts_of_names() -> None:
    assert names_of("load_user(HTTPServer) load x") == {
        "load_user": 1.0,
        "HTTPServer": 1.0,
        "load": 1.0,
        "user": 0.5,
        "http": 0.5,
        "server": 0.5,
    }


@pytest.mark.parametrize("text", ["", "one\n", FILES["app/orders.py"], "a_b\n" * 5 + "b\n" * 6])
def test_a_window_holds_the_names_of_its_lines(text: str) -> None:
    lines = text.split("\n")
    file = windows_of("a.py", text)
    assert file.count == max((len(lines) - 1) // GRID, 1)
    for window in range(file.count):
        shown = names_of("\n".join(lines[window * GRID : window * GRID + WINDOW]))
        assert file.sizes[window] == sum(shown.values())
        for name in names_of(text):
            whole, part = file.having(name)
            counts = 1.0 if window in whole else 0.5 if window in part else 0.0
            assert shown.get(name, 0.0) == counts
    assert file.having("unheard_of") == (frozenset(), frozenset())


@given(text=st.text("a\nb\r\u2028", max_size=12), start=st.integers(-4, 8), end=st.integers(-4, 8))
def test_lines_made_when_looked_at_are_those_of_the_text(text: str, start: int, end: int) -> None:
    lines, expected = windows_of("lines.py", text).lines, text.split("\n")
    assert list(lines) == expected
    assert lines[start:end] == expected[start:end]
    assert lines[-1] == expected[-1]


def test_the_same_name_in_other_files_is_the_same_string() -> None:
    first, other = (windows_of(path, "load_user(x)\n" * 3) for path in ("first.py", "other.py"))
    assert {*map(id, first._whole)} == {*map(id, other._whole)}


def test_what_a_file_was_before_is_not_kept() -> None:
    """In a soak a front grew by 14 MB: windows of 128 texts, most of them outdated."""
    kept = [weakref.ref(windows_of("many.py", f"version = {n}\n")) for n in range(50)]
    assert windows_of("many.py", "version = 49\n") is kept[-1]()
    gc.collect()
    assert sum(one() is not None for one in kept) <= 2


def test_rare_names_tell_more_than_common_ones() -> None:
    common = "".join(f"value_{n} = compute(value)\n" for n in range(60))
    rare = common + "total = compute(exchange_rate)\n"
    files = [windows_of("common.py", common), windows_of("rare.py", rare)]
    hits = compare({"compute": 1.0, "exchange_rate": 1.0}, files, 0)
    assert hits[0].file == 1
    assert hits[0].window * 5 <= 60 < hits[0].window * 5 + 10


@pytest.mark.parametrize(
    ("text", "first", "last", "expected"),
    [
        ("a\n\nb\nc\n\nd\n", 3, 4, "b\nc\n"),
        (
            "def a():\n" + "    1\n" * 5 + "def b():\n    2\n    3\ndef c():\n" + "    4\n" * 9,
            7,
            8,
            "def b():\n    2\n    3\n",
        ),
        ("x\n" * 30, 10, 15, "x\n" * 5),
        ("", 0, 5, ""),
        ("a\n", 7, 9, "a\n"),
        ("\n\n\n", 0, 3, ""),
    ],
)
def test_excerpts(text: str, first: int, last: int, expected: str) -> None:
    lines = text.split("\n")
    start, end = excerpt(lines, first, last, 20)
    assert text_of(lines, start, end) == expected


def test_starts_are_at_boundaries() -> None:
    lines = FILES["app/other.py"].split("\n")
    starts = starts_of(lines)
    assert all(lines[start].startswith(("import", "def")) for start in starts)
    assert starts[0] == 0
