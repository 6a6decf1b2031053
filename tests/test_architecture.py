"""The rules of the house that a tool can check: layers, third parties, sizes, hosts, the wheel.

Each invariant of `sidecar/README.md` that is about who may import what is a test here.
"""

from __future__ import annotations

import ast
import functools
import re
import subprocess
import sys
import sysconfig
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "sidecar"

#: An import may only go to a row above the importing one, or stay within it.
ROWS = (
    "errors",
    "allocator",
    "locks",
    "text",
    "telemetry",
    "settings",
    "syntax",
    "index",
    "models",
    "engine",
    "remote",
    "context",
    "completion",
    "server",
    "bench",
    "cli",
    "__main__",
)

#: What each row alone may import from outside the standard library. A name that ends with `_`
#: stands for all that begin so. Rows that are not listed may import nothing.
THIRD_PARTIES: dict[str, frozenset[str]] = {
    "settings": frozenset({"platformdirs", "msgspec"}),
    "syntax": frozenset({"tree_sitter", "tree_sitter_"}),
    "index": frozenset({"watchdog", "xxhash", "msgpack"}),
    "models": frozenset({"huggingface_hub", "psutil"}),
    "engine": frozenset({"msgpack", "numpy", "llama_cpp"}),
    "remote": frozenset({"httpx2", "keyring"}),
    "server": frozenset({"pygls", "lsprotocol", "attrs", "cattrs"}),
    "cli": frozenset({"rich"}),
}

#: Rows whose import is not the row's but one module's.
SINGLE_IMPORTERS: dict[str, frozenset[str]] = {
    "llama_cpp": frozenset({"engine/model.py"}),
    "httpx2": frozenset({"remote/connection.py"}),
    "keyring": frozenset({"remote/secret.py"}),
}

#: Modules longer than the limit, each with the reason why it is one piece.
MAX_LINES = 350
LONGER: dict[str, str] = {}

#: The parts of the index, and which others each may import: only such as stand above it. What
#: lies beside them imports any of them, and none of them imports that.
INDEX_PARTS: dict[str, frozenset[str]] = {
    "files": frozenset(),
    "wire": frozenset(),
    "extract": frozenset({"files", "wire"}),
    "storage": frozenset({"extract"}),
    "query": frozenset({"files", "extract", "storage"}),
    "resolve": frozenset(),
    "outside": frozenset({"files", "resolve"}),
    "upkeep": frozenset({"files", "wire", "extract", "storage", "resolve", "outside"}),
}

#: What a front may know of the engine: the messages and the way to reach it, not the host.
ENGINE_FOR_FRONTS = frozenset({"messages", "spec", "interface", "client", "launch"})
#: What makes the same prompts, and ends them alike, where a server stands in for the engine.
ENGINE_FOR_REMOTE = ENGINE_FOR_FRONTS | {"boundary", "template", "stream"}


