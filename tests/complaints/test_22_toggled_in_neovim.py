"""Complaint 22, in Neovim: switching it on and off makes it slower each time.

continuedev/continue#7372.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from neovim_client import Neovim, init
from neovim_samples import COUNT_ASKED, SAMPLES

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.lsp

COUNTS = (
    "return { #vim.api.nvim_get_autocmds({ group = 'sidecar' }), #vim.api.nvim_get_keymap('i'),"
    " #vim.lsp.get_clients({ name = 'sidecar' }) }"
)


def test_listeners_maps_and_servers_stay_as_many(no_model: dict[str, str], tmp_path: Path) -> None:
    with Neovim(init(), tmp_path / "home", environment=no_model) as neovim:
        neovim.open(tmp_path / SAMPLES[0].name, SAMPLES[0].text)
        before = neovim.lua(COUNTS)
        for _time in range(12):
            neovim.command("silent Sidecar toggle")
        neovim.command(f"luafile {tmp_path / 'home' / 'init.lua'}")
        neovim.settle(0.2)
        assert neovim.lua(COUNTS) == before
        assert neovim.lua("return require('sidecar.events').enabled(0)") is True


def test_a_key_is_one_request_and_none_where_it_is_off(
    no_model: dict[str, str], tmp_path: Path
) -> None:
    with Neovim(init(), tmp_path / "home", environment=no_model) as neovim:
        neovim.open(tmp_path / SAMPLES[0].name, SAMPLES[0].text)
        neovim.lua(COUNT_ASKED)
        neovim.keys("GA")
        neovim.settle(0.1)
        neovim.lua("asked = 0")
        neovim.type("value")
        assert neovim.lua("return asked") == 5
        neovim.lua("vim.b.sidecar_enabled = false")
        neovim.type("more")
        assert neovim.lua("return asked") == 5


def test_nothing_happens_while_nobody_does_anything(
    no_model: dict[str, str], tmp_path: Path
) -> None:
    """continuedev/continue#1622, #3616: much of the processor's time is taken when idle too."""
    sent = (
        "sent = 0\n"
        "local c = vim.lsp.get_clients({ name = 'sidecar' })[1]\n"
        "local request, notify = c.rpc.request, c.rpc.notify\n"
        "c.rpc.request = function(...) sent = sent + 1; return request(...) end\n"
        "c.rpc.notify = function(...) sent = sent + 1; return notify(...) end"
    )
    timers = (
        "local n = 0\n"
        "vim.uv.walk(function(h)\n"
        "  if h:get_type() == 'timer' and h:is_active() then n = n + 1 end\n"
        "end)\n"
        "return n"
    )
    with Neovim(init(), tmp_path / "home", environment=no_model) as neovim:
        neovim.open(tmp_path / SAMPLES[0].name, SAMPLES[0].text)
        neovim.lua(sent)
        neovim.keys("Go")
        neovim.type("value = 1")
        neovim.until("vim.tbl_count(vim.lsp.get_clients({ name = 'sidecar' })[1].requests) == 0")
        neovim.until(f"(function() {timers} end)() == 0")
        assert neovim.lua("local s = sent; sent = 0; return s") > 0
        neovim.settle(0.5)
        assert neovim.lua("return sent") == 0
        assert neovim.lua(timers) == 0
