"""What a person tries first, in real Neovim with the real server and model, in three languages."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from neovim_samples import SAMPLES, Sample, begin

if TYPE_CHECKING:
    from pathlib import Path

    from neovim_client import Neovim

pytestmark = [
    pytest.mark.engine,
    pytest.mark.lsp,
    pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.name),
]


def row(neovim: Neovim, sample: Sample) -> str:
    """The line that is being written."""
    return neovim.text[sample.line]


def drawn(text: str) -> str:
    """A text as ghost text shows it, in which tabs are as wide as they are in the window."""
    return text.expandtabs(8)


def test_type_see_accept_undo(neovim: Neovim, tmp_path: Path, sample: Sample) -> None:
    rest = begin(neovim, tmp_path, sample)
    typed = row(neovim, sample)
    before = neovim.text
    ((line, column, details),) = neovim.marks()
    assert (line, column) == (sample.line, len(typed))
    assert details["virt_text_pos"] == "inline"
    assert neovim.ghost() == rest
    neovim.keys("<Tab>")
    assert row(neovim, sample) == typed + rest
    assert neovim.cursor == (sample.line + 1, len(typed + rest))
    neovim.keys("<Esc>")
    assert neovim.marks() == []
    neovim.keys("u")
    assert neovim.text == before
    neovim.keys("<C-r>")
    assert row(neovim, sample) == typed + rest
    neovim.keys("uu")
    assert neovim.text == sample.text.splitlines()


def test_accept_words_and_the_line(neovim: Neovim, tmp_path: Path, sample: Sample) -> None:
    rest = begin(neovim, tmp_path, sample)
    typed = row(neovim, sample)
    neovim.keys("<M-Right>")
    word = row(neovim, sample).removeprefix(typed)
    assert word and rest.startswith(word) and word != rest
    assert neovim.ghost() == rest.removeprefix(word)
    neovim.keys("<M-C-Right>")
    assert row(neovim, sample) == typed + rest
    assert neovim.cursor == (sample.line + 1, len(typed + rest))
    # Each was a step of its own.
    neovim.keys("<Esc>u")
    assert row(neovim, sample) == typed + word
    neovim.keys("u")
    assert row(neovim, sample) == typed


def test_type_through_and_backspace(neovim: Neovim, tmp_path: Path, sample: Sample) -> None:
    rest = begin(neovim, tmp_path, sample)
    typed = row(neovim, sample)
    # Before the server can have answered: what is known is drawn at once.
    neovim.type(rest[:3])
    assert neovim.ghost().startswith(rest[3:])
    assert neovim.suggestion().startswith(rest[3:])
    neovim.keys("<BS>")
    assert neovim.ghost().startswith(rest[2:])
    assert row(neovim, sample) == typed + rest[:2]
    # Something else takes it away.
    neovim.type("#")
    assert not neovim.ghost().startswith(rest[2:])
    neovim.keys("<BS>")
    assert neovim.suggestion() == rest[2:]


def test_cycle_and_accept_several_lines(neovim: Neovim, tmp_path: Path, sample: Sample) -> None:
    neovim.open(tmp_path / sample.name, sample.text)
    neovim.keys(f"{sample.loop}Go")
    shown = neovim.suggestion()
    before = neovim.text
    neovim.keys("<M-]>")
    neovim.until("require('sidecar.suggestion').count() == 2")
    other = neovim.suggestion()
    # One of them is a line, and the other one the whole block.
    assert ("\n" in shown) != ("\n" in other)
    neovim.keys("<M-]>")
    assert neovim.suggestion() == shown
    assert neovim.ghost() == drawn(shown)
    neovim.keys("<M-[>")
    assert neovim.suggestion() == other
    assert neovim.ghost() == drawn(other)
    if "\n" in shown:
        neovim.keys("<M-]>")
    block = neovim.suggestion()
    ((line, _, details),) = neovim.marks()
    assert line == sample.loop
    assert len(details["virt_lines"]) == block.count("\n")
    lines = (before[sample.loop] + block).split("\n")
    neovim.keys("<Tab>")
    assert neovim.text[sample.loop : sample.loop + len(lines)] == lines
    assert neovim.cursor == (sample.loop + len(lines), len(lines[-1]))
    neovim.keys("<Esc>u")
    assert neovim.text == before


def test_a_block_is_accepted_line_by_line(neovim: Neovim, tmp_path: Path, sample: Sample) -> None:
    neovim.open(tmp_path / sample.name, sample.text)
    neovim.keys(f"{sample.loop}Go")
    before = neovim.text
    block = neovim.suggestion()
    if "\n" not in block:
        neovim.keys("<M-]>")
        neovim.until("require('sidecar.suggestion').count() == 2")
        block = neovim.suggestion()
    lines = (before[sample.loop] + block).split("\n")
    neovim.keys("<M-C-Right>")
    assert neovim.text[sample.loop] == lines[0]
    assert neovim.ghost() == "\n" + drawn("\n".join(block.split("\n")[1:]))
    neovim.keys("<M-C-Right>")
    assert neovim.text[sample.loop : sample.loop + 2] == lines[:2]
    # Each was a step of its own.
    neovim.keys("<Esc>u")
    assert neovim.text[sample.loop] == lines[0]
    assert len(neovim.text) == len(before)
    neovim.keys("u")
    assert neovim.text == before


def test_dismiss(neovim: Neovim, tmp_path: Path, sample: Sample) -> None:
    rest = begin(neovim, tmp_path, sample)
    typed = row(neovim, sample)
    neovim.keys("<C-]>")
    assert neovim.marks() == []
    neovim.settle(0.2)
    assert neovim.marks() == []
    # Nothing is accepted now: Tab is what it always was.
    neovim.keys("<Tab>")
    assert row(neovim, sample).rstrip() == typed
    while row(neovim, sample) != typed:
        neovim.keys("<BS>")
    assert neovim.suggestion() == rest


def test_switch_buffers_and_come_back(neovim: Neovim, tmp_path: Path, sample: Sample) -> None:
    rest = begin(neovim, tmp_path, sample)
    other = tmp_path / "other.txt"
    other.write_text("nothing\n")
    buffer = neovim.request("nvim_get_current_buf")
    neovim.command(f"edit {other}")
    assert neovim.marks(buffer) == []
    assert neovim.marks() == []
    neovim.keys("<Esc>")
    neovim.command(f"buffer {buffer}")
    assert neovim.marks() == []
    neovim.keys("A")
    assert neovim.suggestion() == rest
