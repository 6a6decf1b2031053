"""`:checkhealth sidecar` names each thing that is wrong, and what to do."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from neovim_client import EXTENSION, Neovim, init

from sidecar.settings.paths import cache_dir

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.lsp


def health(neovim: Neovim) -> str:
    neovim.command("checkhealth sidecar")
    return "\n".join(neovim.text)


def check(start: str, home: Path, environment: dict[str, str], *words: str) -> None:
    with Neovim(start, home, environment=environment) as neovim:
        told = health(neovim)
        for word in words:
            assert word in told, told


def test_no_binary(no_model: dict[str, str], tmp_path: Path) -> None:
    # A path without it, and a checkout without its environment.
    copy = tmp_path / "plugin" / "extension" / "neovim"
    shutil.copytree(EXTENSION, copy)
    start = f"vim.opt.runtimepath:prepend('{copy}')\nrequire('sidecar').setup()\n"
    words = ("there is no program `sidecar`", "scripts/setup", "ERROR")
    check(start, tmp_path / "home", {**no_model, "PATH": "/usr/bin:/bin"}, *words)


def test_wrong_path(no_model: dict[str, str], tmp_path: Path) -> None:
    start = init(cmd=["/nowhere/sidecar", "--stdio"])
    words = ("`/nowhere/sidecar`, which the option `cmd` names, cannot be run", "correct the path")
    check(start, tmp_path / "home", no_model, *words)


def test_a_program_that_is_another_sidecar(no_model: dict[str, str], tmp_path: Path) -> None:
    other = tmp_path / "sidecar"
    other.write_text("#!/bin/sh\necho 'no such option' >&2\nexit 2\n")
    other.chmod(0o755)
    start = init(cmd=[str(other)])
    words = ("is not sidecar, or is broken", "no such option", "another package is called sidecar")
    check(start, tmp_path / "home", no_model, *words)


def test_no_model(no_model: dict[str, str], tmp_path: Path) -> None:
    words = ("is not installed", "models pull qwen2.5-coder-0.5b", "OK Neovim 0.11")
    check(init(), tmp_path / "home", no_model, *words)
    wrong = init(settings={"model": {"name": "no-such-model"}})
    check(wrong, tmp_path / "home", no_model, "there is no model no-such-model", "models list")
    path = init(settings={"model": {"path": "/nowhere/model.gguf"}})
    check(path, tmp_path / "home", no_model, "there is no file /nowhere/model.gguf")


def test_no_setup_and_taken_keys(no_model: dict[str, str], tmp_path: Path) -> None:
    start = f"vim.opt.runtimepath:prepend('{EXTENSION}')\n"
    check(start, tmp_path / "home", no_model, "setup was not called")
    taken = init() + "vim.keymap.set('i', '<Tab>', 'x')\n"
    check(taken, tmp_path / "home", no_model, "<Tab> is mapped by something else")


def test_an_old_neovim(tmp_path: Path) -> None:
    """Debian 12 has 0.7.2, which `scripts/setup --test` unpacks where it can."""
    named = os.environ.get("SIDECAR_OLD_NEOVIM")
    unpacked = shutil.which("nvim", path=cache_dir() / "old-neovim")
    old = named or unpacked or shutil.which("nvim", path="/usr/bin:/usr/local/bin")
    version = ""
    if old:
        version = subprocess.run([old, "--version"], capture_output=True, text=True).stdout
    if not version.startswith(("NVIM v0.7.", "NVIM v0.8.", "NVIM v0.9.")):
        pytest.skip("no Neovim older than 0.10 is here, and `scripts/setup --test` told why")
    report = tmp_path / "report"
    commands = [f"set rtp^={EXTENSION}", "runtime plugin/sidecar.lua", "checkhealth sidecar"]
    commands += [f"write! {report}", "lua require('sidecar').setup()", "qa!"]
    arguments = [part for command in commands for part in ("-c", command)]
    run = [str(old), "--headless", "-u", "NONE", "-i", "NONE", "-n", *arguments]
    done = subprocess.run(run, capture_output=True, text=True, timeout=30, check=False)
    told = report.read_text()
    assert "this is Neovim 0." in told and "install Neovim 0.10 or newer" in told
    assert "install 0.10 or newer" in done.stderr + done.stdout


def test_every_tag_of_the_help_file_is_there_once(tmp_path: Path) -> None:
    start = f"vim.opt.runtimepath:prepend('{EXTENSION}')\n"
    with Neovim(start, tmp_path / "home") as neovim:
        copy = tmp_path / "doc"
        shutil.copytree(EXTENSION / "doc", copy)
        neovim.command(f"helptags {copy}")
        tags = (copy / "tags").read_text()
        names = [f"sidecar-{name}" for name in ("setup", "options", "keys", "commands", "health")]
        assert all(f"{name}\t" in tags for name in ["sidecar.txt", ":Sidecar", *names])
        for option in neovim.lua("return vim.tbl_keys((require('sidecar.config').merged({})))"):
            assert f"sidecar-option-{option}\t" in tags, option
        for key in neovim.lua("return vim.tbl_keys(require('sidecar.config').merged({}).keys)"):
            assert f"<Plug>(sidecar-{key.replace('_', '-')})\t" in tags, key


def test_bad_options_are_named_in_one_message_and_keep_their_defaults(tmp_path: Path) -> None:
    start = init(cmd=[sys.executable], autoo=1, backend="magic", keys={"accept": 3, "jump": "x"})
    with Neovim(start, tmp_path / "home", columns=240) as neovim:
        messages = neovim.request("nvim_exec2", "messages", {"output": True})["output"]
        for words in ("autoo is not an option", "backend may not be", "keys.jump", "keys.accept"):
            assert words in messages
        assert neovim.lua("return require('sidecar.config').get().backend") == "ghost"
        assert neovim.lua("return require('sidecar.config').get().keys.accept") == "<Tab>"
