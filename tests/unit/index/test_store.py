"""The writer of an index: what it keeps, what it leaves alone, and what it survives."""

from __future__ import annotations

import os
import sqlite3
import stat
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from index_samples import facts, link, record, record_as_it_is, symbol, write

from sidecar.index.place import database_path
from sidecar.index.query.reader import Reader
from sidecar.index.storage.database import StoreDamagedError, StoreRefusedError
from sidecar.index.storage.schema import APPLICATION_ID, VERSION
from sidecar.index.storage.store import Store

if TYPE_CHECKING:
    from collections.abc import Iterator

CLASS = symbol("A", "class")
RUN = symbol("run", "method", 0, "A", doc="Runs.")
#: Everything in a database that says something about files, in an order of its own.
TABLES = (
    "files",
    "blobs",
    "symbols",
    "names",
    "owners",
    "imports",
    "edges",
    "import_keys",
    "words",
)


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


def dump(path: Path) -> dict[str, list[tuple[object, ...]]]:
    connection = sqlite3.connect(path)
    try:
        return {t: sorted(connection.execute(f"SELECT * FROM {t}"), key=repr) for t in TABLES}
    finally:
        connection.close()


def changed_tables(path: Path, before: dict[str, list[tuple[object, ...]]]) -> set[str]:
    return {name for name, rows in dump(path).items() if rows != before[name]}


def test_a_new_database_is_ours_and_for_its_user_alone(store: Store, path: Path) -> None:
    assert store.fresh
    assert not store.unclean
    assert store.notice == ""
    assert store.path == path
    connection = sqlite3.connect(path)
    assert connection.execute("PRAGMA application_id").fetchone() == (APPLICATION_ID,)
    assert connection.execute("PRAGMA user_version").fetchone() == (VERSION,)
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    connection.close()
    for suffix in ("", "-wal", "-shm", ".lock"):
        assert stat.S_IMODE(os.stat(f"{path}{suffix}").st_mode) == 0o600


def test_put_tells_what_is_new_what_changed_and_what_needs_resolving(
    store: Store, root: Path
) -> None:
    importing = facts(CLASS, imports=[("b", "B", "")])
    result = store.put([record(root, "a.py", importing), record(root, "b.py", facts())])
    assert result == (["a.py", "b.py"], ["a.py", "b.py"], ["a.py"], [])
    generation = store.generation
    body = facts(CLASS, imports=[("b", "B", "")], first_line=3, words="more")
    assert store.put([record(root, "a.py", body)]) == ([], [], [], [])
    assert store.generation == generation + 1
    interface = facts(CLASS, RUN, imports=[("b", "B", "")])
    assert store.put([record(root, "a.py", interface)]) == ([], ["a.py"], [], [])
    other = facts(CLASS, RUN, imports=[("b", "C", "")])
    assert store.put([record(root, "a.py", other)]) == ([], ["a.py"], ["a.py"], [])
    assert set(store.known()) == {"a.py", "b.py"}
    known = store.known()["a.py"]
    assert known.mtime_ns == os.stat(root / "a.py").st_mtime_ns
    assert store.languages() == {"a.py": "python", "b.py": "python"}


def test_only_rows_that_differ_are_written(store: Store, root: Path, path: Path) -> None:
    used = {"x": (1, 0, 0)}
    first = facts(CLASS, RUN, imports=[("b", "B", "")], references=used)
    store.put([record(root, "a.py", first), record(root, "b.py", facts(symbol("B", "class")))])
    link(store, "a.py", "b.py", keys=["b"])
    before = dump(path)
    moved = facts(CLASS, RUN, imports=[("b", "B", "")], references=used, first_line=7)
    store.put([record(root, "a.py", moved)])
    assert changed_tables(path, before) == {"files", "blobs"}
    before = dump(path)
    documented = facts(CLASS, RUN._replace(doc="Else."), imports=[("b", "B", "")], references=used)
    store.put([record(root, "a.py", documented)])
    assert changed_tables(path, before) == {"files", "blobs", "symbols"}
    before = dump(path)
    store.touch([("a.py", 1, 2)])
    assert changed_tables(path, before) == {"files"}


def test_a_touch_or_the_same_content_is_no_change_for_readers(store: Store, root: Path) -> None:
    store.put([record(root, "a.py", facts(CLASS))])
    generation = store.generation
    os.utime(root / "a.py", ns=(1, 1))
    store.touch([("a.py", 5, 1)])
    store.put([record_as_it_is(root, "a.py", facts(CLASS))])
    link(store, "a.py")
    assert store.generation == generation


