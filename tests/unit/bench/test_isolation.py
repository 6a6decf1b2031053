"""A benchmark's engine is met in a directory that is gone afterwards."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from sidecar.bench.isolation import own_cache, own_runtime
from sidecar.settings import cache_dir, lanes_dir, runtime_dir


def test_the_directory_is_ours_and_goes(monkeypatch: pytest.MonkeyPatch) -> None:
    lanes = lanes_dir()
    for before in ("/somewhere", None):
        if before is None:
            monkeypatch.delenv("SIDECAR_RUNTIME_DIR")
        else:
            monkeypatch.setenv("SIDECAR_RUNTIME_DIR", before)
        with pytest.raises(ZeroDivisionError), own_runtime() as folder:
            assert runtime_dir() == Path(folder)
            assert Path(folder).stat().st_mode & 0o077 == 0
            assert lanes_dir().parent == Path(folder)
            (Path(folder) / "x.sock").touch()
            raise ZeroDivisionError
        assert not Path(folder).exists()
        assert os.environ.get("SIDECAR_RUNTIME_DIR") == before
        assert lanes_dir() == lanes


def test_what_is_learned_goes_and_the_models_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    models = tmp_path / "models"
    models.mkdir()
    (models / "a.gguf").write_text("weights")
    for before in (str(tmp_path), None):
        if before is None:
            monkeypatch.delenv("SIDECAR_CACHE_DIR", raising=False)
        else:
            monkeypatch.setenv("SIDECAR_CACHE_DIR", before)
        with own_cache(models) as cache:
            assert cache_dir() == cache != tmp_path
            assert (cache / "models" / "a.gguf").read_text() == "weights"
            (cache / "index").mkdir()
        assert not cache.exists()
        assert (models / "a.gguf").exists()
        assert os.environ.get("SIDECAR_CACHE_DIR") == before
    with own_cache(tmp_path / "none") as cache:
        assert not list(cache.iterdir())
