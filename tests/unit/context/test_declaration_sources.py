"""What holds for sources of declarations whatever is declared: refusals, bounds, the same bytes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from context_samples import case_at

from sidecar.context.snapshot import EMPTY, Snapshot
from sidecar.context.sources import bases, callees, definitions
from sidecar.index.query.answers import Definition, Imported
from sidecar.syntax.symbols import Place as Where
from sidecar.syntax.symbols import Symbol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sidecar.context.snapshot import Place, Snippet

SOURCES = (definitions, bases, callees)
FILES = {
    "open.py": "class Base:\n    def a(self) -> int: ...\n\ndef f(b: Base) -> Base: ...\n",
    "secret.py": "class Hidden:\n    key = 'x'\n\ndef g(h: Hidden) -> int: ...\n",
    "app.py": (
        "from open import Base, f\nfrom secret import Hidden, g\n\n"
        "class A(Base, Hidden):\n    def run(self):\n        f(g(Hidden()))|\n"
    ),
}


def offered(place: Place, snapshot: Snapshot) -> list[Snippet]:
    return [snippet for source in SOURCES for snippet in source.offer(place, snapshot)]


def test_nothing_of_files_whose_text_is_refused(tmp_path: Path) -> None:
    def text(path: str) -> str | None:
        return None if path == "secret.py" else FILES.get(path)

    (tmp_path / "root").mkdir()
    with case_at(tmp_path, FILES) as (place, snapshot):
        assert {s.path for s in offered(place, snapshot)} == {"open.py", "secret.py"}
    (tmp_path / "again" / "root").mkdir(parents=True)
    with case_at(tmp_path / "again", FILES, text=text) as (place, snapshot):
        found = offered(place, snapshot)
        assert {s.path for s in found} == {"open.py"}
        assert not any("Hidden:" in s.text or "key" in s.text for s in found)


def test_nothing_is_known(tmp_path: Path) -> None:
    (tmp_path / "root").mkdir()
    with case_at(tmp_path, FILES) as (place, _):
        assert offered(place, EMPTY) == []


def test_every_snippet_ends_its_line_and_short_is_shorter(tmp_path: Path) -> None:
    (tmp_path / "root").mkdir()
    with case_at(tmp_path, FILES) as (place, snapshot):
        for snippet in offered(place, snapshot):
            assert snippet.text.endswith("\n") and not snippet.text.endswith("\n\n")
            assert len(snippet.short) < len(snippet.text)
            assert snippet.key.startswith(f"definitions:{snippet.path}:")
            assert snippet.path != place.path


@pytest.mark.parametrize(("count", "shown"), [(10, 10), (24, 24), (60, 24)])
def test_large_types_are_cut(tmp_path: Path, count: int, shown: int) -> None:
    body = "".join(f"    def m{n}(self) -> int: ...\n" for n in range(count))
    private = "".join(f"    def _p{n}(self) -> int: ...\n" for n in range(count))
    files = {
        "big.py": f"class Big:\n{private}    def __init__(self): ...\n{body}",
        "app.py": "from big import Big\n\nBig()|\n",
    }
    (tmp_path / "root").mkdir()
    with case_at(tmp_path, files) as (place, snapshot):
        (snippet,) = definitions.offer(place, snapshot)
    assert snippet.short == "class Big: ...\n"
    assert snippet.text.count("def ") <= 24
    if count == 10:
        assert snippet.text.count("def m") == shown
        assert snippet.text.count("def _p") == 1
        assert snippet.text.startswith("class Big:\n    def __init__(self): ...\n")
    assert ("    ...\n" in snippet.text) == (snippet.text.count("def ") < 2 * count + 1)


class _Outside:
    """An index of which one answer lies outside of the workspace."""

    PATH = "/home/somebody/venv/lib/python3.11/site-packages/requests/api.py"

    def __init__(self, index: object) -> None:
        self._index = index

    def __getattr__(self, name: str) -> object:
        return getattr(self._index, name)

    def imports(self, path: str) -> Sequence[Imported]:
        return [Imported("requests", "get", "", 0, self.PATH, self.PATH)]

    def definitions(
        self, name: str, near: str | None = None, limit: int = 20, *, types_only: bool = False
    ) -> Sequence[Definition]:
        symbol = Symbol(
            "get", "function", -1, "", "def get(url: str)", "Send it.", (), "", (("url", "str"),)
        )
        return [Definition(self.PATH, "python", symbol, Where(0, 4, 0, 9), "")]


def test_what_lies_outside_is_shown_as_a_signature_without_its_place(tmp_path: Path) -> None:
    (tmp_path / "root").mkdir()
    files = {"app.py": "from requests import get\n\nget()|\n"}
    with case_at(tmp_path, files) as (place, snapshot):
        index = _Outside(snapshot.index)
        (snippet,) = definitions.offer(place, Snapshot(index, snapshot.text))  # type: ignore[arg-type]
    assert snippet.text == "def get(url: str): ...\n"
    assert snippet.path == "requests/api.py"
    assert "somebody" not in snippet.reason


_SCRIPT = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
sys.path.insert(0, sys.argv[3])
from context_samples import case_at
from test_declaration_sources import FILES, offered
with case_at(Path(sys.argv[1]), FILES) as (place, snapshot):
    print([(s.source, s.key, s.text, s.short, s.score, s.reason) for s in offered(place, snapshot)])
"""


def test_every_process_offers_the_same(tmp_path: Path) -> None:
    here = Path(__file__).resolve().parent
    outputs = []
    for seed in ("1", "2"):
        folder = tmp_path / seed
        (folder / "root").mkdir(parents=True)
        outputs.append(
            subprocess.run(
                [sys.executable, "-c", _SCRIPT, str(folder), str(here.parents[1]), str(here)],
                env={**os.environ, "PYTHONHASHSEED": seed},
                check=True,
                capture_output=True,
                text=True,
            ).stdout
        )
    assert outputs[0] == outputs[1]
    assert "definitions:open.py:Base" in outputs[0]
