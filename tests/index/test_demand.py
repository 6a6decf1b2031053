"""What opened files import from outside: read on demand, kept apart, gone when nobody wants it."""

from __future__ import annotations

import os
import sysconfig
import time
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING

import pytest
from index_dump import dump

from sidecar.index.extract.pool import Pool
from sidecar.index.indexer import Inbox, Indexer
from sidecar.index.once import index_once
from sidecar.index.query.reader import Reader
from sidecar.index.upkeep import demand
from sidecar.index.wire.messages import (
    Changed,
    Committed,
    IndexSettings,
    Open,
    Opened,
    Rescan,
    State,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SITE = ".venv/lib/python3.11/site-packages"
CLIENT = "class Client:\n    def get(self, url: str) -> str:\n        return helper(url)\n"


class Workspace:
    """A root with an indexer, a reader, and an environment with packages."""

    def __init__(self, folder: Path, **settings: bool) -> None:
        self.root = folder / "root"
        self.site = self.root / SITE
        self.database = folder / "index.sqlite"
        self.said: list[Committed | State] = []
        self.settings = IndexSettings(sweep_seconds=3600, **settings)
        inbox: Inbox = SimpleQueue()
        self.indexer = Indexer(
            self.said.append, inbox, Pool(inbox.put, idle=False), database=lambda _: self.database
        )
        self.reader = Reader(self.database)

    def write(self, path: str, text: str = "") -> None:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        # Old enough for its time to say something.
        self.moment = getattr(self, "moment", 1_000_000_000.5) + 1
        os.utime(file, (self.moment, self.moment))

    def start(self) -> None:
        self.indexer.inbox.put(Open((str(self.root),), self.settings))
        self.settle()

    def open(self, *paths: str) -> None:
        for path in paths:
            self.indexer.inbox.put(Opened(str(self.root / path)))
        self.settle()

    def save(self, path: str, text: str) -> None:
        self.write(path, text)
        self.indexer.inbox.put(Changed((str(self.root / path),)))
        self.settle()

    def settle(self) -> None:
        self.indexer.turn(block=False)
        self.until(lambda: self.indexer.idle)

    def until(self, condition: Callable[[], object]) -> None:
        end = time.monotonic() + 60
        while not condition():
            self.indexer.turn(block=True)
            assert time.monotonic() < end

    def outside(self) -> list[str]:
        """The known files outside, relative to the environment."""
        store = self.indexer.sites[str(self.root)].store
        site = os.path.realpath(self.site)
        return sorted(os.path.relpath(path, site) for path in store.known_outside())

    def leads(self, path: str = "app.py") -> list[tuple[str, str | None, str | None]]:
        """Name, target and definer of each import of a file."""
        site = os.path.realpath(self.site) + "/"
        return [
            (
                item.name or item.module,
                item.target and item.target.removeprefix(site),
                item.definer and item.definer.removeprefix(site),
            )
            for item in self.reader.imports(path)
        ]

    def found(self, name: str, near: str | None = "app.py") -> list[str]:
        site = os.path.realpath(self.site) + "/"
        return [item.path.removeprefix(site) for item in self.reader.definitions(name, near)]

    def check_as_from_scratch(self) -> None:
        scratch = self.database.with_name("scratch.sqlite")
        index_once(str(self.root), database=lambda _root: scratch)
        assert dump(self.database) == dump(scratch)


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Workspace]:
    for variable in ("VIRTUAL_ENV", "CONDA_PREFIX", "GOMODCACHE", "GOPATH", "GOROOT"):
        monkeypatch.delenv(variable, raising=False)
    made = Workspace(tmp_path)
    for path, text in {
        ".venv/pyvenv.cfg": "",
        f"{SITE}/http/never.py": "",
        f"{SITE}/web/__init__.py": "from ._client import Client\nfrom web.errors import *\n",
        f"{SITE}/web/_client.py": "from .base import Base\n" + CLIENT,
        f"{SITE}/web/base.py": "class Base: ...\n",
        f"{SITE}/web/errors.py": "class WebError(Exception): ...\n",
        f"{SITE}/web/other.py": "def other(): ...\n",
        f"{SITE}/tools.py": "def tool(): ...\n",
        "app.py": "import os\nfrom web import Client\nimport local\nimport tools\n",
        "local.py": "def tool(): ...\n\ndef get(): ...\n",
    }.items():
        made.write(path, text)
    yield made
    made.reader.close()
    made.indexer.close()


