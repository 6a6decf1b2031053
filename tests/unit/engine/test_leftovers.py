"""What ended engines leave behind goes after a week; what lives or is not ours stays."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

from sidecar.engine.leftovers import SECONDS_KEPT, remove_leftovers
from sidecar.engine.spec import Meeting
from sidecar.locks import FileLock

if TYPE_CHECKING:
    from pathlib import Path

OWN = "0123456789ab"
OTHER = "ba9876543210"
ENDINGS = ("life", "log", "start", "sock")


def make(folder: Path, *names: str, days: float = 8.0) -> set[str]:
    then = time.time() - days * 86400
    for name in names:
        (folder / name).write_text("")
        os.utime(folder / name, (then, then))
    return set(names)


def files(key: str) -> list[str]:
    return [f"{key}.{ending}" for ending in ENDINGS]


def left(folder: Path) -> set[str]:
    remove_leftovers(Meeting(folder, OWN))
    return {path.name for path in folder.iterdir()}


def test_old_files_of_ended_engines_go_and_nothing_else(tmp_path: Path) -> None:
    assert SECONDS_KEPT == 7 * 86400
    make(tmp_path, *files(OTHER))
    make(tmp_path, "aaaaaaaaaaaa.log")
    stay = make(tmp_path, *files(OWN), "notes.log", "cafe.log", f"{OTHER}.log.gz")
    assert left(tmp_path) == stay


def test_a_file_younger_than_a_week_keeps_its_group(tmp_path: Path) -> None:
    stay = make(tmp_path, *files(OTHER)) | make(tmp_path, f"{OTHER}.log", days=6)
    assert left(tmp_path) == stay


def test_files_of_an_engine_that_lives_or_starts_stay(tmp_path: Path) -> None:
    stay = make(tmp_path, *files(OTHER))
    meeting = Meeting(tmp_path, OTHER)
    for path in (meeting.life_lock, meeting.start_lock):
        with FileLock(path) as lock:
            assert lock.acquire()
            assert left(tmp_path) == stay
    assert left(tmp_path) == set()


def test_a_lock_whose_file_was_removed_is_no_longer_anybodys(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    with FileLock(path) as first, FileLock(path) as second, FileLock(path) as third:
        assert first.acquire()
        assert not second.acquire()
        path.unlink()
        assert second.acquire()
        assert not third.acquire()
