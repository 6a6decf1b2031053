"""`sidecar doctor`: each line is ok or says what to do."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from sidecar.cli.machine import gpus_present

if TYPE_CHECKING:
    from pathlib import Path


def doctor(
    *arguments: str, code: int, **environment: str
) -> tuple[dict[str, dict[str, Any]], dict[str, Any]]:
    done = subprocess.run(
        [sys.executable, "-m", "sidecar", "doctor", "--json", *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
        env={**os.environ, **environment},
    )
    assert (done.returncode, done.stderr) == (code, "")
    said = json.loads(done.stdout)
    assert said["ok"] == (code == 0)
    for check in said["checks"]:
        assert check.keys() == {"name", "ok", "detail", "fix"}
        assert check["detail"] and "\n" not in check["detail"]
        assert check["ok"] or check["fix"]
    return {check["name"]: check for check in said["checks"]}, said


@pytest.mark.engine
def test_a_machine_where_everything_works(model_path: Path) -> None:
    """Evaluates some 10 tokens."""
    checks, _ = doctor(code=0)
    assert set(checks) == {
        *("Python", "package", "llama.cpp", "devices", "model", "memory", "socket", "index"),
        "decode",
    }
    assert "one token after" in checks["decode"]["detail"]
    assert "qwen2.5-coder-0.5b" in checks["model"]["detail"]


@pytest.mark.engine
def test_a_draft_model_is_looked_at(model_path: Path, tmp_path: Path) -> None:
    """Completing works without one, so it is advice."""
    checks, _ = doctor("--draft-model", str(model_path), code=0)
    assert checks["draft model"]["detail"].startswith("qwen2.5-coder-0.5b at ")
    checks, _ = doctor("--draft-model", str(tmp_path / "none.gguf"), code=0)
    assert "there is no file" in checks["draft model"]["detail"]
    assert checks["draft model"]["fix"]


def test_no_model(no_model: dict[str, str]) -> None:
    checks, _ = doctor(code=1, **no_model)
    assert "sidecar models pull" in checks["model"]["fix"]
    assert checks["socket"]["ok"]
    assert "decode" not in checks


@pytest.mark.skipif(os.name != "posix" or os.getuid() != 0, reason="changes the user")
def test_a_cache_that_cannot_be_written(tmp_path: Path, runtime_dir: Path) -> None:
    cache = tmp_path / "cache"
    cache.mkdir()
    (cache / "index").mkdir(mode=0o755)
    for path in (*tmp_path.parents, tmp_path):
        assert path.stat().st_mode & 0o005 == 0o005 or path.chmod(0o755) is None
    code = f"""
import os
from sidecar.errors import SidecarError
from sidecar.index.checkup import check_index
os.setgroups([]); os.setgid(65534); os.setuid(65534)
assert not os.access({str(cache / "index")!r}, os.W_OK)
try:
    check_index({str(tmp_path)!r})
except SidecarError as error:
    print(error)
"""
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        env={**os.environ, "SIDECAR_CACHE_DIR": str(cache)},
    )
    assert done.stdout.count("\n") == 1, done.stderr
    assert "SIDECAR_CACHE_DIR" in done.stdout


def test_the_index_of_the_folder_is_looked_at(tmp_path: Path, no_model: dict[str, str]) -> None:
    checks, _ = doctor(code=1, **no_model)
    assert checks["index"]["ok"] and "can be kept" in checks["index"]["detail"]
    assert not list((tmp_path / "cache" / "index").iterdir())


def test_the_other_package_of_that_name(tmp_path: Path, no_model: dict[str, str]) -> None:
    other = tmp_path / "site" / "sidecar-1.4.0.dist-info"
    other.mkdir(parents=True)
    (other / "METADATA").write_text("Metadata-Version: 2.1\nName: sidecar\nVersion: 1.4.0\n")
    checks, _ = doctor(code=1, PYTHONPATH=str(other.parent), **no_model)
    assert "1.4.0" in checks["package"]["detail"]
    assert "pip uninstall sidecar" in checks["package"]["fix"]


@pytest.mark.skipif(os.name != "posix", reason="Unix sockets")
def test_a_socket_path_that_is_too_long(tmp_path: Path, no_model: dict[str, str]) -> None:
    deep = tmp_path / ("d" * 60) / ("e" * 60)
    checks, _ = doctor(code=1, SIDECAR_RUNTIME_DIR=str(deep), **no_model)
    assert "longer than" in checks["socket"]["detail"]
    assert "SIDECAR_RUNTIME_DIR" in checks["socket"]["fix"]


@pytest.mark.skipif(sys.platform != "linux", reason="this is how Linux tells of its devices")
@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({}, []),
        ({"sys/class/drm/card0/device/vendor": "0x8086\n"}, []),
        ({"sys/class/drm/card1/device/vendor": "0x1002\n"}, [("an AMD GPU", "vulkan")]),
        (
            {
                "sys/class/drm/card0/device/vendor": "0x10de\n",
                "proc/driver/nvidia/gpus/0000:01:00.0/information": "",
            },
            [("an NVIDIA GPU", "cuda")],
        ),
        ({"proc/driver/nvidia/gpus/0000:01:00.0/information": ""}, [("an NVIDIA GPU", "cuda")]),
    ],
)
def test_gpus_of_the_machine(
    tmp_path: Path,
    files: dict[str, str],
    expected: list[tuple[str, str]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True)
        path.write_text(text)
    assert gpus_present(tmp_path) == expected
