"""Complaint 7, in Neovim: the first line's indentation is off, and so are lines without text.

ggml-org/llama.vscode#39, TabbyML/tabby#3263, #3261; also continuedev/continue#3567, extra empty
lines on accept.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from neovim_client import Neovim, init
from neovim_samples import show

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.lsp

BLOCK = "if a:\n        return a\n\n    return b\n"
OPTIONS = (
    "setlocal autoindent",
    "setlocal smartindent",
    "setlocal cindent",
    "setlocal autoindent noexpandtab",
    "setlocal textwidth=10 formatoptions+=ta",
)


def test_what_is_accepted_is_what_was_shown_however_lines_are_indented(
    no_model: dict[str, str], tmp_path: Path
) -> None:
    with Neovim(init(auto=False), tmp_path / "home", environment=no_model) as neovim:
        for options in OPTIONS:
            for key in ("<Tab>", "<M-C-Right>", "<M-Right>"):
                neovim.keys("<Esc>")
                neovim.open(tmp_path / "block.py", "def f(a, b):\n")
                neovim.command(options)
                neovim.keys("o<C-u>")
                # Another indentation than that which Neovim would make.
                neovim.type("    ")
                line = neovim.text[1]
                show(neovim, BLOCK)
                while neovim.lua("return require('sidecar').visible()"):
                    neovim.keys(key)
                expected = ["def f(a, b):", *(line + BLOCK).split("\n")]
                assert neovim.text == expected, (options, key)
                # What was indented by nobody is what is left by Escape.
                neovim.keys("<Esc>")
                assert neovim.text == expected
