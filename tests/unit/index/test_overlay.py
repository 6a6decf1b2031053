"""Unsaved documents in answers of the index: as if they had been saved, wherever that can be known.

The yardstick is an index of the same files after saving them.
"""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import pytest

from sidecar.index.once import index_once
from sidecar.index.query.overlay import Overlay, Unsaved
from sidecar.index.query.reader import Reader
from sidecar.syntax import Languages
from sidecar.syntax.facts import extract

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

FILES = {
    "app/__init__.py": "",
    "app/base.py": "class Base:\n    kind: str\n\n    def load(self) -> None: ...\n",
    "app/models.py": (
        "from app.base import Base\n\n\nclass User(Base):\n    name: str\n\n"
        "    def save(self) -> None: ...\n\n\ndef make_user() -> User:\n    return User()\n"
    ),
    "app/main.py": "from app.models import User, make_user\n\n\ndef start():\n    make_user()\n",
    "lib/other.py": "class User:\n    def delete(self) -> None: ...\n",
    "shop/cart.go": "package shop\n\ntype Cart struct{ Items int }\n",
    "shop/total.go": "package shop\n\nfunc (c *Cart) Total() int { return c.Items }\n",
}
#: What documents hold, beside what is on disk.
EDITS = {
    "nothing": {},
    "moved": {"app/models.py": "\n\n" + FILES["app/models.py"]},
    "member": {
        "app/models.py": FILES["app/models.py"].replace(
            "def save", "def drop(self): ...\n    def save"
        )
    },
    "renamed": {"lib/other.py": "class Person:\n    def delete(self) -> None: ...\n"},
    "base": {"app/base.py": FILES["app/base.py"].replace("load", "fetch")},
    "no longer imported": {"app/main.py": "def start():\n    User.save\n"},
    "two": {
        "app/base.py": "class Base:\n    def other(self): ...\n",
        "lib/other.py": "def make_user(): ...\n\n\ndef user(): ...\n",
    },
    "receiver": {"shop/total.go": "package shop\n\nfunc (c Cart) Sum() int { return 0 }\n"},
    "broken": {"app/models.py": FILES["app/models.py"].replace("class User(Base):", "class User(")},
    "empty": {"app/models.py": ""},
}
QUESTIONS: dict[str, Callable[[Any], Any]] = {
    **{
        f"definitions of {name} near {near}": (
            lambda index, name=name, near=near: index.definitions(name, near)
        )
        for name in ("User", "Base", "make_user", "start", "Person", "Cart")
        for near in (None, "app/main.py", "app/models.py", "lib/other.py")
    },
    **{
        f"types called {name}": lambda index, name=name: index.definitions(name, types_only=True)
        for name in ("User", "make_user")
    },
    **{
        f"members of {name} in {path}": (
            lambda index, name=name, path=path: sorted(index.members(name, path))
        )
        for name, path in (
            ("User", "app/models.py"),
            ("User", "app/main.py"),
            ("Cart", "shop/total.go"),
            ("Cart", "shop/cart.go"),
        )
    },
    **{f"symbols of {path}": lambda index, path=path: index.symbols(path) for path in FILES},
    **{f"importers of {path}": lambda index, path=path: index.importers(path) for path in FILES},
    **{f"imports of {path}": lambda index, path=path: index.imports(path) for path in FILES},
    **{f"files of {path}": lambda index, path=path: index.imported_files(path) for path in FILES},
    **{
        f"references of {name}": lambda index, name=name: index.references(name)
        for name in ("User", "make_user", "Items")
    },
    "references near": lambda index: index.references("User", "app/main.py"),
    **{
        f"find {query}": lambda index, query=query: [
            (item.symbol.name, item.path, item.place) for item in index.find(query)
        ]
        for query in ("User", "make", "User.sav", "Cart.Total")
    },
    "paths": lambda index: index.paths(),
}


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Callable[[dict[str, str]], Reader]]:
    """Makes an index of the files with some in place of others."""
    with ExitStack() as stack:

        def make(edits: dict[str, str]) -> Reader:
            name = "saved" if edits else "disk"
            root, database = tmp_path / name, tmp_path / f"{name}.sqlite"
            for path, text in {**FILES, **edits}.items():
                (root / path).parent.mkdir(parents=True, exist_ok=True)
                (root / path).write_text(text)
            index_once(str(root), database=lambda _: database)
            return stack.enter_context(Reader(database))

        yield make


def unsaved(path: str, text: str) -> Unsaved:
    language = Languages.load().find("", path)
    assert language is not None
    found = extract(language, text.encode())
    assert found is not None
    return Unsaved(path, language.name, found)


@pytest.mark.parametrize("edit", list(EDITS))
def test_answers_are_those_after_saving(
    edit: str, opened: Callable[[dict[str, str]], Reader]
) -> None:
    edits = EDITS[edit]
    disk = opened({})
    saved = opened(edits) if edits else disk
    overlay = Overlay(disk, {path: unsaved(path, text) for path, text in edits.items()})
    for name, question in QUESTIONS.items():
        assert question(overlay) == question(saved), name


def test_a_new_file_stands_in_its_document(opened: Callable[[dict[str, str]], Reader]) -> None:
    document = unsaved("app/new.py", "from app.base import Base\n\n\nclass User(Base): ...\n")
    index = Overlay(opened({}), {document.path: document})
    assert [item.path for item in index.definitions("User", "app/new.py")] == [
        "app/new.py",
        "app/models.py",
        "lib/other.py",
    ]
    assert index.hides("app/new.py") and not index.hides("app/main.py")
    assert "app/new.py" in index.paths()
    # Where a new import leads is for the index to say, once it is on disk.
    assert [(item.name, item.target) for item in index.imports("app/new.py")] == [("Base", None)]
    assert index.imported_files("app/new.py") == ()


def test_limits_count_what_is_shown(opened: Callable[[dict[str, str]], Reader]) -> None:
    document = unsaved("app/models.py", "")
    index = Overlay(opened({}), {document.path: document})
    assert [item.path for item in index.definitions("User", "app/models.py", 1)] == ["lib/other.py"]
    assert [item.path for item in index.find("User", 1)] == ["lib/other.py"]


def test_without_an_index_documents_answer(tmp_path: Path) -> None:
    document = unsaved("app/new.py", "class User: ...\n")
    with Reader(tmp_path / "none.sqlite") as reader:
        assert not Overlay(reader, {}).available
        index = Overlay(reader, {document.path: document})
        assert index.available and index.generation == -1
        assert [item.path for item in index.definitions("User")] == ["app/new.py"]
        assert index.symbols("app/other.py") == ()
