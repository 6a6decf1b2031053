"""Complaint 3, in Neovim: a failure leaves "thinking..." for ever, and its reason is hidden.

ggml-org/llama.vscode#217, #181.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from neovim_client import Neovim, init
from neovim_samples import SAMPLES

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.lsp


def test_without_a_model_the_reason_is_said_once_and_typing_goes_on(
    no_model: dict[str, str], tmp_path: Path
) -> None:
    with Neovim(init(), tmp_path / "home", environment=no_model) as neovim:
        sample = SAMPLES[0]
        neovim.open(tmp_path / sample.name, sample.text)
        neovim.until("(require('sidecar.status').of() or {}).kind == 'Error'")
        assert neovim.lua("return require('sidecar').statusline()") == "sidecar !"
        neovim.keys(f"{sample.line}Go")
        neovim.type("return first")
        assert neovim.text[sample.line].strip() == "return first"
        assert neovim.marks() == []
        messages = neovim.request("nvim_exec2", "messages", {"output": True})["output"]
        assert messages.count("no model is installed") == 1
        log = "\n".join(neovim.lua("return require('sidecar.status').lines()"))
        assert "sidecar models pull" in log
        # Who asks for it is told again.
        neovim.keys("<M-Bslash>")
        neovim.until("select(2, vim.fn.execute('messages'):gsub('no model is installed', '')) == 2")
        neovim.keys("<Esc>")
        neovim.command("Sidecar status")
        neovim.until("vim.api.nvim_win_get_config(0).relative ~= ''")
        assert any("sidecar models pull" in line for line in neovim.text)
