"""Complaint 14, in Neovim: an extra closing bracket when one already follows.

sourcegraph/cody#264, #334.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from neovim_client import Neovim

pytestmark = [pytest.mark.engine, pytest.mark.lsp]


CODE = "def add(first, second):\n    return first + second\n\n\n"


def test_brackets_that_an_editor_has_closed_are_closed_once(neovim: Neovim, tmp_path: Path) -> None:
    neovim.open(tmp_path / "closed.py", CODE)
    # As plugins do that close pairs.
    neovim.command("inoremap <buffer> ( ()<Left>")
    neovim.keys("Go")
    neovim.type("print(add(first=1, ")
    rest = neovim.suggestion()
    line = neovim.text[4]
    assert line == "print(add(first=1, ))"
    # What stands there already is not drawn a second time.
    assert rest.count(")") == 2
    assert neovim.ghost() == rest.replace(")", "")
    neovim.keys("<M-C-Right>")
    assert neovim.text[4] == line.removesuffix("))") + rest
    # Typing through meets the same brackets.
    neovim.keys("<Esc>cc")
    neovim.type("print(add(first=1, ")
    neovim.suggestion()
    neovim.type(rest[0])
    assert neovim.text[4] == f"print(add(first=1, {rest[0]}))"
    neovim.suggestion()
    neovim.keys("<M-C-Right>")
    assert neovim.text[4].count(")") == 2
