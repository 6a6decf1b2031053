"""An index that was kept up to date equals one made from scratch, whatever was done to it."""

from __future__ import annotations

import os
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hypothesis import given, settings
from hypothesis import strategies as st
from index_samples import facts, record, symbol

from sidecar.index.query.reader import Reader
from sidecar.index.storage.store import Links, Store

if TYPE_CHECKING:
    from sidecar.index.extract.records import FileRecord
    from sidecar.syntax.facts import Facts

#: Every example makes two databases, whose syncs would take most of the time on a disk.
MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None

STEMS = ("a", "b", "c", "d")
NAMES = ("X", "x_y")

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
    max_size=2,
).map(lambda found: [s if n else s._replace(container=-1) for n, s in enumerate(found)])
#: Mostly one name that is passed on, so that chains of files come about.
IMPORTS = st.lists(
    st.tuples(
        st.sampled_from(STEMS),
        st.sampled_from(("X", "X", "*", "x_y", "")),
        st.sampled_from(("", "", "x_y")),
    ),
    max_size=2,
)
USED = st.lists(st.sampled_from(NAMES), max_size=2)
FILE = st.tuples(SYMBOLS, IMPORTS, USED)
#: A file goes, declares something else, or is another one.
EDIT = st.tuples(st.sampled_from(STEMS), st.one_of(st.none(), SYMBOLS, SYMBOLS, SYMBOLS, FILE))
#: Files that are written or removed in one transaction.
STEPS = st.lists(
    st.lists(EDIT, min_size=1, max_size=2, unique_by=lambda edit: edit[0]), min_size=1, max_size=5
)


class Workspace:
    """Files with facts, and the plainest resolver: a module is the file of that name."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.found: dict[str, Facts] = {}
        self.line = 0

    def edit(self, path: str, edit: Any) -> FileRecord:
        if isinstance(edit, tuple):
            symbols, imports, used = edit
        else:
            old = self.found.get(path, facts())
            symbols, imports, used = edit, [i[:3] for i in old.imports], old.references
        self.line += 1
        self.found[path] = facts(
            *symbols,
            imports=imports,
            references=dict.fromkeys(used, (1, 0, 2)),
            words=" ".join(used),
            first_line=self.line,
        )
        return record(self.root, path, self.found[path])

    def links(self, path: str) -> Links:
        imports = self.found[path].imports
        targets = [[f"{i.module}.py"] if f"{i.module}.py" in self.found else [] for i in imports]
        return Links(path, targets, {i.module for i in imports})

    def apply(self, store: Store, step: list[tuple[str, Any]]) -> None:
        gone = [f"{stem}.py" for stem, edit in step if edit is None]
        for path in gone:
            self.found.pop(path, None)
        with store.writing():
            again = set(store.remove(gone))
            result = store.put(
                [self.edit(f"{stem}.py", edit) for stem, edit in step if edit is not None]
            )
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


@settings(max_examples=80, deadline=None)
@given(st.tuples(*[FILE] * len(STEMS)), STEPS)
def test_kept_up_to_date_equals_made_from_scratch(
    start: tuple[Any, ...], steps: list[list[tuple[str, Any]]]
) -> None:
    with tempfile.TemporaryDirectory(dir=MEMORY) as name:
        root = Path(name) / "work"
        root.mkdir()
        workspace = Workspace(root)
        with Store.open(Path(name) / "kept.sqlite", root) as kept:
            for step in (list(zip(STEMS, start, strict=True)), *steps):
                workspace.apply(kept, step)
            with Store.open(Path(name) / "fresh.sqlite", root) as fresh:
                fresh.put([record(root, *item) for item in workspace.found.items()])
                fresh.link(map(workspace.links, workspace.found))
                with (
                    Reader(Path(name) / "kept.sqlite") as one,
                    Reader(Path(name) / "fresh.sqlite") as other,
                ):
                    assert everything(one) == everything(other)
