"""Which places are asked for with drafts and without, and what is made of the answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from sidecar.bench.drafts import Answer, Pair, choose_tasks, summarize
from sidecar.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path

CODE = "".join(f"value_{n} = compute_{n * n % 7}(argument_{n}, {n})\n" for n in range(60))
ROWS = "    field_count: int = 0  # how many there are\n" * 60


def pair(
    plain: list[tuple[int, float]],
    drafted: list[tuple[int, float]] | None = None,
    *,
    ms: tuple[float, float] = (10.0, 10.0),
    repetition: float = 0.0,
    text: str = "same",
) -> Pair:
    drafted = plain if drafted is None else drafted
    return Pair(
        "a.py:1",
        repetition,
        Answer("same", tuple(plain), ms[0]),
        Answer(text, tuple(drafted), ms[1], drafted=4, accepted=3),
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a.py").write_text(CODE)
    (tmp_path / "b.ts").write_text(ROWS)
    (tmp_path / "notes.txt").write_text(CODE)
    (tmp_path / "broken.py").write_bytes(b"\xff\n" * 60)
    return tmp_path


def test_half_of_the_tasks_are_repetitive_where_there_are_so_many(folder: Path) -> None:
    tasks = choose_tasks(folder, limit=12, seed=3)
    assert sorted(task.path for task in tasks) == ["a.py"] * 6 + ["b.ts"] * 6
    assert {task.lines for task in tasks} == {1, 4}
    assert tasks == choose_tasks(folder, limit=12, seed=3)
    assert tasks != choose_tasks(folder, limit=12, seed=4)
    # Where one kind is short, the other fills up.
    assert len(choose_tasks(folder / "a.py", limit=12, seed=3)) == 12
    assert len(choose_tasks(folder / "b.ts", limit=12, seed=3)) == 12


def test_a_task_is_a_hole_in_its_file(folder: Path) -> None:
    for task in choose_tasks(folder, limit=100, seed=3):
        whole = (folder / task.path).read_text()
        assert task.before + task.rest + task.after == whole


def test_without_code_it_is_said_what_to_name(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="holds no code"):
        choose_tasks(tmp_path, limit=3, seed=3)


@pytest.mark.parametrize(
    ("plain", "drafted", "text", "at", "gap"),
    [
        ([(1, 0.01), (2, 9.0)], [(1, 0.01), (2, 9.0)], "same", None, None),
        # The text alone may be equal, as of a token that ends it; what was chosen counts.
        ([(1, 3.0), (2, 0.02)], [(1, 3.0), (7, 0.01)], "same", 1, 0.02),
        ([(1, 3.0), (2, 0.4)], [(1, 3.0), (7, 0.01)], "other", 1, 0.4),
        ([(1, 3.0)], [(1, 3.0), (7, 0.01)], "same", 1, None),
        ([(1, 3.0)], [(1, 3.0)], "other", 1, None),
    ],
)
def test_answers_part_where_the_first_token_differs(
    plain: Any, drafted: Any, text: str, at: int | None, gap: float | None
) -> None:
    found = pair(plain, drafted, text=text).difference()
    assert (found and found["token"], found and found["gap"]) == (at, gap)


def test_times_are_compared_by_kind_and_differences_are_listed() -> None:
    summary = summarize(
        [
            pair([(1, 2.0)], ms=(100.0, 60.0), repetition=0.9),
            pair([(1, 2.0)], ms=(20.0, 20.0), repetition=0.6),
            pair([(1, 2.0)], [(2, 2.0)], ms=(10.0, 11.0)),
            pair([(1, 0.01)], [(2, 0.0)], ms=(30.0, 29.0)),
        ],
        seed=3,
    )
    assert summary["n"] == 4
    assert summary["repetitive"]["n"] == 2
    assert summary["repetitive"]["time_ratio"] == pytest.approx(80 / 120)
    assert summary["repetitive"]["each_ratio"]["p50"] == pytest.approx(0.8)
    assert summary["rest"]["time_ratio"] == pytest.approx(1.0)
    assert summary["rest"]["acceptance"] == pytest.approx(0.75)
    assert summary["differ_share"] == pytest.approx(0.5)
    assert summary["differ_beyond_tie"] == 1
    assert [one["gap"] for one in summary["differ"]] == [2.0, 0.01]


def test_nothing_measured_is_no_ratio() -> None:
    summary = summarize([], seed=3)
    assert (summary["n"], summary["rest"]["time_ratio"], summary["differ"]) == (0, 0.0, [])
