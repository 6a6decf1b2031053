"""`sidecar models` as people call it: a process, its two outputs and its exit code."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]


def sidecar(cache, *arguments, **environ):
    return subprocess.run(
        [sys.executable, "-m", "sidecar", "models", *arguments],
        env={**os.environ, "SIDECAR_CACHE_DIR": str(cache), "COLUMNS": "80", **environ},
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def check_refused(done, code, *words):
    assert done.returncode == code, done
    assert done.stdout == ""
    assert done.stderr.startswith("sidecar: ")
    assert done.stderr.count("\n") == 1, done.stderr
    for word in words:
        assert word in done.stderr


def test_list_as_json_is_one_object_and_nothing_else(tmp_path):
    done = sidecar(tmp_path, "list", "--json")
    assert done.returncode == 0, done.stderr
    models = json.loads(done.stdout)["models"]
    assert [model["default"] for model in models].count(True) == 1
    for model in models:
        assert {"name", "file", "bytes", "installed", "default", "licence"} <= set(model)
        assert isinstance(model["bytes"], int)
        assert model["installed"] is False


def test_list_for_people_keeps_names_whole_in_a_pipe(tmp_path):
    done = sidecar(tmp_path, "list")
    assert done.returncode == 0, done.stderr
    assert "qwen2.5-coder-0.5b-base" in done.stdout
    assert "BigCode-OpenRAIL-M-1.0" in done.stdout
    assert "Qwen-Research" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        ((), 2, ("arguments are required",)),
        (("fetch",), 2, ("has no command 'fetch'", "sidecar models --help")),
        (("pull", "qwen2.5-coder-05b"), 2, ("no model called", "did you mean")),
        (("path", "qwen2.5-coder-0.5b"), 1, ("not installed", "models pull qwen2.5-coder-0.5b")),
        (("path",), 1, ("no model is installed", "sidecar models pull")),
        (("verify",), 1, ("no model is installed",)),
        (("verify", "starcoder2-3b"), 1, ("not installed",)),
        (("remove", "starcoder2-3b"), 1, ("not installed",)),
        (("remove",), 2, ("arguments are required: NAME",)),
    ],
)
def test_what_goes_wrong_is_one_line_with_the_next_step(tmp_path, arguments, code, words):
    check_refused(sidecar(tmp_path, *arguments), code, *words)


def test_without_hub_and_pieces_a_pull_leaves_nothing(tmp_path):
    done = sidecar(tmp_path, "pull", "starcoder2-3b", HF_ENDPOINT="http://127.0.0.1:9")
    assert done.returncode == 1
    assert "BigCode-OpenRAIL-M-1.0" in done.stderr.splitlines()[0]
    assert "the hub cannot be reached" in done.stderr.splitlines()[1]
    assert len(done.stderr.splitlines()) == 2
    assert list((tmp_path / "models").iterdir()) == []


def test_pull_path_verify_and_remove(tmp_path, local_hub):
    def run(*arguments):
        done = sidecar(tmp_path, *arguments, HF_ENDPOINT=local_hub.endpoint)
        assert done.returncode == 0, done.stderr
        return done

    name = "granite-3b-code-base"
    pulled = run("pull", name)
    assert pulled.stdout == ""
    assert "from the hub" in pulled.stderr
    assert "digest checked" in pulled.stderr
    path = Path(run("path", name).stdout.rstrip("\n"))
    assert path.read_bytes() == local_hub.content
    assert f"sha256 {local_hub.etag}" in run("verify").stderr
    listed = json.loads(run("list", "--json").stdout)["models"]
    assert [model["name"] for model in listed if model["installed"]] == [name]

    damaged = bytearray(local_hub.content)
    damaged[-1] ^= 1
    path.write_bytes(damaged)
    check = sidecar(tmp_path, "verify", name)
    assert check.returncode == 1
    assert "not the file that was published" in check.stderr.splitlines()[-1]

    assert "is removed" in run("remove", name).stderr
    assert list(path.parent.iterdir()) == []


@pytest.mark.parametrize("command", ["list", "pull", "path", "verify", "remove"])
def test_help_shows_an_example(tmp_path, command):
    done = sidecar(tmp_path, command, "--help")
    assert done.returncode == 0
    assert f"sidecar models {command}" in done.stdout.split("example:")[1]


def test_a_bar_is_drawn_on_a_terminal(tmp_path, local_hub):
    pty = pytest.importorskip("pty", reason="this system has no pseudo terminals")
    outer, inner = pty.openpty()
    environ = {**os.environ, "SIDECAR_CACHE_DIR": str(tmp_path), "TERM": "xterm"}
    with subprocess.Popen(
        [sys.executable, "-m", "sidecar", "models", "pull", "granite-3b-code-base"],
        env={**environ, "HF_ENDPOINT": local_hub.endpoint, "COLUMNS": "100"},
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=inner,
    ) as process:
        os.close(inner)
        shown = b""
        while True:
            try:
                block = os.read(outer, 4096)
            except OSError:
                break
            if not block:
                break
            shown += block
        assert process.stdout is not None
        assert process.stdout.read() == b""
        assert process.wait() == 0, shown
    os.close(outer)
    text = shown.decode()
    assert "downloading" in text
    assert "━" in text
    assert "is installed, digest checked" in text
