"""Questions to an index: what comes first, and that answers follow every commit."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import threading
from typing import TYPE_CHECKING

import pytest
from index_samples import facts, link, record, symbol

from sidecar.index.extract.records import (
    make_record,
    names_of,
    pack_symbols,
    read_reference,
    read_references,
    read_symbols,
    search_words,
)
from sidecar.index.query import view as view_module
from sidecar.index.query.definitions import definitions
from sidecar.index.query.matching import NO_MATCH, parts_of, quality
from sidecar.index.query.reader import Counts, Imported, Reader, Reference
from sidecar.index.query.view import View
from sidecar.index.storage.rows import stem_of
from sidecar.index.storage.store import Store
from sidecar.telemetry.metrics import Metrics

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "work").mkdir()
    return tmp_path / "work"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "index.sqlite"


@pytest.fixture
def store(root: Path, path: Path) -> Iterator[Store]:
    with Store.open(path, root) as opened:
        yield opened


@pytest.fixture
def metrics() -> Metrics:
    return Metrics()


@pytest.fixture
def reader(store: Store, path: Path, metrics: Metrics) -> Iterator[Reader]:
    with Reader(path, metrics) as opened:
        yield opened


def test_records_give_back_what_was_packed() -> None:
    whole = symbol(
        "run", "method", 0, "A", doc="Runs.", bases=["B"], type="int", parameters=[("a", "str")]
    )
    cases = [
        symbol("A", "class"),
        whole,
        whole._replace(parameters=()),
        whole._replace(parameters=(), type=""),
        whole._replace(parameters=(), type="", bases=()),
        whole._replace(signature="", doc="", bases=(), type=""),
        symbol("größe\u2028", "field", 0),
    ]
    assert read_symbols(pack_symbols(cases)) == cases
    assert read_symbols(b"") == read_symbols(None) == []
    many = {"run": (1, 2, 3), "runs": (0, 70_000, 0), "größe": (0, 0, 1)}
    packed = make_record("a.py", "python", 0, 0, b"", facts(references=many)).references
    assert read_references(packed) == {**many, "runs": (0, 65_535, 0)}
    assert read_reference(packed, b"runs") == (0, 65_535, 0)
    assert read_reference(packed, "größe".encode()) == (0, 0, 1)
    assert read_reference(packed, b"un") is None
    assert read_reference(b"", b"run") is None
    assert read_references(b"") == {}


def test_names_are_looked_up_by_where_they_stand() -> None:
    found = [
        symbol("A", "class"),
        symbol("x", "field", 0, "A"),
        symbol("x"),
        symbol("go", "method", -1, "T"),
    ]
    assert names_of(found) == ([("A", True), ("x", True), ("go", True)], ["T"])


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("plain", "plain"),
        ("snake_case", "snake_case snake case"),
        ("_private", "_private private"),
        ("LIMIT MAX_SIZE", "LIMIT MAX_SIZE max size"),
        ("camelCase", "camelCase camel case"),
        ("parseHTTPBody2", "parseHTTPBody2 parse http body2"),
        ("HTTPServer", "HTTPServer http server"),
        ("X a_b", "X a_b"),
        ("überGröße", "überGröße über größe"),
        ("", ""),
    ],
)
def test_compound_words_are_found_by_their_parts(words: str, found: str) -> None:
    assert search_words(words) == found


def test_definitions_come_nearest_first(store: Store, reader: Reader, root: Path) -> None:
    found = facts(symbol("Thing", "class"))
    inner = facts(symbol("A", "class"), symbol("Thing", "field", 0, "A"))
    paths = ("far/away/x.py", "src/app/beside.py", "src/lib/imported.py", "src/lib/definer.py")
    store.put([record(root, p, found) for p in paths])
    store.put([record(root, "src/app/inner.py", inner)])
    own = facts(symbol("Thing", "function"), imports=[("m", "Thing", ""), ("n", "", "")])
    store.put([record(root, "src/app/me.py", own)])
    link(store, "src/app/me.py", "src/lib/definer.py", "src/lib/imported.py")

    def order(near: str | None, **options: int) -> list[str]:
        return [item.path for item in reader.definitions("Thing", near, **options)]

    assert order("src/app/me.py") == [
        "src/app/me.py",
        "src/lib/definer.py",
        "src/lib/imported.py",
        "src/app/beside.py",
        "src/app/inner.py",
        "far/away/x.py",
    ]
    assert order("src/app/me.py", limit=2) == ["src/app/me.py", "src/lib/definer.py"]
    assert order("far/away/new.py")[0] == "far/away/x.py"
    assert order(None)[-1] == "src/app/inner.py"
    assert len(reader.definitions("Thing", types_only=True)) == 4
    assert reader.definitions("thing") == ()
    only = reader.definitions("Thing", "src/app/inner.py")[0]
    assert (only.language, only.container, only.symbol.kind) == ("python", "A", "field")
    assert only.place == (2, 4, 2, 3)


def test_members_are_those_of_the_type_then_of_its_bases(
    store: Store, reader: Reader, root: Path
) -> None:
    base = facts(
        symbol("Base", "class", bases=["Child"]),
        symbol("run", "method", 0, "Base", signature="def run(self) of Base"),
        symbol("stop", "method", 0, "Base"),
        symbol("helper", "function", 2),
    )
    child = facts(
        symbol("run"),
        symbol("Child", "class", bases=["b.Base[int]", "Unknown"]),
        symbol("size", "field", 1, "Child"),
        symbol("run", "method", 1, "Child", signature="def run(self) of Child"),
        imports=[("pkg.base", "", "b")],
    )
    decoy = facts(symbol("Base", "class"), symbol("wrong", "method", 0, "Base"))
    store.put([record(root, "pkg/base.py", base), record(root, "app/child.py", child)])
    store.put([record(root, "app/decoy.py", decoy)])
    link(store, "app/child.py", "pkg/base.py")
    found = reader.members("Child", "app/child.py")
    assert [item.symbol.name for item in found] == ["size", "run", "stop"]
    assert found[1].symbol.signature == "def run(self) of Child"
    assert found[2].path == "pkg/base.py"
    assert reader.members("Unknown", "app/child.py") == ()
    assert reader.members("[]", "app/child.py") == ()
    assert reader.members("Child", "new.py") == found


def test_members_that_stand_outside_of_their_type(store: Store, reader: Reader, root: Path) -> None:
    def put(path: str, *symbols: object) -> None:
        store.put([record(root, path, facts(*symbols), "go")])  # type: ignore[arg-type]

    put("pkg/type.go", symbol("T", "struct"), symbol("a", "field", 0, "T"))
    put("pkg/methods.go", symbol("Run", "method", -1, "T"), symbol("Other", "method", -1, "U"))
    put("elsewhere/t.go", symbol("Wrong", "method", -1, "T"))
    assert [m.symbol.name for m in reader.members("*pkg.T", "pkg/type.go")] == ["a", "Run"]
    store.put(
        [
            record(
                root, "src/t.cpp", facts(symbol("Cpp", "method", -1, "T"), imports=[("t", "", "")])
            )
        ]
    )
    link(store, "src/t.cpp", "pkg/type.go")
    assert [m.symbol.name for m in reader.members("T", "pkg/type.go")] == ["a", "Run", "Cpp"]


def test_imports_and_importers(store: Store, reader: Reader, root: Path) -> None:
    imports = [("pkg", "Name", "N"), ("sys", "", "")]
    store.put(
        [
            record(root, "user.py", facts(imports=imports, first_line=4)),
            record(root, "pkg/__init__.py", facts(imports=[("impl", "Name", "")])),
            record(root, "pkg/impl.py", facts(symbol("Name", "class"))),
        ]
    )
    link(store, "user.py", "pkg/__init__.py", "")
    link(store, "pkg/__init__.py", "pkg/impl.py")
    assert reader.imports("user.py") == (
        Imported("pkg", "Name", "N", 4, "pkg/__init__.py", "pkg/impl.py"),
        Imported("sys", "", "", 5, None, None),
    )
    assert reader.imported_files("user.py") == ("pkg/__init__.py", "pkg/impl.py")
    assert reader.importers("pkg/impl.py") == ("pkg/__init__.py", "user.py")
    assert reader.importers("pkg/__init__.py") == ("user.py",)
    assert reader.imports("none.py") == reader.importers("none.py") == ()


def test_an_import_may_mean_many_files(store: Store, reader: Reader, root: Path) -> None:
    store.put([record(root, f"pkg/{n}.go", language="go") for n in "abc"])
    store.put([record(root, "main.go", facts(imports=[("m/pkg", "", "")]), "go")])
    link(store, "main.go", ["pkg/a.go", "pkg/b.go", "pkg/c.go"])
    assert reader.importers("pkg/c.go") == ("main.go",)
    assert reader.imports("main.go")[0].target == "pkg/a.go"
    assert len(reader.imported_files("main.go")) == 3


def test_references_are_counted_where_the_name_itself_stands(
    store: Store, reader: Reader, root: Path
) -> None:
    store.put(
        [
            record(root, "a/x.py", facts(references={"run": (1, 0, 0), "empty?": (2, 0, 0)})),
            record(root, "b/y.py", facts(references={"run": (5, 1, 2)})),
            record(root, "b/z.py", facts(words="run", references={"Run": (1, 0, 0)})),
        ]
    )
    most = (Reference("b/y.py", 5, 1, 2), Reference("a/x.py", 1, 0, 0))
    assert reader.references("run") == most
    assert reader.references("run", "a/new.py") == most[::-1]
    assert reader.references("run", "a/new.py", limit=1) == most[1:]
    assert reader.references("empty?") == (Reference("a/x.py", 2, 0, 0),)
    for nothing in ('"', "", "run OR", "==", "x" * 500, "NEAR"):
        assert reader.references(nothing) == ()


def test_search_finds_telling_words_and_takes_none_for_an_operator(
    store: Store, reader: Reader, root: Path
) -> None:
    store.put([record(root, f"common{n}.py", facts(words="value name")) for n in range(5)])
    store.put([record(root, "a/rare.py", facts(words="value parse_header NOT"))])
    store.put([record(root, "b/rare.py", facts(words="value parseHeader"))])
    found = [item.path for item in reader.search("value header", near="b/me.py")]
    assert found[:2] == ["b/rare.py", "a/rare.py"]
    assert all(item.score > 0 for item in reader.search("header"))
    assert reader.search("header", without="a/rare.py")[0].path == "b/rare.py"
    assert len(reader.search("value", limit=3)) == 3
    assert reader.search("NOT")[0].path == "a/rare.py"
    for nothing in ("", "1 2 3", '"', "*", "unknown_word", "(", "a:b"):
        assert reader.search(nothing) == ()


def test_near_knows_tests_imports_and_folders(store: Store, reader: Reader, root: Path) -> None:
    paths = ("src/widget.py", "tests/test_widget.py", "src/other.py", "lib/used.py", "far/no.py")
    store.put([record(root, p, facts(imports=[("m", "", "")])) for p in paths])
    link(store, "src/widget.py", "lib/used.py")
    link(store, "far/no.py", "src/widget.py")
    assert [item.path for item in reader.near("src/widget.py")] == [
        "tests/test_widget.py",
        "lib/used.py",
        "far/no.py",
        "src/other.py",
    ]
    assert [item.path for item in reader.near("src/new.py", limit=1)] == ["src/other.py"]


@pytest.mark.parametrize(
    ("path", "stem"),
    [
        ("a/test_widget.py", "widget"),
        ("widget_test.go", "widget"),
        ("Widget.test.tsx", "widget"),
        ("WidgetTest.java", "widget"),
        ("WidgetTests.cs", "widget"),
        ("widget_spec.rb", "widget"),
        ("widget.h", "widget"),
        ("latest.py", "latest"),
        ("test.py", "test"),
        ("__init__.py", ""),
        ("src/index.ts", ""),
        (".hidden.py", "hidden"),
    ],
)
def test_stems_relate_files(path: str, stem: str) -> None:
    assert stem_of(path) == stem


def test_find_ranks_exact_prefix_and_gaps(store: Store, reader: Reader, root: Path) -> None:
    names = ("order", "orderBy", "reorder", "OrderedDict", "sort_order", "other_dir", "x100%")
    found = facts(
        *map(symbol, names), symbol("Order", "class"), symbol("add", "method", 7, "Order")
    )
    store.put([record(root, "a.py", found)])

    def order(query: str, limit: int = 50) -> list[str]:
        return [item.symbol.name for item in reader.find(query, limit)]

    assert order("order") == [
        "order",
        "orderBy",
        "Order",
        "OrderedDict",
        "sort_order",
        "reorder",
    ]
    assert order("order", 2) == ["order", "orderBy"]
    assert order("odi")[0] == "other_dir"
    assert order("odict") == ["OrderedDict"]
    assert order("Order.a") == order("order::ad") == ["add"]
    assert order("0%") == ["x100%"]
    for nothing in ("", ".", "zzz", "a" * 100, "_" * 8, "Order.zzz"):
        assert order(nothing) == []


def test_matches_are_told_apart() -> None:
    names = ["ordX", "OrdX", "x_ord", "oneRoadDown", "cord", "oxrxd"]
    kinds = [quality("ord", name)[0] for name in names]
    assert kinds == sorted(set(kinds))
    assert quality("ord", "dro")[0] == NO_MATCH
    assert parts_of("Type.part") == ("type", "part")
    assert parts_of(" part ") == ("", "part")


def test_counts_tell_the_size(store: Store, reader: Reader, root: Path) -> None:
    store.put(
        [
            record(root, "a.py", facts(symbol("A"), references={"x": (1, 2, 3)}, errors=2)),
            record(root, "b.go", facts(imports=[("a", "", ""), ("b", "", "")]), "go"),
            record(root, "c.txt", None, ""),
        ]
    )
    link(store, "b.go", "a.py", "")
    found = reader.counts()
    assert (found.files, found.external, found.symbols, found.references) == (3, 0, 1, 6)
    assert (found.imports, found.resolved) == (2, 1)
    assert found.source_bytes == sum(known.size for known in store.known().values())
    assert found.database_bytes > 0
    assert found.languages == {"": 1, "go": 1, "python": 1}
    assert found.errors == {"python": 1}


def test_answers_are_remembered_until_something_changes(
    store: Store, reader: Reader, root: Path, metrics: Metrics
) -> None:
    store.put([record(root, "a.py", facts(symbol("A")))])
    first = reader.definitions("A")
    assert reader.definitions("A") is first
    assert metrics.counter("index.cache.hit") == 1
    os.utime(root / "a.py", ns=(5, 5))
    store.touch([("a.py", 1, 5)])
    # A commit that changed nothing that is known costs nothing.
    assert reader.definitions("A") is first
    generation = reader.generation
    store.put([record(root, "a.py", facts(symbol("A"), first_line=9))])
    assert reader.definitions("A")[0].place.line == 9
    assert reader.generation == generation + 1
    assert metrics.counter("index.cache.hit") == 2


def test_held_answers_are_about_one_state(store: Store, reader: Reader, root: Path) -> None:
    store.put([record(root, "a.py", facts(symbol("first")))])
    with reader.holding(), reader.holding():
        before = reader.generation
        assert [d.path for d in reader.definitions("first")] == ["a.py"]
        store.put([record(root, "b.py", facts(symbol("first")))])
        assert [d.path for d in reader.definitions("first", limit=9)] == ["a.py"]
        assert (reader.generation, reader.available) == (before, True)
    assert [d.path for d in reader.definitions("first", limit=9)] == ["a.py", "b.py"]
    assert reader.generation == before + 1


def test_nothing_is_held_without_an_index(tmp_path: Path) -> None:
    with Reader(tmp_path / "none.sqlite") as reader, reader.holding():
        assert (reader.available, reader.generation, reader.paths()) == (False, -1, ())


def test_what_is_unpacked_of_a_file_outlives_edits_of_others(
    store: Store, path: Path, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    unpacked: list[int] = []
    view = View(path, Metrics())
    original = view._unpacked
    monkeypatch.setattr(view, "_unpacked", lambda file: unpacked.append(file) or original(file))
    store.put([record(root, "a.py", facts(symbol("a")))])
    store.put([record(root, "b.py", facts(symbol("b")))])

    def look() -> int:
        for name in ("a", "b"):
            view.ask(definitions, (), name, None, 5)
        return len(unpacked)

    assert look() == 2
    store.put([record(root, "b.py", facts(symbol("b"), symbol("c")))])
    assert look() == 3
    monkeypatch.setattr(view_module, "_DECLARATIONS", 2)
    assert look() == 3
    store.put([record(root, "c.py", facts(symbol("c")))])
    view.ask(definitions, (), "c", None, 5)
    # Those that were used last are kept.
    assert look() > 4
    view.close()


def test_without_an_index_answers_are_empty(tmp_path: Path) -> None:
    reader = Reader(tmp_path / "none.sqlite")
    assert not reader.available
    assert reader.generation == -1
    assert reader.definitions("A") == reader.search("a") == reader.paths() == ()
    assert reader.counts() == Counts()
    (tmp_path / "none.sqlite").touch()
    assert not reader.available
    (tmp_path / "foreign.sqlite").touch()
    connection = sqlite3.connect(tmp_path / "foreign.sqlite")
    connection.execute("CREATE TABLE files (path)")
    connection.commit()
    connection.close()
    assert Reader(tmp_path / "foreign.sqlite").paths() == ()


def test_a_reader_waits_for_no_writer_and_follows_a_new_database(
    store: Store, reader: Reader, root: Path
) -> None:
    store.put([record(root, "a.py", facts(symbol("A")))])
    with store.writing():
        store.put([record(root, "b.py", facts(symbol("A")))])
        # Committed state only, and at once.
        assert reader.paths() == ("a.py",)
    assert reader.paths() == ("a.py", "b.py")
    store.rebuild()
    assert reader.paths() == ()
    store.put([record(root, "c.py")])
    assert reader.paths() == ("c.py",)


def test_a_reader_changes_nothing(reader: Reader, store: Store, root: Path) -> None:
    store.put([record(root, "a.py")])
    assert reader.available
    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        reader._view.rows("DELETE FROM files")


def test_commits_of_other_processes_are_seen_at_once(root: Path, path: Path, store: Store) -> None:
    store.put([record(root, "a.py", facts(symbol("A")))])
    code = (
        "import sys; from pathlib import Path; from sidecar.index.query.reader import Reader\n"
        "reader = Reader(Path(sys.argv[1]))\n"
        "for line in sys.stdin: print(len(reader.definitions('A')), flush=True)\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for count in range(1, 6):
            process.stdin.write("?\n")
            process.stdin.flush()
            assert process.stdout.readline() == f"{count}\n"
            store.put([record(root, f"{count}.py", facts(symbol("A")))])
        process.stdin.close()


def test_every_answer_is_about_one_state(root: Path, path: Path, store: Store) -> None:
    # A writer renames a symbol and its place in step; no answer may mix two of its commits.
    def found(n: int) -> object:
        return facts(*[symbol(f"s{i}_{n}") for i in range(n % 7 + 1)], first_line=n)

    store.put([record(root, "a.py", found(0))])  # type: ignore[arg-type]
    wrong: list[object] = []
    done = threading.Event()

    def read() -> None:
        with Reader(path) as reader:
            while not done.is_set():
                items = reader.symbols("a.py")
                states = {item.symbol.name.partition("_")[2] for item in items}
                n = int(next(iter(states)))
                good = len(states) == 1 and len(items) == n % 7 + 1
                if not good or items[0].place.line != n:
                    wrong.append(items)

    thread = threading.Thread(target=read)
    thread.start()
    try:
        for n in range(1, 300):
            store.put([record(root, "a.py", found(n))])  # type: ignore[arg-type]
    finally:
        done.set()
        thread.join()
    assert wrong == []