def test_what_changed_since_it_was_read_is_not_written(store: Store, root: Path) -> None:
    older = record(root, "a.py", facts(CLASS))
    gone = record(root, "b.py", facts(CLASS))
    write(root, "a.py", "something newer")
    (root / "b.py").unlink()
    assert store.put([older, gone, record(root, "c.py")]).stale == ["a.py", "b.py"]
    assert set(store.known()) == {"c.py"}


def test_a_journal_tells_which_files_were_written_lately(store: Store, root: Path) -> None:
    start = store.generation
    assert store.written_since(start) == set()
    store.put([record(root, "a.py"), record(root, "b.py")])
    store.remove(["b.py", "none.py"])
    store.skip({"c.py": "binary"})
    assert store.written_since(start) == {"a.py", "b.py", "none.py"}
    assert store.written_since(store.generation - 1) == set()
    known = store.known_file("a.py")
    assert known is not None
    assert known[0] == store.known()["a.py"]
    assert store.known_file("b.py") is None
    for number in range(300):
        store.put([record(root, "a.py", facts(words=f"w{number}"))])
    assert store.written_since(store.generation - 200) == {"a.py"}
    # Too long ago, or the number of another database.
    assert store.written_since(start) is None
    assert store.written_since(-1) is None
    assert store.written_since(store.generation + 5) is None


def test_removal_leaves_no_ghosts(store: Store, root: Path, path: Path) -> None:
    outside = symbol("go", "method", -1, "A")
    store.put([record(root, "a.py", facts(symbol("B", "class"), imports=[("b", "B", "")]))])
    link(store, "a.py", "", keys=["b"])
    alone = dump(path)
    store.put(
        [record(root, "b.py", facts(CLASS, RUN, outside, imports=[("a", "", "")], words="rare"))]
    )
    link(store, "b.py", "a.py", keys=["a"])
    link(store, "a.py", "b.py", keys=["b"])
    assert store.imports("a.py") == [("b", "B", "", "b.py", None)]
    assert store.remove(["b.py", "never.py"]) == ["a.py"]
    assert dump(path) == alone
    assert store.imports("a.py") == [("b", "B", "", None, None)]
    assert store.remove(["b.py"]) == []


def test_a_file_that_declares_nothing_any_more_is_as_one_that_never_did(
    store: Store, root: Path, path: Path
) -> None:
    store.put([record(root, "a.py", facts(CLASS, RUN))])
    store.put([record(root, "a.py", facts(words="rare"))])
    assert {name: dump(path)[name] for name in ("symbols", "names", "owners")} == {
        "symbols": [],
        "names": [],
        "owners": [],
    }


def test_ids_are_never_used_twice(store: Store, root: Path, path: Path) -> None:
    store.put([record(root, "a.py")])
    first = dump(path)["files"][0][0]
    store.remove(["a.py"])
    store.put([record(root, "a.py")])
    assert dump(path)["files"][0][0] != first


def test_keys_find_the_imports_that_they_could_lead_elsewhere(store: Store, root: Path) -> None:
    store.put([record(root, p, facts(imports=[("x", "", "")])) for p in ("a.py", "b.py")])
    link(store, "a.py", "", keys=["x", "src"])
    link(store, "b.py", "", keys=["y"])
    assert store.waiting(["x"]) == ["a.py"]
    assert sorted(store.waiting(["src", "x", "y", "z"])) == ["a.py", "b.py"]
    link(store, "a.py", "", keys=["z"])
    assert store.waiting(["x", "src"]) == []
    assert store.waiting(["z"]) == ["a.py"]


def test_what_is_still_imported_keeps_its_target(store: Store, root: Path) -> None:
    store.put([record(root, "b.py", facts(symbol("B", "class")))])
    store.put([record(root, "a.py", facts(imports=[("b", "B", "")]))])
    link(store, "a.py", "b.py")
    result = store.put([record(root, "a.py", facts(imports=[("c", "", ""), ("b", "B", "")]))])
    assert result.unresolved == ["a.py"]
    assert store.imports("a.py") == [
        ("c", "", "", None, None),
        ("b", "B", "", "b.py", "b.py"),
    ]


