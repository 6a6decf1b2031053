"""Outlines and pruned files that were written down by hand, in `tests/data/`.

A case is `=== title`, a file, `----`, and what is made of it. In files that are pruned, `⟨` stands
for the anchor and `|` for the cursor, `⟫` for what lies between them; a title may end with what is
kept.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from sidecar.context import Keep, outline_of, pruned
from sidecar.syntax import Grammar, Languages, folding_of
from sidecar.syntax.parse import Parsed
from sidecar.text import Buffer, Document

DATA = Path(__file__).resolve().parents[2] / "data"
LANGUAGES = {language.name: language for language in Languages.load().all}


def cases(folder: str) -> list[tuple[str, str, str, str]]:
    """Read language, title, source and expected text of all cases in a folder."""
    found = []
    for path in sorted((DATA / folder).glob("*.txt")):
        for case in path.read_text("utf-8").split("=== ")[1:]:
            title, _, rest = case.partition("\n")
            source, _, expected = rest.partition("\n----\n")
            found.append((path.stem, title, source + "\n", expected))
    return found


def every_case(folder: str) -> pytest.MarkDecorator:
    found = cases(folder)
    return pytest.mark.parametrize(
        ("language", "title", "source", "expected"),
        found,
        ids=[f"{language}: {title}" for language, title, *_ in found],
    )


def parse(language: str, source: str) -> Parsed:
    grammar = Grammar.of(LANGUAGES[language])
    assert grammar is not None
    data = source.encode()
    tree = grammar.parse(data)
    assert tree is not None
    return Parsed(data, tree, grammar)


@every_case("outlines")
def test_outlines_written_by_hand(language: str, title: str, source: str, expected: str) -> None:
    found = outline_of(parse(language, source))
    assert found is not None
    assert found.text == expected
    assert bool(found.notes) == ("does not parse" in title)


def test_every_language_has_an_outline() -> None:
    assert {language for language, *_ in cases("outlines")} == set(LANGUAGES)


@every_case("pruned")
def test_files_pruned_by_hand(language: str, title: str, source: str, expected: str) -> None:
    anchor = source.index("⟨")
    source = source.replace("⟨", "", 1)
    cursor = source.index("|")
    source = source[:cursor] + source[cursor + 1 :]
    document = Document("file:///a", "/a", language, 1, Buffer.of(source))
    options = (option.partition("=") for option in title.partition(" ; ")[2].split())
    keep = Keep(**{name: int(value) for name, _, value in options})
    found = pruned(document, parse(language, source), anchor, cursor, keep)
    assert found is not None
    before, after = expected.split("⟫")
    assert found.before == before
    assert found.after == after
    assert bool(found.notes) == ("does not parse" in title)


def test_a_long_region_that_does_not_parse_is_cut_in_the_middle() -> None:
    lines = [f"    ) ] {number} }} ( [ {{" for number in range(300)]
    source = "import os\n\n" + "\n".join(lines) + "\n\ndef after(a):\n    return a\n"
    found = outline_of(parse("python", source))
    assert found is not None
    assert found.notes
    assert "...\n" in found.text
    assert found.text.startswith("import os\n")
    assert 90 <= found.text.count("\n") <= 120


def test_notes_name_a_few_places() -> None:
    source = "x = = 1\n\ndef f(a):\n    return a\n\n" * 9
    found = outline_of(parse("python", source))
    assert found is not None
    assert found.notes[0].startswith(
        "what is no body is shown as it is where nothing parses: lines 1, 6, "
    )
    assert found.notes[0].endswith("more places")
    assert found.text.count("def f(a): ...\n") == 9


#: Files with a line that is being written, in a body between two others.
UNFINISHED = [
    (
        "python",
        "def a(x):\n    y = 11\n    return join(x.|\n\ndef b():\n    return 2222\n",
    ),
    (
        "typescript",
        "class A {\n  f(x: B) {\n    y = 1;\n    g(x, {|\n  }\n  g() { return; }\n}\n",
    ),
    (
        "javascript",
        "const a = (x) => {\n  y = 1;\n  if (x.|\n};\nfunction b() {\n  return 22;\n}\n",
    ),
    (
        "go",
        "package a\n\nfunc f(x int) {\n\ty = 1\n\tg(x.|\n}\n\nfunc g() int {\n\treturn 2222\n}\n",
    ),
    (
        "rust",
        "impl A {\n    fn f(&self) {\n        g(x.|\n    }\n    fn g() {\n        1;\n    }\n}\n",
    ),
    (
        "java",
        "class A {\n    void f() {\n        g(x.|\n    }\n    int g() {\n        n++;\n    }\n}\n",
    ),
    ("cpp", "int A::f() {\n  y = 1;\n  g(x->|\n}\n\nint A::g() {\n  return 2222;\n}\n"),
    (
        "ruby",
        "class A\n  def f\n    y = 11\n    g(x.|\n  end\n\n  def g\n    22222222\n  end\nend\n",
    ),
]


@pytest.mark.parametrize(
    ("language", "fixture"), UNFINISHED, ids=[language for language, _ in UNFINISHED]
)
def test_an_outline_holds_still_while_a_line_is_written(language: str, fixture: str) -> None:
    at = fixture.index("|")
    line = fixture.rfind("\n", 0, at) + 1
    without = outline_of(parse(language, fixture[:line] + fixture[at + 2 :]))
    assert without is not None
    assert "..." in without.text
    text = fixture.replace("|", "")
    parsed = parse(language, text)
    assert parsed.tree.root_node.has_error
    assert outline_of(parsed, folding_of(parsed, at)) == without
    # A file that is pruned knows by itself which line that is.
    document = Document("file:///a", "/a", language, 1, Buffer.of(text))
    found = pruned(document, parsed, at, at)
    assert found is not None
    assert found.notes == ()
    assert found.before.endswith(text[line:at])


CHILD = """
import hashlib, sys
from pathlib import Path
from sidecar.context import outline_of
from sidecar.syntax import Grammar, Languages
from sidecar.syntax.parse import Parsed

digest = hashlib.sha256()
for language in Languages.load().all:
    grammar = Grammar.of(language)
    source = Path(sys.argv[1], f"{language.name}.txt").read_bytes()
    digest.update(outline_of(Parsed(source, grammar.parse(source), grammar)).text.encode())
print(digest.hexdigest())
"""


def test_outlines_are_the_same_in_every_process() -> None:
    said = set()
    for seed in ("1", "2", "3"):
        done = subprocess.run(
            [sys.executable, "-c", CHILD, str(DATA / "outlines")],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        )
        said.add(done.stdout)
    assert len(said) == 1
    assert len(said.pop()) == 65
