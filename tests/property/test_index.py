"""After anything that happens to a tree, the index equals one that is built from scratch."""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import subprocess
import sys
import time
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from index_dump import dump

from sidecar.index.extract.pool import Pool
from sidecar.index.indexer import Inbox, Indexer
from sidecar.index.once import index_once
from sidecar.index.place import database_path
from sidecar.index.wire.frames import Frames
from sidecar.index.wire.messages import (
    Changed,
    IndexSettings,
    Open,
    Opened,
    Rescan,
    State,
    from_frame,
    to_frame,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PATHS = (
    "a.py",
    "b.py",
    "pkg/__init__.py",
    "pkg/c.py",
    "pkg/deep/d.py",
    "src/e.py",
    "web/index.ts",
    "web/app.ts",
    "web/lib/index.js",
    "notes.txt",
    "package.json",
    "tsconfig.json",
)
FOLDERS = ("pkg", "web", "pkg/deep", "src", "other")
RULES = ("", "*.txt\n", "pkg/\n", "*.ts\n!app.ts\n", "/a.py\nweb/lib\n")
TEXTS = (
    "import a\nimport pkg.c\nfrom pkg import c\n\ndef used(x: int) -> str:\n    return a.f(x)\n",
    "from pkg.deep.d import Thing\nfrom .c import f\nfrom . import deep\n\nclass Thing(Base): 1\n",
    "from pkg import *\nfrom e import thing as f\n\ndef thing():\n    '''Doc.'''\n    return 1\n",
    "def thing():\n    '''Doc.'''\n    return 2\n",
    "def thing():\n    '''Doc.'''\n    return 2 +\n",
    "import { x } from './app'\nimport lib from './lib'\nimport y from '@/app'\nlet x = 1\n",
    "export * from './lib'\nexport class App extends Base { go(): number { return x } }\n",
    '{"compilerOptions": {"baseUrl": ".", "paths": {"@/*": ["web/*"]}}}\n',
    '{"name": "web", "main": "web/index.ts", "workspaces": ["web"]}\n',
    "a\0binary",
    "",
)
#: Packages that some of these mean when the workspace has no module of that name. What is known of
#: them depends on which files were opened, and changes nothing about the workspace's own files.
INSTALLED = {
    "pyvenv.cfg": "",
    "lib/python3.11/site-packages/a.py": TEXTS[3],
    "lib/python3.11/site-packages/pkg/__init__.py": "from .c import f\nfrom pkg.deep import *\n",
    "lib/python3.11/site-packages/pkg/c.py": "def f(): ...\n",
    "lib/python3.11/site-packages/pkg/deep/__init__.py": "from .d import Thing\n",
    "lib/python3.11/site-packages/pkg/deep/d.py": "class Thing: ...\n",
}

OPERATIONS = st.one_of(
    st.tuples(st.just("write"), st.sampled_from(PATHS), st.sampled_from(TEXTS)),
    st.tuples(st.just("delete"), st.sampled_from(PATHS + FOLDERS)),
    st.tuples(
        st.just("rename"), st.sampled_from(PATHS + FOLDERS), st.sampled_from(PATHS + FOLDERS)
    ),
    st.tuples(
        st.just("rules"),
        st.sampled_from((".gitignore", ".sidecarignore", "pkg/.gitignore")),
        st.sampled_from(RULES),
    ),
    st.tuples(st.just("open"), st.sampled_from(PATHS)),
    st.tuples(st.just("many"), st.integers(66, 90), st.sampled_from(TEXTS)),
)
STEPS = st.lists(
    st.tuples(OPERATIONS, st.sampled_from(("told", "told", "untold")), st.integers(0, 4)),
    max_size=14,
)


def do(root: Path, operation: tuple[Any, ...]) -> list[str]:
    """Do something to a tree and return the paths that a watcher would name."""
    kind, *arguments = operation
    touched: list[Path] = []
    try:
        match kind:
            case "write" | "rules":
                path = root / arguments[0]
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(arguments[1])
                touched = [path]
            case "delete":
                path = root / arguments[0]
                shutil.rmtree(path) if path.is_dir() else path.unlink()
                touched = [path]
            case "rename":
                path, new = root / arguments[0], root / arguments[1]
                new.parent.mkdir(parents=True, exist_ok=True)
                path.rename(new)
                touched = [path, new]
            case "many":
                folder = root / "many"
                folder.mkdir(exist_ok=True)
                for number in range(arguments[0]):
                    path = folder / f"m{number}.py"
                    path.write_text(arguments[1] + f"x{number} = 1\n")
                    touched.append(path)
    except OSError:
        # A file stands where a folder is needed, or there is nothing of that name.
        touched = [root / arguments[0], root / str(arguments[-1])[:20].strip()]
        touched = [path for path in touched if "\0" not in str(path) and "\n" not in str(path)]
    return [str(path) for path in touched]


@contextlib.contextmanager
def running(folder: Path) -> Iterator[Indexer]:
    """One indexer for many roots, so that its workers are started once."""
    inbox: Inbox = SimpleQueue()
    indexer = Indexer(
        lambda _message: None,
        inbox,
        Pool(inbox.put, idle=False),
        database=lambda root: folder / f"{os.path.basename(root)}.sqlite",
    )
    yield indexer
    indexer.close()


@pytest.fixture(scope="module")
def indexers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Indexer, Indexer]]:
    """One that keeps an index up to date, and one that builds it from scratch."""
    kept, scratch = (tmp_path_factory.mktemp(name) for name in ("kept", "scratch"))
    with running(kept) as keeper, running(scratch) as builder:
        yield keeper, builder


