"""Complaint 6: Tab inserts commands, accepts while one indents, and fails before a tab.

ggml-org/llama.vim#38, continuedev/continue#2987, #7972.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from neovim_client import Neovim, init
from neovim_samples import SAMPLES, begin

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [pytest.mark.engine, pytest.mark.lsp]


def test_tab_indents_where_text_is_indented(neovim: Neovim, tmp_path: Path) -> None:
    text = (
        "def total(prices):\n    result = 0\n    for price in prices:\n        result += price\n\n"
    )
    neovim.open(tmp_path / "indent.py", text)
    neovim.command("setlocal noautoindent indentexpr=")
    # At the margin, where what comes belongs further to the right.
    neovim.keys("5GA")
    neovim.settle(0.5)
    neovim.keys("<Tab>")
    assert neovim.text[4] == "    "
    neovim.type("return")
    rest = neovim.suggestion()
    neovim.keys("<Tab>")
    assert neovim.text[4] == "    return" + rest


def test_an_answer_that_begins_with_a_tab_is_typed_through_by_tab(
    neovim: Neovim, tmp_path: Path
) -> None:
    sample = SAMPLES[2]
    neovim.open(tmp_path / sample.name, sample.text)
    neovim.command("setlocal noautoindent indentexpr=")
    neovim.keys(f"{sample.line}Go")
    rest = neovim.suggestion()
    neovim.keys("<Tab>")
    if rest.startswith("\t"):
        assert neovim.text[sample.line] == "\t"
        rest = neovim.suggestion()
        neovim.keys("<M-C-Right>")
        assert neovim.text[sample.line] == "\t" + rest.split("\n")[0]
    else:
        assert neovim.text[sample.line] == rest


def test_tab_stays_what_it_was_wherever_nothing_is_shown(
    no_model: dict[str, str], tmp_path: Path
) -> None:
    before = "inoremap <expr> <Tab> 'mapped'"
    start = init(before=before)
    with Neovim(start, tmp_path / "home", environment=no_model) as neovim:
        neovim.keys("i<Tab>")
        assert neovim.text == ["mapped"]
        # Also after the configuration was read twice.
        neovim.command(f"luafile {tmp_path / 'home' / 'init.lua'}")
        neovim.keys("<Tab>")
        assert neovim.text == ["mappedmapped"]
    with Neovim(init(), tmp_path / "home", environment=no_model) as neovim:
        neovim.keys("i<Tab>")
        assert neovim.text == ["    "]
        # A snippet's stops come first.
        neovim.keys("<C-u>")
        neovim.lua("vim.snippet.expand('f(${1:a}, ${2:b})')")
        neovim.settle(0.05)
        for key in ("x", "<Tab>", "y"):
            neovim.keys(key)
        assert neovim.text == ["f(x, y)"]


def test_a_snippet_keeps_its_tab_though_something_is_suggested(
    neovim: Neovim, tmp_path: Path
) -> None:
    begin(neovim, tmp_path)
    neovim.keys("<C-u>")
    neovim.lua("vim.snippet.expand('return first${1} - ${2:second}')")
    neovim.type(" ")
    neovim.settle(0.5)
    neovim.keys("<Tab>")
    assert neovim.lua("return vim.api.nvim_get_mode().mode") == "s"
    neovim.keys("<Esc>")
    neovim.lua("vim.snippet.stop()")
