"""The walk over ordinary trees and over hostile ones.

The tree of many files has 20,000: ten times as many take ten times as long, and show no more.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys

import pytest
from walk_trees import environment, make_tree

from sidecar.index.files.content import read_source
from sidecar.index.files.ignore import printable
from sidecar.index.files.walk import Walk, WalkSettings

posix = pytest.mark.skipif(os.name != "posix", reason="such files are POSIX")


def walk(root, **settings):
    chosen = WalkSettings(environment=environment(root.parent / "home"), **settings)
    return Walk(root, chosen)


def check(root, expected, skipped):
    """Walk a tree: what is found, and what is skipped, each `path: reason` on its line."""
    walked = walk(root)
    assert [found.path for found in walked.files()] == expected.split()
    reasons = dict(line.strip().split(": ") for line in skipped.strip().splitlines())
    assert dict(walked.skipped_paths()) == reasons
    assert sum(walked.skipped.values()) == len(reasons)
    for path in [*expected.split(), *reasons]:
        assert walked.ignore.skip(path) == reasons.get(path), path


@pytest.fixture
def root(tmp_path):
    folder = tmp_path / "root"
    folder.mkdir()
    return folder


def test_what_is_found_comes_in_order_with_size_and_time(root):
    make_tree(root, {"b.py": "x = 1\n", "a/z.py": "", "a/b/c.py": "", "a.py": "", "A.py": ""})
    found = list(walk(root).files())
    assert [file.path for file in found] == ["A.py", "a.py", "b.py", "a/z.py", "a/b/c.py"]
    state = (root / "b.py").stat()
    assert found[2] == ("b.py", 6, state.st_mtime_ns)


def test_each_skip_is_counted_by_its_reason(root):
    make_tree(
        root,
        {
            **{".gitignore": "*.o\nout/\n", "a.py": "", "a.o": "", "out/a/b.py": ""},
            **{"out/c.py": "", "node_modules/a/b.js": "", ".env": "", "conf/.ssh/id": ""},
            **{"conf/key.pem": "", "src/.docker/config.json": "", "src/config.json": ""},
        },
    )
    check(
        root,
        ".gitignore a.py src/config.json",
        """
        a.o: ignored
        out: ignored
        node_modules: ignored
        .env: secret
        conf/.ssh: secret
        conf/key.pem: secret
        src/.docker/config.json: secret
        """,
    )


@posix
def test_links_are_not_followed(root, tmp_path):
    make_tree(root, "a/b/x.py a/y.py")
    make_tree(tmp_path, "beside/x.py rootless.py")
    for link, target in {
        "file.py": "a/y.py",
        "folder": "a/b",
        "a/b/up": "..",
        "a/b/top": "../..",
        "a/self": "self",
        "ping": "pong",
        "pong": "ping",
        "out": "../beside",
        "near": "../rootless.py",
        "absolute": "/",
        "none.py": "a/none.py",
    }.items():
        (root / link).symlink_to(target)
    check(
        root,
        "a/y.py a/b/x.py",
        """
        file.py: link
        folder: link
        a/b/up: symlink_loop
        a/b/top: symlink_loop
        a/self: symlink_loop
        ping: symlink_loop
        pong: symlink_loop
        out: outside
        near: outside
        absolute: outside
        none.py: broken_link
        """,
    )
    asked = walk(root).ignore
    assert asked.skip("folder/x.py") == "link"
    assert asked.skip("a/b/up/y.py") == "symlink_loop"
    assert asked.skip("out/x.py") == "outside"


@posix
def test_a_root_that_is_a_link_is_walked(root, tmp_path):
    make_tree(root, "a.py b/c.py")
    (root / "b/d.py").symlink_to(root / "a.py")
    (tmp_path / "way").symlink_to(root)
    walked = walk(tmp_path / "way")
    assert [found.path for found in walked.files()] == ["a.py", "b/c.py"]
    assert walked.skipped_paths() == [("b/d.py", "link")]
    assert walked.ignore.skip("b/c.py") is None


@posix
def test_what_is_no_file(root):
    make_tree(root, "a.py b/")
    os.mkfifo(root / "fifo.py")
    listening = socket.socket(socket.AF_UNIX)
    here = os.getcwd()
    try:
        os.chdir(root / "b")  # A socket's path must be short.
        listening.bind("socket.py")
    finally:
        os.chdir(here)
        listening.close()
    check(root, "a.py", "fifo.py: not_a_file\nb/socket.py: not_a_file")


@posix
def test_odd_names_are_counted_and_can_be_printed(root):
    names = [b"a\nb.py", b"\xff\xfe.py", b"tab\t.py", b"esc\x1b[31m.py", b"lone\xed\xa0\x80.py"]
    made = 0
    for name in names:
        try:
            (root / os.fsdecode(name)).write_text("")
        except OSError:
            continue  # Some file systems refuse bytes that are no UTF-8.
        made += 1
    make_tree(root, {"größe.py": "", "中文.py": "", "a\u00a0b.py": "", "fold/c.py": ""})
    (root / "dir\nbreak").mkdir()
    make_tree(root / "dir\nbreak", "x.py")
    walked = walk(root)
    found = {file.path for file in walked.files()}
    assert found == {"größe.py", "中文.py", "a\u00a0b.py", "fold/c.py"}
    assert walked.skipped == {"odd_name": made + 1}
    shown = dict(walked.skipped_paths())
    assert "dir\\nbreak" in shown and "a\\nb.py" in shown
    assert all(path.isprintable() and path.encode() for path in shown)
    assert walked.ignore.skip("dir\nbreak/x.py") == "odd_name"


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("a/ü.py", "a/ü.py"),
        ("a\nb", "a\\nb"),
        (os.fsdecode(b"a\xff") if os.name == "posix" else "a\udcff", "a\\xff"),
        ("a\x1bb", "a\\x1bb"),
        ("a\u2028b", "a\\u2028b"),
    ],
)
def test_printable(path, expected):
    assert printable(path) == expected


@pytest.mark.parametrize(
    ("name", "depth", "fits"),
    # Beyond what may recurse, and beyond the length that a path may have.
    [("d", sys.getrecursionlimit() + 50, True), ("d" * 200, 30, False)],
)
def test_very_deep_folders(root, name, depth, fits):
    here = os.getcwd()
    try:
        os.chdir(root)  # Made from inside, since a whole path may be too long.
        for _ in range(depth):
            os.mkdir(name)
            os.chdir(name)
        with open("a.py", "w", encoding="utf-8"):
            pass
    finally:
        os.chdir(here)
    path = f"{name}/" * depth + "a.py"
    try:
        walked = walk(root)
        found = [file.path for file in walked.files()]
        if fits:
            assert found == [path]
            assert walked.skipped == {}
            assert walked.ignore.skip(path) is None
            assert read_source(root, path).data == b""
        else:
            assert found == []
            assert walked.skipped == {"too_deep": 1}
            assert walked.ignore.skip(path) == "too_deep"
            assert read_source(root, path).reason == "too_deep"
    finally:
        # What removes the folders of tests goes one call deeper for each.
        subprocess.run(["rm", "-rf", str(root / name)], check=True)


def test_many_tiny_files(root):
    for number in range(200):
        folder = root / f"d{number % 20}" / f"e{number}"
        folder.mkdir(parents=True)
        for name in range(100):
            os.close(os.open(f"{folder}/f{name}.py", os.O_CREAT | os.O_WRONLY))
    walked = walk(root)
    found = [file.path for file in walked.files()]
    assert len(found) == len(set(found)) == 20_000
    assert walked.skipped == {}


def test_skips_are_remembered_up_to_a_bound_and_counted_beyond(root):
    make_tree(root, {".gitignore": "*.o\n", **{f"{number}.o": "" for number in range(50)}})
    walked = walk(root, kept_skips=10)
    assert len(list(walked.files())) == 1
    assert walked.skipped == {"ignored": 50}
    assert walked.skipped_paths() == [(f"{n}.o", "ignored") for n in (0, 1, *range(10, 18))]


def test_it_can_be_stopped_between_folders(root):
    make_tree(root, "a/b/ c/x.py")
    steps = walk(root).folders()
    assert [len(next(steps)) for _ in range(3)] == [0, 0, 0]
    assert [file.path for file in next(steps)] == ["c/x.py"]
    steps.close()


def test_a_root_that_is_gone(root):
    root.rmdir()
    walked = walk(root)
    assert list(walked.files()) == []
    assert walked.skipped_paths() == [(".", "vanished")]


@pytest.mark.skipif(not hasattr(os, "setuid"), reason="users are POSIX")
def test_folders_that_may_not_be_read(root):
    make_tree(root, "a.py none/a.py none/b/c.py list/a.py list/b/c.py enter/a.py")
    (root / "none").chmod(0)
    (root / "list").chmod(0o444)
    (root / "enter").chmod(0o111)
    for folder in (root, *root.parents):
        if folder.stat().st_uid == os.getuid() and folder != folder.parent:
            folder.chmod(folder.stat().st_mode | 0o055)
    # CI is root, whom nothing is denied: so this runs as somebody else, everything imported before.
    script = """
import os, sys
from sidecar.index.files.walk import Walk, WalkSettings
if os.getuid() == 0:
    os.setgid(65534)
    os.setuid(65534)
for name in ("none", "enter"):
    try:
        os.listdir(sys.argv[1] + "/" + name)
    except PermissionError:
        continue
    sys.exit("the access was not denied")
walk = Walk(sys.argv[1], WalkSettings(environment={}))
sys.stdout.write(" ".join(found.path for found in walk.files()) + "\\n")
sys.stdout.write(repr(walk.skipped_paths()) + "\\n")
asked = ("none/a.py", "list/b/c.py", "enter/a.py", "enter")
sys.stdout.write(repr([walk.ignore.skip(path) for path in asked]))
"""
    done = subprocess.run(
        [sys.executable, "-c", script, str(root)], capture_output=True, text=True, check=False
    )
    for folder in ("none", "list", "enter"):
        (root / folder).chmod(0o755)
    assert done.stderr == ""
    found, skipped, asked = done.stdout.splitlines()
    assert found == "a.py"
    assert skipped == repr([(name, "unreadable") for name in ("enter", "list", "none")])
    assert asked == repr(["unreadable"] * 4)
