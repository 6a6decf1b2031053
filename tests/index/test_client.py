"""The real indexer, as a front sees it."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from typing import TYPE_CHECKING

import psutil
import pytest

from sidecar.index.place import database_path
from sidecar.index.query.reader import Reader
from sidecar.index.wire import client as client_module
from sidecar.index.wire.client import IndexClient
from sidecar.index.wire.messages import Committed, IndexSettings, Open, State

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from pathlib import Path


class Front:
    """What a front was told."""

    def __init__(self) -> None:
        self.states: list[State] = []
        self.commits: list[Committed] = []
        self._changed = asyncio.Event()

    def on_state(self, state: State) -> None:
        self.states.append(state)
        self._changed.set()

    def on_committed(self, committed: Committed) -> None:
        self.commits.append(committed)
        self._changed.set()

    async def until(self, condition: Callable[[], object]) -> None:
        async with asyncio.timeout(60):
            while not condition():
                self._changed.clear()
                await self._changed.wait()

    async def until_idle(self) -> None:
        await self.until(
            lambda: self.states and self.states[-1].phase == "idle" and self.states[-1].files
        )

    async def until_committed(self, path: str) -> None:
        await self.until(lambda: any(path in committed.paths for committed in self.commits))


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SIDECAR_CACHE_DIR", str(tmp_path / "cache"))
    root = tmp_path / "root"
    (root / "pkg").mkdir(parents=True)
    (root / "pkg/__init__.py").write_text("")
    (root / "pkg/a.py").write_text("from pkg.b import b\nimport pkg.c\n")
    (root / "pkg/b.py").write_text("def b(): return 1\n")
    (root / "pkg/c.py").write_text("def c(): return 1\n")
    return root


@pytest.fixture
def front() -> Front:
    return Front()


@pytest.fixture
async def client(front: Front) -> AsyncIterator[IndexClient]:
    client = IndexClient(front.on_state, front.on_committed)
    yield client
    await client.close()


async def test_a_change_is_known_when_it_is_told(
    root: Path, front: Front, client: IndexClient
) -> None:
    client.open(Open((str(root),)))
    await front.until_idle()
    assert front.states[-1] == State(str(root), files=4, leader=True)
    front.commits.clear()
    (root / "pkg/b.py").write_text("def b(): return 1\ndef fresh(): pass\n")
    client.changed([str(root / "pkg/b.py")])
    await front.until_committed("pkg/b.py")
    (committed,) = front.commits
    assert (committed.root, committed.interface_changed) == (str(root), ("pkg/b.py",))
    with Reader(database_path(str(root))) as reader:
        assert [found.path for found in reader.definitions("fresh")] == ["pkg/b.py"]
        assert reader.imported_files("pkg/a.py") == ("pkg/b.py", "pkg/c.py")
        assert reader.generation == committed.generation


async def test_what_the_opened_file_imports_comes_first(
    root: Path, front: Front, client: IndexClient
) -> None:
    for number in range(300):
        (root / f"aa{number}.py").write_text("x = 1\n")
    client.open(Open((str(root),)))
    client.opened(str(root / "pkg/a.py"))
    await front.until_committed("pkg/c.py")
    first = [path for committed in front.commits for path in committed.paths]
    assert set(first[:3]) == {"pkg/a.py", "pkg/b.py", "pkg/c.py"}
    await front.until_idle()


async def test_an_indexer_that_is_killed_is_started_again(
    root: Path, front: Front, client: IndexClient
) -> None:
    client.open(Open((str(root),)))
    await front.until_idle()
    assert client.pid is not None
    pid = client.pid
    workers = psutil.Process(pid).children()
    assert workers
    os.kill(pid, signal.SIGKILL)
    await front.until(lambda: client.pid != pid)
    # What is told while none runs is not lost.
    (root / "pkg/d.py").write_text("def d(): pass\n")
    client.changed([str(root / "pkg/d.py")])
    await front.until_committed("pkg/d.py")
    assert psutil.wait_procs(workers, timeout=20)[1] == []


async def test_closing_leaves_no_process(root: Path, front: Front) -> None:
    client = IndexClient(front.on_state, front.on_committed)
    client.open(Open((str(root),)))
    await front.until_idle()
    assert client.pid is not None
    processes = [psutil.Process(client.pid), *psutil.Process(client.pid).children()]
    await client.close()
    assert psutil.wait_procs(processes, timeout=20)[1] == []
    assert client.pid is None


async def test_one_that_dies_at_once_is_given_up_with_a_reason(
    front: Front, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client_module, "BACK_OFF", (0.0, 0.0))
    command = (sys.executable, "-c", "raise SystemExit('no room')")
    client = IndexClient(front.on_state, front.on_committed, command)
    client.open(Open(("/nowhere",)))
    await front.until(lambda: client.failure)
    assert client.failure == "the indexer ended 3 times in a row (no room)"
    assert front.states == [State("/nowhere", "failed", notice=client.failure)]
    await client.close()


async def test_two_fronts_share_one_index(root: Path, front: Front, client: IndexClient) -> None:
    settings = IndexSettings(sweep_seconds=3600)
    client.open(Open((str(root),), settings))
    await front.until_idle()
    other = Front()
    second = IndexClient(other.on_state, other.on_committed)
    second.open(Open((str(root),), settings))
    (root / "pkg/d.py").write_text("from pkg.b import b\n")
    second.changed([str(root / "pkg/d.py")])
    await other.until_committed("pkg/d.py")
    assert not any(state.leader for state in other.states)
    with Reader(database_path(str(root))) as reader:
        assert reader.importers("pkg/b.py") == ("pkg/a.py", "pkg/d.py")
    # The other one takes over, and finds what nobody told.
    await client.close()
    (root / "pkg/e.py").write_text("def e(): pass\n")
    await other.until_committed("pkg/e.py")
    assert other.states[-1].leader
    await second.close()


async def test_directories_are_watched_where_the_client_reports_nothing(
    root: Path, front: Front, client: IndexClient
) -> None:
    client.open(Open((str(root),), IndexSettings(sweep_seconds=3600), watch=True))
    await front.until_idle()
    client.opened(str(root / "pkg/a.py"))

    def written() -> bool:
        # Until the folder is watched, nobody hears of it.
        with (root / "pkg/b.py").open("a") as file:
            file.write(f"def seen{len(front.commits)}(): pass\n")
        return any("pkg/b.py" in committed.interface_changed for committed in front.commits[1:])

    async with asyncio.timeout(60):
        while not written():  # noqa: ASYNC110 - asks the disk, which tells nobody.
            await asyncio.sleep(0.05)
