"""Which files outside of a workspace an import means: environments, node_modules, module caches."""

from __future__ import annotations

import os
import sysconfig
from pathlib import Path

import pytest

from sidecar.index.outside import Outside
from sidecar.index.outside.passed import NOTHING, passed_on

SITE = "env/lib/python3.11/site-packages"


def make(folder: Path, *paths: str, **texts: str) -> None:
    for path, text in {**dict.fromkeys(paths, ""), **texts}.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)


def find(
    folder: Path,
    language: str,
    what: str,
    importer: str = "app/main.py",
    environment: dict[str, str] | None = None,
) -> list[str]:
    """What `module` or `module name` means, relative to the folder that holds all."""
    module, _, name = what.partition(" ")
    root = folder / "root"
    root.mkdir(exist_ok=True)
    finder = Outside(str(root), environment or {})
    found = finder.find(language, module, name, importer)
    return [os.path.relpath(path, os.path.realpath(folder)) for path in found]


@pytest.mark.parametrize(
    ("what", "expected"),
    [
        ("pkg", ["pkg/__init__.py"]),
        ("pkg Thing", ["pkg/__init__.py"]),
        ("pkg sub", ["pkg/sub.py"]),
        ("pkg *", ["pkg/__init__.py"]),
        ("pkg.sub", ["pkg/sub.py", "pkg/__init__.py"]),
        ("pkg.sub Thing", ["pkg/sub.py"]),
        ("pkg.deep Thing", ["pkg/deep/__init__.pyi"]),
        ("pkg.none Thing", []),
        ("single Thing", ["single.py"]),
        ("typed Thing", ["typed.pyi"]),
        ("stubbed Thing", ["stubbed-stubs/__init__.pyi"]),
        ("stubbed.partly Thing", ["stubbed/partly.py"]),
        ("space.inner Thing", ["space/inner.py"]),
        ("space", []),
        # The standard library is not looked for, and what is relative is the workspace's.
        ("json Thing", []),
        (".pkg Thing", []),
        ("..pkg Thing", []),
        ("missing", []),
        ("pkg.../../x", []),
        ("native", []),
    ],
)
@pytest.mark.parametrize("place", ["root/.venv", "root/app/venv", "elsewhere"])
def test_python(tmp_path: Path, place: str, what: str, expected: list[str]) -> None:
    site = f"{place}/lib/python3.11/site-packages"
    make(
        tmp_path / place,
        "pyvenv.cfg",
        "lib/python3.11/site-packages/json/__init__.py",
        *(
            f"lib/python3.11/site-packages/{path}"
            for path in (
                "pkg/__init__.py pkg/sub.py pkg/deep/__init__.py pkg/deep/__init__.pyi single.py"
                " typed.py typed.pyi stubbed/__init__.py stubbed/partly.py space/inner.py"
                " stubbed-stubs/__init__.pyi native.cpython-311.so"
            ).split()
        ),
    )
    active = {"VIRTUAL_ENV": str(tmp_path / "elsewhere")} if place == "elsewhere" else {}
    found = find(tmp_path, "python", what, environment=active)
    assert found == [f"{site}/{path}" for path in expected]


def test_an_environment_is_known_by_its_mark_and_the_nearest_wins(tmp_path: Path) -> None:
    make(tmp_path, "conda/lib/python3.12/site-packages/p.py", f"root/{SITE}/p.py")
    conda = {"CONDA_PREFIX": str(tmp_path / "conda")}
    assert find(tmp_path, "python", "p", environment=conda) == []
    (tmp_path / "conda/conda-meta").mkdir()
    assert find(tmp_path, "python", "p", environment=conda) == [
        "conda/lib/python3.12/site-packages/p.py"
    ]
    make(tmp_path, "root/env/pyvenv.cfg")
    assert find(tmp_path, "python", "p", environment=conda) == [f"root/{SITE}/p.py"]
    make(tmp_path, "root/env/lib/python3.9/site-packages/p.py")
    assert find(tmp_path, "python", "p") == [f"root/{SITE}/p.py"]


def test_links_lead_nowhere_else(tmp_path: Path) -> None:
    make(tmp_path, "private/p.py", "root/env/pyvenv.cfg", f"root/{SITE}/.keep")
    (tmp_path / f"root/{SITE}/p.py").symlink_to(tmp_path / "private/p.py")
    assert find(tmp_path, "python", "p") == []
    (tmp_path / "root/.venv").mkdir()
    make(tmp_path, "root/.venv/pyvenv.cfg")
    (tmp_path / "root/.venv/lib/python3.11").mkdir(parents=True)
    (tmp_path / "root/.venv/lib/python3.11/site-packages").symlink_to(tmp_path / "private")
    assert find(tmp_path, "python", "p") == []
    # An environment itself may be kept elsewhere, as some tools do.
    make(tmp_path, "kept/pyvenv.cfg", "kept/lib/python3.11/site-packages/p.py")
    (tmp_path / "root/venv").symlink_to(tmp_path / "kept")
    assert find(tmp_path, "python", "p") == ["kept/lib/python3.11/site-packages/p.py"]


