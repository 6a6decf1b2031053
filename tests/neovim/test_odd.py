"""What people do to an editor besides typing: odd files and names, macros, blocks, restarts.

None of it depends on a model, so none is installed: suggestions are put on the screen by the tests,
and the server has to know the text that Neovim has.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

import pytest
from neovim_client import EXTENSION, Neovim, init
from neovim_samples import COUNT_ASKED, show

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.lsp

ATTACHED = "#vim.lsp.get_clients({ name = 'sidecar', bufnr = 0 })"
WINDOW = "vim.api.nvim_win_get_config(0).relative ~= ''"


@pytest.fixture(scope="module")
def _editor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Neovim]:
    home = tmp_path_factory.mktemp("odd")
    environment = {"SIDECAR_CACHE_DIR": str(home)}
    with Neovim(init(auto=False), home, environment=environment, columns=160) as editor:
        yield editor


@pytest.fixture
def editor(_editor: Neovim) -> Neovim:
    """A Neovim with a server and without a model, in which nothing comes by itself."""
    _editor.reset()
    _editor.command("messages clear | set virtualedit= nopaste")
    return _editor


def said(editor: Neovim) -> str:
    messages: str = editor.request("nvim_exec2", "messages", {"output": True})["output"]
    return messages


def refused(editor: Neovim) -> Any:
    return editor.lua("return require('sidecar.config').refused(0)")


def check_text(editor: Neovim, text: str) -> None:
    """Compare what the server has of the current buffer with what it should have."""
    document = editor.lua(
        "local p = { textDocument = { uri = vim.uri_from_bufnr(0) } }\n"
        "local c = vim.lsp.get_clients({ name = 'sidecar', bufnr = 0 })[1]\n"
        "return c:request_sync('sidecar/status', p, 50000, 0).result.document"
    )
    utf16 = text.encode("utf-16-le")
    assert document["utf16Units"] == len(utf16) // 2
    assert document["utf16Sha256"] == hashlib.sha256(utf16).hexdigest()


def test_a_file_that_is_no_utf8_is_known_to_the_server(editor: Neovim, tmp_path: Path) -> None:
    path = tmp_path / "broken.py"
    path.write_bytes(b"name = '\xff\xfe'\nother = 1\n")
    editor.command(f"edit! ++enc=utf-8 ++bad=keep {path}")
    editor.until(f"{ATTACHED} == 1")
    # Behind the broken bytes, where columns are counted.
    editor.keys("gg$i!<Esc>Go# é<Esc>")
    check_text(editor, "name = '??!'\nother = 1\n# é\n")
    editor.keys("gg$a")
    show(editor, " + other")
    ((_, column, _),) = editor.marks()
    assert column == len("name = '??!'")
    editor.keys("<Tab><Esc>")
    check_text(editor, "name = '??!' + other\nother = 1\n# é\n")
    assert "LSP" not in said(editor)


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"a = '\0'\n", "binary"),
        (b"a = 1\rb = 2\n", "binary"),
        (b"a = 1\r\r\nb = 2\r\n", "binary"),
        (b"a = 1\r\nb = 2\n", None),
        (b"a = 1\r\nb = 2\r\n", None),
        (b"\xef\xbb\xbfa = 1\n", None),
    ],
)
def test_files_whose_lines_are_counted_otherwise_by_servers_are_left_alone(
    editor: Neovim, tmp_path: Path, content: bytes, why: str | None
) -> None:
    path = tmp_path / "bytes.py"
    path.write_bytes(content)
    editor.command(f"edit! {path}")
    if why:
        assert why in refused(editor)
        editor.settle(0.1)
        assert editor.lua(f"return {ATTACHED}") == 0
        return
    editor.until(f"{ATTACHED} == 1")
    editor.keys("Goc = 3<Esc>gg0aa<Esc>")
    dos = editor.lua("return vim.bo.fileformat") == "dos"
    check_text(editor, "".join(line + ("\r\n" if dos else "\n") for line in editor.text))


def test_a_buffer_is_served_from_when_it_has_a_name(editor: Neovim, tmp_path: Path) -> None:
    editor.open(tmp_path / "first.py", "first = 1\n")
    editor.command("enew | setlocal filetype=python")
    assert "no name" in refused(editor)
    editor.keys("isecond = 2<Esc>")
    editor.settle(0.1)
    assert editor.lua(f"return {ATTACHED}") == 0
    editor.command(f"silent write! {tmp_path / 'second.py'}")
    editor.until(f"{ATTACHED} == 1")
    check_text(editor, "second = 2\n")
    editor.command(f"edit {tmp_path / 'nothing-known-of-it'}")
    assert "filetype" in refused(editor)
    editor.command("setlocal filetype=python")
    editor.until(f"{ATTACHED} == 1")


@pytest.mark.parametrize("command", ["saveas!", "file"])
def test_a_buffer_that_gets_another_name_is_another_document(
    editor: Neovim, tmp_path: Path, command: str
) -> None:
    editor.open(tmp_path / "old.py", "value = 1\n")
    editor.keys("Goother = 2<Esc>")
    editor.command(f"silent {command} {tmp_path / 'new.py'}")
    editor.until(f"{ATTACHED} == 1")
    editor.keys("Gothird = 3<Esc>")
    check_text(editor, "value = 1\nother = 2\nthird = 3\n")
    editor.command("silent write!")
    editor.keys("Gofourth = 4<Esc>")
    check_text(editor, "value = 1\nother = 2\nthird = 3\nfourth = 4\n")
    # The old one is open no more, and may be opened again.
    editor.open(tmp_path / "old.py")
    check_text(editor, "\n".join(editor.text) + "\n")
    assert "LSP" not in said(editor)


def test_nothing_stands_behind_the_end_of_a_line(editor: Neovim, tmp_path: Path) -> None:
    editor.command("set virtualedit=all")
    editor.open(tmp_path / "virtual.py", "a = 1\n")
    editor.keys("A")
    show(editor, " + 1")
    assert editor.ghost() == " + 1"
    editor.keys("<Right>")
    assert editor.marks() == []
    assert editor.lua("return require('sidecar').trigger()") is False
    # There Tab is what it always was.
    editor.keys("<Tab>")
    assert editor.text[0].rstrip() == "a = 1"


def test_a_macro_does_again_what_was_done(editor: Neovim, tmp_path: Path) -> None:
    editor.lua(COUNT_ASKED)
    editor.lua("require('sidecar.config').get().auto = true")
    try:
        editor.open(tmp_path / "macro.py", "a = 1\nb = 2\nc = 3\n")
        editor.keys("ggqqA")
        editor.type(" + 1")
        editor.keys("<Tab>")
        editor.keys("<Esc>q")
        assert editor.lua("return asked") == 0
        editor.keys("j@qj@@")
        editor.settle(0.1)
        first, second, third = editor.text
        assert first.removeprefix("a = 1") == second.removeprefix("b = 2")
        assert first.removeprefix("a = 1") == third.removeprefix("c = 3")
        assert editor.marks() == []
        # It is back as soon as recording has ended.
        editor.keys("A ")
        editor.until("asked > 0")
    finally:
        editor.lua("require('sidecar.config').get().auto = false")


def test_nothing_is_shown_while_paste_takes_the_keys(editor: Neovim, tmp_path: Path) -> None:
    editor.open(tmp_path / "paste.py", "a = 1\n")
    editor.command("set paste")
    editor.keys("A")
    show(editor, " + 1")
    editor.keys("0")
    assert editor.marks() == []


@pytest.mark.parametrize(
    ("block", "typed", "rest", "lines"),
    [
        ("0w<C-v>jjI", "q", "uick ", ["aa quick = 1", "bb quick = 2", "cc quick = 3"]),
        ("0<C-v>jj$A", " ", "+ 1", ["aa = 1 + 1", "bb = 2 + 1", "cc = 3 + 1"]),
        ("0<C-v>jjlc", "d", "ef", ["def = 1", "def = 2", "def = 3"]),
        # What has several lines stays where it was accepted, as it does when it is typed.
        ("0<C-v>jj$A", " ", "+ \\\n1", ["aa = 1 + \\", "1", "bb = 2", "cc = 3"]),
    ],
)
def test_what_is_accepted_in_a_block_is_inserted_in_all_its_lines(
    editor: Neovim, tmp_path: Path, block: str, typed: str, rest: str, lines: list[str]
) -> None:
    editor.open(tmp_path / "block.py", "aa = 1\nbb = 2\ncc = 3\n")
    before = editor.text
    editor.keys("gg" + block)
    editor.type(typed)
    show(editor, rest)
    editor.keys("<Tab>")
    editor.keys("<Esc>")
    assert editor.text == lines
    editor.keys("uu")
    assert editor.text == before
    assert editor.marks() == []


def test_a_count_repeats_what_is_accepted(editor: Neovim, tmp_path: Path) -> None:
    editor.open(tmp_path / "count.py", "a = 1\n")
    editor.keys("3A")
    editor.type(" ")
    show(editor, "+ 1")
    editor.keys("<Tab>")
    editor.keys("<Esc>")
    assert editor.text == ["a = 1 + 1 + 1 + 1"]


def test_the_command_line_window_is_left_alone(editor: Neovim, tmp_path: Path) -> None:
    editor.open(tmp_path / "window.py", "a = 1\n")
    editor.keys("q:")
    editor.until("vim.fn.getcmdwintype() == ':'")
    assert editor.lua(f"return {ATTACHED}") == 0
    for name in ("log", "status", "stats", "context", "model"):
        editor.command("messages clear")
        editor.command(f"Sidecar {name}")
        words = (
            "does not know this buffer" if name == "context" else "leave the command-line window"
        )
        editor.until("vim.fn.execute('messages'):find(..., 1, true)", words)
        assert "stack traceback" not in said(editor), name
    editor.command("quit")


def test_a_line_of_a_megabyte_is_typed_in(editor: Neovim, tmp_path: Path) -> None:
    editor.open(tmp_path / "huge.js", "var x = '" + "長a" * 250_000 + "'\n")
    editor.keys("A")
    editor.type(" + ")
    show(editor, "1;")
    assert editor.ghost() == "1;"
    editor.keys("<Tab>")
    editor.keys("<Esc>")
    assert editor.lua("return vim.fn.getline(1):sub(-6)") == "' + 1;"
    check_text(editor, editor.text[0] + "\n")


def test_insert_mode_may_be_left_as_fast_as_it_is_entered(editor: Neovim, tmp_path: Path) -> None:
    editor.open(tmp_path / "rapid.py", "a = 1\n")
    editor.request("nvim_input", "A<Esc>ix<Esc>" * 60)
    editor.until("vim.fn.getline(1) == ...", "a = " + "x" * 60 + "1")
    editor.keys("<Esc>")
    assert editor.marks() == []
    check_text(editor, "a = " + "x" * 60 + "1\n")
    assert "E5" not in said(editor)


def test_however_often_it_is_restarted_there_is_one_server(editor: Neovim, tmp_path: Path) -> None:
    editor.open(tmp_path / "again.py", "a = 1\n")
    identity = "(vim.lsp.get_clients({ name = 'sidecar', bufnr = 0 })[1] or { id = 0 }).id"
    servers = "#vim.lsp.get_clients({ name = 'sidecar' })"
    first = editor.lua(f"return {identity}")
    for name in ("restart", "restart", "stop", "start", "restart", "stop", "stop", "start"):
        editor.command(f"Sidecar {name}")
    # Started once the old one has ended, which Neovim would go on with.
    editor.until(f"{identity} > ... and {servers} == 1", first)
    newest = editor.lua(f"return {identity}")
    editor.settle(0.5)
    assert editor.lua(f"return {identity}") == newest
    editor.keys("Gob = 2<Esc>")
    check_text(editor, "a = 1\nb = 2\n")
    for name in ("restart", "stop"):
        editor.command(f"Sidecar {name}")
    editor.until(f"{servers} == 0")
    editor.settle(0.1)
    assert editor.lua(f"return {servers}") == 0
    for name in ("start", "restart"):
        editor.command(f"Sidecar {name}")
    editor.until(f"{identity} > ... and {servers} == 1", newest)


def test_what_is_shown_goes_with_its_text(editor: Neovim, tmp_path: Path) -> None:
    other = "c = 3\n"
    for name, command in {
        "wiped": "bwipeout!",
        "deleted": "bdelete!",
        "read again": "edit!",
        "emptied": "%delete",
        "another": f"edit! {tmp_path / 'other.py'}",
        "closed": "split | wincmd j | close",
    }.items():
        (tmp_path / "other.py").write_text(other)
        editor.keys("<Esc>")
        editor.open(tmp_path / "shown.py", "a = 1\nb = 2\n")
        editor.keys("GA")
        show(editor, " + 1")
        assert editor.ghost() == " + 1", name
        editor.command(command)
        editor.settle(0.02)
        editor.keys("<M-C-Right>")
        assert " + 1" not in "\n".join(editor.text), name
        assert editor.marks() == [], name
    assert "E5" not in said(editor)


def test_windows_side_by_side_and_pages_of_tabs(editor: Neovim, tmp_path: Path) -> None:
    editor.open(tmp_path / "other.py", "b = 2\n")
    editor.open(tmp_path / "aside.py", "a = 1\n")
    editor.command("vertical 40split")
    width = editor.lua("return vim.api.nvim_win_get_width(0)")
    long = "x" * width
    editor.keys("A")
    show(editor, f" + {long}\n{long}y")
    editor.settle(0.05)
    # Both windows show the buffer, and lines are split where this one is.
    rows = [line[:width].rstrip() for line in editor.screen.lines[:4]]
    assert rows == [f"a = 1 + {long}"[:width], long[-8:], long, "y"]
    assert len(editor.marks()) == 1
    for move, back in (("wincmd l", "wincmd h"), ("tab split", "tabclose"), ("tabnew", "tabclose")):
        editor.command(move)
        assert editor.marks() == [], move
        editor.keys("<M-C-Right><Esc>")
        editor.command(back)
        assert editor.text == ["a = 1"], move
        editor.keys("A")
        show(editor, " + 1")
        assert editor.ghost() == " + 1", move
    editor.keys("<Esc>")
    # Another buffer beside it, and a page of its own, are as good as the first.
    for command in ("wincmd l | buffer other.py", "tab split"):
        editor.command(command)
        editor.keys("A")
        before = editor.text[0]
        show(editor, "0")
        assert editor.ghost() == "0"
        editor.keys("<M-C-Right><Esc>")
        assert editor.text == [before + "0"], command
    check_text(editor, "b = 200\n")


#: What each map does at the end of the line `a` where two suggestions are shown.
DOES = {
    "accept": ("ab + c", ""),
    "accept-word": ("ab", " + c"),
    "accept-line": ("ab + c", ""),
    "next": ("a", "d"),
    "previous": ("a", "d"),
    "dismiss": ("a", ""),
}


@pytest.mark.parametrize("action", DOES)
def test_each_map_can_be_given_a_key(editor: Neovim, tmp_path: Path, action: str) -> None:
    editor.open(tmp_path / "maps.py", "\n")
    editor.command(f"imap <F2> <Plug>(sidecar-{action})")
    editor.keys("A")
    editor.type("a")
    # Without a suggestion it does nothing.
    editor.keys("<F2>")
    assert editor.text == ["a"]
    show(editor, "b + c", "d")
    editor.keys("<F2>")
    text, ghost = DOES[action]
    assert (editor.text, editor.ghost()) == ([text], ghost)


def test_the_map_that_asks_is_told_why_there_is_nothing(editor: Neovim, tmp_path: Path) -> None:
    editor.open(tmp_path / "trigger.py", "a = 1\n")
    editor.until("(require('sidecar.status').of() or {}).kind == 'Error'")
    editor.command("messages clear | imap <F2> <Plug>(sidecar-trigger)")
    editor.keys("A<F2>")
    editor.until("vim.fn.execute('messages'):find('no model is installed', 1, true)")


def test_messages_that_come_together_stop_nobody(editor: Neovim, tmp_path: Path) -> None:
    editor.open(tmp_path / "messages.py", "a = 1\n")
    editor.keys("A")
    editor.lua(
        "local client = vim.lsp.get_clients({ name = 'sidecar' })[1]\n"
        "for number = 1, 3 do\n"
        "  local message = ('number %d: '):format(number) .. ('word '):rep(200)\n"
        "  client.handlers['window/showMessage'](nil, { type = 1, message = message })\n"
        "end"
    )
    editor.settle(0.1)
    assert editor.request("nvim_get_mode") == {"mode": "i", "blocking": False}
    editor.type("x")
    assert editor.text == ["a = 1x"]
    log = "\n".join(editor.lua("return require('sidecar.status').lines()"))
    assert all(f"number {number}: word" in log for number in (1, 2, 3))


def test_maps_are_there_without_setup(tmp_path: Path) -> None:
    with Neovim(f"vim.opt.runtimepath:prepend('{EXTENSION}')", tmp_path / "home") as neovim:
        for action in [*DOES, "trigger"]:
            map_ = neovim.lua("return vim.fn.maparg(..., 'i')", f"<Plug>(sidecar-{action})")
            assert f"require('sidecar').{action.replace('-', '_')}()" in map_


def test_every_subcommand_runs(editor: Neovim, tmp_path: Path) -> None:
    editor.open(tmp_path / "commands.py", "a = 1\n")
    names = editor.lua("return require('sidecar.command').complete('Sidecar ')")
    shows = {"status", "stats", "context", "log", "model"}
    quiet = {"start", "stop", "restart", "toggle"}
    assert set(names) == shows | quiet
    for name in sorted(shows):
        editor.command(f"Sidecar {name}")
        editor.until(WINDOW)
        editor.keys("<Esc>")
        assert editor.text == ["a = 1"], name
    statusline = "return require('sidecar').statusline()"
    editor.until("(require('sidecar.status').of() or {}).kind == 'Error'")
    for place in ("", " buffer"):
        for state in ("sidecar off", "sidecar !"):
            editor.command(f"Sidecar toggle{place}")
            assert editor.lua(statusline) == state
    editor.command("Sidecar restart engine")
    editor.until(f"({statusline.removeprefix('return ')}) == 'sidecar !'")
    for name in ("stop", "start", "restart"):
        editor.command(f"Sidecar {name}")
        editor.until(f"{ATTACHED} == {int(name != 'stop')}")
        if name == "stop":
            assert editor.lua(statusline) == ""
    editor.until(f"{ATTACHED} == 1")
    for bad, words in {
        "Sidecar nothing": "there is no :Sidecar nothing",
        "Sidecar model nothing": "there is no model nothing",
        "Sidecar model qwen2.5-coder-0.5b": "is not installed; run `sidecar models pull",
    }.items():
        editor.keys(f":{bad}<CR>")
        editor.until("vim.fn.execute('messages'):find(..., 1, true)", words)
    assert "stack traceback" not in said(editor)


def test_neovims_own_ghost_text_says_once_what_it_cannot_do(editor: Neovim, tmp_path: Path) -> None:
    editor.lua(
        "options = require('sidecar.config').get()\n"
        "options.backend, had = 'native', vim.lsp.inline_completion\n"
        # Only whether it is there is looked at here; 0.11 has none.
        "vim.lsp.inline_completion = had or {}"
    )
    try:
        for name in ("accept_word", "accept_line", "dismiss", "trigger", "visible"):
            for _time in range(2):
                assert editor.lua(f"return require('sidecar').{name}()") is False
            assert said(editor).count(f"{name}() needs this plugin's own ghost text") == 1
    finally:
        editor.lua("options.backend, vim.lsp.inline_completion = 'ghost', had")
