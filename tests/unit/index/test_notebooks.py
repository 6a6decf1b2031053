"""Notebooks in the index: what they import is known, what they declare is nobody else's."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from notebook_samples import OUTPUT, cell, notebook

from sidecar.index.extract.extraction import Extraction
from sidecar.index.files.content import MAX_BYTES, digest, size_limit
from sidecar.index.once import index_once
from sidecar.index.query.overlay import Overlay, Unsaved
from sidecar.index.query.reader import Reader
from sidecar.index.query.texts import Texts
from sidecar.syntax import Languages
from sidecar.syntax.facts import extract

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

CELLS = (
    cell("# import nothing", "markdown"),
    "%matplotlib inline\nfrom app.models import User\nimport app.tools as tools",
    "%%bash\nimport app.shell",
    "class User2(User):\n    pass\n\ndef made() -> User:\n    return tools.make(User)",
)
FILES = {
    "app/__init__.py": "",
    "app/models.py": "class User: ...\n",
    "app/tools.py": "def make(kind): ...\n",
    "app/shell.py": "",
    "app/users.ipynb": notebook(*CELLS),
    "app/broken.ipynb": '{"cells": [',
    "app/empty.ipynb": "",
    "app/other.ipynb": notebook("x <- 1", language="R"),
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        path = tmp_path / "root" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path / "root"


@pytest.fixture
def reader(root: Path) -> Iterator[Reader]:
    database = root.parent / "index.sqlite"
    summary = index_once(str(root), database=lambda _: database)
    assert summary.files == len(FILES) and not summary.skipped
    with Reader(database) as opened:
        yield opened


def test_what_a_notebook_imports_leads_where_it_does_from_a_module(reader: Reader) -> None:
    found = reader.imports("app/users.ipynb")
    assert [(item.module, item.name, item.target, item.line) for item in found] == [
        ("app.models", "User", "app/models.py", 1),
        ("app.tools", "", "app/tools.py", 2),
    ]
    assert reader.importers("app/models.py") == ("app/users.ipynb",)
    for name in ("app/broken.ipynb", "app/empty.ipynb", "app/other.ipynb"):
        assert reader.imports(name) == () and reader.digest(name) is not None


def test_what_a_notebook_declares_is_its_own(reader: Reader) -> None:
    assert reader.definitions("made") == reader.symbols("app/users.ipynb") == ()
    assert reader.search("made User2 tools") == () or all(
        item.path != "app/users.ipynb" for item in reader.search("made User2 tools")
    )
    python = Languages.load().of_kernel("python")
    assert python is not None
    facts = extract(python, b"from app.models import User\n\n\ndef made() -> User: ...\n")
    assert facts is not None
    index = Overlay(reader, {"app/users.ipynb": Unsaved("app/users.ipynb", "python", facts)})
    (own,) = index.definitions("made", "app/users.ipynb")
    assert own.path == "app/users.ipynb"
    assert index.definitions("made", "app/models.py") == ()
    assert [item.target for item in index.imports("app/users.ipynb")] == ["app/models.py"]


def test_texts_of_notebooks_are_their_code(root: Path, reader: Reader) -> None:
    texts = Texts(str(root), str.upper)
    text = texts.read("app/users.ipynb", reader.digest("app/users.ipynb"))
    assert text is not None and text.startswith("%MATPLOTLIB INLINE\nFROM APP.MODELS")
    assert OUTPUT.upper() not in text and "BASH" not in text
    assert texts.read("app/broken.ipynb", reader.digest("app/broken.ipynb")) is None


def test_outputs_may_be_large(root: Path) -> None:
    path = root / "app/users.ipynb"
    path.write_text(notebook(*CELLS).replace(OUTPUT, "A" * MAX_BYTES, 1))
    kind, record, _ = Extraction(str(root), MAX_BYTES).run("app/users.ipynb", b"")
    assert kind == "record" and record.imports[0][0] == "app.models"
    assert record.digest == digest(path.read_bytes())
    assert size_limit("a.py", 7) == 7 < size_limit("a.ipynb", 7)