def test_definers_are_followed_through_re_exports_and_change_with_them(
    store: Store, root: Path
) -> None:
    named, everything = [("pkg", "Name", "")], [("impl", "*", "")]
    store.put(
        [
            record(root, "user.py", facts(imports=named)),
            record(root, "pkg.py", facts(imports=everything)),
            record(root, "impl.py", facts(imports=[("deep", "Old", "Name")])),
            record(root, "deep.py", facts(symbol("Old", "class"))),
        ]
    )
    for path, target in (("user.py", "pkg.py"), ("pkg.py", "impl.py"), ("impl.py", "deep.py")):
        link(store, path, target)

    def definer() -> str | None:
        return store.imports("user.py")[0].definer

    assert definer() == "deep.py"
    store.put([record(root, "deep.py", facts(symbol("New", "class")))])
    assert definer() is None
    store.put([record(root, "deep.py", facts(symbol("Old", "class"), symbol("New", "class")))])
    assert definer() == "deep.py"
    store.put([record(root, "pkg.py", facts(symbol("Name", "class"), imports=everything))])
    assert definer() == "pkg.py"
    store.put([record(root, "pkg.py", facts(imports=everything))])
    assert definer() == "deep.py"
    store.remove(["impl.py"])
    assert definer() is None


def test_circles_of_imports_end(store: Store, root: Path) -> None:
    paths = ("a.py", "b.py", "c.py")
    store.put([record(root, p, facts(imports=[("x", "*", ""), ("x", "N", "")])) for p in paths])
    for path, target in zip(paths, (*paths[1:], paths[0]), strict=True):
        link(store, path, target, target)
    assert store.imports("a.py")[1].definer is None
    end = facts(symbol("N"), imports=[("x", "*", "")])
    store.put([record(root, "c.py", end)])
    assert store.imports("a.py")[1].definer == "c.py"


def test_skips_are_listed_with_reasons_and_counted(store: Store, path: Path) -> None:
    odd = os.fsdecode(b"odd\xff.py")
    store.set_skips({"a.bin": "binary", odd: "odd_name"}, {"binary": 3, "ignored": 9})
    store.skip({"b.py": "too_large", "a.bin": None})
    assert store.skips() == {"b.py": "too_large", "odd\\udcff.py": "odd_name"}
    with Reader(path) as reader:
        assert reader.counts().skipped == {
            "binary": 3,
            "ignored": 9,
            "odd_name": 1,
            "too_large": 1,
        }


def test_transactions_inside_of_one_stand_or_fall_together(store: Store, root: Path) -> None:
    with pytest.raises(RuntimeError, match="stop"), store.writing():
        store.put([record(root, "a.py")])
        store.remove(["a.py"])
        store.put([record(root, "b.py")])
        raise RuntimeError("stop")
    assert store.known() == {}
    with store.writing():
        store.put([record(root, "a.py")])
        store.put([record(root, "b.py")])
    assert set(store.known()) == {"a.py", "b.py"}


@pytest.mark.parametrize(
    "damage",
    ["text", "foreign", "older", "short", "pages"],
)
def test_what_is_not_ours_or_not_whole_is_made_anew(damage: str, root: Path, path: Path) -> None:
    if damage == "text":
        path.write_text("this is no database, " * 100)
    elif damage == "foreign":
        with sqlite3.connect(path) as connection:
            connection.execute("CREATE TABLE t (x)")
        connection.close()
    else:
        with Store.open(path, root) as store:
            store.put([record(root, f"f{n}.py", facts(CLASS, RUN)) for n in range(200)])
        if damage == "older":
            connection = sqlite3.connect(path)
            connection.execute(f"PRAGMA user_version = {VERSION - 1}")
            connection.close()
        elif damage == "short":
            os.truncate(path, 4096)
        else:
            size = path.stat().st_size
            with path.open("r+b") as file:
                file.seek(4096)
                file.write(b"\x5a" * (size - 4096))
    with Store.open(path, root) as store:
        assert (store.fresh, store.notice, store.known()) == (True, "", {})
        assert store.quick_check()
        store.put([record(root, "a.py", facts(CLASS))])
        assert set(store.known()) == {"a.py"}


def test_a_later_version_keeps_its_database(root: Path, path: Path) -> None:
    with Store.open(path, root) as store:
        store.put([record(root, "a.py")])
    connection = sqlite3.connect(path)
    connection.execute(f"PRAGMA user_version = {VERSION + 1}")
    connection.close()
    with Store.open(path, root) as store:
        assert "later version" in store.notice
        assert store.private
        assert store.path != path
    connection = sqlite3.connect(path)
    assert connection.execute("SELECT count(*) FROM files").fetchone() == (1,)
    connection.close()


def test_damage_found_later_is_told_and_rebuilt(root: Path, path: Path) -> None:
    with Store.open(path, root) as store:
        store.put([record(root, f"f{n}.py", facts(CLASS, RUN)) for n in range(300)])
    with Store.open(path, root) as store, Reader(path) as reader:
        size = path.stat().st_size
        with path.open("r+b") as file:
            file.seek(3 * 4096)
            file.write(b"\x5a" * (size - 3 * 4096))
        assert not store.quick_check()
        with pytest.raises(StoreDamagedError):
            reader.paths()
        with pytest.raises(StoreDamagedError):
            store.remove([f"f{n}.py" for n in range(300)])
        epoch = store.epoch
        assert store.rebuild()
        assert store.epoch == epoch + 1
        assert store.known() == {}
        assert store.quick_check()
        store.put([record(root, "a.py", facts(CLASS))])
        assert reader.paths() == ("a.py",)