def test_an_opened_file_leads_outside(workspace: Workspace) -> None:
    workspace.start()
    assert workspace.outside() == []
    assert workspace.leads()[1] == ("Client", None, None)
    workspace.said.clear()
    workspace.open("app.py")
    # Of a name that is imported, only what leads to it.
    assert workspace.outside() == ["tools.py", "web/__init__.py", "web/_client.py", "web/errors.py"]
    assert workspace.leads() == [
        ("os", None, None),
        ("Client", "web/__init__.py", "web/_client.py"),
        ("local", "local.py", "local.py"),
        ("tools", "tools.py", "tools.py"),
    ]
    committed = [message.paths for message in workspace.said if isinstance(message, Committed)]
    assert set(committed) == {("app.py",)}
    reader = workspace.reader
    (member,) = reader.members("Client", "app.py")
    assert member.symbol.signature == "def get(self, url: str) -> str"
    assert reader.definitions("Client", "app.py")[0].path == str(workspace.site / "web/_client.py")
    # Declarations only.
    assert reader.references("helper") == ()
    assert reader.search("helper") == ()
    workspace.check_as_from_scratch()


def test_what_is_outside_counts_apart_and_comes_last(workspace: Workspace) -> None:
    workspace.start()
    before = workspace.reader.counts()
    workspace.open("app.py")
    counts = workspace.reader.counts()
    assert counts.external == 4
    assert (counts.files, counts.symbols, counts.imports) == (
        before.files,
        before.symbols,
        before.imports,
    )
    assert counts.resolved == before.resolved + 2
    assert not [path for path in workspace.reader.paths() if path.startswith("/")]
    assert workspace.found("tool", None) == ["local.py", "tools.py"]
    assert workspace.found("tool") == ["local.py", "tools.py"]
    found = [item.path for item in workspace.reader.find("t")]
    assert found[0] == "local.py" and found[-1].startswith("/")
    assert [item.path[:1] for item in workspace.reader.find("Client.get")] == ["/"]
    workspace.write("sub/tools.py", "")
    assert all(not item.path.startswith("/") for item in workspace.reader.near("sub/tools.py"))
    site = workspace.site
    assert workspace.reader.importers(str(site / "web/_client.py")) == (
        str(site / "web/__init__.py"),
        "app.py",
    )


def test_a_module_of_the_workspace_takes_its_place_and_gives_it_back(workspace: Workspace) -> None:
    workspace.start()
    workspace.open("app.py")
    workspace.save("tools.py", "def mine(): ...\n")
    assert workspace.leads()[3] == ("tools", "tools.py", "tools.py")
    assert workspace.reader.imports("app.py")[3].target == "tools.py"
    assert str(workspace.site / "tools.py") not in workspace.reader.imported_files("app.py")
    workspace.check_as_from_scratch()
    (workspace.root / "tools.py").unlink()
    workspace.indexer.inbox.put(Changed((str(workspace.root / "tools.py"),)))
    workspace.settle()
    assert workspace.reader.imports("app.py")[3].target == str(workspace.site / "tools.py")
    # A body, an import that moves and a whole comparison leave it where it is.
    workspace.save("app.py", "import tools\nfrom web import Client as C\n\nx = 1\n")
    workspace.indexer.inbox.put(Rescan())
    workspace.settle()
    assert workspace.leads() == [
        ("tools", "tools.py", "tools.py"),
        ("Client", "web/__init__.py", "web/_client.py"),
    ]
    workspace.check_as_from_scratch()


