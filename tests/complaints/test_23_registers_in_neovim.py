"""Complaint 23, in Neovim: a key comes out of the clipboard into suggestions, or into a log.

continuedev/continue#1196, PR #1857.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from neovim_client import EXTENSION, Neovim, init
from neovim_samples import show

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.lsp

#: Made up for this test.
SECRET = "tok_" + "9f8e7d6c5b4a" * 3


def test_registers_are_neither_read_nor_written(no_model: dict[str, str], tmp_path: Path) -> None:
    for path in EXTENSION.rglob("*.lua"):
        assert not re.search(r"[gs]etreg|vim\.fn\.\w*reginfo", path.read_text()), path
    with Neovim(init(auto=False), tmp_path / "home", environment=no_model) as neovim:
        neovim.open(tmp_path / "paste.py", "value = 1\n")
        neovim.lua("vim.fn.setreg('\"', ...)", SECRET)
        neovim.lua("vim.fn.setreg('a', ...)", SECRET)
        neovim.keys("A")
        show(neovim, " + 1\nother = 2")
        neovim.keys("<M-Right><M-C-Right><Tab><Esc>")
        assert neovim.text == ["value = 1 + 1", "other = 2"]
        for name in '"a':
            assert neovim.lua("return vim.fn.getreg(...)", name) == SECRET
        for command in ("context", "log"):
            neovim.command(f"Sidecar {command}")
            neovim.until("vim.api.nvim_win_get_config(0).relative ~= ''")
            shown = "\n".join(neovim.text)
            assert shown and SECRET not in shown
            neovim.keys("q")
            # The log holds no code at all.
            assert command == "context" or "other = 2" not in shown
