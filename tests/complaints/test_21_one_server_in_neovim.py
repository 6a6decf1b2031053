"""Complaint 21, in Neovim: a language server for every buffer, at a gigabyte each.

github/copilot-language-server-release#35, zbirenbaum/copilot.lua#667.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from neovim_samples import SAMPLES

if TYPE_CHECKING:
    from pathlib import Path

    from neovim_client import Neovim

pytestmark = [pytest.mark.engine, pytest.mark.lsp]


PYTHON = SAMPLES[0]


def test_one_server_serves_files_of_different_projects(neovim: Neovim, tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name / ".git").mkdir(parents=True)
        neovim.open(tmp_path / name / PYTHON.name, PYTHON.text)
    clients = neovim.lua("return #vim.lsp.get_clients({ name = 'sidecar' })")
    assert clients == 1
    folders = neovim.lua(
        "return vim.tbl_map(function(f) return f.name end,"
        " vim.lsp.get_clients({ name = 'sidecar' })[1].workspace_folders)"
    )
    assert {str(tmp_path / "one"), str(tmp_path / "two")} <= set(folders)
