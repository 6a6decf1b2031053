from __future__ import annotations

import os
import random
import shutil
import time

import pytest
from walk_trees import (
    environment,
    grow,
    make_repository,
    make_tree,
    random_rules,
    run_git,
)

from sidecar.index.files.ignore import Ignore, WalkSettings, is_rule_file
from sidecar.index.files.patterns import compile_patterns
from sidecar.index.files.repository import parse_config
from sidecar.index.files.walk import Walk

needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="there is no git to compare")


def walked(root, home, **settings):
    chosen = WalkSettings(environment=environment(home), **settings)
    return sorted(found.path for found in Walk(root, chosen).files())


def check(folder, files, expected, **settings):
    """Walk a tree and ask for each of its paths: both must give the expected files."""
    root = make_tree(folder / "root", files)
    got = walked(root, folder / "home", **settings)
    assert got == sorted(expected.split())
    ignore = Ignore(root, WalkSettings(environment=environment(folder / "home"), **settings))
    for path in root.rglob("*"):
        if path.is_file():
            name = path.relative_to(root).as_posix()
            assert (ignore.skip(name) is None) == (name in got), name


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        ("", "a.c b/a.c b/c/d.h"),
        ("*.c", "b/c/d.h"),
        ("*.c\n!a.c", "a.c b/a.c b/c/d.h"),
        ("/a.c", "b/a.c b/c/d.h"),
        ("b/*\n!b/c", "a.c b/c/d.h"),
        # What lies in a folder that is left out is never taken back.
        ("b/\n!b/a.c\n!b/c/", "a.c"),
        ("c/", "a.c b/a.c"),
        ("a.c/", "a.c b/a.c b/c/d.h"),
        ("**/d.h", "a.c b/a.c"),
        ("b/**", "a.c"),
        ("b/**/d.h", "a.c b/a.c"),
        ("*\n!b/\n!d.h\n!c", "b/c/d.h"),
        ("# a.c\n\n\\#a\na.c  \r\n", "b/c/d.h"),
    ],
)
def test_rules(tmp_path, rules, expected):
    files = {"a.c": "", "b/a.c": "", "b/c/d.h": "", ".gitignore": rules + "\n.gitignore"}
    check(tmp_path, files, expected)


def test_an_inner_file_is_stronger_and_sidecarignore_is_stronger_than_the_one_beside_it(tmp_path):
    files = {
        ".gitignore": "*.log\n.*ignore\n",
        "a.log": "",
        "b/.gitignore": "!*.log\nx.c\n",
        "b/a.log": "",
        "b/x.c": "",
        "b/c/.sidecarignore": "!x.c\na.log",
        "b/c/.gitignore": "!a.log\nx.c",
        "b/c/a.log": "",
        "b/c/x.c": "",
    }
    check(tmp_path, files, "b/a.log b/c/x.c")


def test_the_setting_is_the_strongest(tmp_path):
    files = {"a.c": "", "b/a.c": "", "b/.sidecarignore": "!a.c\n.sidecarignore"}
    check(tmp_path, files, "", exclude=("a.c",))


def test_folders_that_never_hold_source_cannot_be_taken_back(tmp_path):
    files = {
        ".sidecarignore": "!node_modules/\n!.git\n.sidecarignore",
        "node_modules/a.js": "",
        "src/__pycache__/a.pyc": "",
        "src/node_modules.js": "",
        ".hg/a": "",
        "env/pyvenv.cfg": "",
        "env/lib/a.py": "",
        "out/CACHEDIR.TAG": "Signature: 8a477f597d28d172789f06886806bc55\n",
        "out/a.c": "",
        "in/CACHEDIR.TAG": "something else",
        "in/a.c": "",
    }
    check(tmp_path, files, "src/node_modules.js in/a.c in/CACHEDIR.TAG")


def test_excludes_of_the_repository_and_of_the_user(tmp_path):
    root = make_repository(tmp_path / "root")
    home = tmp_path / "home"
    make_tree(root, {"a.c": "", "b.c": "", "c.c": "", "d/c.c": "", ".gitignore": "!a.c\n.*"})
    make_tree(root, {".git/info/exclude": "a.c\nb.c\n"})
    assert walked(root, home) == ["a.c", "c.c", "d/c.c"]
    make_tree(home, {".config/git/ignore": "/c.c\n!b.c\n"})
    assert walked(root, home) == ["a.c", "d/c.c"]
    make_tree(home, {".gitconfig": "[core]\n\texcludesFile = ~/mine # mine\n", "mine": "d"})
    assert walked(root, home) == ["a.c", "c.c"]
    make_tree(root, {".git/config": "[CORE]\nEXCLUDESFILE = \n"})
    assert walked(root, home) == ["a.c", "c.c", "d/c.c"]
    make_tree(root, {".git/config": "[core]\nignoreCase\n", ".gitignore": "A.C\n[B].C\n.*"})
    assert walked(root, home) == ["c.c"]


