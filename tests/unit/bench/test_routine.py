"""A routine is the same for the same seed, and visits lines that are worth it."""

from __future__ import annotations

import random
from itertools import islice, pairwise
from typing import TYPE_CHECKING

import pytest

from sidecar.bench.routine import key_pause, routine, sources, tour, typed_round
from sidecar.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path

LINE = "    total = combine(first, second, third)\n"
CODE = "def run(first, second, third):\n" + LINE * 90


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("a.py", "b.py", "c.py"):
        (tmp_path / name).write_text(CODE)
    (tmp_path / "short.py").write_text(LINE)
    (tmp_path / "notes.txt").write_text(CODE)
    (tmp_path / "bad.py").write_bytes(b"\xff" * 100)
    return tmp_path


def test_files_without_lines_worth_typing_are_left_out(folder: Path) -> None:
    found = sources(folder, 20, random.Random(1))
    assert sorted(source.path.name for source in found) == ["a.py", "b.py", "c.py"]
    assert {source.language for source in found} == {"python"}
    assert all(source.lines[number] == LINE[:-1] for source in found for number in source.worth)
    assert len(sources(folder, 2, random.Random(1))) == 2


def test_a_folder_without_such_files_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="has no file with lines"):
        sources(tmp_path, 20, random.Random(1))
    with pytest.raises(UsageError, match="is not a folder"):
        sources(tmp_path / "none", 20, random.Random(1))


def test_the_same_seed_does_the_same(folder: Path) -> None:
    files = sources(folder, 20, random.Random(1))
    one, same, other = (list(islice(routine(files, random.Random(n)), 30)) for n in (1, 1, 2))
    assert one == same
    assert one != other


def test_everything_is_done_in_the_long_run(folder: Path) -> None:
    files = sources(folder, 20, random.Random(1))
    visits = list(islice(routine(files, random.Random(3)), 400))
    assert {visit.file for visit in visits} == {0, 1, 2}
    assert all(visit.number in files[visit.file].worth for visit in visits)
    assert any(visit.takes_back for visit in visits)
    assert any(visit.accepts for visit in visits)
    assert any(visit.saves for visit in visits)
    assert any(visit.closes for visit in visits)
    presses = [press for visit in visits for press in visit.presses]
    assert 0 < sum(press.hasty for press in presses) < len(presses) / 4
    # One goes on where one was more often than not.
    stays = sum(a.file == b.file for a, b in pairwise(visits))
    assert stays > len(visits) / 2


def test_a_tour_goes_to_each_file_once(folder: Path) -> None:
    files = sources(folder, 20, random.Random(1))
    visits = list(tour(files, random.Random(3)))
    assert sorted(visit.file for visit in visits) == [0, 1, 2]
    assert all(visit.presses and visit.number in files[visit.file].worth for visit in visits)


def test_pauses_are_like_those_of_people_and_never_long() -> None:
    rng = random.Random(1)
    pauses = sorted(key_pause(rng) for _ in range(1000))
    assert 0.05 <= pauses[0]
    assert 0.12 < pauses[500] < 0.2
    assert pauses[-1] <= 1.5


def test_a_line_that_is_typed_waits_for_each_answer(folder: Path) -> None:
    (source,) = sources(folder, 1, random.Random(1))
    visit = typed_round(source, 0, source.worth[0], 4, random.Random(1))
    assert [press.stroke.before for press in visit.presses] == [
        "    t",
        "    to",
        "    tot",
        "    tota",
    ]
    assert not any(press.hasty for press in visit.presses)
    assert not (visit.takes_back or visit.accepts or visit.saves or visit.closes)
