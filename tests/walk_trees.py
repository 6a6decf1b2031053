"""Trees of files for tests of the walk: written out as text, or random and full of odd names."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import random
    from pathlib import Path

#: Names that patterns have something to say about.
NAMES = (
    *"a b c ab abc a.b x.c B.c foo fooa é ü.c a-b [a] a*b ] ! #a".split(),
    *("a b", " a", "a ", "a\\b"),
)
_PIECES = (
    *"a b c * * ? / **/ /** ** [a-c] [!a] [^b] [[:alpha:]] [[:upper:]b] []a] [a-] [c-a] [".split(),
    *"\\a \\* . é foo [\\]] ] - [é] [[:foo:]] [[:a] \\".split(),
    *("\\ ", " "),
)


def make_tree(root: Path, files: str | dict[str, str | bytes]) -> Path:
    """Write files: paths in lines (or with what is in them), folders where a path ends with `/`."""
    contents = dict.fromkeys(files.split(), "") if isinstance(files, str) else files
    for path, content in contents.items():
        whole = root / path
        if path.endswith("/"):
            whole.mkdir(parents=True, exist_ok=True)
        else:
            whole.parent.mkdir(parents=True, exist_ok=True)
            whole.write_bytes(content if isinstance(content, bytes) else content.encode())
    return root


def make_repository(root: Path) -> Path:
    """Make a folder a repository as git sees it, without git."""
    make_tree(root, {".git/HEAD": "ref: refs/heads/main\n", ".git/objects/": "", ".git/refs/": ""})
    return root


def environment(home: Path) -> dict[str, str]:
    """The variables of a user who has nothing but a home."""
    home.mkdir(parents=True, exist_ok=True)
    return {
        "HOME": str(home),
        "PATH": os.environ.get("PATH", ""),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CEILING_DIRECTORIES": str(home.parent),
    }


def run_git(folder: Path, variables: dict[str, str], *arguments: str) -> list[str]:
    """Run git, and return what it printed between NULs."""
    done = subprocess.run(
        ["git", *arguments], cwd=folder, env=variables, check=True, capture_output=True
    )
    return [os.fsdecode(part) for part in done.stdout.split(b"\0") if part]


def random_rules(random: random.Random) -> bytes:
    """A file of patterns, most of them with something odd."""
    text = "\n".join(_pattern(random) for _ in range(random.randint(1, 6)))
    mark = "\ufeff" if random.random() < 0.05 else ""
    return (mark + text + ("\n" if random.random() < 0.8 else "")).encode()


def grow(random: random.Random, folder: Path, depth: int = 0) -> None:
    """Fill a folder with files, folders and files of rules."""
    for name in random.sample(NAMES, random.randint(1, 7)):
        inner = folder / name
        if os.path.lexists(inner):
            continue
        if depth < 3 and random.random() < 0.5:
            inner.mkdir()
            grow(random, inner, depth + 1)
        else:
            inner.write_text("")
    if random.random() < (0.3 if depth else 0.9):
        (folder / ".gitignore").write_bytes(random_rules(random))


def _pattern(random: random.Random) -> str:
    if random.random() < 0.35:
        pattern = random.choice(NAMES)
    else:
        pattern = "".join(random.choice(_PIECES) for _ in range(random.randint(1, 5)))
    for chance, change in (
        (0.25, lambda text: "!" + text),
        (0.2, lambda text: "/" + text),
        (0.25, lambda text: text + "/"),
        (0.05, lambda text: text + "  "),
        (0.03, lambda text: text + "\r"),
        (0.03, lambda text: "#" + text),
    ):
        if random.random() < chance:
            pattern = change(pattern)
    return pattern
