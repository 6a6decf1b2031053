"""What sources of declarations offer, written down by hand in `tests/data/declarations/`.

A case is `=== title`, files under `@ path`, the last with a bar being the one with the cursor (`‖`
stands for a real bar there), `----`, and what is offered: `> source path: reason` and its text. A
declaration that two sources offer is written once.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from context_samples import case_at, files_of

from sidecar.context.sources import bases, callees, definitions

DATA = Path(__file__).resolve().parents[2] / "data" / "declarations"
SOURCES = (definitions, bases, callees)


def cases() -> list[tuple[str, str, str, str]]:
    """Read language, title, files and what is expected of all cases."""
    found = []
    for path in sorted(DATA.glob("*.txt")):
        for case in ("\n" + path.read_text("utf-8")).split("\n=== ")[1:]:
            title, _, rest = case.partition("\n")
            files, _, expected = rest.partition("\n----")
            found.append((path.stem, title, files, expected.strip("\n")))
    return found


@pytest.mark.parametrize(
    ("language", "title", "files", "expected"),
    cases(),
    ids=[f"{language}: {title}" for language, title, *_ in cases()],
)
def test_declarations_written_by_hand(
    tmp_path: Path, language: str, title: str, files: str, expected: str
) -> None:
    (tmp_path / "root").mkdir()
    with case_at(tmp_path, files_of(files)) as (place, snapshot):
        offered = [snippet for source in SOURCES for snippet in source.offer(place, snapshot)]
    by_key = {}
    for snippet in offered:
        first = by_key.setdefault(snippet.key, snippet)
        assert first.text == snippet.text, "one declaration has one text"
    found = "".join(
        f"> {snippet.source} {snippet.path}: {snippet.reason}\n{snippet.text}"
        for snippet in by_key.values()
    )
    assert found.strip("\n") == expected
