"""Results survive a run that was stopped, and are not mixed with those of another."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from sidecar.bench.journal import Journal
from sidecar.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path

ABOUT = {"benchmark": "infilling", "seed": 3}


def test_what_was_added_is_there_again(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    Journal(path, ABOUT).add("a", "1", {"x": 1})
    again = Journal(path, ABOUT)
    assert again.get("a", "1") == {"x": 1}
    assert again.get("a", "2") == {}
    assert again.get("b", "1") == {}


def test_a_line_that_was_cut_off_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    journal = Journal(path, ABOUT)
    journal.add("a", "1", {"x": 1})
    journal.add("b", "1", {"x": 2})
    path.write_bytes(path.read_bytes()[:-7])
    again = Journal(path, ABOUT)
    assert len(again) == 1
    again.add("b", "1", {"x": 3})
    assert Journal(path, ABOUT).get("b", "1") == {"x": 3}
    assert Journal(path, ABOUT).get("a", "1") == {"x": 1}


@pytest.mark.parametrize("content", ['{"benchmark": "infilling", "seed": 4}\n', "hello\n", "\n"])
def test_a_file_of_something_else_is_not_continued(tmp_path: Path, content: str) -> None:
    path = tmp_path / "run.jsonl"
    path.write_text(content)
    with pytest.raises(UsageError, match="not of this run"):
        Journal(path, ABOUT)
    assert path.read_text() == content


def test_a_place_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be kept"):
        Journal(tmp_path, ABOUT)
    with pytest.raises(UsageError, match="cannot be kept"):
        Journal(tmp_path / "missing" / "run.jsonl", ABOUT)
