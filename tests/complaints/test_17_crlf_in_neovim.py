"""Complaint 17, in Neovim: completions are worse with CRLF, or bring `^M` into the buffer.

TabbyML/tabby#3279.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from neovim_samples import SAMPLES

if TYPE_CHECKING:
    from pathlib import Path

    from neovim_client import Neovim

pytestmark = [pytest.mark.engine, pytest.mark.lsp]


def test_several_lines_are_accepted_without_carriage_returns(
    neovim: Neovim, tmp_path: Path
) -> None:
    sample = SAMPLES[0]
    neovim.open(tmp_path / "crlf.py", sample.text.replace("\n", "\r\n"))
    assert neovim.lua("return vim.bo.fileformat") == "dos"
    text = "def largest(numbers):\n    best = numbers[0]\n    for number in numbers:"
    neovim.request("nvim_buf_set_lines", 0, 0, 0, True, text.split("\n"))
    neovim.keys("3Go")
    rest = neovim.suggestion()
    if "\n" not in rest:
        neovim.keys("<M-]>")
        neovim.until("require('sidecar.suggestion').count() == 2")
        rest = neovim.suggestion()
    assert "\n" in rest and "\r" not in rest
    assert len(neovim.ghost().split("\n")) == len(rest.split("\n"))
    line = neovim.text[3]
    neovim.keys("<Tab>")
    assert "\n".join(neovim.text[3 : 3 + len(rest.split("\n"))]) == line + rest
    assert "\r" not in "".join(neovim.text)
    neovim.keys("<Esc>")
    neovim.command("silent write")
    written = (tmp_path / "crlf.py").read_bytes()
    assert written.count(b"\r\n") == written.count(b"\n")
