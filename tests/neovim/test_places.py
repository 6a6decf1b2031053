"""Where ghost text may stand and where not: modes, menus, windows, odd buffers and odd text."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from neovim_samples import SAMPLES, begin

if TYPE_CHECKING:
    from pathlib import Path

    from neovim_client import Neovim

pytestmark = [pytest.mark.engine, pytest.mark.lsp]

PYTHON = SAMPLES[0]


def test_the_dot_command_repeats_what_was_typed_and_accepted(
    neovim: Neovim, tmp_path: Path
) -> None:
    rest = begin(neovim, tmp_path)
    line = neovim.text[PYTHON.line]
    neovim.keys("<Tab>")
    neovim.type("  # so")
    neovim.keys("<Esc>.")
    first, second = neovim.text[PYTHON.line : PYTHON.line + 2]
    assert first == f"{line}{rest}  # so"
    # How far a line is indented is not what is repeated.
    assert second.lstrip() == first.lstrip()
    neovim.keys("u")
    assert neovim.text[PYTHON.line + 1] == ""


@pytest.mark.parametrize("mode", ["R", "gR"])
def test_nothing_is_shown_while_text_is_replaced(neovim: Neovim, tmp_path: Path, mode: str) -> None:
    begin(neovim, tmp_path)
    neovim.keys(f"<Esc>0{mode}")
    neovim.type("    re")
    neovim.settle(0.3)
    assert neovim.marks() == []
    # And from insert mode into replace mode.
    neovim.keys("<Esc>A")
    neovim.suggestion()
    neovim.keys("<Insert>")
    assert neovim.marks() == []
    neovim.keys("<Esc>")


def test_a_completion_menu_keeps_its_keys_and_the_suggestion_stays(
    neovim: Neovim, tmp_path: Path
) -> None:
    rest = begin(neovim, tmp_path)
    typed = neovim.text[PYTHON.line]
    neovim.command("setlocal completeopt=menu,menuone,noselect")
    neovim.keys(" f<C-x><C-n>")
    assert neovim.lua("return vim.fn.pumvisible()") == 1
    shown = neovim.suggestion()
    assert (" f" + shown).startswith(rest[:2])
    # Tab is the menu's, which has nothing selected, so it is a Tab.
    neovim.keys("<Tab>")
    assert shown not in neovim.text[PYTHON.line]
    neovim.keys("<C-e><BS>")
    neovim.command(f"call setline({PYTHON.line + 1}, '{typed} f')")
    neovim.keys("<End><C-x><C-n>")
    shown = neovim.suggestion()
    # Keys that are not the menu's close it and accept.
    neovim.keys("<M-C-Right>")
    assert neovim.text[PYTHON.line] == typed + " f" + shown
    assert neovim.lua("return vim.fn.pumvisible()") == 0


def test_text_of_two_windows_is_one(neovim: Neovim, tmp_path: Path) -> None:
    rest = begin(neovim, tmp_path)
    line = neovim.text[PYTHON.line]
    neovim.keys("<Esc>")
    neovim.command("split")
    neovim.keys("gg")
    neovim.command("wincmd j")
    neovim.keys("A")
    assert neovim.suggestion() == rest
    assert len(neovim.marks()) == 1
    # Looking into the other window takes it away, and the cursor there accepts nothing.
    neovim.command("wincmd k")
    assert neovim.marks() == []
    neovim.keys("<Esc>")
    neovim.command("wincmd j")
    neovim.keys("A")
    assert neovim.suggestion() == rest
    neovim.keys("<Tab><Esc>")
    assert neovim.text[PYTHON.line] == line + rest


def test_buffers_that_are_no_files_are_left_alone(neovim: Neovim, tmp_path: Path) -> None:
    attached = "#vim.lsp.get_clients({ name = 'sidecar', bufnr = 0 })"
    neovim.open(tmp_path / PYTHON.name, PYTHON.text)
    cases = {
        "terminal": "terminal",
        "unlisted": f"let b = bufadd('{tmp_path}/hidden.py') | call bufload(b) | "
        "execute 'buffer' b | setlocal nobuflisted filetype=python",
        "scratch": "new | setlocal buftype=nofile filetype=python",
        "help": "help",
    }
    for name, command in cases.items():
        neovim.command(command)
        neovim.settle(0.1)
        assert neovim.lua(f"return {attached}") == 0, name
        assert neovim.lua("return require('sidecar').statusline()") == "", name
    neovim.keys("<C-Bslash><C-n>")
    large = tmp_path / "large.py"
    large.write_text("x = 1\n" * 400_000)
    neovim.command(f"edit {large}")
    neovim.settle(0.1)
    assert neovim.lua(f"return {attached}") == 0
    assert "max_file_bytes" in neovim.lua("return require('sidecar.config').refused(0)")


def test_a_closed_fold_opens_and_shows_it(neovim: Neovim, tmp_path: Path) -> None:
    rest = begin(neovim, tmp_path)
    neovim.keys("<Esc>")
    neovim.command("setlocal foldmethod=manual | 5,6fold")
    assert neovim.lua("return vim.fn.foldclosed(6)") == 5
    neovim.keys("6GA")
    assert neovim.suggestion() == rest
    neovim.settle(0.05)
    assert any(line.rstrip().endswith(rest) for line in neovim.screen.lines)


def test_a_session_that_is_restored_goes_on(neovim: Neovim, tmp_path: Path) -> None:
    rest = begin(neovim, tmp_path)
    neovim.keys("<Esc>")
    neovim.command("silent write")
    session = tmp_path / "Session.vim"
    neovim.command(f"mksession! {session} | %bwipeout!")
    neovim.command(f"silent source {session}")
    neovim.until("#vim.lsp.get_clients({ name = 'sidecar', bufnr = 0 }) == 1")
    neovim.keys(f"{PYTHON.line + 1}GA")
    assert neovim.suggestion() == rest


def test_the_server_is_told_what_became_of_it(neovim: Neovim, tmp_path: Path) -> None:
    def counters() -> dict[str, int]:
        found: dict[str, int] = neovim.lua(
            "local c = vim.lsp.get_clients({ name = 'sidecar' })[1]\n"
            "return c:request_sync('sidecar/stats', nil, 5000, 0).result.counters"
        )
        return {name: number for name, number in found.items() if name.startswith("feedback.")}

    before = counters()
    begin(neovim, tmp_path)
    neovim.settle(0.05)
    told = counters()
    assert told["feedback.shown"] > before.get("feedback.shown", 0)
    neovim.keys("<M-Right>")
    neovim.suggestion()
    neovim.keys("<M-C-Right>")
    told = counters()
    for name in ("feedback.partially_accepted", "feedback.accepted"):
        assert told[name] == before.get(name, 0) + 1, name


def test_an_explicit_request_where_none_come_by_themselves(neovim: Neovim, tmp_path: Path) -> None:
    neovim.lua("require('sidecar.events').enable(false)")
    neovim.open(tmp_path / PYTHON.name, PYTHON.text)
    neovim.keys(f"{PYTHON.line}Go")
    neovim.type(PYTHON.typed)
    neovim.settle(0.3)
    assert neovim.marks() == []
    assert neovim.lua("return require('sidecar').statusline()") == "sidecar off"
    neovim.keys("<M-Bslash>")
    rest = neovim.suggestion()
    neovim.keys("<Tab>")
    assert neovim.text[PYTHON.line].endswith(rest)


def test_an_answer_is_drawn_while_it_is_made(neovim: Neovim, tmp_path: Path) -> None:
    neovim.lua(
        "streamed = {}\n"
        "local ghost = require('sidecar.ghost')\n"
        "old_draw = ghost.draw\n"
        "ghost.draw = function(view)\n"
        "  if view.suggestion.partial then table.insert(streamed, view.rest) end\n"
        "  return old_draw(view)\n"
        "end"
    )
    neovim.open(tmp_path / "stream.py", "def describe(name, price, amount):\n")
    neovim.keys("o")
    neovim.type('text = f"')
    rest = neovim.suggestion()
    streamed = neovim.lua("require('sidecar.ghost').draw = old_draw; return streamed")
    assert streamed
    # Each goes on with the one before it, and the last is what it has become.
    assert all(rest.startswith(part) for part in streamed if part[:3] == rest[:3])