def test_a_database_that_another_process_replaced_is_followed(root: Path, path: Path) -> None:
    with Store.open(path, root) as first, Store.open(path, root) as other:
        first.put([record(root, "a.py")])
        epoch = other.epoch
        assert first.rebuild()
        other.put([record(root, "b.py")])
        assert other.epoch == epoch + 1
        assert set(first.known()) == {"b.py"}
        # Who was second finds it done, and what is in it stays.
        assert not other.rebuild() or set(first.known()) == set()


def test_a_writer_that_was_killed_is_noticed(root: Path, path: Path) -> None:
    code = (
        "import os, sys; from pathlib import Path; from sidecar.index.storage.store import Store\n"
        "store = Store.open(Path(sys.argv[1]), Path(sys.argv[2])); print(store.unclean)\n"
        "sys.stdout.flush(); os.kill(os.getpid(), 9)"
    )
    command = [sys.executable, "-c", code, str(path), str(root)]
    assert subprocess.run(command, capture_output=True, check=False).stdout == b"False\n"
    with Store.open(path, root) as store:
        assert store.unclean
        assert store.quick_check()
        with Store.open(path, root) as second:
            # The first is alive, and the dead one was told of.
            assert not second.unclean
    with Store.open(path, root) as store:
        assert not store.unclean


def test_writers_in_many_processes_take_turns(root: Path, path: Path) -> None:
    code = (
        "import sys; sys.path.insert(0, sys.argv[4]); from pathlib import Path\n"
        "from index_samples import record, facts, symbol\n"
        "from sidecar.index.storage.store import Store\n"
        "root = Path(sys.argv[2])\n"
        "with Store.open(Path(sys.argv[1]), root) as store:\n"
        "    for n in range(40):\n"
        "        found = facts(symbol(f's{n}'))\n"
        "        assert not store.put([record(root, f'{sys.argv[3]}_{n}.py', found)]).stale\n"
        "    assert not store.notice, store.notice\n"
    )
    tests = str(Path(__file__).parents[2])
    arguments = [sys.executable, "-c", code, str(path), str(root)]
    running = [
        subprocess.Popen([*arguments, f"p{n}", tests], stderr=subprocess.PIPE) for n in range(4)
    ]
    for process in running:
        _, errors = process.communicate()
        assert process.returncode == 0, errors.decode()
    with Store.open(path, root) as store, Reader(path) as reader:
        assert len(store.known()) == 160
        assert store.generation == 160
        assert len(reader.definitions("s7")) == 4
        assert store.quick_check()
        assert not store.unclean


def test_a_full_database_loses_nothing_that_was_there(store: Store, root: Path, path: Path) -> None:
    store.put([record(root, "a.py", facts(CLASS))])
    before = dump(path)
    (pages,) = store._connection.execute("PRAGMA page_count").fetchone()
    store._connection.execute(f"PRAGMA max_page_count = {pages + 1}")
    large = facts(*[symbol(f"name_{n}", doc="d" * 100) for n in range(2_000)])
    with pytest.raises(StoreRefusedError, match="full"):
        store.put([record(root, "a.py", facts(RUN)), record(root, "b.py", large)])
    assert "full" in store.notice
    assert dump(path) == before
    store._connection.execute("PRAGMA max_page_count = 1000000")
    store.put([record(root, "b.py", large)])
    assert store.notice == ""
    assert set(store.known()) == {"a.py", "b.py"}


CHILD = """
import os, sys
sys.path.insert(0, {tests!r})
from pathlib import Path
from index_samples import record, facts, symbol
from sidecar.index.storage.database import StoreRefusedError
from sidecar.index.query.reader import Reader
from sidecar.index.storage.store import Store
root, path = Path({root!r}), Path({path!r})
"""