def test_what_is_installed_here(tmp_path: Path) -> None:
    site = sysconfig.get_path("purelib")
    active = {"VIRTUAL_ENV": str(Path(site).parents[2])}
    finder = Outside(str(tmp_path), active)
    (found,) = finder.find("python", "pytest", "fixture", "a.py")
    assert found == os.path.realpath(f"{site}/pytest/__init__.py")
    (further,) = finder.find("python", "_pytest.fixtures", "fixture", found)
    assert further == os.path.realpath(f"{site}/_pytest/fixtures.py")
    (relative,) = finder.find("python", ".fixtures", "fixture", further)
    assert relative == further


PACKAGES = {
    "own/package.json": '{"name": "own", "types": "./types/index.d.ts"}',
    "own/types/index.d.ts": "",
    "beside/package.json": '{"main": "lib/main.js"}',
    "beside/lib/main.js": "",
    "beside/lib/main.d.ts": "",
    "mapped/package.json": (
        '{"exports": {".": {"import": {"types": "./d/index.d.mts", "default": "./d/i.mjs"}},'
        ' "./feature/*": {"types": "./d/*.d.ts"}}}'
    ),
    "mapped/d/index.d.mts": "",
    "mapped/d/one.d.ts": "",
    "plain/package.json": '{"main": "index.js"}',
    "plain/index.js": "",
    "@types/plain/package.json": '{"types": "index.d.ts"}',
    "@types/plain/index.d.ts": "",
    "@types/scope__pkg/package.json": "{}",
    "@types/scope__pkg/index.d.ts": "",
    "@types/node/package.json": '{"types": "index.d.ts"}',
    "@types/node/fs/promises.d.ts": "",
    "@types/node/path.d.ts": "",
    "untyped/package.json": '{"main": "index.js"}',
    "untyped/index.js": "",
    "broken/package.json": "[not json",
    "broken/index.d.ts": "",
}


@pytest.mark.parametrize(
    ("what", "expected"),
    [
        ("own Thing", "own/types/index.d.ts"),
        ("beside", "beside/lib/main.d.ts"),
        ("beside/lib/main", "beside/lib/main.d.ts"),
        ("beside/lib/main.js", "beside/lib/main.d.ts"),
        ("mapped", "mapped/d/index.d.mts"),
        ("mapped/feature/one", "mapped/d/one.d.ts"),
        ("plain default", "@types/plain/index.d.ts"),
        ("@scope/pkg Thing", "@types/scope__pkg/index.d.ts"),
        ("node:path join", "@types/node/path.d.ts"),
        ("fs/promises readFile", "@types/node/fs/promises.d.ts"),
        ("untyped", ""),
        ("broken", ""),
        ("missing", ""),
        ("./own", ""),
        ("../node_modules/own", ""),
        ("own/../../x", ""),
        ("https://example.com/x.js", ""),
        ("@scope", ""),
        ("#inner", ""),
    ],
)
@pytest.mark.parametrize("place", ["root", "root/web", "."])
def test_javascript(tmp_path: Path, place: str, what: str, expected: str) -> None:
    make(tmp_path / place / "node_modules", **PACKAGES)
    found = find(tmp_path, "typescript", what, "web/src/app.ts")
    prefix = os.path.normpath(f"{place}/node_modules")
    assert found == ([f"{prefix}/{expected}"] if expected else [])


def test_javascript_from_one_package_to_another(tmp_path: Path) -> None:
    modules = "root/node_modules"
    make(
        tmp_path,
        f"{modules}/.store/a/node_modules/a/inner.d.ts",
        **{
            f"{modules}/.store/a/node_modules/a/package.json": '{"types": "index.d.ts"}',
            f"{modules}/.store/a/node_modules/a/index.d.ts": "",
            f"{modules}/.store/a/node_modules/b/package.json": '{"types": "b.d.ts"}',
            f"{modules}/.store/a/node_modules/b/b.d.ts": "",
        },
    )
    # As pnpm links packages.
    (tmp_path / modules / "a").symlink_to(".store/a/node_modules/a")
    own = f"{modules}/.store/a/node_modules/a/index.d.ts"
    assert find(tmp_path, "typescript", "a", "app.ts") == [own]
    inside = os.path.realpath(tmp_path / own)
    assert find(tmp_path, "typescript", "./inner", inside) == [own.replace("index", "inner")]
    beside = f"{modules}/.store/a/node_modules/b/b.d.ts"
    assert find(tmp_path, "typescript", "b", inside) == [beside]
    assert find(tmp_path, "typescript", "../../../../../app", inside) == []


GO_MOD = """\
module example.org/app

go 1.22

require github.com/BurntSushi/toml v1.3.2
require (
	github.com/x/y v0.1.0 // indirect
	github.com/x/y/v2 v2.0.1+incompatible
	example.com/old v1.0.0
	example.com/local v1.0.0
)
replace example.com/old => example.com/new v1.5.0
replace example.com/local => ../local
"""
CACHE = "cache/github.com"


