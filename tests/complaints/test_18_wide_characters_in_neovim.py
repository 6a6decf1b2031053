"""Complaint 18, in Neovim: a byte index that is no character boundary panics at "μ".

SilasMarvin/lsp-ai#50.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from neovim_client import Neovim

pytestmark = [pytest.mark.engine, pytest.mark.lsp]


def test_tabs_and_wide_characters_before_the_cursor(neovim: Neovim, tmp_path: Path) -> None:
    text = "package sums\n\nfunc add(größe int, 長さ int) int {\n\treturn größe + 長さ\n}\n\n"
    text += "func subtract(größe int, 長さ int) int {\n}\n"
    neovim.open(tmp_path / "wide.go", text)
    neovim.keys("7Go")
    neovim.type("größe := größe + 0; return ")
    rest = neovim.suggestion()
    line = neovim.text[7]
    ((row, column, _),) = neovim.marks()
    assert (row, column) == (7, len(line.encode()))
    assert neovim.ghost() == rest
    neovim.keys("<M-C-Right>")
    assert neovim.text[7] == line + rest
    server = neovim.lua(
        "local c = vim.lsp.get_clients({ name = 'sidecar' })[1]\n"
        "local p = { textDocument = { uri = vim.uri_from_bufnr(0) } }\n"
        "return c:request_sync('sidecar/status', p, 5000, 0).result.document"
    )
    whole = "\n".join(neovim.text) + "\n"
    assert server["utf16Units"] == len(whole.encode("utf-16-le")) // 2
