"""Complaint 2, in Neovim: a request for every key of a burst, until typing lags.

ggml-org/llama.vscode#161, ggml-org/llama.vim PR #66, PR #92.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from neovim_client import Neovim, init
from neovim_samples import COUNT_ASKED, SAMPLES

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.lsp


def test_keys_that_come_faster_than_they_are_drawn_are_one_request(
    no_model: dict[str, str], tmp_path: Path
) -> None:
    with Neovim(init(), tmp_path / "home", environment=no_model) as neovim:
        neovim.open(tmp_path / SAMPLES[0].name, SAMPLES[0].text)
        neovim.lua(COUNT_ASKED)
        text = "value = another + yet_another"
        neovim.keys("Go" + text)
        assert neovim.text[-1].strip() == text
        assert neovim.lua("return asked") < len(text) / 2
        # Who leaves wants no answer any more, and whoever types has one request at most: the
        # server ends the older ones.
        neovim.keys("x<Esc>")
        neovim.settle(0.1)
        in_flight = neovim.lua(
            "return vim.tbl_count(vim.tbl_filter(function(r)\n"
            "  return r.method == 'textDocument/inlineCompletion' and r.type == 'pending'\n"
            "end, vim.lsp.get_clients({ name = 'sidecar' })[1].requests))"
        )
        assert in_flight <= 1
