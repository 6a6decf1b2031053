"""Complaint 25, in Neovim: an unknown model name silently does nothing.

zed-industries/zed#59092.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from neovim_client import Neovim, init
from neovim_samples import SAMPLES

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.lsp


def test_an_unknown_model_and_a_bad_setting_are_named(tmp_path: Path) -> None:
    settings = {"model": {"name": "no-such-model"}, "completion": {"maxTokens": "many"}}
    with Neovim(init(settings=settings), tmp_path / "home", columns=240) as neovim:
        neovim.open(tmp_path / SAMPLES[0].name, SAMPLES[0].text)
        neovim.until("(require('sidecar.status').of() or {}).kind == 'Error'")
        assert neovim.lua("return require('sidecar').statusline()") == "sidecar !"
        said = "vim.fn.execute('messages'):find(..., 1, true)"
        neovim.until(said, "no-such-model")
        neovim.until(said, "maxTokens")


def test_an_answer_never_deletes_words(no_model: dict[str, str], tmp_path: Path) -> None:
    """zed-industries/zed#52585: an answer of a wrong form deletes most of the file."""
    with Neovim(init(auto=False), tmp_path / "home", environment=no_model) as neovim:
        neovim.open(tmp_path / "words.py", "total = add(first, second)\nother = 1\n")
        neovim.keys("gg0f,i")
        column = len("total = add(first")
        line = neovim.text[0]
        place = "{ line = %d, character = %d }"
        for first, last, text in (
            # It would replace what is written behind the cursor, before it, or other lines.
            (place % (0, 0), place % (0, len(line)), line[:column] + "_of_all)"),
            (place % (0, 0), place % (0, column), "x = 1"),
            (place % (0, 0), place % (1, 9), line[:column] + "x"),
            (place % (0, column), place % (0, len(line) + 99), ""),
        ):
            neovim.lua(
                "local suggestion = require('sidecar.suggestion')\n"
                "local asked = { bufnr = vim.api.nvim_get_current_buf(), row = 0, client_id = 0,\n"
                "  line = vim.api.nvim_get_current_line(), col = ... }\n"
                f"local range = {{ start = {first}, ['end'] = {last} }}\n"
                "local item = { insertText = select(2, ...), range = range }\n"
                "suggestion.set({ suggestion.of(item, asked, 'utf-8', false) })",
                column,
                text,
            )
            assert neovim.marks() == [], text
            assert neovim.lua("return require('sidecar').accept()") is False
        assert neovim.text == [line, "other = 1"]