def test_repositories_inside_start_anew(tmp_path):
    root = make_repository(tmp_path / "root")
    make_tree(
        root,
        {
            ".gitignore": "*.log\n/left/\n.*",
            ".sidecarignore": "*.big",
            "a.log": "",
            "in/a.log": "",
            "in/b.log": "",
            "in/a.big": "",
            "in/.gitignore": "b.log\n.*",
            "sub/.git": "gitdir: ../.git/modules/sub",
            "sub/a.log": "",
            ".git/modules/sub/HEAD": "",
            ".git/modules/sub/objects/": "",
            ".git/modules/sub/refs/": "",
            ".git/modules/sub/info/exclude": "c.c",
            "sub/c.c": "",
            # Neither an empty folder nor a file that leads nowhere makes a repository.
            "no/.git/": "",
            "no/a.log": "",
            "gone/.git": "gitdir: ../nowhere",
            "gone/a.log": "",
            "left/a.c": "",
        },
    )
    make_repository(root / "in")
    make_repository(root / "left")
    assert walked(root, tmp_path / "home") == ["in/a.log", "sub/a.log"]


def test_a_root_inside_a_repository_obeys_its_rules(tmp_path):
    top = make_repository(tmp_path / "root")
    make_tree(
        top,
        {
            ".gitignore": "/packages/a/x.c\n*.log\ny.c\nignored/\n",
            ".git/info/exclude": "packages/*/z.c",
            "packages/.gitignore": "/a/w.c\n!/a/y.c\n",
        },
    )
    for folder in ("packages/a", "ignored/a"):
        make_tree(top / folder, "x.c y.c z.c w.c a.log b/x.c b/w.c")
    home = tmp_path / "home"
    assert walked(top / "packages/a", home) == ["b/w.c", "b/x.c", "y.c"]
    # Who opens a folder that is left out wants to see it.
    assert walked(top / "ignored/a", home) == "a.log b/w.c b/x.c w.c x.c y.c z.c".split()


def test_a_root_in_a_folder_of_secrets_gives_nothing(tmp_path):
    make_tree(tmp_path / ".ssh", "a.py")
    walk = Walk(tmp_path / ".ssh")
    assert list(walk.files()) == []
    assert walk.skipped_paths() == [(".", "secret")]
    assert Ignore(tmp_path / ".ssh").skip("a.py") == "secret"


def test_configuration():
    text = """
; a comment
[core] ignoreCase = true
\texcludesFile = "a b" c\\t\\"d\\" ; rest
[includeIf "gitdir:~/x"]
    path = y
[Include]
    path = z\\
z
    flag
[alias]
    x = "!f() { echo '#;'; }; f"   # done
"""
    assert list(parse_config(text)) == [
        ("core.ignorecase", "true"),
        ("core.excludesfile", 'a b c\t"d"'),
        ("includeif.gitdir:~/x.path", "y"),
        ("include.path", "zz"),
        ("include.flag", "true"),
        ("alias.x", "!f() { echo '#;'; }; f"),
    ]


@needs_git
@pytest.mark.parametrize("seed", range(80))
def test_the_same_files_as_git_lists(tmp_path, seed):
    chance = random.Random(seed)
    home, root = tmp_path / "home", tmp_path / "root"
    variables = environment(home)
    root.mkdir()
    grow(chance, root)
    run_git(root, variables, "init", "-q")
    if chance.random() < 0.3:
        make_tree(root, {".git/info/exclude": random_rules(chance)})
    if chance.random() < 0.3:
        make_tree(home, {".config/git/ignore": random_rules(chance)})
    if chance.random() < 0.2:
        run_git(root, variables, "config", "core.ignoreCase", "true")
    listed = run_git(root, variables, "ls-files", "-z", "-co", "--exclude-standard")
    assert walked(root, home) == sorted(listed)


def test_answers_follow_the_disk_and_equal_a_new_walk(tmp_path):
    # Nobody says what changed, but for files outside of the root there is no need to.
    chance = random.Random(7)
    root, home = tmp_path / "root", tmp_path / "home"
    settings = WalkSettings(environment=environment(home))
    make_repository(root)
    grow(chance, root)
    ignore = Ignore(root, settings)
    for _ in range(60):
        change(chance, root)
        # The clock of a file system ticks every few milliseconds: the next change is a later one.
        time.sleep(0.01)
        walk = Walk(root, settings)
        expected: dict[str, str | None] = {found.path: None for found in walk.files()}
        expected.update(walk.skipped_paths())
        asked = [path for path in sorted(root.rglob("*")) if not path.is_dir() or path.is_symlink()]
        for path in asked:
            name = path.relative_to(root).as_posix()
            above = name
            while above not in expected:
                above = above.rpartition("/")[0]
                assert above, f"the walk has said nothing about {name}"
            assert ignore.skip(name) == expected[above], name