def test_a_saved_import_is_followed_and_a_removed_one_forgotten(workspace: Workspace) -> None:
    workspace.start()
    workspace.open("app.py")
    workspace.save("app.py", "from web import WebError\nfrom web.other import other\n")
    assert workspace.leads() == [
        ("WebError", "web/__init__.py", "web/errors.py"),
        ("other", "web/other.py", "web/other.py"),
    ]
    # What the package imports stays with it.
    packages = ["web/__init__.py", "web/_client.py", "web/errors.py", "web/other.py"]
    assert workspace.outside() == packages
    workspace.save("app.py", "x = 1\n")
    assert workspace.outside() == []
    # A file that nobody opened wants nothing.
    workspace.save("local.py", "import tools\n")
    assert workspace.leads("local.py") == [("tools", None, None)]
    workspace.check_as_from_scratch()


def test_it_is_read_again_when_it_changed_and_is_opened(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(demand, "_FRESH", 0.0)
    workspace.start()
    workspace.open("app.py")
    workspace.write(f"{SITE}/tools.py", "def newer(): ...\n")
    workspace.write(f"{SITE}/web/__init__.py", "from .other import other as Client\n")
    workspace.open("app.py")
    assert workspace.found("newer") == ["tools.py"]
    assert workspace.leads()[1] == ("Client", "web/__init__.py", "web/other.py")
    assert workspace.outside() == ["tools.py", "web/__init__.py", "web/other.py"]
    (workspace.site / "tools.py").unlink()
    workspace.open("app.py")
    assert workspace.leads()[3] == ("tools", None, None)
    assert workspace.found("newer") == []
    workspace.check_as_from_scratch()


def test_so_many_are_kept_and_the_others_go(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(demand, "MOST_FILES", 3)
    for number in range(3):
        workspace.write(f"{SITE}/m{number}.py", f"def m{number}(): ...\n")
        workspace.write(f"a{number}.py", f"import m{number}\n")
    workspace.start()
    ticks = iter(range(1, 10_000))
    monkeypatch.setattr(time, "time", lambda: float(next(ticks)))
    workspace.open("a0.py")
    workspace.open("a1.py")
    workspace.open("a2.py")
    assert workspace.outside() == ["m0.py", "m1.py", "m2.py"]
    workspace.write("a3.py", "import tools\n")
    workspace.open("a3.py")
    assert workspace.outside() == ["m1.py", "m2.py", "tools.py"]
    assert workspace.leads("a0.py") == [("m0", None, None)]


def test_what_cannot_be_read_is_counted_and_left_alone(workspace: Workspace) -> None:
    workspace.write(f"{SITE}/large.py", "x = 1\n" * 1_000_000)
    workspace.write(f"{SITE}/binary.py", "x = '\0'\n")
    workspace.write(f"{SITE}/made_pb2.py", "# Generated by x. DO NOT EDIT\ndef made(): ...\n")
    workspace.write("app.py", "import large, binary, made_pb2\n")
    workspace.start()
    workspace.open("app.py")
    assert workspace.outside() == ["made_pb2.py"]
    site = workspace.indexer.sites[str(workspace.root)].site
    assert site.demand.skipped == {"too_large": 1, "binary": 1}
    (last,) = [message for message in workspace.said if isinstance(message, State)][-1:]
    assert (last.left_out_outside, last.skipped) == (
        {"too_large": 1, "binary": 1},
        {"ignored": 1},
    )
    workspace.save("app.py", "import large, binary, tools\n")
    assert site.demand.skipped == {"too_large": 1, "binary": 1}


def test_a_worker_that_dies_takes_nothing_with_it(workspace: Workspace) -> None:
    workspace.start()
    workspace.indexer.inbox.put(Opened(str(workspace.root / "app.py")))
    site = workspace.indexer.sites[str(workspace.root)].site
    workspace.until(lambda: site.demand.under_way)
    os.kill(workspace.indexer.pool.pids[0], 9)
    workspace.settle()
    assert len(workspace.outside()) == 4


def test_nothing_is_read_if_it_is_not_allowed(tmp_path: Path, workspace: Workspace) -> None:
    workspace.start()
    workspace.open("app.py")
    assert workspace.reader.counts().external == 4
    workspace.settings = IndexSettings(sweep_seconds=3600, external=False)
    workspace.start()
    workspace.open("app.py")
    assert workspace.reader.counts().external == 0
    assert workspace.leads()[1] == ("Client", None, None)
    workspace.check_as_from_scratch()


def test_types_and_modules_of_other_languages(
    workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = "cache/github.com/x/y@v1.0.0"
    for path, text in {
        "node_modules/lib/package.json": '{"types": "index.d.ts"}',
        "node_modules/lib/index.d.ts": "export * from './inner';\nexport { A } from './a';\n",
        "node_modules/lib/inner.d.ts": "export declare class Inner { run(): void }\n",
        "node_modules/lib/a.d.ts": "export interface A { a: number }\n",
        "web/app.ts": "import { Inner } from 'lib'\n",
        "go.mod": "module m\nrequire github.com/x/y v1.0.0\n",
        "main.go": 'package main\nimport "github.com/x/y"\n',
        f"../{cache}/one.go": "package y\ntype One struct{ F int }\nfunc (o One) Do() {}\n",
        f"../{cache}/two.go": "package y\nfunc Two() One { return One{} }\n",
    }.items():
        workspace.write(path, text)
    monkeypatch.setenv("GOMODCACHE", str(tmp_path / "cache"))
    workspace.start()
    workspace.open("web/app.ts", "main.go")
    lib = str(workspace.root / "node_modules/lib")
    (inner,) = workspace.reader.imports("web/app.ts")
    assert (inner.target, inner.definer) == (f"{lib}/index.d.ts", f"{lib}/inner.d.ts")
    (member,) = workspace.reader.members("Inner", "web/app.ts")
    assert member.symbol.name == "run"
    package = [str(tmp_path / cache / name) for name in ("one.go", "two.go")]
    assert workspace.reader.imported_files("main.go") == tuple(package)
    assert [item.path for item in workspace.reader.definitions("Two", "main.go")] == package[1:]
    names = [item.symbol.name for item in workspace.reader.members("One", "main.go")]
    assert sorted(names) == ["Do", "F"]
    workspace.check_as_from_scratch()


def test_packages_that_are_installed_here(workspace: Workspace) -> None:
    installed = Path(sysconfig.get_path("purelib")).parents[2]
    for path in sorted((workspace.root / ".venv").rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    (workspace.root / ".venv").rmdir()
    (workspace.root / ".venv").symlink_to(installed)
    workspace.write(
        "app.py",
        "import hypothesis\nfrom pytest import fixture, Parser\nimport numpy as np\n"
        "from watchdog.observers import Observer\nfrom pathspec import PathSpec\n",
    )
    workspace.start()
    workspace.open("app.py")
    assert workspace.leads()[1:3] == [
        ("fixture", "pytest/__init__.py", "_pytest/fixtures.py"),
        ("Parser", "pytest/__init__.py", "_pytest/config/argparsing.py"),
    ]
    assert workspace.leads()[3][1] == "numpy/__init__.pyi"
    assert workspace.found("PathSpec")[0] == "pathspec/pathspec.py"
    members = workspace.reader.members("PathSpec", "app.py")
    assert "match_file" in {member.symbol.name for member in members}
    assert "hypothesis/core.py" in workspace.outside()
    assert len(workspace.outside()) <= 500
    workspace.check_as_from_scratch()
