"""What `scripts/bench-data` unpacks of archives, without fetching any."""

from __future__ import annotations

import importlib.util
import io
import re
import sys
import tarfile
import zipfile
from importlib.machinery import SourceFileLoader
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from types import ModuleType

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"


@pytest.fixture(scope="module")
def bench_data() -> ModuleType:
    loader = SourceFileLoader("bench_data", str(SCRIPTS / "bench-data"))
    spec = importlib.util.spec_from_file_location("bench_data", loader.path, loader=loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(SCRIPTS))
        patch.setattr(sys, "dont_write_bytecode", True)
        # A dataclass looks for its module there.
        patch.setitem(sys.modules, "bench_data", module)
        loader.exec_module(module)
    return module


def files(folder: Path) -> list[str]:
    return sorted(p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file())


def test_every_package_is_pinned_and_there_are_enough(bench_data: ModuleType) -> None:
    quality, tuning = bench_data.SETS["quality"], bench_data.SETS["tuning"]
    assert len(quality.wheels) >= 6
    assert len(quality.npm) >= 2
    packages = [p for chosen in (quality, tuning) for p in (*chosen.wheels, *chosen.npm)]
    # What thresholds are chosen on must not be what they are tried on.
    assert len({package.name for package in packages}) == len(packages)
    for package in packages:
        assert re.fullmatch(r"\d+(\.\d+)+", package.version)
        assert re.fullmatch(r"[0-9a-f]{64}", package.digest)
    assert "query-core-5.90.2" in {package.folder for package in packages}


def test_a_wheel_gives_what_it_installs(bench_data: ModuleType, tmp_path: Path) -> None:
    wheel = tmp_path / "a-1.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        for name in ("a/__init__.py", "a/b.py", "a-1.0.dist-info/METADATA"):
            archive.writestr(name, "x = 1\n")
    bench_data.unpack_wheel(wheel, tmp_path / "out")
    assert files(tmp_path / "out") == ["a/__init__.py", "a/b.py"]


def test_an_archive_of_npm_gives_its_sources_only(bench_data: ModuleType, tmp_path: Path) -> None:
    path = tmp_path / "a.tgz"
    with tarfile.open(path, "w:gz") as archive:
        for name in (
            "package/package.json",
            "package/src/index.ts",
            "package/src/deep/part.ts",
            "package/src/__tests__/part.test.ts",
            "package/src/locales/de.ts",
            "package/dist/index.js",
            "package/src/notes.md",
            "package/src/../../../escaped.ts",
            "package/index.d.ts",
        ):
            member = tarfile.TarInfo(name)
            member.size = 3
            archive.addfile(member, io.BytesIO(b"{}\n"))
        link = tarfile.TarInfo("package/src/link.ts")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        archive.addfile(link)
    bench_data.unpack_npm(path, tmp_path / "out")
    assert files(tmp_path / "out") == ["package.json", "src/deep/part.ts", "src/index.ts"]
    assert not (tmp_path / "escaped.ts").exists()