def child(code: str, root: Path, path: Path, **options: object) -> str:
    head = CHILD.format(tests=str(Path(__file__).parents[2]), root=str(root), path=str(path))
    done = subprocess.run(
        [sys.executable, "-c", head + code], capture_output=True, text=True, check=False, **options
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.skipif(os.name != "posix", reason="limits of processes are POSIX")
def test_a_disk_that_takes_no_more_ends_no_process(root: Path, path: Path) -> None:
    # The kernel itself refuses to let the log grow, as it does on a disk that is full.
    code = """
import resource
with Store.open(path, root) as store:
    store.put([record(root, "a.py", facts(symbol("A")))])
    hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
    resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, hard))
    large = facts(*[symbol(f"name_{n}", doc="d" * 100) for n in range(20_000)])
    record_ = record(root, "a2.py", None)._replace(symbols=b"x" * 2_000_000)
    try:
        store.put([record_])
    except StoreRefusedError as error:
        print("refused", bool(store.notice))
    print(sorted(store.known()))
    resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
    store.put([record(root, "b.py", None)])
    print(sorted(store.known()), repr(store.notice), store.quick_check())
"""
    assert child(code, root, path).splitlines() == [
        "refused True",
        "['a.py']",
        "['a.py', 'b.py'] '' True",
    ]


@pytest.mark.skipif(os.name != "posix", reason="users are POSIX")
def test_a_folder_that_cannot_be_written_means_a_private_database(tmp_path: Path) -> None:
    # Below /tmp itself, since pytest's own folders let no other user in.
    with tempfile.TemporaryDirectory() as name:
        base = Path(name)
        base.chmod(0o755)
        for folder in ("cache", "work", "tmp"):
            (base / folder).mkdir()
        (base / "cache").chmod(0o555)
        (base / "work").chmod(0o777)
        (base / "tmp").chmod(0o1777)
        with_user = "" if os.getuid() else "os.setgid(65534); os.setuid(65534)\n"
        code = f"""
{with_user}
import tempfile, stat
tempfile.tempdir = {str(base / "tmp")!r}
try:
    open({str(base / "cache" / "x")!r}, "w")
except PermissionError:
    print("denied")
store = Store.open(path, root)
print(store.private, "cannot be used" in store.notice, store.path != path)
print(oct(stat.S_IMODE(os.stat(store.path.parent).st_mode)))
store.put([record(root, "a.py", facts(symbol("A")))])
print(Reader(store.path).paths(), Reader(path).paths())
folder = store.path.parent
store.close()
print(folder.exists())
"""
        printed = child(code, base / "work", base / "cache" / "index.sqlite")
    assert printed.splitlines() == [
        "denied",
        "True True True",
        "0o700",
        "('a.py',) ()",
        "False",
    ]


def test_private_folders_of_killed_processes_are_removed(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    blocked = tmp_path / "blocked"
    blocked.write_text("a file where a folder should be")
    code = f"""
import tempfile; tempfile.tempdir = {str(temporary)!r}
store = Store.open(path, root); print(store.path, flush=True); os.kill(os.getpid(), 9)
"""
    head = CHILD.format(
        tests=str(Path(__file__).parents[2]), root=str(root), path=str(blocked / "index.sqlite")
    )
    done = subprocess.run(
        [sys.executable, "-c", head + code], capture_output=True, text=True, check=False
    )
    left = Path(done.stdout.strip())
    assert left.is_file()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    with Store.open(blocked / "index.sqlite", root) as store:
        assert not left.parent.exists()
        assert store.path is not None
        with Store.open(blocked / "index.sqlite", root) as other:
            # The folder of a process that lives is not touched.
            assert store.path.is_file()
            assert other.path != store.path
    assert list(temporary.iterdir()) == []


def test_without_any_place_memory_serves(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    blocked = tmp_path / "blocked"
    blocked.write_text("")
    monkeypatch.setattr(tempfile, "tempdir", str(blocked))
    with Store.open(blocked / "index.sqlite", root) as store:
        assert store.path is None
        assert store.private
        assert store.notice
        store.put([record(root, "a.py", facts(CLASS))])
        assert set(store.known()) == {"a.py"}
        assert store.quick_check()
        assert store.rebuild()


def test_a_file_system_without_shared_memory_is_refused(root: Path, path: Path) -> None:
    # Where a log is needed, its map has to be as well: a folder in its place refuses it.
    Path(f"{path}-shm").mkdir()
    with Store.open(path, root) as store:
        assert store.private
        assert "cannot be" in store.notice
        store.put([record(root, "a.py")])


def test_an_index_has_one_place_for_all_names_of_a_workspace(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SIDECAR_CACHE_DIR", str(tmp_path / "cache"))
    (tmp_path / "linked").symlink_to(root)
    found = database_path(str(root))
    for name in (root / ".." / "work", tmp_path / "linked"):
        assert database_path(str(name)) == found
    assert found != database_path(str(tmp_path))
    assert found.suffix == ".sqlite"
    assert stat.S_IMODE(found.parent.stat().st_mode) == 0o700
