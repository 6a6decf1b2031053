"""What is said of the moment: diagnostics and selections, and where in a head they stand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from context_samples import place_at

from sidecar.context.gathering import Gathered, gather
from sidecar.context.head import head_of, texts_of
from sidecar.context.signals import SIGNALS
from sidecar.context.snapshot import EMPTY, Diagnostic, Selected, Snapshot, Snippet
from sidecar.context.sources import SOURCES, diagnostics, selection

if TYPE_CHECKING:
    from collections.abc import Sequence

TOKEN = "ghp_0123456789abcdefghijABCDEFGHIJ012345"
LINES = "".join(f"value_{n} = {n}\n" for n in range(200))
SECRET = f'API_TOKEN = "{TOKEN}"\n'


def reported(fixture: str, *said: tuple[int, int, str], path: str = "app.py") -> list[str]:
    """Return the lines that are shown, for diagnostics as line, severity and message."""
    place, _ = place_at(path, fixture)
    snapshot = Snapshot(
        EMPTY.index, EMPTY.text, diagnostics=tuple(Diagnostic(*one) for one in said)
    )
    found = diagnostics.offer(place, snapshot)
    assert found == diagnostics.offer(place, snapshot)
    return found[0].text.splitlines() if found else []


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ([(2, 1, "'x' is not defined")], ["# line 3: 'x' is not defined"]),
        # In the order of the file, each once.
        ([(5, 2, "unused"), (3, 1, "b"), (3, 1, "b")], ["# line 4: b", "# line 6: unused"]),
        # Of the line that is written nothing is said, nor of what is far, gone or a mere hint.
        ([(10, 1, "here"), (99, 1, "far"), (-1, 1, "no"), (900, 1, "no"), (9, 3, "info")], []),
        ([(2, 1, "one\n  two\r\n\tthree")], ["# line 3: one two three"]),
        ([(2, 1, "  \n ")], []),
        ([(2, 1, "word " * 100)], ["# line 3: " + ("word " * 39).rstrip() + " ..."]),
        # The nearest have room, and errors before warnings.
        (
            [(line, 2, "w") for line in range(4, 10)] + [(40, 1, "e")],
            [*(f"# line {line + 1}: w" for line in range(6, 10)), "# line 41: e"],
        ),
        ([(2, 1, f"token {TOKEN} is wrong")], ["# line 3: token ******** is wrong"]),
        # A cut leaves no half of a secret.
        ([(2, 1, "x" * 180 + f" {TOKEN}")], ["# line 3: " + "x" * 180 + " ********"]),
    ],
)
def test_diagnostics(said: list[tuple[int, int, str]], expected: list[str]) -> None:
    lines = LINES.splitlines(keepends=True)
    assert reported("".join([*lines[:10], "|", *lines[10:]]), *said) == expected


def test_of_a_line_with_a_secret_nothing_is_said() -> None:
    fixture = f"{SECRET}x = 1\n|\n"
    said = [(0, 1, "Literal['ghp_01234'] is not assignable"), (1, 1, "other")]
    assert reported(fixture, *said) == ["# line 2: other"]
    key = "-----BEGIN PRIVATE KEY-----\n" + "MIIEvQIBADANBgkqhkiG9w0BAQEF\n" * 9
    fixture = f'KEY = """{key}-----END PRIVATE KEY-----"""\nx = 1\n|\n'
    assert reported(fixture, (4, 1, "MIIEvQIBADAN"), (11, 1, "other")) == ["# line 12: other"]


@pytest.mark.parametrize(
    ("path", "mark"),
    [("a.py", "#"), ("a.ts", "//"), ("a.go", "//"), ("a.lua", "--"), ("a.rb", "#"), ("a.xyz", "#")],
)
def test_comments_are_the_language_s_own(path: str, mark: str) -> None:
    assert reported("\n\n|\n", (0, 1, "wrong"), path=path) == [f"{mark} line 1: wrong"]


TEXTS = {"other.py": LINES, "blank.py": "\n\n\n", "data.py": "x" * 5_000 + "\n"}


@pytest.mark.parametrize(
    ("selected", "expected"),
    [
        (None, None),
        (Selected("other.py", 3, 4), "value_3 = 3\nvalue_4 = 4\n"),
        (Selected("other.py", 3, 120), "".join(f"value_{n} = {n}\n" for n in range(3, 43))),
        (Selected("other.py", 199, 300), "value_199 = 199\n"),
        (Selected("other.py", 300, 300), None),
        (Selected("gone.py", 1, 2), None),
        (Selected("blank.py", 0, 2), None),
        (Selected("data.py", 0, 0), None),
    ],
)
def test_selections(selected: Selected | None, expected: str | None) -> None:
    place, _ = place_at("app.py", "x = 1\n|\n")
    snapshot = Snapshot(EMPTY.index, TEXTS.get, selected=selected)
    found = selection.offer(place, snapshot)
    assert [snippet.text for snippet in found] == ([expected] if expected else [])
    assert all(snippet.path == "other.py" for snippet in found)


def snippet(source: str, path: str, text: str) -> Snippet:
    return Snippet(source, f"{source}:{path}", path, text, 1.0, "why")


FILE = snippet("definitions", "models.py", "class Order:\n    number: int\n")
SAID = snippet("diagnostics", "app.py", "# line 3: wrong\n")
SCOPE = snippet("scope", "app.py", "# order: Order\n")
MARKED = snippet("selection", "other.py", "def chosen(of, all, these):\n    return these\n")


def segments(*snippets: Snippet, outline: str = "", budget: int = 1_000) -> list[tuple[str, str]]:
    gathered = Gathered("app.py", "shop", snippets, outline)
    counts = {text: -(-len(text) // 3) for text in texts_of(gathered)}
    head = head_of(gathered, budget, counts)
    assert sum(kept.tokens for kept in head.kept) + head.outline_tokens <= budget
    return [(segment.kind, segment.text) for segment in head.segments]


@pytest.mark.parametrize(
    ("snippets", "outline", "expected"),
    [
        # What is said of the file itself stands right before its window, all else as it did.
        (
            (SCOPE, MARKED, SAID, FILE),
            "",
            [
                ("repo", "shop\n"),
                ("repo", f"models.py\n{FILE.text}"),
                ("repo", f"other.py\n{MARKED.text}"),
                ("outline", f"app.py\n{SAID.text}{SCOPE.text}"),
            ],
        ),
        ((SCOPE,), "", [("outline", f"app.py\n{SCOPE.text}")]),
        (
            (SCOPE,),
            "def f(): ...\n",
            [("outline", "app.py\ndef f(): ...\n"), ("outline", f"app.py\n{SCOPE.text}")],
        ),
        ((), "def f(): ...\n", [("outline", "app.py\ndef f(): ...\n")]),
        ((), "", []),
    ],
)
def test_signals_stand_last(
    snippets: Sequence[Snippet], outline: str, expected: list[tuple[str, str]]
) -> None:
    assert segments(*snippets, outline=outline) == expected
    assert segments(*reversed(snippets), outline=outline) == expected


@pytest.mark.parametrize("budget", [0, 5, 20, 40, 60, 80, 120, 200])
def test_signals_take_a_part_of_the_room(budget: int) -> None:
    long = snippet("diagnostics", "app.py", "".join(f"# line {n}: is wrong\n" for n in range(9)))
    segments(long, SCOPE, MARKED, FILE, budget=budget)


def test_signals_change_while_all_else_holds_still() -> None:
    counts: dict[str, int] = {}
    before = head_of(Gathered("app.py", "shop", (FILE, SCOPE, MARKED)), 1_000, counts)
    moved = Gathered("app.py", "shop", (FILE, snippet("scope", "app.py", "# line: Line\n")))
    after = head_of(moved, 1_000, counts, previous=before)
    assert before.held.kept == after.held.kept
    assert before.segments[:2] == after.segments[:2]
    assert after.segments[-1].text == "app.py\n# line: Line\n"
    gone = head_of(Gathered("app.py", "shop", (FILE,)), 1_000, counts, previous=after)
    assert gone.segments == head_of(Gathered("app.py", "shop", (FILE,)), 1_000, counts).segments
    parts = [(part.part, part.source) for part in before.parts()]
    assert parts == [("repo", "definitions"), ("repo", "selection"), ("outline", "scope")]


def test_signals_are_guarded_and_no_file_is_read_for_them() -> None:
    asked: list[str] = []

    def version(path: str) -> bytes | None:
        asked.append(path)
        return None

    place, _ = place_at("app.py", "x = 1\n\n|\n")
    snapshot = Snapshot(
        EMPTY.index,
        {"other.py": SECRET}.get,
        version,
        diagnostics=(Diagnostic(0, 1, f"bad {TOKEN}"),),
        selected=Selected("other.py", 0, 0),
    )
    found = gather(place, snapshot, SIGNALS).snippets
    assert {one.source for one in found} == {"selection", "diagnostics"}
    assert TOKEN not in str(found)
    assert asked == []


def test_all_signals_are_sources() -> None:
    assert {source.NAME for source in SOURCES} >= SIGNALS