def change(chance, root):
    folders = [
        root,
        *(path for path in sorted(root.rglob("*")) if path.is_dir() and ".git" not in str(path)),
    ]
    folder = chance.choice([path for path in folders if not path.is_symlink()])
    name = chance.choice(["a", "b", "foo", "x.c", "é"])
    kind = chance.choice("rules sidecar tag venv secret repository remove rename grow link".split())
    if kind == "rules":
        (folder / ".gitignore").write_bytes(random_rules(chance))
    elif kind == "sidecar":
        (folder / ".sidecarignore").write_bytes(random_rules(chance))
    elif kind == "tag":
        make_tree(folder, {"CACHEDIR.TAG": "Signature: 8a477f597d28d172789f06886806bc55"})
    elif kind == "venv":
        make_tree(folder, "pyvenv.cfg")
    elif kind == "secret":
        make_tree(folder, ".aws/a.py .env")
    elif kind == "repository":
        make_repository(folder)
        make_tree(folder, {".git/info/exclude": random_rules(chance)})
    elif kind == "remove":
        for mark in (".gitignore", ".sidecarignore", "CACHEDIR.TAG", "pyvenv.cfg"):
            (folder / mark).unlink(missing_ok=True)
    elif kind == "rename" and folder != root:
        target = root / f"{name}{chance.random()}"
        folder.rename(target)
    elif kind == "link" and not os.path.lexists(folder / name):
        (folder / name).symlink_to(chance.choice([root, root.parent, folder / "none", folder]))
    else:
        grow(chance, folder, 2)


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        (".gitignore", True),
        ("a/b/.sidecarignore", True),
        ("a/CACHEDIR.TAG", True),
        ("a/pyvenv.cfg", True),
        (".git", True),
        (".git/info/exclude", True),
        ("sub/.git/config", True),
        (".git/index", False),
        ("a.py", False),
        ("gitignore", False),
    ],
)
def test_files_that_change_the_answers(path, expected):
    assert is_rule_file(path) is expected


def test_paths_where_nothing_lies(tmp_path):
    make_tree(tmp_path, {".gitignore": "*.log"})
    ignore = Ignore(tmp_path)
    assert ignore.skip("a/b/c.py") == "vanished"
    assert ignore.ignored("a/b/c.py", False) is None
    assert ignore.skip("a/b/c.log") == "ignored"
    assert ignore.ignored("a/node_modules/c.py", False) == "ignored"
    assert ignore.skip("a/\0.py") == "odd_name"
    assert ignore.skip("b" * 300) == "too_deep"


def test_files_of_rules_that_are_made_to_take_long(tmp_path):
    # Each of these takes exponential time with a plain translation into an expression.
    names = ("a" * 200, "/".join(["a"] * 200))
    for pattern in (
        "*a*a*a*a*a*a*a*a*a*a*a*b",
        "**/a/**/a/**/a/**/a/**/a/**/a/**/b",
        "a**a/**/*a*b",
    ):
        matcher = compile_patterns(pattern.encode(), False)
        for path in names:
            assert matcher.files.verdict(path.rpartition("/")[2], path, 0, "") == 0
    many = b"\n".join(b"dir%d/*foo%d*.[ch]" % (n, n) for n in range(5_000))
    matcher = compile_patterns(many, False)
    assert matcher.files.verdict("afoo4999.c", "dir4999/afoo4999.c", 0, "") == 5_000
    # Of a file that is too large, the lines that are whole count.
    (tmp_path / ".gitignore").write_bytes(b"a.py\n" + b"*.long\n" * 50_000)
    make_tree(tmp_path, "a.py b.long c.py")
    assert [found.path for found in Walk(tmp_path).files()] == [".gitignore", "c.py"]
    (tmp_path / ".gitignore").write_bytes(b"*" * 300_000)
    assert [found.path for found in Walk(tmp_path).files()] == [
        *(".gitignore", "a.py", "b.long", "c.py")
    ]
    (tmp_path / ".gitignore").unlink()
    # A pipe in the place of a file of rules is no file of rules.
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / ".gitignore")
        assert [found.path for found in Walk(tmp_path).files()] == ["a.py", "b.long", "c.py"]
