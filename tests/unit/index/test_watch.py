"""Real watches on real directories."""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING

import pytest

from sidecar.index.upkeep.watch import Watcher

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


class Reports:
    """What a watcher reported, to be waited for."""

    def __init__(self) -> None:
        self._queue: SimpleQueue[list[str]] = SimpleQueue()
        self.put = self._queue.put

    def until(self, path: Path, seconds: float = 20.0) -> set[str]:
        """Return the paths that were reported until this one was."""
        end = time.monotonic() + seconds
        seen: set[str] = set()
        while str(path) not in seen:
            try:
                seen |= set(self._queue.get(timeout=max(0.01, end - time.monotonic())))
            except Empty:
                pytest.fail(f"{path} was not reported, only {seen}")
        return seen


@pytest.fixture
def reports() -> Reports:
    return Reports()


@pytest.fixture
def watcher(tmp_path: Path, reports: Reports) -> Iterator[Watcher]:
    watcher = Watcher(str(tmp_path), reports.put, limit=3, recursive=False)
    yield watcher
    watcher.close()


def folders(tmp_path: Path, names: str) -> list[Path]:
    made = [tmp_path / name for name in names]
    for folder in made:
        folder.mkdir(exist_ok=True)
    return made


def test_both_names_of_what_moved_are_reported(
    tmp_path: Path, watcher: Watcher, reports: Reports
) -> None:
    (folder,) = folders(tmp_path, "a")
    watcher.use([str(folder)])
    (folder / "x.py").write_text("x = 1")
    reports.until(folder / "x.py")
    (folder / "x.py").rename(folder / "y.py")
    assert str(folder / "x.py") in reports.until(folder / "y.py")
    (folder / "y.py").unlink()
    reports.until(folder / "y.py")


def test_reading_is_no_change(tmp_path: Path, watcher: Watcher, reports: Reports) -> None:
    (folder,) = folders(tmp_path, "a")
    (folder / "x.py").write_text("x = 1")
    watcher.use([str(folder)])
    (folder / "x.py").read_text()
    (folder / "end.py").touch()
    assert str(folder / "x.py") not in reports.until(folder / "end.py")


def test_those_used_last_are_watched(tmp_path: Path, watcher: Watcher) -> None:
    a, b, c, d, e = map(str, folders(tmp_path, "abcde"))
    assert watcher.use([a, b, c, d]) == [a, b, c]
    assert watcher.directories == [c, b, a]
    assert watcher.use([c, e]) == [e]
    assert watcher.directories == [a, e, c]
    assert watcher.use([str(tmp_path / "missing")]) == []
    assert watcher.directories == [a, e, c]
    assert watcher.notice == ""


def test_a_directory_that_was_made_again_is_watched_again(
    tmp_path: Path, watcher: Watcher, reports: Reports
) -> None:
    (folder,) = folders(tmp_path, "a")
    watcher.use([str(folder)])
    shutil.rmtree(folder)
    reports.until(folder)
    folders(tmp_path, "a")
    watcher.use([str(folder)])
    (folder / "x.py").touch()
    reports.until(folder / "x.py")


def test_one_watch_holds_the_whole_tree_where_it_can(tmp_path: Path, reports: Reports) -> None:
    (folder,) = folders(tmp_path, "a")
    watcher = Watcher(str(tmp_path), reports.put, recursive=True)
    try:
        (folder / "deep").mkdir()
        reports.until(folder / "deep")
        assert watcher.directories == [str(tmp_path)]
    finally:
        watcher.close()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="inotify's limits")
def test_a_limit_of_the_system_is_told(tmp_path: Path) -> None:
    # The limit of open files stands in for inotify's own, which only root may set: both are an
    # error of the same call. In a child, since a process has one inotify instance.
    code = (
        "import resource, sys\n"
        "from sidecar.index.upkeep.watch import Watcher\n"
        "resource.setrlimit(resource.RLIMIT_NOFILE, (3, 3))\n"
        "watcher = Watcher(sys.argv[1], print, recursive=False)\n"
        "watcher.use([sys.argv[1]])\n"
        "sys.exit(watcher.notice)"
    )
    command = [sys.executable, "-c", code, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert "the limit of inotify instances is reached" in done.stderr
    assert "found by a sweep" in done.stderr
