"""What the scripts decide before anything is installed, with real programs on a made-up PATH."""

from __future__ import annotations

import importlib.util
import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from types import ModuleType

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def house() -> ModuleType:
    spec = importlib.util.spec_from_file_location("house", ROOT / "scripts" / "house.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def program(folder: Path, name: str, shell: str) -> None:
    path = folder / name
    path.write_text(f"#!/bin/sh\n{shell}\n", encoding="utf-8")
    path.chmod(0o755)


def compiler(name: str, version: str) -> str:
    """A shell program that answers as a compiler does when asked who it is."""
    return f'case "$1" in -dumpversion) echo {version};; *) echo "{name} {version}";; esac'


def gcc(version: str) -> str:
    return compiler("g++ (Debian)", version)


def clang(version: str) -> str:
    return compiler("Apple clang version", version)


@pytest.fixture
def only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that is the whole PATH."""
    monkeypatch.setenv("PATH", str(tmp_path))
    for name in ("CXX", "CFLAGS", "CXXFLAGS"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


@pytest.mark.parametrize(
    ("backend", "on"),
    [("cpu", None), ("cuda", "CUDA"), ("metal", "METAL"), ("vulkan", "VULKAN")],
)
def test_a_backend_turns_on_one_switch(
    house: ModuleType, only: Path, backend: str, on: str | None
) -> None:
    flags, environment = house.build_flags(backend, False)
    assert environment == {}
    assert flags[0] == "-DGGML_NATIVE=OFF"
    for name in ("CUDA", "METAL", "VULKAN"):
        assert f"-DGGML_{name}={'ON' if name == on else 'OFF'}" in flags


@pytest.mark.skipif(
    platform.machine() not in ("x86_64", "AMD64"), reason="AMX exists on x86-64 only"
)
@pytest.mark.parametrize(
    ("compiler", "without_amx"),
    [
        (gcc("10.2.1"), False),  # Does not know the options.
        (gcc("11.4.0"), True),
        (gcc("12"), True),
        (gcc("13.2.0"), False),
        (clang("16.0.0"), False),
    ],
)
def test_native_builds_leave_out_amx_where_the_compiler_gets_it_wrong(
    house: ModuleType, only: Path, compiler: str, without_amx: bool
) -> None:
    program(only, "c++", compiler)
    flags, environment = house.build_flags("cpu", True)
    assert flags[0] == "-DGGML_NATIVE=ON"
    for variable in ("CFLAGS", "CXXFLAGS"):
        assert ("-mno-amx-tile" in environment.get(variable, "")) is without_amx


def test_users_own_flags_are_kept(
    house: ModuleType, only: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(only, "c++", gcc("12.2.0"))
    monkeypatch.setenv("CFLAGS", "-O2")
    _, environment = house.build_flags("cpu", True)
    assert environment.get("CFLAGS", "-O2").startswith("-O2")


def test_what_a_build_depends_on_is_in_its_name(house: ModuleType) -> None:
    base = house.build_key(["0.3.36", "-DGGML_NATIVE=OFF", "g++ 12"], False)
    assert base == house.build_key(["0.3.36", "-DGGML_NATIVE=OFF", "g++ 12"], False)
    for other in (
        ["0.3.37", "-DGGML_NATIVE=OFF", "g++ 12"],
        ["0.3.36", "-DGGML_NATIVE=OFF", "g++ 13"],
    ):
        assert house.build_key(other, False) != base


def test_no_compiler_is_told_in_one_line(house: ModuleType, only: Path) -> None:
    with pytest.raises(house.Trouble, match="install g"):
        house.compiler()


def test_scripts_and_program_agree_where_things_lie(
    house: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from sidecar.settings.paths import cache_dir

    for name in ("SIDECAR_CACHE_DIR", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert house.cache_dir() == cache_dir()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert house.cache_dir() == cache_dir()
    monkeypatch.setenv("SIDECAR_CACHE_DIR", "~/elsewhere")
    assert house.cache_dir() == cache_dir() == tmp_path / "elsewhere"


def test_setup_without_a_compiler_says_what_to_install(only: Path) -> None:
    checkout = only / "checkout"
    shutil.copytree(ROOT / "scripts", checkout / "scripts")
    shutil.copy(ROOT / "pyproject.toml", checkout)
    ran = subprocess.run(
        [sys.executable, checkout / "scripts" / "setup", "--no-model"],
        capture_output=True,
        text=True,
        check=False,
        env={"PATH": str(only), "HOME": str(only), "SIDECAR_CACHE_DIR": str(only / "cache")},
    )
    assert ran.returncode == 1
    assert "Traceback" not in ran.stderr
    assert ran.stderr.splitlines()[-1].startswith(
        "scripts/setup: no C++ compiler was found; install"
    )
    assert not (only / "cache").exists()


@pytest.mark.engine
def test_the_demo_completes_the_example(model_path: Path) -> None:
    ran = subprocess.run(
        [ROOT / "scripts" / "demo"],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ
        | {"PATH": f"{Path(sys.base_prefix) / 'bin'}{os.pathsep}{os.environ['PATH']}"},
    )
    assert ran.returncode == 0, ran.stderr
    assert "se UnknownItem(sku)" in ran.stdout, "the suggestion"
    assert "current file, between anchor and cursor" in ran.stdout, "the card"
    table = ran.stdout[ran.stdout.index("line so far") :].splitlines()[1:8]
    evaluated = [int(row[34:].split()[0]) for row in table]
    # The same place a second time costs nothing, and a key costs what was typed.
    assert evaluated[0] == 0
    assert sum(evaluated) / len(evaluated) <= 3


def copied(name: str, checkout: Path) -> Path:
    """Copy a script into a folder that is no more of a checkout than that."""
    script = checkout / "scripts" / name
    script.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(ROOT / "scripts" / name, script)
    return script


def test_checks_without_a_set_up_say_what_to_run_first(tmp_path: Path) -> None:
    done = subprocess.run([copied("check", tmp_path)], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "run scripts/setup --test first" in done.stderr and done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("name", "told"),
    [("test", "scripts/test -k anchor"), ("vscode-package", "Needs `scripts/setup --test`")],
)
def test_help_sets_nothing_up(name: str, told: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [copied(name, tmp_path), "--help"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert told in done.stdout


@pytest.mark.parametrize(
    ("programs", "told"),
    [
        ({}, "hatchling, which builds the wheel, is not installed; run scripts/setup --test first"),
        ({"python": "exit 1"}, "run scripts/setup --test first"),
        ({"python": ""}, "Node was not found; install Node 20 or newer"),
        ({"python": "", "node": "echo v18.19.0"}, "this is Node 18.19.0; install Node 20 or newer"),
        ({"python": "", "node": "echo v20.20.2"}, "npm was not found"),
    ],
)
def test_packaging_says_what_it_needs(only: Path, programs: dict[str, str], told: str) -> None:
    for needed in ("bash", "dirname"):
        found = shutil.which(needed, path=os.defpath)
        assert found is not None
        (only / needed).symlink_to(found)
    script = copied("vscode-package", only / "checkout")
    for name, shell in programs.items():
        place = only / "checkout" / ".venv" / "bin" if name == "python" else only
        place.mkdir(parents=True, exist_ok=True)
        program(place, name, shell)
    done = subprocess.run(
        [script], capture_output=True, text=True, check=False, env={"PATH": str(only)}
    )
    assert done.returncode == 1
    assert told in done.stderr and done.stderr.count("\n") == 1
    assert done.stderr.startswith("scripts/vscode-package: ")
