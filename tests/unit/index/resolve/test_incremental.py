"""The graph of imports, kept up to date by edits in a real store, equals one made from scratch.

Files are written, extracted and committed as the indexer does it; after every few edits each
import's target and definer, each edge and each key is compared with those of a new index.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sidecar.index.extract.extraction import Extraction
from sidecar.index.storage.store import Store
from sidecar.index.upkeep.batch import Batch
from sidecar.index.upkeep.workspace import Workspace

if TYPE_CHECKING:
    from collections.abc import Iterable

PYTHON = """
class X: pass
class Y: pass
from .a import X
from .b import X
from . import a
from . import X
from ..a import Y
from a import X
from b import *
from a.b import X as Y
from b.a import Y as X
import a
import a.b
from .b import *
from a import b
from . import b as X
""".strip().splitlines()
TYPESCRIPT = """
export class X {}
export class Y {}
export { X } from './a';
export { X as Y } from './b';
export * from './a';
export * from '../b';
import { X } from '@/a';
import { Y } from '.';
import * as a from './b';
import { X, Y } from 'pkg';
export default class Z {}
import X from './a';
export { default as Y } from './b';
export { default } from '.';
import { Y as b } from './a';
""".strip().splitlines()
CONFIGS = {
    "tsconfig.json": ['{"compilerOptions": {"paths": {"@/*": ["./*"]}}}', '{"broken', "{}"],
    "a/package.json": ['{"name": "pkg"}', '{"name": "pkg", "main": "b.ts"}', "[]"],
}


def sources(names: str, lines: list[str]) -> st.SearchStrategy[tuple[str, str | None]]:
    places = st.tuples(
        st.sampled_from(["", "a/", "b/", "a/b/", "src/"]), st.sampled_from(names.split())
    )
    texts = st.none() | st.lists(st.sampled_from(lines), max_size=4, unique=True).map("\n".join)
    return st.tuples(places.map("".join), texts)


CONFIG_EDITS = st.sampled_from(sorted(CONFIGS)).flatmap(
    lambda path: st.tuples(st.just(path), st.none() | st.sampled_from(CONFIGS[path]))
)
#: A path and its new text, or nothing for a file that goes.
EDITS = (
    sources("a.py b.py __init__.py", PYTHON)
    | sources("a.ts b.ts index.ts", TYPESCRIPT)
    | CONFIG_EDITS
)
#: Edits that are committed together, several times.
HISTORIES = st.lists(st.lists(EDITS, min_size=1, max_size=5), min_size=1, max_size=6)


class Index:
    """A workspace with its own database, filled without the processes around it."""

    def __init__(self, root: Path, database: Path) -> None:
        self._root = root
        self._extraction = Extraction(str(root), 1 << 20)
        self.store = Store.open(database, root)
        self.workspace = Workspace(str(root), self.store)

    def commit(self, paths: Iterable[str]) -> None:
        batch = Batch()
        for path in paths:
            if (self._root / path).exists():
                batch.add(path, self._extraction.run(path, b""))
            else:
                batch.gone.add(path)
        assert not self.workspace.commit(batch).again

    def graph(self) -> list[list[tuple[object, ...]]]:
        return [
            sorted(self.store.rows(statement), key=repr)
            for statement in (
                "SELECT f.path, i.ordinal, i.module, i.name, i.alias, t.path, d.path FROM imports i"
                " JOIN files f ON f.id = i.file LEFT JOIN files t ON t.id = i.target"
                " LEFT JOIN files d ON d.id = i.definer",
                "SELECT f.path, t.path FROM edges e"
                " LEFT JOIN files f ON f.id = e.file LEFT JOIN files t ON t.id = e.target",
                "SELECT f.path, k.key FROM import_keys k LEFT JOIN files f ON f.id = k.file",
            )
        ]


@settings(max_examples=15, deadline=None)
@given(history=HISTORIES)
def test_the_graph_that_was_kept_equals_a_new_one(
    history: list[list[tuple[str, str | None]]],
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "root"
        root.mkdir()
        kept = Index(root, Path(folder) / "kept.sqlite")
        files: set[str] = set()
        with kept.store:
            for number, edits in enumerate(history):
                for path, text in edits:
                    place = root / path
                    if text is None:
                        place.unlink(missing_ok=True)
                        files.discard(path)
                    else:
                        place.parent.mkdir(parents=True, exist_ok=True)
                        place.write_text(text)
                        files.add(path)
                kept.commit(dict(edits))
                new = Index(root, Path(folder) / f"{number}.sqlite")
                with new.store:
                    new.commit(sorted(files))
                    assert kept.graph() == new.graph()


@pytest.mark.parametrize(
    ("files", "importer", "expected"),
    [
        (  # A submodule is imported, not something in it.
            {"p/__init__.py": "", "p/core.py": "class A: pass", "u.py": "from p import core"},
            "u.py",
            ["p/core.py"],
        ),
        (
            {
                "p/__init__.py": "from . import core\nfrom .core import *",
                "p/core.py": "class A: pass",
                "q/__init__.py": "from p import core as c, A",
                "u.py": "from q import c, A, none",
            },
            "u.py",
            ["p/core.py", "p/core.py", None],
        ),
        (  # A default export has no name of its own.
            {
                "x.ts": "export default class X {}",
                "y.ts": "export { default } from './x';\nexport { default as Z } from './x';",
                "u.ts": "import X from './x';\nimport Y from './y';\nimport { Z } from './y';",
            },
            "u.ts",
            ["x.ts", "x.ts", "x.ts"],
        ),
        (  # Names that are passed on in a circle end.
            {"a.py": "from b import X", "b.py": "from a import X"},
            "a.py",
            [None],
        ),
    ],
)
def test_definers(
    tmp_path: Path, files: dict[str, str], importer: str, expected: list[str | None]
) -> None:
    root = tmp_path / "root"
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    index = Index(root, tmp_path / "index.sqlite")
    with index.store:
        index.commit(files)
        assert [row.definer for row in index.store.imports(importer)] == expected
