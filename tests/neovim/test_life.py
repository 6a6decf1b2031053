"""A Neovim whose engine dies, whose server is started again, or that has no model at all."""

from __future__ import annotations

import contextlib
import os
import signal
import tempfile
from typing import TYPE_CHECKING

import psutil
import pytest
from neovim_client import Neovim, init
from neovim_samples import SAMPLES, begin

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from neovim_samples import Sample

pytestmark = pytest.mark.lsp

STATUS = (
    "local c = vim.lsp.get_clients({ name = 'sidecar' })[1]\n"
    "return c:request_sync('sidecar/status', vim.empty_dict(), 5000, 0).result.engine"
)


@pytest.fixture(scope="module")
def own_engine(runtime_dir: Path) -> Iterator[dict[str, str]]:
    """An environment whose engine only the tests here use, and that leaves none behind."""
    folder = tempfile.mkdtemp(dir=runtime_dir)
    yield {"SIDECAR_RUNTIME_DIR": folder}
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error, OSError):
            if process.environ().get("SIDECAR_RUNTIME_DIR") == folder:
                process.kill()


@pytest.mark.engine
def test_a_killed_engine_is_replaced_while_one_types_on(
    own_engine: dict[str, str], model_path: Path, tmp_path: Path
) -> None:
    sample = SAMPLES[0]
    attached = "#vim.lsp.get_clients({ name = 'sidecar', bufnr = 0 }) == 1"
    # Wide enough for what Neovim itself says of servers that end.
    with Neovim(init(), tmp_path / "home", environment=own_engine, columns=200) as neovim:
        rest = begin(neovim, tmp_path)
        first = neovim.lua(STATUS)["pid"]
        os.kill(first, signal.SIGKILL)
        neovim.until("require('sidecar.status').of().busy")
        assert neovim.lua("return require('sidecar').statusline()") == "sidecar …"
        # What was said before is known without an engine, and the rest when there is a new one.
        neovim.type(" ")
        assert neovim.suggestion() == rest.removeprefix(" ")
        neovim.keys(f"<Esc>{sample.loop + 1}Go")
        neovim.type("if")
        block = neovim.suggestion()
        assert neovim.lua(STATUS)["pid"] not in (None, first)
        # Nor does it matter when the server itself is started again.
        neovim.keys("<Esc>")
        (server,) = servers(neovim)
        neovim.command("Sidecar restart")
        neovim.until("(vim.lsp.get_clients({ name = 'sidecar' })[1] or { id = 0 }).id > 1")
        neovim.until(attached)
        assert servers(neovim) != [server]
        neovim.keys("A")
        assert neovim.suggestion() == block
        # One that is killed takes its ghost text with it.
        (server,) = servers(neovim)
        os.kill(server, signal.SIGKILL)
        neovim.until("#vim.lsp.get_clients({ name = 'sidecar' }) == 0")
        neovim.until("not require('sidecar').visible()")
        assert neovim.marks() == []
        neovim.type("x")
        assert neovim.marks() == []
        assert "by signal 9" in neovim.lua("return require('sidecar.status').of().message")
        neovim.keys("<BS><Esc>")
        neovim.command("Sidecar restart")
        neovim.until(attached)
        neovim.keys("A")
        assert neovim.suggestion() == block


@pytest.mark.engine
@pytest.mark.parametrize("sample", SAMPLES[1:], ids=lambda sample: sample.name)
def test_other_languages_go_on_as_well_when_the_engine_or_the_server_ends(
    own_engine: dict[str, str], model_path: Path, tmp_path: Path, sample: Sample
) -> None:
    with Neovim(init(), tmp_path / "home", environment=own_engine, columns=200) as neovim:
        rest = begin(neovim, tmp_path, sample)
        first = neovim.lua(STATUS)["pid"]
        os.kill(first, signal.SIGKILL)
        neovim.until("require('sidecar.status').of().busy")
        neovim.keys("<Tab>")
        assert neovim.text[sample.line].endswith(sample.typed + rest)
        neovim.keys("<Esc>u")
        neovim.keys(f"{sample.loop + 1}Go")
        neovim.type(sample.typed)
        again = neovim.suggestion()
        assert neovim.lua(STATUS)["pid"] not in (None, first)
        neovim.keys("<Esc>")
        neovim.command("Sidecar restart")
        neovim.until("(vim.lsp.get_clients({ name = 'sidecar' })[1] or { id = 0 }).id > 1")
        neovim.until("#vim.lsp.get_clients({ name = 'sidecar', bufnr = 0 }) == 1")
        neovim.keys("A")
        assert neovim.suggestion() == again


def servers(neovim: Neovim) -> list[int]:
    """The processes that Neovim has started."""
    return [
        child.pid
        for child in psutil.Process(neovim.pid).children()
        if "sidecar" in child.cmdline() and child.status() != psutil.STATUS_ZOMBIE
    ]


def test_commands_show_what_the_server_knows(no_model: dict[str, str], tmp_path: Path) -> None:
    with Neovim(init(), tmp_path / "home", environment=no_model) as neovim:
        neovim.open(tmp_path / SAMPLES[0].name, SAMPLES[0].text)
        expected = {
            "status": "server   sidecar",
            "stats": "request_ms",
            "context": "tokens, of which",
            "log": "serving Neovim",
            "model": "qwen2.5-coder-0.5b",
        }
        neovim.until("(require('sidecar.status').of() or {}).kind == 'Error'")
        neovim.keys("iimport os")
        neovim.keys("<Esc>")
        for name, words in expected.items():
            neovim.command(f"Sidecar {name}")
            neovim.until("vim.api.nvim_win_get_config(0).relative ~= ''")
            assert any(words in line for line in neovim.text), name
            neovim.keys("q")
            assert neovim.text[0].startswith("import os")
        complete = "return require('sidecar.command').complete(...)"
        assert neovim.lua(complete, "Sidecar st") == ["start", "stats", "status", "stop"]
        assert "qwen2.5-coder-0.5b" in neovim.lua(complete, "Sidecar model qwen")
        neovim.command("Sidecar stop")
        neovim.until("#vim.lsp.get_clients({ name = 'sidecar' }) == 0")
        neovim.command("Sidecar start")
        neovim.until("#vim.lsp.get_clients({ name = 'sidecar', bufnr = 0 }) == 1")
