"""Infilling tasks are what they say, the same every time, and whole."""

from __future__ import annotations

import gzip
import json
from typing import TYPE_CHECKING

import pytest

from sidecar.bench.tasks import CODE_WINDOW, load_tasks, tasks_of_code
from sidecar.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path

CODE = '''\
import sys


def short(argument_one):
    return argument_one + 1


def long(argument_one, argument_two):
    """A docstring.

    Which has lines of its own.
    """
    first_value = argument_one
    second_value = argument_two
    third_value = first_value + second_value
    # A comment is no line to guess.
    if third_value > 0:
        print("sum", third_value)
    x = 1
    return third_value
'''


def test_lines_inside_long_functions_become_tasks(tmp_path: Path) -> None:
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "a.py").write_text(CODE)
    (tmp_path / "broken.py").write_text("def (:\n")
    (tmp_path / "latin.py").write_bytes(b"# \xe9\n")
    tasks = tasks_of_code(tmp_path, seed=3)
    assert [task.name for task in tasks] == [f"package/a.py:{line}" for line in (15, 17, 18, 20)]
    lines = CODE.split("\n")
    for task in tasks:
        number = int(task.name.rsplit(":", 1)[1]) - 1
        assert task.before + task.rest + task.after == CODE
        assert task.before.split("\n")[-1] + task.rest == lines[number]
        assert len(task.rest) >= 4
        assert task.window == CODE_WINDOW


def test_several_lines_may_be_missing(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(CODE)
    tasks = tasks_of_code(tmp_path, seed=3, lines=3)
    assert [task.name for task in tasks] == [f"a.py:{line}" for line in (15, 17, 18)]
    for task in tasks:
        assert task.lines == 3
        assert task.before + task.rest + task.after == CODE
    assert tasks[-1].rest.endswith("\n    return third_value")


def test_holes_of_several_lines_are_made_of_code_only(data_dir: Path) -> None:
    data = data_dir / "human-eval-infilling" / "HumanEval-SingleLineInfilling.jsonl.gz"
    with pytest.raises(UsageError, match="holes of one line"):
        load_tasks(data, limit=5, seed=3, lines=3)


def test_humaneval_rows_become_tasks(data_dir: Path) -> None:
    data = data_dir / "human-eval-infilling" / "HumanEval-SingleLineInfilling.jsonl.gz"
    tasks = load_tasks(data, limit=2000, seed=3)
    assert len(tasks) == 1033
    with gzip.open(data, "rt", encoding="utf-8") as file:
        rows = {row["task_id"]: row for row in map(json.loads, file)}
    for task in tasks:
        row = rows[task.name]
        whole = row["prompt"] + row["canonical_solution"].rstrip() + "\n" + row["suffix"]
        assert task.before + task.rest + task.after == whole
        assert task.before.startswith(row["prompt"])
        assert task.rest


def test_a_smaller_limit_is_the_head_of_a_larger_one(data_dir: Path) -> None:
    data = data_dir / "human-eval-infilling" / "HumanEval-SingleLineInfilling.jsonl.gz"
    five = load_tasks(data, limit=5, seed=3)
    assert five == load_tasks(data, limit=50, seed=3)[:5]
    assert five != load_tasks(data, limit=5, seed=4)


def test_a_task_of_other_text_has_another_digest(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(CODE)
    before = {task.name: task.digest() for task in tasks_of_code(tmp_path, seed=3)}
    (tmp_path / "a.py").write_text(CODE.replace("import sys", "import os"))
    after = {task.name: task.digest() for task in tasks_of_code(tmp_path, seed=3)}
    assert before.keys() == after.keys()
    assert not set(before.values()) & set(after.values())


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("missing.jsonl", None, "does not exist"),
        ("text.jsonl", b"hello\n", "holds no infilling tasks; give"),
        ("keys.jsonl", b'{"task_id": "a"}\n', "holds no infilling tasks; give"),
        ("types.jsonl", b"[1]\n", "holds no infilling tasks; give"),
        ("empty.jsonl", b"", "holds no task"),
        ("binary.jsonl", b"\xff\xfe\n", "holds no infilling tasks"),
        ("cut.jsonl.gz", gzip.compress(b'{"task_id": 1}' * 99, mtime=0)[:40], "cannot be read"),
        ("plain.jsonl.gz", b"not gzip", "cannot be read"),
    ],
)
def test_bad_data_is_told(tmp_path: Path, name: str, content: bytes | None, said: str) -> None:
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(UsageError) as caught:
        load_tasks(path, limit=1, seed=1)
    assert said in str(caught.value)


def test_a_folder_without_code_is_told(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="holds no task"):
        load_tasks(tmp_path, limit=1, seed=1)
