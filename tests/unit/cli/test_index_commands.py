"""`sidecar index`, `symbols` and `deps`: the contract, what they print, and every refusal."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from sidecar.cli.main import main
from sidecar.index.roots import too_broad

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small repository, and a cache of its own."""
    monkeypatch.setenv("SIDECAR_CACHE_DIR", str(tmp_path / "cache"))
    root = tmp_path / "project"
    for name, text in {
        ".git/HEAD": "ref: refs/heads/main\n",
        ".git/objects/keep": "",
        ".git/refs/keep": "",
        ".gitignore": "built/\n",
        ".env": "TOKEN=1\n",
        "built/out.py": "def made(): ...\n",
        "app/__init__.py": "",
        "app/main.py": "import os\n\nfrom app.models import User\n\n\ndef start() -> User:\n"
        "    return User()\n",
        "app/models.py": "class User:\n    def save_all(self) -> None:\n        ...\n",
        "app/broken.py": "def ok(): ...\n\ndef (\n",
        "notes.txt": "hello\n",
    }.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


def said(capsys: pytest.CaptureFixture[str], *argv: str, code: int = 0) -> str:
    assert main(list(argv)) == code
    out, err = capsys.readouterr()
    assert (err == "") == (code == 0), err
    return out if code == 0 else err


