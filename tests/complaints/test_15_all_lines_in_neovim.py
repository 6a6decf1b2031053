"""Complaint 15, in Neovim: of a good answer only the first line is shown.

continuedev/continue#3994, #7806.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from neovim_client import Neovim, init
from neovim_samples import show

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.lsp

REST = " + 1\nb = 2\nc = 3\nd = 4"
SHOWN = ["a = 0 + 1", "b = 2", "c = 3", "d = 4"]


def test_all_lines_are_seen_at_the_end_of_a_window_too(
    no_model: dict[str, str], tmp_path: Path
) -> None:
    start = init(auto=False)
    with Neovim(start, tmp_path / "home", environment=no_model, rows=14) as neovim:
        neovim.open(tmp_path / "long.py", "a = 0\n" * 60)

        def check(keys: str, *, first: int, scrolled: int = 0, rows: int = 4) -> None:
            neovim.keys(f"<Esc>{keys}")
            top = neovim.lua("return vim.fn.line('w0')")
            neovim.keys("A")
            show(neovim, REST)
            neovim.settle(0.05)
            assert neovim.lua("return vim.fn.line('w0')") == top + scrolled
            assert neovim.screen.lines[first : first + rows] == SHOWN[:rows]
            # As far as it may; whoever types on stays there.
            neovim.type(" ")
            assert neovim.lua("return vim.fn.line('w0')") == top + scrolled

        height = neovim.lua("return vim.fn.winheight(0)")
        check("gg", first=0)
        check("30Gzz", first=neovim.lua("return vim.fn.winheight(0)") // 2 - 1 + height % 2)
        check("35Gzb", first=height - 4, scrolled=3)
        check("G", first=height - 4, scrolled=3)
        neovim.command("setlocal scrolloff=3")
        check("40Gzt", first=3)
        neovim.command("setlocal scrolloff=999")
        check("45G", first=neovim.lua("return vim.fn.winheight(0)") // 2 - 1 + height % 2)
        # In a window too small for it, the line that is being written stays.
        neovim.command("setlocal scrolloff=0 | 2split")
        check("50Gzb", first=0, scrolled=1, rows=2)


def test_a_long_answer_has_all_its_lines(no_model: dict[str, str], tmp_path: Path) -> None:
    lines = [f"line_{number} = {number}" for number in range(300)]
    with Neovim(init(auto=False), tmp_path / "home", environment=no_model) as neovim:
        neovim.open(tmp_path / "long.py", "\n")
        neovim.keys("A")
        show(neovim, "\n".join(lines))
        assert neovim.ghost().split("\n") == lines
        neovim.keys("<M-C-Right><M-C-Right>")
        assert neovim.text == lines[:2]
        neovim.keys("<Tab>")
        assert neovim.text == lines
