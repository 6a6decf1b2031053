"""Complaint 19, in Neovim: what is huge is sent to the server, and hangs it.

TabbyML/tabby#4326, #3715.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from neovim_client import Neovim, init

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.lsp

CLIENTS = "#vim.lsp.get_clients({ name = 'sidecar', bufnr = 0 })"


def test_a_huge_file_is_not_sent_and_the_reason_is_told(
    no_model: dict[str, str], tmp_path: Path
) -> None:
    start = init(max_file_bytes=1000)
    with Neovim(start, tmp_path / "home", environment=no_model) as neovim:
        neovim.open(tmp_path / "small.py", "a = 1\n")
        (tmp_path / "huge.py").write_text("a = 1\n" * 200)
        neovim.command(f"edit {tmp_path / 'huge.py'}")
        neovim.keys("Gob = 2<Esc>")
        neovim.settle(0.1)
        assert neovim.lua(f"return {CLIENTS}") == 0
        assert neovim.marks() == []
        neovim.command("Sidecar status")
        neovim.until("vim.api.nvim_win_get_config(0).relative ~= ''")
        assert any("not served" in line and "max_file_bytes" in line for line in neovim.text)
