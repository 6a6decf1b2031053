"""Complaint 24, in Neovim: what was taken away comes back, and shows where it is not wanted.

microsoft/vscode-copilot-release#8763; zed-industries/zed#31398, #60376.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from neovim_samples import begin

if TYPE_CHECKING:
    from pathlib import Path

    from neovim_client import Neovim

pytestmark = [pytest.mark.engine, pytest.mark.lsp]


def test_nothing_is_left_outside_of_insert_mode(neovim: Neovim, tmp_path: Path) -> None:
    begin(neovim, tmp_path)
    for keys in ("<Esc>", "A<C-o>0", "<Esc>A<C-c>", "A<Insert>", "<Esc>v", "<Esc>:"):
        neovim.keys(keys)
        neovim.settle(0.1)
        if neovim.lua("return vim.api.nvim_get_mode().mode").startswith("i"):
            # Back in insert mode, at the start of a line with text: nothing fits there.
            assert neovim.ghost() == ""
        assert neovim.marks() == [], keys
    neovim.keys("<Esc>")


def test_an_answer_that_comes_late_is_not_shown(neovim: Neovim, tmp_path: Path) -> None:
    rest = begin(neovim, tmp_path)
    neovim.keys("<BS>")
    # Both keys are there before an answer can be.
    neovim.request("nvim_input", "n<Esc>")
    neovim.settle(0.5)
    assert neovim.marks() == []
    neovim.keys("A")
    assert neovim.suggestion() == rest


def test_undone_is_undone(neovim: Neovim, tmp_path: Path) -> None:
    begin(neovim, tmp_path)
    before = neovim.text
    neovim.keys("<Tab><C-o>u")
    neovim.settle(0.3)
    assert neovim.text == before
    neovim.keys("<C-]>")
    neovim.settle(0.3)
    assert neovim.marks() == []
