"""Trees, databases and moments that were made to break an index, through real processes."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import psutil
import pytest
from index_dump import dump

from sidecar.index.once import index_once
from sidecar.index.place import database_path
from sidecar.index.query.reader import Reader
from sidecar.index.storage.store import Store
from sidecar.index.upkeep.workspace import Workspace
from sidecar.syntax import Languages

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals, FIFOs and users")

#: What a text must begin with to be one of its language.
HEADS = {"php": "<?php\n", "go": "package a\n"}
TEXT = "def known(x: int) -> int:\n    return x\n"
#: What a worker may hold at most for what two seconds of the processor find in a file.
MOST_MEMORY = 1_000 << 20


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SIDECAR_CACHE_DIR", str(tmp_path / "cache"))
    root = tmp_path / "root"
    (root / ".git").mkdir(parents=True)
    (root / "known.py").write_text(TEXT)
    return root


def sidecar(*arguments: str, code: int = 0) -> str:
    """Run the real program; return what it printed, or its error."""
    done = subprocess.run(
        [sys.executable, "-m", "sidecar", *arguments], capture_output=True, timeout=100
    )
    told = done.stderr.decode("utf-8", "replace")
    assert done.returncode == code, told
    assert "Traceback" not in told and "nobody expected" not in told
    assert told.count("\n") <= 1
    return told if code else done.stdout.decode()


def index(root: Path) -> dict[str, Any]:
    facts: dict[str, Any] = json.loads(sidecar("index", str(root), "--json"))
    return facts


def lines_of(text: str, times: int) -> str:
    """Repeat a text in lines that are no sign of a minified file."""
    return (text * 10 + "\n") * (times // 10)


def test_nothing_in_a_hostile_tree_stops_an_index(root: Path) -> None:
    with (root / "huge.py").open("wb") as file:
        file.truncate(200_000_000)
    (root / "million.py").write_text("x = 1\n" * 1_000_000)
    (root / "generated.py").write_text("# @generated\n" + TEXT)
    (root / "nul.py").write_bytes(b"a = 1\0")
    (root / "noise.py").write_bytes(bytes(range(128, 256)) * 20)
    (root / "latin.py").write_bytes(b"# caf\xe9\n" + TEXT.replace("known", "latin").encode())
    (root / "wide.py").write_bytes(TEXT.encode("utf-16"))
    os.mkfifo(root / "pipe.py")
    here = Path.cwd()
    os.chdir(root)
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind("socket.py")
    os.chdir(here)
    (root / "new\nline.py").write_text(TEXT)
    Path(os.fsdecode(os.fsencode(root) + b"/\xff.py")).write_text(TEXT)
    for link, target in (("a", "b"), ("b", "a"), ("self", "."), ("out", "/etc"), ("none", "no")):
        (root / link).symlink_to(target)
    deep = root.joinpath(*["d"] * 300)
    deep.mkdir(parents=True)
    (deep / "deep.py").write_text(TEXT.replace("known", "deep"))
    found = index(root)
    assert found["skipped"] == {
        "ignored": 1,
        "too_large": 2,
        "generated": 1,
        "binary": 2,
        "encoding": 1,
        "not_a_file": 2,
        "odd_name": 2,
        "symlink_loop": 3,
        "outside": 1,
        "broken_link": 1,
    }
    assert (found["languages"], found["symbols"]) == ({"python": 3}, 3)
    again = index(root)
    assert again["read"] == 0 and again["skipped"] == found["skipped"]
    assert "deep.py:1:5" in sidecar("symbols", "deep", "--path", str(root))
    for name, why in (("huge.py", "too large"), ("nul.py", "binary"), ("pipe.py", "no regular")):
        assert why in sidecar("deps", str(root / name), code=2)


def test_ten_thousand_brackets_in_every_language(root: Path, tmp_path: Path) -> None:
    languages = [language for language in Languages.load().all if language.query("symbols")]
    assert len(languages) == 16
    for language in languages:
        head, ending = HEADS.get(language.name, ""), language.extensions[0]
        for number, bracket in enumerate("({<"):
            path = root / language.name / f"open{number}{ending}"
            path.parent.mkdir(exist_ok=True)
            path.write_text(head + "x = " + lines_of(bracket, 10_000))
        text = head + "x = " + lines_of("(", 10_000) + lines_of(")", 10_000)
        (root / language.name / f"closed{ending}").write_text(text)
    peaks: Counter[int] = Counter()
    process = subprocess.Popen(
        [sys.executable, "-m", "sidecar", "index", str(root), "--json"], stdout=subprocess.PIPE
    )
    with process:
        while process.poll() is None:
            try:
                for one in psutil.Process(process.pid).children(recursive=True):
                    peaks[one.pid] = max(peaks[one.pid], one.memory_info().rss)
            except psutil.Error:
                continue
            time.sleep(0.1)
        assert process.stdout is not None and process.returncode == 0
        found = json.loads(process.stdout.read())
    written = 4 * 16 + 2
    assert found["files"] + sum(found["skipped"].values()) == written
    assert found["skipped"].keys() <= {"ignored", "too_slow"}
    assert found["errors"].keys() >= {language.name for language in languages} - {"bash"}
    assert max(peaks.values()) < MOST_MEMORY


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="others hold nobody to it")
def test_a_file_that_takes_all_memory_is_left_out(root: Path) -> None:
    (root / "greedy.cs").write_text(lines_of('$"{', 300_000))
    # Less than workers may have, so that a slow machine comes to it before its time is over.
    limit = 150 << 20
    code = (
        "import resource, sys\n"
        f"resource.setrlimit(resource.RLIMIT_DATA, ({limit}, {limit}))\n"
        "from sidecar.cli.main import main\n"
        "sys.exit(main(['index', sys.argv[1], '--json']))"
    )
    done = subprocess.run([sys.executable, "-c", code, root], capture_output=True, timeout=100)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert (told["files"], told["skipped"].get("crashed")) == (1, 1)


def test_a_file_that_took_too_long_is_tried_again_on_another_day(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Each line costs the recovery from an error.
    (root / "slow.js").write_text("abc def ghi\n" * 80_000)
    spent = []
    for _ in range(2):
        before = os.times().children_user
        assert index(root)["skipped"] == {"ignored": 1, "too_slow": 1}
        spent.append(os.times().children_user - before)
    # The two seconds of the processor that a file has, which on a busy machine do less.
    assert spent[1] < spent[0] - 1.0
    real = time.time
    with Store.open(database_path(str(root)), root) as store:
        assert "slow.js" in Workspace(str(root), store).skips
        monkeypatch.setattr(time, "time", lambda: real() + 25 * 3600)
        assert "slow.js" not in Workspace(str(root), store).skips


@pytest.mark.parametrize("name", ["\udcff", "a\nb", "%_*\"'(", "x" * 50_000, "a.b.c.d", "\ud83d"])
def test_odd_questions_have_answers(root: Path, name: str, tmp_path: Path) -> None:
    database = tmp_path / "index.sqlite"
    index_once(str(root), database=lambda _root: database)
    with Reader(database) as reader:
        assert reader.find(name) == reader.definitions(name) == reader.references(name) == ()
        assert reader.symbols(name) == reader.imports(name) == reader.importers(name) == ()
        assert reader.members(name, name) == reader.search(name) == ()
        assert reader.digest(name) is None
        assert reader.definitions("known")


def test_a_folder_whose_name_is_no_text(root: Path) -> None:
    odd = Path(os.fsdecode(os.fsencode(root) + b"/o\xff\ndd"))
    odd.mkdir()
    (odd / "a.py").write_text(TEXT)
    assert index(odd)["symbols"] == 1
    assert sidecar("deps", str(odd / "a.py"), "--path", str(odd)) == ""


@pytest.mark.parametrize("argument", ["/", "~", "/nope", "known.py", "\udcff", "a\nb", "/dev/null"])
def test_what_is_no_folder_is_refused_in_one_line(
    root: Path, argument: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(root)
    told = sidecar("index", argument, code=2)
    assert told.startswith("sidecar: ") and "name the folder of a project" in told


def test_a_database_that_is_broken_while_it_is_used(root: Path) -> None:
    for number in range(40):
        (root / f"m{number}.py").write_text(TEXT)
    database = Path(index(root)["database"])
    whole = database.read_bytes()
    for broken in (b"", whole[: len(whole) // 2], b"\0" * len(whole), os.urandom(9_000)):
        database.write_bytes(broken)
        assert index(root)["symbols"] == 41
    database.unlink()
    assert index(root)["symbols"] == 41
    database.unlink()
    database.mkdir()
    assert index(root)["symbols"] == 41
    database.rmdir()
    assert index(root)["symbols"] == 41


def test_a_full_disk_leaves_an_index_that_says_so(root: Path, tmp_path: Path) -> None:
    for number in range(300):
        (root / f"m{number}.py").write_text(
            "".join(f"def f{number}_{n}(): ...\n" for n in range(30))
        )
    # Every file that a process writes ends at this size, wherever it lies.
    program = (
        "import resource, signal, sys; signal.signal(signal.SIGXFSZ, signal.SIG_IGN);"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000));"
        "from sidecar.cli.main import main; sys.exit(main(sys.argv[1:]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, "index", str(root), "--json"],
        capture_output=True,
        timeout=100,
    )
    told = done.stderr.decode()
    assert "Traceback" not in told and "nobody expected" not in told, told
    assert done.returncode == 1 and "make room" in told and told.count("\n") == 1, told
    # With room again, all is as if nothing had happened.
    assert index(root)["symbols"] == 9_001


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="changes its user")
def test_a_user_who_may_not_write_nor_read(root: Path, tmp_path: Path) -> None:
    closed = root / "closed"
    closed.mkdir()
    (closed / "a.py").write_text(TEXT)
    (root / "secret.py").write_text(TEXT)
    cache = tmp_path / "cache"
    (cache / "index").mkdir(parents=True)
    for path, mode in (
        (closed, 0),
        (root / "secret.py", 0),
        (cache / "index", 0o500),
        (cache, 0o500),
    ):
        path.chmod(mode)
    # Another user could not even run an interpreter in somebody's home: what is taken away is the
    # right to pass over permissions.
    program = (
        "import ctypes, os, sys\n"
        "for capability in (1, 2):\n"
        "    assert ctypes.CDLL(None).prctl(24, capability, 0, 0, 0) == 0\n"
        "os.execv(sys.executable, [sys.executable, '-c', *sys.argv[1:]])"
    )
    denied = (
        "import os, sys\n"
        "for path in sys.argv[1:4]:\n"
        "    assert not os.access(path, os.R_OK | os.W_OK), path\n"
        "from sidecar.cli.main import main; sys.exit(main(sys.argv[4:]))"
    )
    paths = [str(closed), str(root / "secret.py"), str(cache)]
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-c", program, denied, *paths, "index", str(root), "--json"],
            capture_output=True,
            timeout=100,
        )
        told = done.stderr.decode()
        assert done.returncode == 0 and told.count("\n") == 1, told
        assert "a private one is used" in told
        assert json.loads(done.stdout)["skipped"] == {"ignored": 1, "unreadable": 2}
        # Then its folder cannot even be made.
        shutil.rmtree(cache / "index", ignore_errors=True)


@pytest.mark.parametrize("seed", range(3))
def test_an_interrupt_leaves_what_the_next_run_makes_whole(
    seed: int, root: Path, tmp_path: Path
) -> None:
    for number in range(400):
        (root / f"m{number}.py").write_text(f"import m{number - 1}\n{TEXT}")
    process = subprocess.Popen(
        [sys.executable, "-m", "sidecar", "index", str(root)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    # Python itself ends with a traceback while it imports, which on a busy machine takes long.
    while not psutil.Process(process.pid).children() and process.poll() is None:
        time.sleep(0.005)
    time.sleep(random.Random(seed).uniform(0.0, 0.6))
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=60)
    assert process.returncode in (0, 130), told
    assert b"Traceback" not in told
    database = Path(index(root)["database"])
    scratch = tmp_path / "scratch.sqlite"
    index_once(str(root), database=lambda _root: scratch)
    assert dump(database) == dump(scratch)


def test_times_in_the_future_and_a_root_that_comes_and_goes(root: Path, tmp_path: Path) -> None:
    os.utime(root / "known.py", (4_000_000_000, 4_000_000_000))
    assert index(root)["symbols"] == 1
    (root / "known.py").write_text(TEXT + TEXT.replace("known", "later"))
    os.utime(root / "known.py", (1_000_000_000, 1_000_000_000))
    assert index(root)["symbols"] == 2
    root.rename(tmp_path / "away")
    sidecar("index", str(root), code=2)
    root.mkdir()
    assert index(root)["symbols"] == 0
    shutil.rmtree(root)
    (tmp_path / "away").rename(root)
    assert index(root)["symbols"] == 2


def test_a_database_that_another_process_keeps_locked_is_waited_for(root: Path) -> None:
    database = Path(index(root)["database"])
    (root / "more.py").write_text(TEXT)
    connection = sqlite3.connect(database, isolation_level=None)
    connection.execute("BEGIN IMMEDIATE")
    process = subprocess.Popen(
        [sys.executable, "-m", "sidecar", "index", str(root), "--json"], stdout=subprocess.PIPE
    )
    time.sleep(1.5)
    assert process.poll() is None
    connection.execute("ROLLBACK")
    connection.close()
    out, _ = process.communicate(timeout=60)
    assert json.loads(out)["symbols"] == 2
