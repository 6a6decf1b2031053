"""Complaint 5: ghost text is drawn over existing text, and not shown past the wrap point.

ggml-org/llama.vim#55, #69.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from neovim_samples import show

if TYPE_CHECKING:
    from pathlib import Path

    from neovim_client import Neovim

pytestmark = [pytest.mark.engine, pytest.mark.lsp]

CODE = "def add(first, second):\n    return first + second\n\n\nprint(add(1, 2))\n"


def test_what_stands_behind_the_cursor_stays_readable(neovim: Neovim, tmp_path: Path) -> None:
    neovim.open(tmp_path / "behind.py", CODE + "total = add(first_number_of_all)\n")
    neovim.keys("6G$i")
    neovim.type(", ")
    rest = neovim.suggestion()
    neovim.settle(0.05)
    line = neovim.screen.lines[5]
    # The parenthesis that was there stands behind what is suggested.
    assert line.startswith("total = add(first_number_of_all, ")
    assert line.endswith(")")
    assert line.removeprefix("total = add(first_number_of_all, ") == neovim.ghost() + ")"
    neovim.keys("<M-C-Right>")
    assert neovim.text[5] == line
    assert rest in line


def test_it_goes_on_where_the_window_wraps(neovim: Neovim, tmp_path: Path) -> None:
    names = "first_of_many_numbers, second_of_many_numbers"
    code = f"def add({names}):\n    return 1\n\n\n"
    typed = "a_total_with_a_rather_long_name_of_its_own_indeed = add(first_of_many"
    neovim.open(tmp_path / "wrapped.py", code)
    neovim.keys("Go")
    neovim.type(typed)
    rest = neovim.suggestion()
    if len(typed + rest) <= neovim.screen.columns:
        neovim.keys("<C-]>")
        rest = "_numbers, second_of_many_numbers)"
        show(neovim, rest)
    neovim.settle(0.05)
    columns = neovim.screen.columns
    whole = typed + rest
    row = neovim.screen.cursor[0]
    assert neovim.screen.lines[row] == whole[:columns].rstrip()
    assert neovim.screen.lines[row + 1] == whole[columns:].split("\n")[0]


def test_lines_below_are_wrapped_and_the_rest_of_the_line_comes_after_them(
    neovim: Neovim, tmp_path: Path
) -> None:
    neovim.lua("require('sidecar.events').enable(false)")
    neovim.open(tmp_path / "below.py", "values = []\n")
    neovim.keys("A<Left>")
    long = "x" * 100
    show(neovim, f"\n\t1,\n{long},\n")
    neovim.settle(0.05)
    lines = neovim.screen.lines
    assert lines[0] == "values = ["
    assert lines[1] == " " * neovim.lua("return vim.bo.tabstop") + "1,"
    assert lines[2] + lines[3] == f"{long},"
    assert lines[4] == "]"
    neovim.keys("<M-C-Right>")
    assert neovim.text == ["values = [", "\t1,]"]
