"""An index that was kept up to date equals one made from scratch, whatever was done to it."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from hypothesis import given, settings
from hypothesis import strategies as st
from index_samples import facts, record, symbol

from sidecar.index.reader import Reader
from sidecar.index.store import Links, Store

if TYPE_CHECKING:
    from sidecar.index.records import FileRecord
    from sidecar.syntax.facts import Facts

STEMS = ("a", "b", "c", "d")
NAMES = ("X", "Y", "x_y")

SYMBOLS = st.lists(
    st.builds(
        symbol,
        st.sampled_from(NAMES),
        st.sampled_from(("class", "function")),
        st.sampled_from((-1, -1, 0)),
        st.sampled_from(("", "", "X")),
        doc=st.sampled_from(("", "Told.")),
        bases=st.lists(st.sampled_from(NAMES), max_size=1),
    ),
    max_size=3,
)
IMPORTS = st.lists(
    st.tuples(
        st.sampled_from(STEMS), st.sampled_from((*NAMES, "", "*")), st.sampled_from(("", "", "Y"))
    ),
    max_size=3,
)
FACTS = st.builds(
    lambda symbols, imports, words, line: facts(
        *[s if n else s._replace(container=-1) for n, s in enumerate(symbols)],
        imports=imports,
        references=dict.fromkeys(words, (1, 0, 2)),
        words=" ".join(words),
        first_line=line,
    ),
    SYMBOLS,
    IMPORTS,
    st.lists(st.sampled_from(NAMES), max_size=2),
    st.integers(0, 3),
)
EDIT = st.tuples(st.sampled_from(STEMS), st.one_of(st.none(), FACTS, FACTS))
#: Files that are written or removed in one transaction.
STEPS = st.lists(st.lists(EDIT, min_size=1, max_size=2, unique_by=lambda e: e[0]), max_size=7)


class Workspace:
    """Files with facts, and the plainest resolver: a module is the file of that name."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.found: dict[str, Facts] = {}

    def record(self, stem: str, found: Facts) -> FileRecord:
        self.found[f"{stem}.py"] = found
        return record(self.root, f"{stem}.py", found)

    def links(self, path: str) -> Links:
        imports = self.found[path].imports
        targets = [[f"{i.module}.py"] if f"{i.module}.py" in self.found else [] for i in imports]
        return Links(path, targets, {i.module for i in imports})

    def apply(self, store: Store, step: list[tuple[str, Facts | None]]) -> None:
        gone = [f"{stem}.py" for stem, found in step if found is None]
        for path in gone:
            self.found.pop(path, None)
        with store.writing():
            again = set(store.remove(gone))
            result = store.put([self.record(stem, found) for stem, found in step if found])
            assert not result.stale
            again |= {*result.unresolved, *store.waiting(stem for stem, _ in step)}
            store.link(self.links(path) for path in sorted(again))


def everything(reader: Reader) -> list[object]:
    paths = reader.paths()
    return [
        paths,
        [reader.symbols(path) for path in paths],
        [reader.imports(path) for path in paths],
        [reader.importers(path) for path in paths],
        [reader.imported_files(path) for path in paths],
        [reader.near(path) for path in paths],
        [reader.members("X", path) for path in paths],
        [reader.definitions(name, path) for name in NAMES for path in paths],
        [reader.references(name) for name in NAMES],
        [sorted(item.path for item in reader.search(word)) for word in (*NAMES, "x", "y")],
        reader.find("x"),
        replace(reader.counts(), database_bytes=0),
    ]


@settings(max_examples=60, deadline=None)
@given(STEPS)
def test_kept_up_to_date_equals_made_from_scratch(
    steps: list[list[tuple[str, Facts | None]]],
) -> None:
    with tempfile.TemporaryDirectory() as name:
        root = Path(name) / "work"
        root.mkdir()
        workspace = Workspace(root)
        with Store.open(Path(name) / "kept.sqlite", root) as kept:
            for step in steps:
                workspace.apply(kept, step)
            with Store.open(Path(name) / "fresh.sqlite", root) as fresh:
                fresh.put([workspace.record(p[:-3], f) for p, f in workspace.found.items()])
                fresh.link(map(workspace.links, workspace.found))
                with (
                    Reader(Path(name) / "kept.sqlite") as one,
                    Reader(Path(name) / "fresh.sqlite") as other,
                ):
                    assert everything(one) == everything(other)
