"""`sidecar context` in odd files and at odd places, and that processes agree; without a model."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any, get_args

import pytest

from sidecar.cli.main import main
from sidecar.settings.schema import SourceName

if TYPE_CHECKING:
    from pathlib import Path

FILES = {
    ".git/HEAD": "ref: refs/heads/main\n",
    ".git/objects/keep": "",
    ".git/refs/keep": "",
    "app/__init__.py": "",
    "app/models.py": "class User:\n    name: str\n\n    def save_all(self) -> None: ...\n",
    "app/main.py": "from app.models import User\n\n\ndef start():\n\tuser = User()\n\tuser.",
}
ALL = f"--sources={','.join(get_args(SourceName))}"


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small repository in a folder with an odd name, and a cache that holds no model."""
    monkeypatch.setenv("SIDECAR_CACHE_DIR", str(tmp_path / "cache"))
    root = tmp_path / "my 'odd\" prøject"
    for name, text in FILES.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


def told(capsys: pytest.CaptureFixture[str], *argv: str) -> dict[str, Any]:
    assert main(["context", *argv, "--json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


@pytest.mark.parametrize(
    ("name", "data", "place", "err"),
    [
        ("bytes.py", b"x = 1\0", "1:1", "is a binary file; name a text file"),
        ("wide.py", "x = 1".encode("utf-16"), "1:1", "is not UTF-8 text; convert it to UTF-8"),
        ("latin.py", b"# caf\xe9", "1:1", "is not UTF-8 text; convert it to UTF-8 first"),
        ("big.py", b"x = [1, 2]\n" * 900_000, "9000:1", "the file is too large to be code"),
        ("short.py", b"x = 1\n", "3:1", "has no line 3; name a line from 1 to 2"),
        ("short.py", b"x = 1\n", "0:1", "has no line 0"),
        ("short.py", b"x = 1\n", "1:99", "has no column 99; name a column from 1 to 6"),
        ("x.py", b"", "1", "is not FILE:LINE:COLUMN"),
        ("id_rsa", b"x", "1:1", "hold secrets"),
    ],
)
def test_refusals_are_one_line(
    root: Path, capsys: pytest.CaptureFixture[str], name: str, data: bytes, place: str, err: str
) -> None:
    path = root / name
    path.write_bytes(data)
    assert main(["context", f"{path}:{place}"]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("sidecar: ")
    assert said.err.count("\n") == 1
    assert err in said.err


@pytest.mark.parametrize(("name", "what"), [("gone.py", "no file"), ("dead.py", "no file")])
def test_what_is_not_there(
    root: Path, capsys: pytest.CaptureFixture[str], name: str, what: str
) -> None:
    (root / "dead.py").symlink_to("gone.py")
    assert main(["context", f"{root / name}:1:1"]) == 2
    assert f"sidecar: there is {what} " in capsys.readouterr().err


MEMBER = FILES["app/main.py"]


@pytest.mark.parametrize(
    ("name", "text"),
    {
        "tabs.py": MEMBER,
        "a 'quoted\" name.py": MEMBER,
        "é ü 名前.py": MEMBER,
        "a:1:2.py": MEMBER,
        "breaks.py": MEMBER.replace("\n", "\r\n"),
        "marked.py": f"\ufeff{MEMBER}",
    }.items(),
)
def test_members_are_shown_whatever_a_file_is_called_and_how_it_breaks_lines(
    root: Path, capsys: pytest.CaptureFixture[str], name: str, text: str
) -> None:
    path = root / "app" / name
    path.write_bytes(text.encode())
    found = told(capsys, f"{path}:6:7", "--sources=members", "--prompt")
    assert "def save_all(self) -> None: ...\n" in found["prompt"]
    assert "\r" not in found["prompt"]


def test_a_link_is_shown_as_the_file_that_was_named(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    link = root / "app/link.py"
    link.symlink_to("main.py")
    found = told(capsys, f"{link}:6:7", "--sources=members")
    assert {part["path"] for part in found["parts"]} == {"app/models.py", str(link)}


def test_an_empty_file_and_one_in_no_project_have_little(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    empty = root / "app/empty.py"
    empty.write_text("")
    found = told(capsys, f"{empty}:1:1", ALL)
    assert [part for part in found["parts"] if part["part"] != "repo"] == []
    assert found["whole_file_tokens"] == 0
    alone = root.parent / "alone" / "alone.py"
    alone.parent.mkdir()
    alone.write_text("import os\nos.")
    assert {part["part"] for part in told(capsys, f"{alone}:2:4")["parts"]} == {"typed"}


def test_where_nothing_is_suggested_that_is_said(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["context", f"{root / 'app/main.py'}:4:6"]) == 0
    said = capsys.readouterr()
    assert "note: nothing is suggested here: the cursor stands inside a word\n" in said.out
    # Without a model there is a next step as well.
    assert "; run `sidecar models pull" in said.err


def test_processes_with_other_hashes_and_indexes_of_their_own_show_the_same(root: Path) -> None:
    for number in range(6):
        code = "from app.models import User\n\n\n"
        for other in range(5):
            code += f"def name_{number}_{other}(user: User) -> User:\n    user.save_all()\n\n\n"
        (root / f"app/more_{number}.py").write_text(code)
    text = "".join(f"from app.more_{n} import name_{n}_0, name_{n}_1\n" for n in range(6))
    text += "from app.models import User\n\n\nclass Mine(User):\n    def all(self, user: User):\n"
    text += "".join(f"        name_{n}_0(name_{n}_1(user))\n" for n in range(6)) + "        user."
    here = root / "app/here.py"
    here.write_text(text)
    (root / ".sidecar").mkdir()
    (root / ".sidecar/notes.md").write_text("# Goals\nShip.\n# Open\nTests.\n")
    place = f"{here}:{text.count(chr(10)) + 1}:14"
    answers = []
    for seed in ("1", "77"):
        done = subprocess.run(
            [sys.executable, "-m", "sidecar", "context", place, ALL, "--prompt", "--json"],
            env={"PYTHONHASHSEED": seed, "SIDECAR_CACHE_DIR": str(root.parent / seed)},
            capture_output=True,
            check=True,
        )
        answer = json.loads(done.stdout)
        answer.pop("build_ms")
        answers.append(json.dumps(answer))
    assert answers[0] == answers[1]
    shown = {part["source"] for part in json.loads(answers[0])["parts"]}
    assert shown >= {"members", "notes", "similar"}
