"""What a benchmark adds to a copied tree."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sidecar.bench.probes import Probes

if TYPE_CHECKING:
    from pathlib import Path

USUAL = "def usual():\n    return 1\n" * 300


def test_edits_begin_with_a_file_in_which_they_are_found(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(USUAL)
    # Of middle size, and one error for the grammar, whatever comes after it.
    (tmp_path / "b.py").write_text("(bar.\n" * 1500)
    (tmp_path / "c.py").write_text(USUAL * 2)
    probes = Probes(tmp_path, ["a.py", "b.py", "c.py"], 1)
    assert probes.body_edit("found").startswith(USUAL * 2)


def test_a_tree_without_such_a_file_gets_edits_alone(tmp_path: Path) -> None:
    (tmp_path / "b.py").write_text("(bar.\n" * 1500)
    assert Probes(tmp_path, ["b.py"], 1).body_edit("found").startswith("\n\ndef probe_around")