def settle(indexer: Indexer) -> None:
    indexer.inbox.put(Rescan())
    indexer.turn(block=False)
    end = time.monotonic() + 60
    while not indexer.idle:
        indexer.turn(block=True)
        assert time.monotonic() < end, "it never comes to rest"


def check_equal(kept: dict[str, Any], fresh: dict[str, Any]) -> None:
    for path in kept["files"].keys() & fresh["files"].keys():
        # One by one, so that a difference can be read.
        for number, expected in enumerate(fresh["files"][path]):
            assert kept["files"][path][number] == expected, (path, number)
    for part, expected in fresh.items():
        assert kept[part] == expected, part


def dump_of(indexer: Indexer, root: Path) -> dict[str, Any]:
    path = indexer.sites[str(root)].store.path
    assert path is not None
    return dump(path)


@settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(steps=STEPS)
def test_an_index_kept_up_to_date_equals_one_from_scratch(
    indexers: tuple[Indexer, Indexer], steps: list[Any], tmp_path_factory: pytest.TempPathFactory
) -> None:
    indexer, builder = indexers
    root = tmp_path_factory.mktemp("root")
    for name, text in INSTALLED.items():
        do(root / ".venv", ("write", name, text))
    indexer.inbox.put(Open((str(root),), IndexSettings(sweep_seconds=3600)))
    for operation, told, turns in steps:
        if operation[0] == "open":
            indexer.inbox.put(Opened(f"{root}/{operation[1]}"))
        touched = do(root, operation)
        if told == "told":
            indexer.inbox.put(Changed(tuple(touched)))
        for _ in range(turns):
            indexer.turn(block=False)
    settle(indexer)
    builder.inbox.put(Open((str(root),), IndexSettings(sweep_seconds=3600)))
    settle(builder)
    check_equal(dump_of(indexer, root), dump_of(builder, root))
    shutil.rmtree(root)


class Process:
    """The real indexer, spoken to over its pipes."""

    def __init__(self, root: Path) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "sidecar.index"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
        )
        self._frames = Frames()
        self.send(Open((str(root),)))

    def send(self, message: Any) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(to_frame(message))

    def until_idle(self) -> None:
        """Wait until the root was compared with the disk after everything that was said."""
        assert self._process.stdout is not None
        walked = False
        while True:
            data = self._process.stdout.read(65536)
            assert data, "the indexer ended"
            for body in self._frames.feed(data):
                message = from_frame(body)
                if isinstance(message, State):
                    walked |= message.phase in ("walking", "checking")
                    if message.phase == "idle" and walked:
                        return

    def kill(self) -> None:
        self._process.kill()
        self._close()

    def end(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._close()
        assert self._process.returncode == 0

    def _close(self) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.wait(30)
        self._process.stdin.close()
        self._process.stdout.close()


@pytest.mark.parametrize("seed", range(4))
def test_an_indexer_killed_at_any_point_leaves_what_the_next_one_makes_whole(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SIDECAR_CACHE_DIR", str(tmp_path / "cache"))
    chance = random.Random(seed)
    root = tmp_path / "root"
    root.mkdir()
    for path in PATHS:
        do(root, ("write", path, chance.choice(TEXTS)))
    if seed % 2:
        # Enough for more processes, and for imports that are resolved at the end.
        for number in range(400):
            do(root, ("write", f"bulk/{number % 7}/m{number}.py", chance.choice(TEXTS)))
    process = Process(root)
    for _ in range(6):
        for _ in range(chance.randint(0, 6)):
            kind = chance.choice(("write", "write", "delete", "rename", "rules"))
            operation: tuple[Any, ...] = (kind, chance.choice(PATHS + FOLDERS))
            if kind == "write":
                operation = (kind, chance.choice(PATHS), chance.choice(TEXTS))
            elif kind == "rename":
                operation = (*operation, chance.choice(PATHS + FOLDERS))
            elif kind == "rules":
                operation = (kind, ".gitignore", chance.choice(RULES))
            touched = do(root, operation)
            if chance.random() < 0.7:
                process.send(Changed(tuple(touched)))
            time.sleep(chance.choice((0.0, 0.01, 0.05)))
        time.sleep(chance.random() * 0.6)
        process.kill()
        process = Process(root)
    process.until_idle()
    process.end()
    scratch = tmp_path / "scratch.sqlite"
    index_once(str(root), database=lambda _root: scratch)
    check_equal(dump(database_path(str(root))), dump(scratch))
