"""The command line's own behaviour: versions, usage errors, exit codes, lazy imports."""

from __future__ import annotations

import json
import re
import subprocess
import sys

import pytest

from sidecar import PROTOCOL, __version__
from sidecar.cli.main import COMMANDS, main
from sidecar.settings import json_schema


def check(argv: list[str], code: int, err: str, capsys: pytest.CaptureFixture[str]) -> str:
    """Run a command line; errors are one line and say what to do."""
    assert main(argv) == code
    said = capsys.readouterr()
    if err:
        assert said.err.startswith("sidecar: ")
        assert said.err.count("\n") == 1
        assert "; " in said.err
        assert err in said.err
        assert said.out == ""
    else:
        assert said.err == ""
    return said.out


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert json.loads(check(["--version", "--json"], 0, "", capsys)) == {
        "product": "sidecar-completion",
        "version": __version__,
        "protocol": PROTOCOL,
    }
    assert __version__ in check(["--version"], 0, "", capsys)


@pytest.mark.parametrize(
    ("argv", "err"),
    [
        ([], "no command was given; see `sidecar --help`"),
        (["--json"], "give it with --version"),
        (["--stdio", "--tcp", "127.0.0.1:0"], "not allowed with argument"),
        (["--log-level", "loud"], "invalid choice: 'loud'"),
        (["nothing"], "`sidecar` has no command 'nothing'; see `sidecar --help`"),
        (["setings"], "'setings'; did you mean `settings`? see `sidecar --help`"),
        (["models", "lst"], "did you mean `list`? see `sidecar models --help`"),
        (["bench", "tping"], "no benchmark 'tping'; did you mean `typing`? see `sidecar bench"),
        (["models", "list", "--jsn"], "did you mean `--json`? see `sidecar models list --help`"),
        (["settings", "--json-shema=1"], "did you mean `--json-schema`?"),
        (["settings", "--nothing"], "unrecognized arguments: --nothing"),
        (["--tcp", "192.0.2.1:9"], "loopback"),
        (["--tcp", "localhost"], "HOST:PORT"),
        (["--tcp", ""], "HOST:PORT"),
        (["--stdio", "complete", "a.py:1:1"], "takes no command such as complete"),
        (["complete", "a.py:1:1", "--model", ""], "must not be empty"),
        (["complete", "a.py:1:1", "--model", "nope"], "no model called 'nope'"),
        (["doctor", "--model", "nope"], "no model called 'nope'"),
        (["bench", "cancel", "--model", "nope"], "no model called 'nope'"),
        (["complete", "a.py:1:1", "--max-tokens", "0"], "must be at least 1; see"),
        (["complete", "a.py:1:1", "--max-tokens", "9999"], "--max-tokens: must be at most 512"),
        (["complete", "a.py:1:1", "--remote", "foo"], "with --remote, or leave out --remote"),
        (["complete", "a.py:1:1", "--model", "/nope.gguf"], "there is no file /nope.gguf; give"),
        (["bench", "context", ".", "--head-tokens", "99999"], "must be at most 65536"),
        (["bench", "typing", "a.py", "--before-lines", "10001"], "must be at most 10000"),
        (["doctor", "--remote", "foo"], "with --remote, or leave out --remote"),
        (["replay", "a.jsonl", "--longest-pause", "abc"], "'abc' is not a number"),
        (["bench", "cancel", "--seed", "abc"], "'abc' is not a whole number"),
        (["complete", "a\x1b[31m.py:1:1"], "there is no file a\\x1b[31m.py"),
        (["--log-file", "/dev/null/log", "settings", "--json-schema"], "cannot be written"),
    ],
)
def test_wrong_usage_is_one_line_and_exit_code_2(
    argv: list[str], err: str, capsys: pytest.CaptureFixture[str]
) -> None:
    check(argv, 2, err, capsys)


def test_settings_prints_a_schema(capsys: pytest.CaptureFixture[str]) -> None:
    schema = json.loads(check(["settings", "--json-schema"], 0, "", capsys))
    assert schema["properties"]["completion"]["properties"]["maxTokens"]["default"] == 48


def test_settings_are_told_with_default_and_meaning(capsys: pytest.CaptureFixture[str]) -> None:
    lines = check(["settings"], 0, "", capsys).splitlines()
    for name, default in (
        ("completion.maxTokens", "48"),
        ("context.sources", '["above", "notes", "definitions", "members", "similar"]'),
        ("engine.remote", '""'),
    ):
        place = lines.index(f"sidecar.{name} = {default}")
        assert lines[place + 1].startswith("    ")
    groups = json_schema()["properties"].values()
    assert len(lines) == 2 * sum(len(group["properties"]) for group in groups)


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_every_command_has_help_with_an_example(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        main([command, "--help"])
    assert caught.value.code == 0
    assert f"example:\n  sidecar {command}" in capsys.readouterr().out


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_no_help_shows_how_it_was_formatted(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A percent sign in a help text is a format to argparse, and takes the letter behind it."""

    def told(words: list[str]) -> str:
        with pytest.raises(SystemExit):
            main([*words, "--help"])
        return capsys.readouterr().out

    listed = told([command])
    kinds = (
        re.findall(r"^    ([a-z-]+)(?: |$)", listed, re.MULTILINE)
        if re.search("(COMMAND|BENCHMARK) ...", listed)
        else []
    )
    assert bool(kinds) is (command in {"bench", "models"})
    for words in ([command], *([command, kind] for kind in kinds)):
        assert "option_strings" not in told(words)


@pytest.mark.parametrize(
    ("raised", "code", "err"),
    [
        (KeyboardInterrupt(), 130, ""),
        (ValueError("def code(): ..."), 1, "ValueError in "),
    ],
)
def test_whatever_a_command_raises_is_told_in_one_line(
    raised: BaseException,
    code: int,
    err: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail() -> None:
        raise raised

    monkeypatch.setattr("sidecar.cli.settings.json_schema", fail)
    check(["settings", "--json-schema"], code, err, capsys)


@pytest.mark.skipif(sys.platform != "linux", reason="/dev/full is Linux's")
@pytest.mark.parametrize("redirect", [">/dev/full", ">&-"])
@pytest.mark.parametrize("arguments", ["--version", "--help", "settings --json-schema"])
def test_an_output_that_takes_nothing_is_told_in_one_line(arguments: str, redirect: str) -> None:
    done = subprocess.run(
        f'"{sys.executable}" -m sidecar {arguments} {redirect}',
        shell=True,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr.startswith("sidecar: ") and done.stderr.count("\n") == 1
    assert "; " in done.stderr and "nobody expected" not in done.stderr


def test_help_tells_defaults(capsys: pytest.CaptureFixture[str]) -> None:
    for command, told in ((["complete"], "48"), (["bench", "typing"], "256")):
        with pytest.raises(SystemExit):
            main([*command, "--help"])
        assert f"(default: {told})" in " ".join(capsys.readouterr().out.split())


def test_the_front_imports_nothing_heavy() -> None:
    """What an editor waits for must not include the engine, the hub, or terminal decoration."""
    script = (
        "import sys\n"
        "import sidecar.cli.main, sidecar.server.main\n"
        "heavy = {'rich', 'numpy', 'llama_cpp', 'huggingface_hub', 'lsprotocol', 'pygls'}\n"
        "print(sorted(heavy & set(sys.modules)))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n"
