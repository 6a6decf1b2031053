"""`sidecar context`: the contract, what it prints, and every refusal; without a model."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from notebook_samples import OUTPUT, cell, notebook

from sidecar.cli.main import main

FILES = {
    ".git/HEAD": "ref: refs/heads/main\n",
    ".git/objects/keep": "",
    ".git/refs/keep": "",
    "app/__init__.py": "",
    "app/models.py": "class User:\n    name: str\n\n    def save_all(self) -> None: ...\n",
    "app/main.py": "from app.models import User\n\n\ndef start() -> None:\n    user = User()\n"
    "    user.\n",
    "app/a.ipynb": notebook("a = 1"),
    ".ssh/a.ipynb": notebook("a = 1"),
    ".env": "TOKEN=1\n",
}


@pytest.fixture
def main_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A small repository, and a cache of its own that holds no model."""
    monkeypatch.setenv("SIDECAR_CACHE_DIR", str(tmp_path / "cache"))
    root = tmp_path / "project"
    for name, text in FILES.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return str(root / "app/main.py")


def told(capsys: pytest.CaptureFixture[str], *argv: str) -> dict[str, Any]:
    assert main(["context", *argv, "--json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_the_contract(main_file: str, capsys: pytest.CaptureFixture[str]) -> None:
    sources = "--sources=outline,members"
    found = told(capsys, f"{main_file}:6:10", sources)
    assert found.keys() >= {
        *("prompt_tokens", "whole_file_tokens", "unchanged_tokens", "build_ms", "parts", "dropped"),
    }
    assert "prompt" not in found
    (members,) = [part for part in found["parts"] if part["source"] == "members"]
    assert members.keys() == {"part", "source", "path", "reason", "score", "tokens", "reused"}
    assert members["path"] == "app/models.py"
    assert found["prompt_tokens"] == sum(part["tokens"] for part in found["parts"])
    shown = told(capsys, f"{main_file}:6:10", sources, "--prompt")["prompt"]
    assert "def save_all(self) -> None: ..." in shown


def test_what_is_printed(main_file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["context", f"{main_file}:6:10", "--sources", "members", "--prompt"]) == 0
    said = capsys.readouterr()
    assert said.err.startswith("sidecar: tokens are estimated, since ")
    head, _, rest = said.out.partition("\n\n")
    rows = [line.split() for line in head.splitlines()]
    assert [row[0] for row in rows] == ["part", "repo", "outline", "suffix", "typed"]
    assert rest.startswith(f"{sum(int(row[1]) for row in rows[1:])} tokens in 4 parts; ")
    assert "members of app/models.py" in head
    assert rest.splitlines()[0].endswith(f"the whole file has {len(FILES['app/main.py']) * 2 // 5}")
    assert "[repo]\napp/models.py\nclass User:\n    name: str\n" in rest


def test_without_sources_there_is_the_file_alone(
    main_file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    kinds = {part["part"] for part in told(capsys, f"{main_file}:6:10", "--sources=")["parts"]}
    assert kinds == {"suffix", "typed"}


CELLS = (
    "from app.models import User",
    cell("# Users", "markdown"),
    "!ls\ndef made() -> User:\n    return User()",
    "%%bash\necho output",
    "user = made()\nuser.",
)


def test_a_notebook_is_its_code_cells(main_file: str, capsys: pytest.CaptureFixture[str]) -> None:
    path = main_file.replace("main.py", "users.ipynb")
    Path(path).write_text(notebook(*CELLS))
    found = told(capsys, f"{path}:8:6", "--sources=members,similar,viewed,outline", "--prompt")
    (members,) = [part for part in found["parts"] if part["source"] == "members"]
    assert members["path"] == "app/models.py"
    assert found["prompt"].endswith("[typed]\n" + "\n\n".join((CELLS[0], CELLS[2], CELLS[4])))
    assert "def save_all(self) -> None: ..." in found["prompt"]
    assert OUTPUT not in found["prompt"] and "Users" not in found["prompt"]
    # Another file of the project is not shown it either.
    assert OUTPUT not in told(capsys, f"{main_file}:6:10", "--sources=similar,viewed", "--prompt")


@pytest.mark.parametrize(
    ("text", "why"),
    [("{", "it is not JSON"), ("[1]", "it has no cells"), ("import os\n", "it is not JSON")],
)
def test_a_broken_notebook_is_one_clear_line(
    main_file: str, capsys: pytest.CaptureFixture[str], text: str, why: str
) -> None:
    path = main_file.replace("main.py", "users.ipynb")
    Path(path).write_text(text)
    assert main(["context", f"{path}:1:1"]) == 2
    said = capsys.readouterr()
    assert said.err == (
        f"sidecar: {path} is no notebook: {why}; open it in Jupyter, and save it again\n"
    )


@pytest.mark.parametrize(
    ("place", "more", "err"),
    [
        ("app/main.py", (), "is not FILE:LINE:COLUMN"),
        ("app/main.py:99:1", (), "has no line 99"),
        ("app/a.ipynb:3:1", (), "has no line 3; name a line from 1 to 1"),
        (".ssh/a.ipynb:1:1", (), "hold secrets"),
        (
            "app/main.py:1:1",
            ("--sources", "definitions,magic"),
            "no source is called 'magic'; name",
        ),
        ("app/main.py:1:1", ("--model", "nope"), "no model called 'nope'"),
        (".env:1:1", (), "hold secrets"),
    ],
)
def test_refusals_are_one_line(
    main_file: str,
    capsys: pytest.CaptureFixture[str],
    place: str,
    more: tuple[str, ...],
    err: str,
) -> None:
    root = main_file.removesuffix("app/main.py")
    assert main(["context", root + place, *more]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("sidecar: ")
    assert said.err.count("\n") == 1
    assert err in said.err