@pytest.mark.parametrize(
    ("module", "expected"),
    [
        (
            "github.com/BurntSushi/toml",
            [f"{CACHE}/!burnt!sushi/toml@v1.3.2/{name}.go" for name in ("decode", "encode")],
        ),
        ("github.com/x/y/inner", [f"{CACHE}/x/y@v0.1.0/inner/i.go"]),
        ("github.com/x/y/v2", [f"{CACHE}/x/y/v2@v2.0.1+incompatible/y.go"]),
        ("example.com/old", ["cache/example.com/new@v1.5.0/new.go"]),
        ("net/http", ["go/src/net/http/server.go"]),
        ("github.com/not/required", []),
        ("example.com/local", ["cache/example.com/local@v1.0.0/l.go"]),
        ("github.com/x/y/../z", []),
        ("C", []),
        ("./inner", []),
    ],
)
def test_go(tmp_path: Path, module: str, expected: list[str]) -> None:
    make(
        tmp_path,
        f"{CACHE}/!burnt!sushi/toml@v1.3.2/decode.go",
        f"{CACHE}/!burnt!sushi/toml@v1.3.2/decode_test.go",
        f"{CACHE}/!burnt!sushi/toml@v1.3.2/decode_plan9.go",
        f"{CACHE}/!burnt!sushi/toml@v1.3.2/encode.go",
        f"{CACHE}/!burnt!sushi/toml@v1.3.2/README.md",
        f"{CACHE}/x/y@v0.1.0/inner/i.go",
        f"{CACHE}/x/y/v2@v2.0.1+incompatible/y.go",
        "cache/example.com/new@v1.5.0/new.go",
        "cache/example.com/local@v1.0.0/l.go",
        "go/src/net/http/server.go",
        **{"root/go.mod": GO_MOD},
    )
    variables = {"GOMODCACHE": str(tmp_path / "cache"), "GOROOT": str(tmp_path / "go")}
    assert find(tmp_path, "go", module, "cmd/main.go", variables) == expected


def test_go_beside_its_program_and_below_gopath(tmp_path: Path) -> None:
    make(
        tmp_path,
        "sdk/go/bin/go",
        "sdk/go/src/fmt/print.go",
        "path/pkg/mod/github.com/x/y@v0.1.0/y.go",
        "bin/other",
        **{"root/go.mod": GO_MOD},
    )
    (tmp_path / "bin/go").symlink_to(tmp_path / "sdk/go/bin/go")
    variables = {"PATH": str(tmp_path / "bin"), "GOPATH": str(tmp_path / "path")}
    assert find(tmp_path, "go", "fmt", "a.go", variables) == ["sdk/go/src/fmt/print.go"]
    found = find(tmp_path, "go", "github.com/x/y", "a.go", variables)
    assert found == ["path/pkg/mod/github.com/x/y@v0.1.0/y.go"]


def test_other_languages_and_odd_names(tmp_path: Path) -> None:
    assert find(tmp_path, "rust", "serde") == []
    assert find(tmp_path, "python", "a\nb") == []
    assert find(tmp_path, "python", "a" * 10_000) == []
    assert find(tmp_path, "python", "a\0b") == []


@pytest.mark.parametrize(
    ("language", "path", "imports", "wanted", "expected"),
    [
        # A name is followed to where it comes from, under the name that it has there.
        ("python", "p/__init__.py", [(".a", "A", ""), (".b", "B", "")], "A", [(".a", "A", "A")]),
        ("python", "p/__init__.py", [(".a", "A", "Z")], "Z", [(".a", "A", "A")]),
        ("python", "p/__init__.py", [(".a", "*", "")], "A", [(".a", "*", "A")]),
        ("python", "p/a.py", [("q", "A", "")], "A", [("q", "A", "A")]),
        ("python", "p/__init__.py", [("q", "", "A")], "A", []),
        # All of a package is what it imports from itself.
        (
            "python",
            "site/p/sub/__init__.py",
            [(".a", "A", ""), ("p.b", "B", ""), ("q", "C", ""), ("p.c", "", "")],
            "",
            [(".a", "A", "A"), ("p.b", "B", "B")],
        ),
        ("python", "p/__init__.py", [(".a", "A", "")], "p", [(".a", "A", "A")]),
        ("python", "p/a.py", [(".b", "B", "")], "", []),
        ("python", "p/__init__.py", [(".a", "A", "")], NOTHING, []),
        ("typescript", "p/i.d.ts", [("./a", "*", ""), ("q", "*", "")], "", [("./a", "*", "*")]),
        ("tsx", "i.d.ts", [("./a", "default", "")], "default", [("./a", "default", "default")]),
        ("typescript", "p/i.d.ts", [("./a", "*", "n")], "*", [("./a", "*", NOTHING)]),
        ("go", "p/a.go", [("fmt", "", "")], "", []),
    ],
)  # fmt: skip
def test_what_is_passed_on(
    language: str,
    path: str,
    imports: list[tuple[str, str, str]],
    wanted: str,
    expected: list[tuple[str, str, str]],
) -> None:
    found = [(*what, further) for what, further in passed_on(language, path, imports, wanted)]
    assert found == expected
