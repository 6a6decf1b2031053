"""Directories that only their user may enter."""

from __future__ import annotations

import os
import stat
import tempfile
from typing import TYPE_CHECKING

import pytest

from sidecar.errors import EngineError, ModelError
from sidecar.settings import cache_dir, lanes_dir, runtime_dir

if TYPE_CHECKING:
    from pathlib import Path

posix_only = pytest.mark.skipif(os.name != "posix", reason="modes and owners are POSIX")


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_the_environment_chooses_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SIDECAR_CACHE_DIR", str(tmp_path / "cache"))
    assert cache_dir() == tmp_path / "cache"
    assert cache_dir().is_dir()


def test_a_cache_that_cannot_be_made_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("SIDECAR_CACHE_DIR", str(tmp_path / "file" / "cache"))
    with pytest.raises(ModelError) as caught:
        cache_dir()
    assert "SIDECAR_CACHE_DIR" in caught.value.fix


@posix_only
def test_the_runtime_directory_is_closed_to_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SIDECAR_RUNTIME_DIR", str(tmp_path / "new" / "run"))
    assert runtime_dir() == tmp_path / "new" / "run"
    assert mode_of(runtime_dir()) == 0o700


@posix_only
@pytest.mark.parametrize(
    ("mode", "inside"),
    [
        (0o700, False),
        (0o711, True),
        (0o755, True),
        (0o1777, True),
        (0o777, None),
        (0o770, None),
    ],
)
def test_the_mode_of_a_directory_that_exists_is_never_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mode: int, inside: bool | None
) -> None:
    named = tmp_path / "named"
    named.mkdir()
    named.chmod(mode)
    monkeypatch.setenv("SIDECAR_RUNTIME_DIR", str(named))
    if inside is None:
        with pytest.raises(EngineError, match="others may replace"):
            runtime_dir()
    else:
        assert runtime_dir() == (named / f"sidecar-{os.getuid()}" if inside else named)
        assert mode_of(runtime_dir()) == 0o700
    assert mode_of(named) == mode


@posix_only
def test_a_session_directory_is_used_only_when_it_is_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SIDECAR_RUNTIME_DIR", raising=False)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "tmp"))
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    assert runtime_dir() == tmp_path / "sidecar"
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / "missing"))
    assert runtime_dir() == tmp_path / "tmp" / f"sidecar-{os.getuid()}"


@posix_only
def test_a_link_or_a_file_in_its_place_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "target"
    target.mkdir()
    link = tmp_path / "link"
    link.symlink_to(target)
    file = tmp_path / "file"
    file.write_text("")
    for path in (link, file):
        monkeypatch.setenv("SIDECAR_RUNTIME_DIR", str(path))
        with pytest.raises(EngineError) as caught:
            runtime_dir()
        assert "SIDECAR_RUNTIME_DIR" in caught.value.fix


def test_a_cache_in_a_home_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SIDECAR_CACHE_DIR", "~nobody-of-this-name/x")
    with pytest.raises(ModelError, match="names a home directory that is not there"):
        cache_dir()


@posix_only
def test_what_sessions_leave_is_their_users_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SIDECAR_LANES_DIR")
    monkeypatch.setenv("SIDECAR_CACHE_DIR", str(tmp_path / "cache"))
    assert lanes_dir() == tmp_path / "cache" / "lanes"
    assert mode_of(lanes_dir()) == 0o700
    # A directory that the user named and others may enter is not ours to close.
    (tmp_path / "open").mkdir(mode=0o755)
    monkeypatch.setenv("SIDECAR_LANES_DIR", str(tmp_path / "open"))
    assert lanes_dir().parent == tmp_path / "open"
    assert (mode_of(lanes_dir()), mode_of(tmp_path / "open")) == (0o700, 0o755)
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("SIDECAR_LANES_DIR", str(tmp_path / "file" / "x"))
    with pytest.raises(EngineError) as caught:
        lanes_dir()
    assert "SIDECAR_LANES_DIR" in caught.value.fix
