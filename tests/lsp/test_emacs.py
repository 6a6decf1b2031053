"""A suggestion is accepted in a real Emacs by eglot, which shows no ghost text: from its menu."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytestmark = [pytest.mark.engine, pytest.mark.lsp]

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "tests" / "emacs" / "accept.el"
PAGE = ROOT / "extension" / "emacs" / "README.md"
#: What the page tells everybody to put into their settings, with the path of their own.
SETTINGS = re.compile(r"<!-- eglot: tested -->\n```elisp\n(.*?)```", re.DOTALL)
PROGRAM = "/path/to/sidecar/.venv/bin/sidecar"
CODE = """\
import math


class Circle:
    def __init__(self, radius):
        self.radius = radius

    def area(self):
        return math.pi * self.radius ** 2

    def circumference(self):

    def diameter(self):
        return 2 * self.radius
"""
LINE = 12
TYPED = "        return 2 * math.pi * self.ra"


@pytest.fixture(scope="module")
def emacs() -> str:
    """Emacs with eglot, which is a part of it since 29 and Debian's elpa-eglot before."""
    found = shutil.which("emacs")
    if found is None:
        pytest.skip("Emacs is not installed (Debian: apt-get install emacs-nox elpa-eglot)")
    lisp = "(progn (require 'package) (package-initialize) (require 'eglot))"
    done = subprocess.run(
        [found, "--batch", "-q", "--eval", lisp], capture_output=True, text=True, check=False
    )
    if done.returncode:
        pytest.skip(f"this Emacs has no eglot: {done.stderr.strip().splitlines()[-1]}")
    return found


def settings(folder: Path) -> Path:
    """Write the page's settings into a file, for this checkout."""
    found = SETTINGS.search(PAGE.read_text(encoding="utf-8"))
    assert found is not None
    assert PROGRAM in found[1]
    file = folder / "settings.el"
    file.write_text(found[1].replace(PROGRAM, str(Path(sys.executable).with_name("sidecar"))))
    return file


def accepted(emacs: str, folder: Path, file: Path) -> dict[str, Any]:
    done = subprocess.run(
        [emacs, "--batch", "-q", "-l", SCRIPT, settings(folder), file, str(LINE), TYPED],
        capture_output=True,
        text=True,
        timeout=110,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    told: dict[str, Any] = json.loads(done.stdout)
    return told


def test_a_suggestion_is_accepted_from_the_menu(
    emacs: str, tmp_path: Path, model_path: Path
) -> None:
    """Evaluates some 150 tokens."""
    file = tmp_path / "shapes.py"
    file.write_text(CODE)
    told = accepted(emacs, tmp_path, file)

    lines = CODE.splitlines(keepends=True)
    lines[LINE - 1] = TYPED + "\n"
    assert told["before"] == "".join(lines)
    (entry,) = told["offered"]["items"]
    assert entry["detail"] == "sidecar"
    assert entry["label"].startswith("radius")
    edit = entry["textEdit"]
    start, end = edit["range"]["start"], edit["range"]["end"]
    assert (start["line"], end["line"]) == (LINE - 1, LINE - 1)
    assert (start["character"], end["character"]) == (len(TYPED) - len("ra"), len(TYPED))

    lines[LINE - 1] = f"{TYPED.removesuffix('ra')}{edit['newText']}\n"
    assert told["text"] == "".join(lines)
    # One step back takes the suggestion and leaves what was typed.
    assert told["undone"] == told["before"]