def test_an_index_is_made_and_kept(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first = json.loads(said(capsys, "index", str(project), "--json"))
    assert first.keys() >= {
        *("files", "symbols", "references", "imports", "bytes", "seconds", "skipped"),
        *("languages", "errors", "read"),
    }
    assert first["languages"]["python"] == 4
    assert first["files"] == first["read"] == sum(first["languages"].values())
    assert first["skipped"] == {"ignored": 2, "secret": 1}
    assert first["errors"] == {"python": 1}
    assert (first["symbols"], first["imports"]) == (4, 2)
    again = json.loads(said(capsys, "index", str(project), "--json"))
    assert again["read"] == 0
    assert {**again, "seconds": 0, "read": 0} == {**first, "seconds": 0, "read": 0}
    anew = json.loads(said(capsys, "index", str(project), "--force", "--json"))
    assert anew["read"] == first["files"]
    text = said(capsys, "index", str(project))
    assert "declarations   4" in text and "1 place does not parse" in text
    assert "hold secrets" in text


def test_the_index_is_readable_by_its_user_alone(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    database = json.loads(said(capsys, "index", str(project), "--json"))["database"]
    assert os.stat(database).st_mode & 0o077 == 0
    with sqlite3.connect(database) as connection:
        assert connection.execute("PRAGMA application_id").fetchone() == (0x73636978,)
    connection.close()


def symbols(capsys: pytest.CaptureFixture[str], project: Path, query: str) -> list[str]:
    made = json.loads(said(capsys, "symbols", query, "--path", str(project), "--json"))
    for symbol in made["symbols"]:
        assert symbol.keys() == {
            *("name", "kind", "container", "path", "line", "column", "signature")
        }
    return [f"{s['path']}:{s['line']}:{s['column']} {s['kind']}" for s in made["symbols"]]


def test_symbols_exact_prefix_and_fuzzy(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert symbols(capsys, project, "User") == ["app/models.py:1:7 class"]
    assert symbols(capsys, project, "sav") == ["app/models.py:2:9 method"]
    assert symbols(capsys, project, "svall") == ["app/models.py:2:9 method"]
    assert symbols(capsys, project, "User.save_all") == ["app/models.py:2:9 method"]
    (project / "app/late.py").write_text("class Useful: ...\n")
    assert symbols(capsys, project, "Use") == ["app/models.py:1:7 class", "app/late.py:1:7 class"]


def test_symbols_prints_places(
    project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project)
    assert said(capsys, "symbols", "start") == ("app/main.py:6:5 function def start() -> User\n")
    for name in ("nothing_like_it", "No.such", "No::such", "No#such?", "$naught", "nä"):
        assert "try fewer letters" in said(capsys, "symbols", name, code=1)
    for words in ("start()", "def start", "start*", "app/main.py:6"):
        assert "try the name alone" in said(capsys, "symbols", words, code=1)


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_an_output_without_the_letters_of_a_name_gets_them_escaped(
    project: Path, encoding: str
) -> None:
    (project / "app/main.py").write_text("def größe_日(): ...\n")
    for argv in (["größe"], ["größe", "--json"]):
        done = subprocess.run(
            [sys.executable, "-m", "sidecar", "symbols", "--path", str(project), *argv],
            capture_output=True,
            check=True,
            timeout=60,
            env={**os.environ, "PYTHONIOENCODING": encoding, "PYTHONUTF8": "1"},
        )
        out = done.stdout.decode(encoding)
        if "--json" in argv:
            assert json.loads(out)["symbols"][0]["name"] == "größe_日"
        else:
            name = "größe_日".encode(encoding, "backslashreplace").decode(encoding)
            assert out.endswith(f" function def {name}()\n")


def test_deps_both_ways(
    project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    made = json.loads(said(capsys, "deps", str(project / "app/main.py"), "--json"))
    assert made == {
        "imports": [
            {"name": "os", "line": 1},
            {"name": "app.models User", "line": 3, "path": "app/models.py"},
        ],
        "importers": [],
    }
    monkeypatch.chdir(project)
    assert said(capsys, "deps", "app/models.py") == "<- app/main.py\n"
    assert said(capsys, "deps", "app/main.py") == "-> os\n-> app.models User  app/models.py\n"


def test_a_file_by_itself_is_told(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    alone = str(project / "app/broken.py")
    assert main(["deps", alone]) == 0
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err == f"sidecar: {alone} imports nothing, and nothing in {project} imports it\n"
    assert json.loads(said(capsys, "deps", alone, "--json")) == {"imports": [], "importers": []}


@pytest.mark.parametrize(
    ("argv", "told"),
    [
        (["index", "/nowhere"], "is not there"),
        (["index", "/"], "the root of a file system"),
        (["index", "~"], "your home directory"),
        (["symbols", "x", "--path", "/"], "too much to index"),
        (["symbols", "x", "--limit", "0"], "must be at least 1"),
        (["deps", "/nowhere/a.py"], "is not there"),
        (["deps", "{project}"], "is a folder"),
        (["deps", "{project}/.env"], "is not in the index (secret)"),
        (["deps", "{project}/built/out.py"], "is not in the index (ignored)"),
        (["deps", "{project}/app/main.py", "--path", "{project}/built"], "around it, or leave"),
        (["deps", "{project}/nothing.py"], "is a link to nothing"),
        (["deps", "{project}/outside.py"], "is not in the index (outside)"),
        (["deps", ""], "the name of the file is empty"),
        (["index", ""], "the name of the folder is empty"),
        (["index", "{project}/app/main.py"], "is not a folder"),
        (["symbols", " ", "--path", "{project}"], "the name to look for is empty"),
        (["symbols", "a", "--path", ""], "the name of the folder is empty"),
        (["symbols", "a", "--limt", "2"], "see `sidecar symbols --help`"),
        (["index", "{project}", "more"], "arguments: more; see `sidecar index --help`"),
    ],
)
def test_refusals_are_one_line(
    argv: list[str], told: str, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "nothing.py").symlink_to("nowhere.py")
    (project / "outside.py").symlink_to(__file__)
    error = said(capsys, *(word.format(project=project) for word in argv), code=2)
    assert error.startswith("sidecar: ") and error.count("\n") == 1 and "; " in error
    assert told in error


def test_a_link_to_a_file_is_that_file(
    project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (project / "same.py").symlink_to("app/models.py")
    monkeypatch.chdir(project)
    assert said(capsys, "deps", "same.py") == "<- app/main.py\n"


#: Drops what lets root read everything, and is sure of it before anything is tested.
_UNPRIVILEGED = """
import contextlib, io, os, sys
from sidecar.cli import deps, index, main, symbols, workspace
from sidecar.index import once
root, *rest = sys.argv[1:]
os.setgid(65534)
os.setuid(65534)
assert not os.access(root + "/closed", os.R_OK)
for argv in (["index", root + "/closed"], ["symbols", "x", "--path", root + "/closed/app"]):
    print(main.main(argv))
"""


@pytest.mark.skipif(os.name != "posix" or os.getuid() != 0, reason="gives up the rights of root")
def test_a_folder_that_cannot_be_read_is_no_empty_one(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "closed" / "app").mkdir(parents=True)
    for parent in (project, *project.parents):
        if str(parent).count("/") > 1:
            parent.chmod(parent.stat().st_mode | 0o011)
    (project / "closed").chmod(0o700)
    done = subprocess.run(
        [sys.executable, "-c", _UNPRIVILEGED, str(project)],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert done.stdout.split() == ["2", "2"]
    first, second = done.stderr.splitlines()
    assert "cannot be read; check its permissions" in first
    assert "cannot be reached; check the permissions" in second


def test_an_index_that_cannot_be_kept_is_told_once(
    project: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    cache = tmp_path / "cache"
    # No directory can be made where a file lies, not even by root.
    cache.mkdir()
    (cache / "index").write_text("")
    for argv in (
        ["symbols", "User", "--path", str(project)],
        ["deps", str(project / "app/main.py")],
    ):
        error = said(capsys, *argv, code=1)
        assert error.count("; ") == 1 and "private" not in error
        assert "SIDECAR_CACHE_DIR" in error


def test_what_is_too_broad(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "users" / "me"))
    (tmp_path / "users" / "me" / "code").mkdir(parents=True)
    (tmp_path / "link").symlink_to(tmp_path / "users" / "me")
    for name in ("users", "users/me", "link"):
        assert too_broad(str(tmp_path / name))
    for name in ("users/me/code", "elsewhere"):
        assert not too_broad(str(tmp_path / name))


def test_no_command_of_the_index_loads_the_models_libraries(project: Path) -> None:
    code = (
        "import sys; from sidecar.cli.main import main; "
        f"main(['index', {str(project)!r}, '--json']); "
        "print([n for n in ('numpy', 'llama_cpp', 'pygls', 'rich', 'watchdog', 'huggingface_hub')"
        " if n in sys.modules], file=sys.stderr)"
    )
    done: Any = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stderr.strip() == "[]"
