"""`sidecar complete`: every wrong place in one line, and the contract from the real model."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from sidecar.cli.main import main
from sidecar.cli.place import read_place
from sidecar.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path

CODE = 'def add(a, b):\n    """Add."""\n    return \n\n\nprint(add(1, 2))\n'


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "a.py"
    path.write_text(CODE)
    return path


def refused(place: str) -> str:
    with pytest.raises(UsageError) as caught:
        read_place(place)
    return str(caught.value)


def test_a_place_is_read(source: Path) -> None:
    place = read_place(f"{source}:3:12")
    assert place.document.buffer.text[: place.offset].endswith("    return ")
    assert place.position(place.offset) == {"line": 3, "column": 12}
    assert place.document.path == str(source)
    # The end of the last line, which is empty.
    assert read_place(f"{source}:7:1").offset == len(CODE)


def test_a_byte_order_mark_is_no_column(tmp_path: Path) -> None:
    path = tmp_path / "bom.py"
    path.write_bytes(b"\xef\xbb\xbfx = \r\n")
    assert read_place(f"{path}:1:5").offset == 4


def test_a_colon_in_a_name_is_no_separator(tmp_path: Path) -> None:
    path = tmp_path / "a:1:2.py"
    path.write_text("x")
    assert read_place(f"{path}:1:2").offset == 1


def test_wrong_places_say_what_would_be_right(source: Path, tmp_path: Path) -> None:
    binary = tmp_path / "a.bin"
    binary.write_bytes(b"\x7fELF\0\0")
    latin = tmp_path / "latin.py"
    latin.write_bytes("é = 1".encode("latin-1"))
    pipe = tmp_path / "pipe.py"
    os.mkfifo(pipe)
    for place, words in (
        (f"{source}", "is not FILE:LINE:COLUMN"),
        (f"{source}:3", "is not FILE:LINE:COLUMN"),
        (f"{source}:x:1", "is not FILE:LINE:COLUMN"),
        (f"{source}:-1:1", "is not FILE:LINE:COLUMN"),
        (f"{source}:8:1", "has no line 8; name a line from 1 to 7"),
        (f"{source}:0:1", "has no line 0"),
        (f"{source}:3:13", "has no column 13; name a column from 1 to 12"),
        (f"{source}:3:0", "has no column 0"),
        (f"{tmp_path}:1:1", "is a directory"),
        (f"{tmp_path / 'none.py'}:1:1", "there is no file"),
        (f"{binary}:1:1", "is a binary file"),
        (f"{latin}:1:1", "is not UTF-8 text"),
        ("/dev/null:1:1", "is not a regular file"),
        ("/dev/zero:1:1", "is not a regular file"),
        (f"{pipe}:1:1", "is not a regular file"),
        (f"{'x' * 300}.py:1:1", "cannot be read (File name too long); check its name"),
        ("a\0b:1:1", "no file can be called"),
    ):
        assert words in refused(place)


def test_the_command_ends_with_2_and_one_line(
    source: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for arguments in ([f"{source}:99:1"], [f"{source}:1:1", "--max-tokens", "0"]):
        assert main(["complete", *arguments]) == 2
        said = capsys.readouterr()
        assert said.out == ""
        assert said.err.startswith("sidecar: ") and said.err.count("\n") == 1


@pytest.mark.skipif(os.name != "posix", reason="users are POSIX")
def test_a_file_that_may_not_be_read(tmp_path: Path) -> None:
    path = tmp_path / "closed.py"
    path.write_text("x = 1\n")
    path.chmod(0)
    for folder in (tmp_path, *tmp_path.parents):
        if folder.stat().st_uid == os.getuid() and folder != folder.parent:
            folder.chmod(folder.stat().st_mode | 0o011)
    # CI is root, whom nothing is denied: so this runs as somebody else, everything imported before.
    script = """
import os, sys
from sidecar.cli import complete, main, place
if os.getuid() == 0:
    os.setgid(65534)
    os.setuid(65534)
try:
    open(sys.argv[1])
except PermissionError:
    sys.exit(main.main(["complete", sys.argv[1] + ":1:1"]))
sys.exit("the access was not denied")
"""
    done = subprocess.run(
        [sys.executable, "-c", script, str(path)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2, done.stderr
    assert "cannot be read (Permission denied); check its permissions" in done.stderr
    assert done.stderr.count("\n") == 1


def complete(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "sidecar", "complete", *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
    )


def completed(*arguments: str) -> dict[str, Any]:
    done = complete(*arguments, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.engine
def test_the_object_is_the_contracts(source: Path, model_path: Path) -> None:
    """Evaluates some 40 tokens."""
    found = completed(f"{source}:3:12")
    assert found["text"] == "a + b"
    cursor = {"line": 3, "column": 12}
    assert found["range"] == {"start": cursor, "end": cursor}
    assert found["model"] == "qwen2.5-coder-0.5b"
    assert found["stats"].keys() >= {
        *("evaluated", "reused", "generated", "healed_bytes", "queue_ms", "prompt_ms"),
        *("first_token_ms", "visible_ms", "total_ms", "stop"),
    }
    part = found["card"]["parts"][0]
    assert part.keys() == {"part", "source", "path", "reason", "tokens", "score", "reused"}
    card = found["card"]
    assert card.keys() == {
        *("prompt_tokens", "whole_file_tokens", "unchanged_tokens", "build_ms", "parts", "dropped"),
        "notes",
    }
    assert card["prompt_tokens"] >= sum(part["tokens"] for part in card["parts"])
    assert (10 < card["whole_file_tokens"] < 40) and card["dropped"] == []
    again = completed(f"{source}:3:12")
    assert again["text"] == found["text"]
    # A second process finds what the first one left in the engine.
    assert again["stats"]["evaluated"] <= 3


@pytest.mark.engine
def test_text_goes_to_standard_output_and_the_card_behind_it(
    source: Path, model_path: Path
) -> None:
    """Evaluates some 40 tokens."""
    done = complete(f"{source}:3:12", "--card")
    text, empty, head, *_ = done.stdout.split("\n")
    assert (text, empty, done.returncode) == ("a + b", "", 0)
    assert head.split() == ["part", "tokens", "reason"]
    assert "evaluated" in done.stdout.splitlines()[-1]


@pytest.mark.engine
def test_more_lines_and_their_ends(tmp_path: Path, model_path: Path) -> None:
    """Evaluates some 100 tokens."""
    path = tmp_path / "crlf.py"
    path.write_bytes(b"def fibonacci(n):\r\n    \r\n\r\n\r\nprint(fibonacci(10))\r\n")
    found = completed(f"{path}:2:5", "--multiline", "--max-tokens", "64")
    assert "\r\n" in found["text"]
    assert found["text"].count("\n") == found["text"].count("\r\n")
    assert found["stats"]["generated"] <= 64
    short = completed(f"{path}:2:5", "--max-tokens", "3")
    assert short["stats"]["generated"] <= 3


def test_where_nothing_is_suggested_the_reason_is_told(tmp_path: Path, model_path: Path) -> None:
    path = tmp_path / ".env"
    path.write_text("PASSWORD=")
    done = complete(f"{path}:1:10")
    assert (done.returncode, done.stdout) == (0, "")
    assert "hold secrets" in done.stderr
    found = completed(f"{path}:1:10")
    assert (found["text"], found["reason"], found["stats"]["stop"]) == (
        "",
        "secret_file",
        "secret_file",
    )
    assert found["stats"]["evaluated"] == found["card"]["prompt_tokens"] == 0
    assert found["card"]["parts"] == []
