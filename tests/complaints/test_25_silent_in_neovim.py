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