@dataclass(frozen=True, slots=True)
class Module:
    path: Path
    tree: ast.Module
    lines: int

    @property
    def name(self) -> str:
        return self.path.relative_to(PACKAGE).as_posix()

    @property
    def row(self) -> str:
        return self.name.split("/")[0].removesuffix(".py")

    def imports(self) -> list[str]:
        """Every module that is imported anywhere in this one, by its full dotted name."""
        found: list[str] = []
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Import):
                found += [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                assert node.level == 0, f"{self.name}:{node.lineno}: relative import"
                found.append(node.module or "")
                found += [f"{node.module}.{alias.name}" for alias in node.names]
        return found


@functools.cache
def modules() -> tuple[Module, ...]:
    found = []
    for path in sorted(PACKAGE.rglob("*.py")):
        source = path.read_text(encoding="utf-8")
        found.append(Module(path, ast.parse(source), source.count("\n")))
    return tuple(found)


def every_module(test: Callable[[Module], None]) -> Callable[[], None]:
    """Make one test of all modules: one for each would be a third of all tests there are."""

    def of_all() -> None:
        failures = []
        for module in modules():
            try:
                test(module)
            except AssertionError as failure:
                failures.append(failure)
        if failures:
            raise ExceptionGroup(f"{len(failures)} modules", failures)

    of_all.__name__ = test.__name__
    return of_all


@every_module
def test_imports_go_up_only(module: Module) -> None:
    if module.row == "__init__":
        assert not [name for name in module.imports() if name.startswith("sidecar")]
        return
    row = ROWS.index(module.row)
    for name in module.imports():
        parts = name.split(".")
        if parts[0] == "sidecar" and len(parts) > 1 and parts[1] in ROWS:
            assert ROWS.index(parts[1]) <= row, f"{module.name} imports {name}, a row below it"


@every_module
def test_parts_of_the_index_import_one_way(module: Module) -> None:
    place = module.name.split("/")
    if module.row != "index" or len(place) < 3:
        return
    above = list(INDEX_PARTS)[: list(INDEX_PARTS).index(place[1])]
    assert INDEX_PARTS[place[1]] <= set(above)
    allowed = INDEX_PARTS[place[1]] | {place[1]}
    for name in module.imports():
        parts = name.split(".")
        if parts[:2] == ["sidecar", "index"] and len(parts) > 2:
            assert parts[2] in allowed, f"{module.name} imports {name}"


@every_module
def test_third_parties_stay_in_their_package(module: Module) -> None:
    allowed = THIRD_PARTIES.get(module.row, frozenset())
    for name in module.imports():
        top = name.split(".")[0]
        if top in sys.stdlib_module_names or top == "sidecar":
            continue
        listed = top in allowed or any(top.startswith(a) for a in allowed if a.endswith("_"))
        assert listed, f"{module.name} imports {top}, which is not for {module.row}/"
        only = SINGLE_IMPORTERS.get(top, frozenset({module.name}))
        assert module.name in only, f"{module.name} imports {top}; only {sorted(only)} may"


@every_module
def test_only_the_host_imports_the_host(module: Module) -> None:
    if module.row == "engine":
        return
    for name in module.imports():
        parts = name.split(".")
        if parts[:2] == ["sidecar", "engine"] and len(parts) > 2:
            allowed = ENGINE_FOR_REMOTE if module.row == "remote" else ENGINE_FOR_FRONTS
            assert parts[2] in allowed, f"{module.name} imports {name}"


@every_module
def test_a_module_is_short_and_says_what_it_exports(module: Module) -> None:
    told = ast.get_docstring(module.tree) or ""
    assert len(told) > 20, f"{module.name} does not say its one job"
    if module.name not in LONGER:
        assert module.lines <= MAX_LINES, f"{module.name} has {module.lines} lines; split it"
    if module.path.name != "__main__.py":
        assigned = {
            target.id
            for node in module.tree.body
            if isinstance(node, ast.Assign | ast.AnnAssign)
            for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
            if isinstance(target, ast.Name)
        }
        assert "__all__" in assigned, f"{module.name} has no __all__"


def test_the_list_of_longer_modules_is_not_stale() -> None:
    lines = {module.name: module.lines for module in modules()}
    for name, reason in LONGER.items():
        assert lines.get(name, 0) > MAX_LINES, f"{name} is short again: take it off the list"
        assert reason


@every_module
def test_nothing_prints(module: Module) -> None:
    # A print in the front would break the protocol on its standard output. Commands write
    # through cli/, which is the only place that has a terminal.
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id != "print", f"{module.name}:{node.lineno} prints"


#: Modules of the front, and what their import must leave out: the engine's libraries, and what
#: would make an editor's start slow.
FRONT = (
    (
        "sidecar.server.app",
        ("llama_cpp", "numpy", "rich", "huggingface_hub", "sidecar.remote.client"),
    ),
    ("sidecar.remote.client", ("llama_cpp", "numpy", "pygls", "lsprotocol", "rich", "httpx2")),
    ("sidecar.completion.service", ("llama_cpp", "numpy", "pygls", "lsprotocol", "rich")),
    ("sidecar.engine.client", ("llama_cpp", "numpy", "pygls", "lsprotocol", "rich")),
    ("sidecar.cli.main", ("llama_cpp", "numpy", "pygls", "lsprotocol", "rich", "tree_sitter")),
)


@pytest.mark.parametrize(("module", "absent"), FRONT, ids=[name for name, _ in FRONT])
def test_the_front_never_loads_the_engine(module: str, absent: tuple[str, ...]) -> None:
    code = f"import sys, {module}; print(*(n for n in {absent!r} if n in sys.modules))"
    assert run(sys.executable, "-c", code, cwd=ROOT).split() == []


def tracked_files() -> list[Path]:
    names = run("git", "ls-files", "-z", "-co", "--exclude-standard", cwd=ROOT).split("\0")
    return [ROOT / name for name in names if name and (ROOT / name).is_file()]


def test_no_file_names_a_registry_host_or_a_place_on_one_machine() -> None:
    # Written in pieces, so that this file is clean of them as well. Which host serves a package
    # is the business of pip's and the hub client's own settings.
    forbidden = [
        ".".join(parts)
        for parts in (
            ("pypi", "org"),
            ("files", "pythonhosted", "org"),
            ("registry", "npmjs", "org"),
            ("deb", "debian", "org"),
            ("huggingface", "co"),
            ("hf-mirror", "com"),
            ("abetlen", "github", "io"),
        )
    ]
    forbidden += ["/".join(parts) for parts in (("", "work", "main"), ("", "root", ""))]
    found = []
    for path in tracked_files():
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        found += [f"{path.relative_to(ROOT)}: {word}" for word in forbidden if word in text]
    assert found == []


@pytest.mark.parametrize("page", ["README.md", "sidecar/README.md"])
def test_pages_name_files_that_exist(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    named = set(re.findall(r"`((?:tests|scripts|grammars)/[\w./-]+)`", text))
    assert named
    assert [name for name in sorted(named) if not (ROOT / name).exists()] == []


def test_the_readme_names_every_variable_that_is_read() -> None:
    read = {
        name
        for path in tracked_files()
        if path.suffix != ".md" and path.relative_to(ROOT).parts[0] in ("scripts", "sidecar")
        for name in re.findall(r"\bSIDECAR_[A-Z_]+[A-Z]\b", path.read_text("utf-8", "replace"))
    }
    assert read
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert [name for name in sorted(read) if f"| `{name}` |" not in text] == []


def run(*command: str | Path, **options: object) -> str:
    """Run a command that must succeed, and return what it printed."""
    done = subprocess.run(
        [str(part) for part in command], capture_output=True, text=True, check=False, **options
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder, cwd=ROOT)
    return next(folder.glob("sidecar_completion-*.whl"))


def test_the_wheel_holds_the_data(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        held = set(archive.namelist())
    grammars = {
        f"sidecar/{path.relative_to(ROOT).as_posix()}"
        for path in (ROOT / "grammars").rglob("*")
        if path.is_file()
    }
    assert grammars, "grammars/ is empty"
    assert grammars <= held
    assert "sidecar/models/catalogue.toml" in held
    assert not [name for name in held if name.startswith(("tests/", "scripts/"))]


def test_an_installed_wheel_finds_its_data(wheel: Path, tmp_path: Path) -> None:
    target = tmp_path / "site"
    pip = (sys.executable, "-m", "pip", "-q", "install", "--no-deps", "--no-index")
    run(*pip, "--target", target, wheel)
    # -I leaves out the current folder and PYTHONPATH, -S the editable install of this checkout:
    # what the wheel depends on is put back behind it.
    code = (
        "import sys; sys.path[:0] = sys.argv[1:]\n"
        "import sidecar\n"
        "from sidecar.models.catalogue import load_catalogue\n"
        "from sidecar.syntax.languages import Languages\n"
        "print(sidecar.__file__); print(len(list(load_catalogue())), len(Languages.load().all))"
    )
    places = (target, sysconfig.get_path("platlib"), sysconfig.get_path("purelib"))
    printed = run(sys.executable, "-I", "-S", "-c", code, *places, cwd=tmp_path)
    where, counts = printed.splitlines()
    assert Path(where).is_relative_to(target)
    assert all(int(count) > 0 for count in counts.split())
