"""The indexer without a front: what it does in which order, and what it leaves alone."""

from __future__ import annotations

import os
import signal
import sys
import time
from queue import SimpleQueue
from typing import TYPE_CHECKING

import pytest
from index_dump import dump

from sidecar.index.extract.extraction import Extraction
from sidecar.index.extract.pool import Chunk, Pool
from sidecar.index.extract.records import FileRecord
from sidecar.index.indexer import Inbox, Indexer
from sidecar.index.once import index_once
from sidecar.index.storage.store import Store
from sidecar.index.wire.messages import (
    Busy,
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
    from pathlib import Path


class Driven:
    """An indexer that takes its turns when a test says so."""

    def __init__(self, root: Path, database: Path, *first: Busy) -> None:
        self.root = root
        self.database = database
        self.said: list[Committed | State] = []
        inbox: Inbox = SimpleQueue()
        self._pool = Pool(inbox.put, idle=False)
        self.indexer = Indexer(self.said.append, inbox, self._pool, database=lambda _root: database)
        inbox.put(Open((str(root),), IndexSettings(sweep_seconds=3600)))
        for message in first:
            inbox.put(message)
        if not first:
            self.settle()

    def tell(self, *paths: str) -> None:
        self.indexer.inbox.put(Changed(tuple(str(self.root / path) for path in paths)))

    def settle(self) -> None:
        self.indexer.turn(block=False)
        self.until(lambda: self.indexer.idle)

    def until(self, condition: Callable[[], object]) -> None:
        end = time.monotonic() + 60
        while not condition():
            self.indexer.turn(block=True)
            assert time.monotonic() < end

    @property
    def committed(self) -> list[Committed]:
        return [message for message in self.said if isinstance(message, Committed)]

    def paths(self) -> list[str]:
        return sorted(self.indexer.sites[str(self.root)].site.workspace.known)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "root"
    for path, text in {
        "a.py": "import pkg.b\n",
        "pkg/__init__.py": "",
        "pkg/b.py": "def b(): pass\n",
        "pkg/deep/c.py": "def c(): pass\n",
    }.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    # Old enough for their times to say something.
    for path in root.rglob("*.py"):
        os.utime(path, (1_000_000_000.5, 1_000_000_000.5))
    return root


@pytest.fixture
def driven(root: Path, tmp_path: Path) -> Iterator[Driven]:
    driven = Driven(root, tmp_path / "index.sqlite")
    driven.said.clear()
    yield driven
    driven.indexer.close()


def check_as_from_scratch(driven: Driven) -> None:
    scratch = driven.database.with_name("scratch.sqlite")
    index_once(str(driven.root), database=lambda _root: scratch)
    assert dump(driven.database) == dump(scratch)


def test_a_file_with_the_same_content_is_not_written(driven: Driven, root: Path) -> None:
    os.utime(root / "pkg/b.py", (1_000_000_001.5, 1_000_000_001.5))
    driven.tell("pkg/b.py")
    driven.settle()
    assert driven.committed == []
    # Its new time is known: a sweep has nothing to read.
    driven.indexer.inbox.put(Rescan())
    driven.settle()
    assert not [s for s in driven.said if isinstance(s, State) and s.phase == "indexing"]


def test_a_save_that_a_watcher_saw_as_well_is_read_once(
    driven: Driven, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []
    submit = driven.indexer.pool.submit

    def submitted(chunk: Chunk) -> None:
        read.extend(path for path, _ in chunk.files)
        submit(chunk)

    monkeypatch.setattr(driven.indexer.pool, "submit", submitted)
    site = driven.indexer.sites[str(root)].site
    file = root / "pkg/b.py"

    def seen(path: str) -> None:
        site.heard.add([str(root / path)], 0.0)
        driven.indexer.turn(block=False)
        driven.settle()

    def save(text: str) -> None:
        file.write_text(text)
        os.utime(file, (1_000_000_002.5, 1_000_000_002.5 + len(text)))

    # Told by the editor.
    save("def b(): return 22\n")
    driven.tell("pkg/b.py")
    driven.settle()
    seen("pkg/b.py")
    assert read == ["pkg/b.py"]
    # Told to the indexer of another editor, which wrote it.
    save("def b(): return 333\n")
    _, made, settled = Extraction(str(root), 1000).run("pkg/b.py", b"")
    assert settled
    with Store.open(driven.database, root) as other:
        other.put([FileRecord(*made)])
    seen("pkg/b.py")
    assert read == ["pkg/b.py"]
    # Told by nobody.
    save("def b(): return 4444\n")
    seen("pkg/b.py")
    assert read == ["pkg/b.py"] * 2
    file.unlink()
    seen("pkg/b.py")
    assert "pkg/b.py" not in driven.paths()
    check_as_from_scratch(driven)


def test_a_save_whose_time_says_nothing_yet_is_left_to_who_wrote_it(
    driven: Driven, root: Path
) -> None:
    site = driven.indexer.sites[str(root)].site
    (root / "pkg/b.py").write_text("def b(): return 22\n")
    driven.tell("pkg/b.py")
    driven.until(lambda: driven.committed)
    site.heard.add([str(root / "pkg/b.py")], 0.0)
    driven.indexer.turn(block=False)
    assert not site.urgent_under_way
    assert time.monotonic() < site.heard.due() < float("inf")


def test_what_happens_again_to_a_file_left_to_who_wrote_it_is_read(
    driven: Driven, root: Path
) -> None:
    site = driven.indexer.sites[str(root)].site
    (root / "pkg/b.py").write_text("def b(): return 22\n")
    driven.tell("pkg/b.py")
    driven.until(lambda: driven.committed)
    site.heard.add([str(root / "pkg/b.py")], 0.0)
    driven.indexer.turn(block=False)
    left_until = site.heard.due()
    # As long as before, so that its size says nothing either.
    (root / "pkg/b.py").write_text("def b(): return 33\n")
    assert site.heard.add([str(root / "pkg/b.py")], 0.0)
    driven.indexer.turn(block=False)
    assert site.urgent_under_way == 1
    driven.until(lambda: len(driven.committed) == 2)
    assert time.monotonic() < left_until


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="one watch holds the tree")
def test_what_happened_in_a_folder_before_it_was_watched_is_found(
    driven: Driven, root: Path
) -> None:
    settings = driven.indexer.sites[str(root)].site.settings
    driven.indexer.inbox.put(Open((str(root),), settings, watch=True))
    driven.settle()
    (root / "pkg/b.py").write_text("def b2(): pass\n")
    (root / "pkg/new.py").write_text("def new(): pass\n")
    (root / "pkg/__init__.py").unlink()
    (root / "pkg/deep/c.py").write_text("def deeper(): pass\n")
    driven.indexer.inbox.put(Opened(str(root / "pkg/b.py")))
    driven.until(lambda: driven.paths() == ["a.py", "pkg/b.py", "pkg/deep/c.py", "pkg/new.py"])
    driven.until(lambda: any("pkg/b.py" in said.paths for said in driven.committed))
    # Nobody uses what is in there.
    assert not any("pkg/deep/c.py" in said.paths for said in driven.committed)


def test_a_body_is_no_interface(driven: Driven, root: Path) -> None:
    (root / "pkg/b.py").write_text("def b(): return 2\n")
    driven.tell("pkg/b.py")
    driven.settle()
    ((paths, interface),) = [(c.paths, c.interface_changed) for c in driven.committed]
    assert (paths, interface) == (("pkg/b.py",), ())


def test_a_folder_that_moved_is_told_by_its_names_alone(driven: Driven, root: Path) -> None:
    (root / "pkg").rename(root / "new")
    driven.tell("pkg", "new")
    driven.settle()
    assert driven.paths() == ["a.py", "new/__init__.py", "new/b.py", "new/deep/c.py"]
    check_as_from_scratch(driven)


def test_a_rule_changes_what_is_known(driven: Driven, root: Path) -> None:
    (root / ".gitignore").write_text("deep/\n")
    driven.tell(".gitignore")
    driven.settle()
    assert driven.paths() == [".gitignore", "a.py", "pkg/__init__.py", "pkg/b.py"]
    (root / ".gitignore").write_text("")
    driven.tell(".gitignore")
    driven.settle()
    assert "pkg/deep/c.py" in driven.paths()
    check_as_from_scratch(driven)


def test_a_branch_switch_is_few_transactions(driven: Driven, root: Path) -> None:
    names = [f"many/m{number}.py" for number in range(450)]
    (root / "many").mkdir()
    for name in names:
        (root / name).write_text(f"import pkg.b\nfrom many import m{name[6:-3]}\n")
    driven.tell(*names[:200])
    driven.tell(*names)
    driven.settle()
    written = [path for committed in driven.committed for path in committed.paths]
    assert sorted(written) == sorted(names)
    assert len(driven.committed) <= 7
    check_as_from_scratch(driven)


def test_bulk_work_pauses_for_a_completion_and_an_edit_does_not(driven: Driven, root: Path) -> None:
    names = [f"m{number}.py" for number in range(100)]
    for name in names:
        (root / name).write_text("x = 1\n")
    driven.indexer.inbox.put(Busy(3_600_000))
    driven.tell(*names)
    (root / "a.py").write_text("import pkg.b\ndef edited(): pass\n")
    driven.tell("a.py")
    driven.until(lambda: driven.committed)
    assert driven.committed[0].paths == ("a.py",)
    end = time.monotonic() + 1.5
    while time.monotonic() < end:
        driven.indexer.turn(block=True)
    assert not set(names).intersection(driven.paths())
    driven.indexer.inbox.put(Busy(0))
    driven.until(lambda: set(names) <= set(driven.paths()))


def test_a_limit_that_changes_is_obeyed(root: Path, tmp_path: Path) -> None:
    (root / "pkg/b.py").write_text("x = 1\n" * 100)
    for limit, files, skipped in ((1000, 4, {}), (100, 3, {"too_large": 1}), (1000, 4, {})):
        settings = IndexSettings(max_file_bytes=limit)
        summary = index_once(str(root), settings, database=lambda _root: tmp_path / "once.sqlite")
        assert (summary.files, summary.skipped) == (files, skipped)


@pytest.mark.skipif(sys.platform == "win32", reason="ends processes by signals")
def test_a_file_that_takes_too_long_does_not_keep_others_waiting_again(
    driven: Driven, root: Path
) -> None:
    site = driven.indexer.sites[str(root)].site
    worker = driven.indexer.pool.pids[0]
    os.kill(worker, signal.SIGSTOP)
    (root / "a.py").write_text("x = 1\n")
    driven.tell("a.py")
    driven.until(lambda: site.urgent_under_way)
    os.kill(worker, signal.SIGPROF)
    os.kill(worker, signal.SIGCONT)
    driven.until(lambda: driven.committed)
    assert "a.py" not in driven.paths()
    assert site.workspace.skips["a.py"].reason == "too_slow"
    (root / "a.py").write_text("x = 22\n")
    driven.tell("a.py", "pkg/b.py")
    driven.indexer.turn(block=True)
    assert site.urgent_under_way <= 1
    assert time.monotonic() < site.due() < float("inf")


def test_a_damaged_database_is_made_anew(driven: Driven, root: Path) -> None:
    store = driven.indexer.sites[str(root)].store
    store.checkpoint()
    with driven.database.open("r+b") as file:
        file.seek(0)
        file.write(b"\xa5" * driven.database.stat().st_size)
    for wal in driven.database.parent.glob("index.sqlite-*"):
        with wal.open("r+b") as file:
            file.write(b"\xa5" * 64)
    (root / "a.py").write_text("def edited(): pass\n")
    driven.tell("a.py")
    driven.indexer.inbox.put(Rescan())
    driven.settle()
    assert driven.paths() == ["a.py", "pkg/__init__.py", "pkg/b.py", "pkg/deep/c.py"]
    check_as_from_scratch(driven)


def test_a_summary_counts(root: Path, tmp_path: Path) -> None:
    (root / "bad.py").write_text("def good(): pass\n)\n")
    (root / "data.bin").write_bytes(b"\0" * 100)
    (root / "notes.txt").write_text("words\n")
    states: list[State] = []
    database = tmp_path / "once.sqlite"
    summary = index_once(str(root), on_progress=states.append, database=lambda _root: database)
    assert (summary.files, summary.read, summary.symbols, summary.imports) == (6, 6, 3, 1)
    assert summary.skipped == {"binary": 1}
    assert summary.languages == {"python": 5, "other": 1}
    assert list(summary.errors) == ["python"]
    assert states[-1].phase == "idle"
    again = index_once(str(root), database=lambda _root: database)
    assert (again.files, again.read, again.skipped) == (6, 0, summary.skipped)
    forced = index_once(str(root), force=True, database=lambda _root: database)
    assert (forced.files, forced.read) == (6, 6)


def test_what_an_opened_file_imports_is_written_together(root: Path, tmp_path: Path) -> None:
    names = [f"m{number}" for number in range(20)]
    for name in names:
        (root / f"{name}.py").write_text("x = 1\n")
    (root / "opened.py").write_text("".join(f"import {name}\n" for name in names))
    # Nothing but what is opened is read while bulk work pauses.
    driven = Driven(root, tmp_path / "other.sqlite", Busy(3_600_000))
    driven.indexer.inbox.put(Opened(str(root / "opened.py")))
    wanted = {f"{name}.py" for name in names}
    driven.until(lambda: driven.indexer.sites)
    driven.until(lambda: wanted <= set(driven.paths()))
    driven.until(lambda: driven.committed[-1].paths == ("opened.py",))
    first, *others, linked = [set(message.paths) for message in driven.committed]
    assert first == linked == {"opened.py"}
    assert others == [wanted]
    driven.indexer.close()


def test_a_package_that_an_opened_file_imports_by_name_comes_first_as_well(
    root: Path, tmp_path: Path
) -> None:
    (root / "pkg/inner").mkdir()
    (root / "pkg/inner/__init__.py").write_text("x = 1\n")
    (root / "opened.py").write_text("from pkg import inner\n")
    driven = Driven(root, tmp_path / "other.sqlite", Busy(3_600_000))
    driven.indexer.inbox.put(Opened(str(root / "opened.py")))
    driven.until(lambda: driven.committed and driven.committed[-1].paths == ("opened.py",))
    driven.until(lambda: "pkg/inner/__init__.py" in driven.paths())
    driven.until(lambda: driven.committed[-1].paths == ("opened.py",))
    # What nobody opened waits.
    assert "pkg/deep/c.py" not in driven.paths()
    driven.indexer.close()
