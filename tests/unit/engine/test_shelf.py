"""Lanes on disk: found again, private, bounded, and never trusted when they are not whole."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from sidecar.engine.shelf import SECONDS_KEPT, Shelf

if TYPE_CHECKING:
    from pathlib import Path

STATE = bytes(range(256)) * 40
#: A file's bytes beside its tokens and its state.
AROUND = 16 + 16 + 4 + 8 + 16


def lane(start: int, length: int = 200) -> list[int]:
    return [1, 2, 3, *range(start, start + length)]


def shelf(folder: Path, limit: int = 1 << 20, key: str = "model") -> Shelf:
    return Shelf(folder, key, limit)


def files(folder: Path) -> list[Path]:
    return sorted(folder.iterdir())


def age(path: Path, seconds: float) -> None:
    found = path.stat().st_mtime - seconds
    os.utime(path, (found, found))


def test_the_next_session_finds_the_lane_that_holds_most_of_a_prompt(tmp_path: Path) -> None:
    before = shelf(tmp_path)
    assert before.put(lane(100), STATE)
    assert before.put(lane(1000), STATE[::-1])
    after = shelf(tmp_path)
    shared, stored = after.nearest([*lane(1000)[:150], 7, 7])
    assert (shared, stored is not None) == (150, True)
    assert stored is not None
    assert list(stored.tokens) == lane(1000)
    assert after.read(stored) == STATE[::-1]
    assert after.holds(lane(100), 0)
    assert not after.holds([*lane(100), *range(50)], 49)
    assert after.holds([*lane(100), *range(50)], 50)


def test_files_are_their_users_alone(tmp_path: Path) -> None:
    shelf(tmp_path).put(lane(100), STATE)
    (path,) = files(tmp_path)
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_lane_that_went_on_replaces_itself(tmp_path: Path) -> None:
    kept = shelf(tmp_path)
    kept.put(lane(100, 200), STATE)
    kept.put(lane(100, 260), STATE)
    assert [len(stored.tokens) for stored in kept.lanes] == [263]
    # A backspace, and the same once more.
    kept.put(lane(100, 255), STATE)
    kept.put(lane(100, 255), STATE[:-1])
    assert len(files(tmp_path)) == 1
    # Another place that shares its head is another lane.
    kept.put([*lane(100, 255)[:150], *range(5000, 5100)], STATE)
    assert len(files(tmp_path)) == len(kept.lanes) == 2


@pytest.mark.parametrize("where", [0, 20, 40, 60, 500, 5000, -20, -1])
def test_what_is_damaged_is_ignored_and_removed(tmp_path: Path, where: int) -> None:
    shelf(tmp_path).put(lane(100), STATE)
    (path,) = files(tmp_path)
    data = bytearray(path.read_bytes())
    data[where] ^= 1
    path.write_bytes(data)
    after = shelf(tmp_path)
    found = [after.read(stored) for stored in [*after.lanes]]
    assert found in ([], [None])
    assert not after.lanes
    # Its key may be another engine's, whose it is to find out.
    assert not files(tmp_path) or 16 <= where < 32


@pytest.mark.parametrize("size", [0, 10, AROUND, 500, 5000, -1])
def test_what_is_cut_short_is_ignored_and_removed(tmp_path: Path, size: int) -> None:
    shelf(tmp_path).put(lane(100), STATE)
    (path,) = files(tmp_path)
    path.write_bytes(path.read_bytes()[:size])
    assert not shelf(tmp_path).lanes
    assert not files(tmp_path)


@pytest.mark.parametrize("size", [0, 100, 5000, -1])
def test_what_is_cut_short_once_it_is_known_is_removed_too(tmp_path: Path, size: int) -> None:
    kept = shelf(tmp_path)
    kept.put(lane(100), STATE)
    (path,) = files(tmp_path)
    path.write_bytes(path.read_bytes()[:size])
    _, stored = kept.nearest(lane(100))
    assert stored is not None
    assert kept.read(stored) is None
    assert not kept.lanes
    assert not files(tmp_path)


def test_what_is_foreign_is_left_or_removed(tmp_path: Path) -> None:
    kept = shelf(tmp_path, key="another model")
    kept.put(lane(100), STATE)
    (other,) = files(tmp_path)
    (tmp_path / "text.lane").write_text("not one of ours")
    target = tmp_path / "elsewhere"
    target.write_text("somebody's")
    (tmp_path / "link.lane").symlink_to(target)
    os.mkfifo(tmp_path / "pipe.lane")
    found = shelf(tmp_path)
    assert not found.lanes
    assert found.nearest(lane(100)) == (0, None)
    assert files(tmp_path) == sorted([other, target])


def test_the_newest_stay_within_the_bytes_that_are_allowed(tmp_path: Path) -> None:
    one = AROUND + 4 * 203 + len(STATE)
    kept = shelf(tmp_path, 2 * one)
    for number in range(4):
        kept.put(lane(1000 * (number + 1)), STATE)
        for path in files(tmp_path):
            age(path, 10)
    assert [stored.tokens[3] for stored in kept.lanes] == [3000, 4000]
    assert sum(path.stat().st_size for path in files(tmp_path)) == 2 * one
    # What would not fit at all pushes nothing out.
    assert not kept.put(lane(9000, 5000), STATE)
    assert len(kept.lanes) == 2
    # Others' files count, and go first when they are older.
    shelf(tmp_path, 2 * one, key="another model").put(lane(1), STATE)
    assert [stored.tokens[3] for stored in shelf(tmp_path, 2 * one).lanes] == [4000]


def test_what_is_a_week_old_is_removed(tmp_path: Path) -> None:
    kept = shelf(tmp_path)
    kept.put(lane(100), STATE)
    kept.put(lane(1000), STATE)
    age(files(tmp_path)[0], SECONDS_KEPT + 60)
    kept.tidy()
    assert len(kept.lanes) == len(files(tmp_path)) == 1


def test_nothing_is_kept_where_nothing_may_be(tmp_path: Path) -> None:
    shelf(tmp_path).put(lane(100), STATE)
    (tmp_path / "x.lane.part").write_text("of a crash")
    (tmp_path / "other").write_text("not a lane")
    off = shelf(tmp_path, 0)
    assert not off.lanes
    assert [path.name for path in files(tmp_path)] == ["other"]
    assert not off.put(lane(100), STATE)


def test_a_crash_while_writing_leaves_what_was_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = shelf(tmp_path)
    kept.put(lane(100), STATE)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    assert not kept.put(lane(100, 210), STATE)
    assert [len(stored.tokens) for stored in kept.lanes] == [203]
    assert [path.suffix for path in files(tmp_path)] == [".lane"]
    part = tmp_path / "a.lane.part"
    part.write_text("half")
    assert shelf(tmp_path).lanes
    assert part.exists(), "somebody may be writing it"
    age(part, 3600)
    shelf(tmp_path, 1 << 20)
    assert part.exists() is False


def test_a_folder_that_is_gone_stays_gone(tmp_path: Path) -> None:
    folder = tmp_path / "lanes"
    folder.mkdir()
    kept = shelf(folder)
    folder.rmdir()
    assert not kept.put(lane(100), STATE)
    kept.tidy()
    assert not folder.exists()
    assert not shelf(folder).lanes
