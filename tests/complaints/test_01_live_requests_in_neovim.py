"""Complaint 1, in Neovim: every key leaves a live request behind.

continuedev/continue#2838, PR #2935.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from neovim_client import Neovim, init
from neovim_samples import SAMPLES

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.lsp


def test_no_request_outlives_what_it_was_about(no_model: dict[str, str], tmp_path: Path) -> None:
    live = "vim.tbl_count(vim.lsp.get_clients({ name = 'sidecar' })[1].requests)"
    with Neovim(init(), tmp_path / "home", environment=no_model) as neovim:
        neovim.open(tmp_path / SAMPLES[0].name, SAMPLES[0].text)
        neovim.keys("Go")
        neovim.type("for number in numbers")
        neovim.until(f"{live} == 0")
        # Nor when it is given up before it is answered, in whatever way.
        for keys in ("A a<Esc>", "A b<C-]><Esc>", "A c<Left><Up><Esc>"):
            neovim.request("nvim_input", keys)
            neovim.until(f"vim.api.nvim_get_mode().mode == 'n' and {live} == 0")
